"""The tables of subsets side by side, and of the superclasses."""

from collections.abc import Iterator

from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.report.accuracy_index import METRIC_TITLES, Cells
from labeler.report.accuracy_tables import INTERVALS, people_then_models, traced
from labeler.report.table import NONE, Cell, Column, Table, percent, text_column, traced_table

_SIDE_BY_SIDE = (
    (
        "subsets-main",
        "All images, without dogs, objects, fast",
        (ALL, "without_dogs", "objects", "fast"),
    ),
    (
        "subsets-classes",
        "Dogs, animals without dogs, objects",
        ("dogs", "animals_without_dogs", "objects"),
    ),
    (
        "subsets-images",
        "Single-label, multi-label and problematic images",
        ("single_label", "multi_label", "problematic"),
    ),
)


def side_by_side(cells: Cells) -> Iterator[Table]:
    """Subsets side by side, dataset by dataset within each."""
    for key, title, subsets in _SIDE_BY_SIDE:
        yield _side_by_side(cells, key, title, subsets)


def named(cells: Cells) -> Iterator[Table]:
    subtrees = tuple(s.key for s in cells.numbers.subsets if s.key.startswith("subtree:"))
    if subtrees:
        yield _side_by_side(cells, "subsets-named", "Subsets that were asked for", subtrees)


def _side_by_side(cells: Cells, key: str, title: str, subsets: tuple[str, ...]) -> Table:
    metric = cells.main_metric
    places = [(s, d) for s in subsets if s in cells.titles for d in cells.datasets]
    used = [
        p
        for p in places
        if any((c, p[1], p[0], metric) in cells.accuracy for c in cells.numbers.study.participants)
    ]
    rows: list[tuple[str | Cell, ...]] = []
    for code in people_then_models(cells, metric):
        found = [cells.accuracy.get((code, d, s, metric)) for s, d in used]
        if any(found):
            rows.append((cells.called(code), *(traced(cells, row) for row in found)))
    return traced_table(
        key=key,
        title=f"{title}: {METRIC_TITLES[metric].lower()} accuracy",
        note=INTERVALS,
        columns=(
            text_column("Participant"),
            *(Column(f"{cells.titles[s]}, {d}") for s, d in used),
        ),
        rows=rows,
    )


def superclasses(cells: Cells) -> Iterator[Table]:
    """One table a dataset, with the superclasses that it has in columns."""
    metric = cells.main_metric
    every = [subset for subset in cells.numbers.subsets if subset.is_superclass]
    codes = people_then_models(cells, metric)
    for number, dataset in enumerate(cells.datasets, start=1):
        found = {
            (code, subset.key): cells.accuracy.get((code, dataset, subset.key, metric))
            for code in codes
            for subset in every
        }
        used = [s for s in every if any(found[code, s.key] is not None for code in codes)]
        yield traced_table(
            key=f"superclasses-{number}",
            title=f"Superclasses on {dataset}: {METRIC_TITLES[metric].lower()} accuracy",
            note="Percent, and of how many images.",
            columns=(text_column("Participant"), *(Column(subset.title) for subset in used)),
            rows=(
                (cells.called(code), *(_of_how_many(cells, found[code, s.key]) for s in used))
                for code in codes
                if used and any(found[code, s.key] is not None for s in used)
            ),
        )


def _of_how_many(cells: Cells, row: Accuracy | None) -> Cell:
    text = NONE if row is None else f"{percent(row.accuracy)} ({row.total})"
    return Cell(text, cells.tracing.accuracies(row))
