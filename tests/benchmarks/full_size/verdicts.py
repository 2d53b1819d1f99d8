"""900,000 verdicts imported, and with them the study of full size."""

from functools import cache
from pathlib import Path

from tests.benchmarks.full_size.answers import write_reviews
from tests.benchmarks.full_size.place import study
from tests.benchmarks.full_size.planned import bench_full_plan
from tests.benchmarks.full_size.references import bench_full_references
from tests.benchmarks.full_size.rows import bench_rows
from tests.benchmarks.table import Row

_REVIEWED_PER_CLASS = 45


@cache
def bench_full_verdicts() -> Row:
    # What is judged already would not be planned, and the review would be small.
    bench_full_plan()
    return bench_rows("import of {:,} verdicts", write_reviews, per_class=_REVIEWED_PER_CLASS)


@cache
def full_study() -> Path:
    """Everything in it."""
    bench_full_references()
    bench_full_verdicts()
    return study()
