"""The bars next to numbers with intervals keep their order and share an axis."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.report.interval_bars import axis_ends, interval_bars
from labeler.report.table import (
    ReportColumn,
    ReportTable,
    format_signed_interval,
    format_with_interval,
)

shares = st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted)


def table_of(*rows: tuple[str, ...]) -> ReportTable:
    columns = (ReportColumn("Who", number=False), *(ReportColumn("%") for _ in rows[0][1:]))
    return ReportTable(key="k", title="t", note="", columns=columns, rows=rows)


@given(st.lists(shares, min_size=1, max_size=8))
def test_a_value_is_inside_its_bar_and_the_bar_inside_the_axis(rows: list[list[float]]) -> None:
    table = table_of(*(("A", format_with_interval(v, low, high)) for low, v, high in rows))
    bars = interval_bars(table)
    assert set(bars) == {(row, 1) for row in range(len(rows))}
    for bar in bars.values():
        assert 0 <= bar["low"] <= bar["value"] <= bar["high"] <= 100


def test_columns_of_one_kind_share_an_axis() -> None:
    low, high = format_with_interval(0.5, 0.4, 0.6), format_with_interval(0.9, 0.8, 1.0)
    bars = interval_bars(table_of(("A", low, high), ("B", high, low)))
    assert bars[0, 1] == bars[1, 2]
    assert bars[0, 2] == bars[1, 1]
    assert bars[0, 1]["high"] < bars[0, 2]["low"]


def test_differences_have_an_axis_with_zero() -> None:
    accuracy = format_with_interval(0.5, 0.4, 0.6)
    gap = format_signed_interval(-0.02, -0.05, 0.01)
    bars = interval_bars(table_of(("A", accuracy, gap)))
    assert bars[0, 1]["zero"] is None
    zero = bars[0, 2]["zero"]
    assert zero is not None
    assert bars[0, 2]["value"] < zero < bars[0, 2]["high"]


def test_cells_without_an_interval_have_no_bar() -> None:
    assert interval_bars(table_of(("A", "88.4", "–"))) == {}


@given(st.lists(st.floats(-100, 100), min_size=1))
def test_an_axis_contains_its_numbers_and_has_a_length(numbers: list[float]) -> None:
    low, high = axis_ends(numbers)
    assert low <= min(numbers) + 1e-9
    assert high >= max(numbers) - 1e-9
    assert low < high
