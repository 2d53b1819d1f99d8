"""A line of the table that the benchmarks print."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured: our cost, the bare one's, our rate over theirs, and the bar to reach."""

    name: str
    ours: str
    bare: str
    ratio: float
    bar: str
