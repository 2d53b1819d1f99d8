"""Run every benchmark, or those that are named, and write the table to docs/benchmarks.md."""

import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.chosen_class import bench_chosen, bench_comparison
from tests.benchmarks.class_map import bench_class_map, bench_class_map_of_many_classes
from tests.benchmarks.commit import bench_commit
from tests.benchmarks.crowd import bench_crowd_answers, bench_crowd_grid, bench_crowd_objects
from tests.benchmarks.curation import bench_build
from tests.benchmarks.dataset_review import bench_dataset_review
from tests.benchmarks.datasets import bench_import
from tests.benchmarks.exchange import bench_parquet, bench_predictions, bench_reviews
from tests.benchmarks.full_size.planned import bench_full_plan
from tests.benchmarks.full_size.predictions import bench_full_predictions
from tests.benchmarks.full_size.references import bench_full_references
from tests.benchmarks.full_size.report import bench_full_report
from tests.benchmarks.full_size.validation import bench_full_import
from tests.benchmarks.full_size.verdicts import bench_full_verdicts
from tests.benchmarks.full_size.window import (
    bench_full_class,
    bench_full_home,
    bench_full_review,
    bench_full_start,
)
from tests.benchmarks.key_presses import bench_key_presses
from tests.benchmarks.memory import bench_memory
from tests.benchmarks.near_duplicates import bench_near_duplicates, bench_screening, bench_ssim
from tests.benchmarks.reference_panel import (
    bench_icons,
    bench_panel_cold,
    bench_panel_scrolled,
    bench_panel_through_worker,
    bench_panel_warm,
    bench_panel_whole_decode,
)
from tests.benchmarks.report import (
    bench_accuracies,
    bench_class_resampling,
    bench_fits,
    bench_intervals,
    bench_report,
)
from tests.benchmarks.review import bench_grid, bench_resolutions
from tests.benchmarks.review_plan import bench_decoys
from tests.benchmarks.scoring import bench_scoring, bench_scoring_bound
from tests.benchmarks.search import bench_keystrokes, bench_keystrokes_of_many_classes
from tests.benchmarks.search_paint import bench_search_painted
from tests.benchmarks.sharing import bench_merge, bench_pack
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
_HEAD = "| what | ours | bare | ratio | bar |\n|---|---|---|---|---|\n"

Bench = Callable[[], Row | list[Row]]

_BENCHES: dict[str, Bench] = {
    # Before the window's: a process inherits the peak of memory of the one that starts it.
    "resolutions": lambda: bench_resolutions(925_000),
    "decoys": bench_decoys,
    "near_duplicates": bench_near_duplicates,
    "near_duplicates_dssim": bench_screening,
    "ssim": bench_ssim,
    "build": bench_build,
    "dataset_review": bench_dataset_review,
    "load": bench_load,
    "keystrokes": bench_keystrokes,
    "predictions": lambda: bench_predictions(3_000_000),
    "parquet": lambda: bench_parquet(3_000_000),
    "reviews": lambda: bench_reviews(900_000),
    "import": bench_import,
    "pack": bench_pack,
    "merge": bench_merge,
    "crowd_answers": bench_crowd_answers,
    "crowd_objects": bench_crowd_objects,
    "crowd_grid": bench_crowd_grid,
    "report": bench_report,
    "accuracies": bench_accuracies,
    "intervals": bench_intervals,
    "class_resampling": bench_class_resampling,
    "fits": bench_fits,
    "scoring": bench_scoring,
    "scoring_bound": bench_scoring_bound,
    "filtered_taxonomy": bench_filtered_taxonomy,
    "any_filtered_taxonomy": bench_any_filtered_taxonomy,
    "class_map": bench_class_map,
    "class_map_many_classes": bench_class_map_of_many_classes,
    "search_many_classes": bench_keystrokes_of_many_classes,
    "search_painted": bench_search_painted,
    "panel_cold": bench_panel_cold,
    "panel_whole_decode": bench_panel_whole_decode,
    "panel_through_worker": bench_panel_through_worker,
    "panel_warm": bench_panel_warm,
    "panel_scrolled": bench_panel_scrolled,
    "icons": bench_icons,
    "grid": bench_grid,
    "prefetched": bench_prefetched,
    "not_prefetched": bench_not_prefetched,
    "commit": bench_commit,
    "submit": bench_submit,
    "typing": bench_typing,
    "key_presses": bench_key_presses,
    "class_cold": bench_class_cold,
    "class_warm": bench_class_warm,
    "chosen": bench_chosen,
    "comparison": bench_comparison,
    "start": bench_start,
    "memory": bench_memory,
    "full_references": bench_full_references,
    "full_import": bench_full_import,
    "full_predictions": bench_full_predictions,
    "full_plan": bench_full_plan,
    "full_verdicts": bench_full_verdicts,
    "full_start": bench_full_start,
    "full_home": bench_full_home,
    "full_class": bench_full_class,
    "full_review": bench_full_review,
    "full_report": bench_full_report,
}
_FULL_SIZE = "full_size"


def main(asked: Sequence[str]) -> None:
    """Measure everything, or what is asked for and leave the other rows of the page as they are."""
    wanted = _named(asked)
    unknown = sorted(wanted - set(_BENCHES))
    if unknown:
        known = ", ".join([*_BENCHES, _FULL_SIZE])
        sys.exit(f"No benchmark is called {', '.join(unknown)}. There are: {known}.")
    lines: dict[str, str] = _known_lines() if wanted else {}
    measured = 0
    for name, bench in _BENCHES.items():
        if not wanted or name in wanted:
            for row in _rows(bench()):
                lines[row.name] = _line(row)
                measured += 1
                print(lines[row.name], flush=True)
    table = _HEAD + "".join(f"{line}\n" for line in lines.values())
    _PAGE.write_text(f"{_HEADER}{table}\n{_conditions(measured)}\n", encoding="utf-8")


def _conditions(measured: int) -> str:
    """The machine of the latest run, and how busy it was: the run itself keeps one core busy."""
    load = os.getloadavg()[2]
    return (
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}. The latest "
        f"run measured {measured} rows with a load average of {load:.1f} on {os.cpu_count()} cores."
    )


def _named(asked: Sequence[str]) -> set[str]:
    """The names that were asked for; one represents all that measure the full-size study."""
    full = {name for name in _BENCHES if name.startswith("full_")}
    return {name for word in asked for name in (full if word == _FULL_SIZE else {word})}


def _rows(measured: Row | list[Row]) -> list[Row]:
    return measured if isinstance(measured, list) else [measured]


def _known_lines() -> dict[str, str]:
    """The rows that stand on the page, by what they measure."""
    rows = [
        line for line in _PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    return {line.split(" | ")[0].removeprefix("| "): line for line in rows[1:]}


def _line(row: Row) -> str:
    return f"| {row.name} | {row.ours} | {row.bare} | {row.ratio:.2f}× | {row.bar} |"


if __name__ == "__main__":
    main(sys.argv[1:])
