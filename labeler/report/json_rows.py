"""Rows of report.json."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

JsonRow = dict[str, Any]


def dataclass_rows(values: Iterable[Any]) -> list[JsonRow]:
    """Convert dataclasses to rows of their fields."""
    return [{f.name: getattr(value, f.name) for f in fields(value)} for value in values]
