"""72 models' and five people's predictions on 50,000 images, imported."""

from functools import cache

from tests.benchmarks.full_size.answers import HUMANS, MODELS, write_predictions
from tests.benchmarks.full_size.rows import bench_rows
from tests.benchmarks.full_size.validation import IMAGES, PER_CLASS, bench_full_import
from tests.benchmarks.table import Row


@cache
def bench_full_predictions() -> Row:
    bench_full_import()
    who = f"{MODELS} models and {len(HUMANS)} people"
    name = f"import of what {who} say of {IMAGES:,} images"
    return bench_rows(name, write_predictions, per_class=PER_CLASS)
