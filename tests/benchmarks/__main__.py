"""Run every benchmark, print the table, and write it to docs/benchmarks.md."""

import platform
from pathlib import Path

from tests.benchmarks.commit import bench_commit
from tests.benchmarks.datasets import bench_import
from tests.benchmarks.exchange import bench_predictions, bench_reviews
from tests.benchmarks.memory import bench_memory
from tests.benchmarks.reference_panel import (
    bench_icons,
    bench_panel_cold,
    bench_panel_scrolled,
    bench_panel_through_worker,
    bench_panel_warm,
)
from tests.benchmarks.report import (
    bench_accuracies,
    bench_class_resampling,
    bench_fits,
    bench_intervals,
    bench_report,
)
from tests.benchmarks.review import bench_grid, bench_resolutions
from tests.benchmarks.scoring import bench_scoring, bench_scoring_bound
from tests.benchmarks.search import bench_keystrokes
from tests.benchmarks.search_paint import bench_search_painted
from tests.benchmarks.start import bench_start
from tests.benchmarks.table import Row
from tests.benchmarks.taxonomy import bench_load
from tests.benchmarks.taxonomy_tree import bench_any_filtered_taxonomy, bench_filtered_taxonomy
from tests.benchmarks.trial_image import bench_not_prefetched, bench_prefetched
from tests.benchmarks.workbench import (
    bench_class_cold,
    bench_class_warm,
    bench_submit,
    bench_typing,
)

_PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_HEADER = """# Benchmarks

Written by `make bench`. Each ratio compares, in one run on one machine, what the program does with
the bare cost of the same work: ratios carry over to other machines, times don't.

"""


def main() -> None:
    # Before the window's, as below.
    rows = bench_resolutions(925_000)
    for row in rows:
        print(_line(row), flush=True)
    for bench in (
        bench_load,
        bench_keystrokes,
        # Before the window's: a process inherits the peak of memory of the one that starts it.
        lambda: bench_predictions(3_000_000),
        lambda: bench_reviews(900_000),
        bench_import,
        bench_report,
        bench_accuracies,
        bench_intervals,
        bench_class_resampling,
        bench_fits,
        bench_scoring,
        bench_scoring_bound,
        bench_filtered_taxonomy,
        bench_any_filtered_taxonomy,
        bench_search_painted,
        bench_panel_cold,
        bench_panel_through_worker,
        bench_panel_warm,
        bench_panel_scrolled,
        bench_icons,
        bench_grid,
        bench_prefetched,
        bench_not_prefetched,
        bench_commit,
        bench_submit,
        bench_typing,
        bench_class_cold,
        bench_class_warm,
        bench_start,
        bench_memory,
    ):
        rows.append(bench())
        print(_line(rows[-1]), flush=True)
    machine = f"\nPython {platform.python_version()}, {platform.system()} {platform.machine()}.\n"
    _PAGE.write_text(_HEADER + _table(rows) + machine, encoding="utf-8")


def _table(rows: list[Row]) -> str:
    head = "| what | ours | bare | ratio | bar |\n|---|---|---|---|---|\n"
    return head + "".join(f"{_line(row)}\n" for row in rows)


def _line(row: Row) -> str:
    return f"| {row.name} | {row.ours} | {row.bare} | {row.ratio:.2f}× | {row.bar} |"


if __name__ == "__main__":
    main()
