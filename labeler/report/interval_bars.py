"""Bars for the intervals in a table's cells, on one axis for all columns of a kind."""

import math
import re
from collections.abc import Sequence
from typing import TypedDict

from labeler.report.table import ReportTable

_NUMBER = r"[+−]?\d+(?:\.\d+)?"
_WITH_INTERVAL = re.compile(rf"({_NUMBER}) \[({_NUMBER}), ({_NUMBER})\]")


class IntervalBar(TypedDict):
    """Positions from 0 to 100 on the axis of the column; `zero` is None if it is outside."""

    value: float
    low: float
    high: float
    zero: float | None


Cell = tuple[int, int]


def interval_bars(table: ReportTable) -> dict[Cell, IntervalBar]:
    """Return a bar for each cell with an interval; differences have an axis of their own."""
    found = {
        (row, column): numbers
        for row, texts in enumerate(table.rows)
        for column, text in enumerate(texts)
        if table.columns[column].number and (numbers := _numbers(text)) is not None
    }
    signed = {column for row, column in found if _is_signed(table.rows[row][column])}
    bars: dict[Cell, IntervalBar] = {}
    for group in (signed, {column for _row, column in found} - signed):
        own = {cell: numbers for cell, numbers in found.items() if cell[1] in group}
        if own:
            bars |= _on_one_axis(own)
    return bars


def _numbers(text: str) -> tuple[float, ...] | None:
    match = _WITH_INTERVAL.fullmatch(text)
    return None if match is None else tuple(float(n.replace("−", "-")) for n in match.groups())


def _is_signed(text: str) -> bool:
    return "+" in text or "−" in text


def _on_one_axis(found: dict[Cell, tuple[float, ...]]) -> dict[Cell, IntervalBar]:
    low, high = axis_ends([number for numbers in found.values() for number in numbers])

    def position(number: float) -> float:
        return round(100 * (number - low) / (high - low), 2)

    zero = position(0.0) if low < 0 < high else None
    return {
        cell: IntervalBar(
            value=position(value), low=position(least), high=position(most), zero=zero
        )
        for cell, (value, least, most) in found.items()
    }


def axis_ends(numbers: Sequence[float]) -> tuple[float, float]:
    """Round the range outwards to a step of 10, or of 1 or 0.1 if the range is small."""
    low, high = min(numbers), max(numbers)
    step = 10.0 if high - low > 10 else 1.0 if high - low > 1 else 0.1
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return (low, high) if high > low else (low - step, high + step)
