"""Which accuracies stand behind the cells of the report's own tables.

A table is text in cells (docs/decisions/42), so a cell is traced by what its row and its column are
called, which is also how a reader finds it.
"""

from collections.abc import Iterator, Mapping, Sequence

from labeler.app.report.chosen_table import Behind, TracedTable
from labeler.core.metrics.accuracy import Accuracy
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.vocabulary import Convention, Metric
from labeler.report.cells import Cells
from labeler.report.table import Table

_DATASET = "Dataset"


def traced(cells: Cells, table: Table) -> TracedTable:
    """The table, with the images of every cell that is an accuracy of somebody."""
    codes = {cells.called(code): code for code in cells.numbers.study.participants}
    columns = _columns(cells, table)
    behind: dict[tuple[int, int], Behind] = {}
    for number, row in enumerate(table.rows):
        for column, shown in columns.items() if row[0] in codes else ():
            found = tuple(_accuracies(cells, codes[row[0]], shown, _dataset_of(table, row)))
            if found:
                behind[number, column] = found
    return TracedTable(table, behind)


# A dataset, or None where the row names it; a subset, a metric and a way of counting.
_Shown = tuple[str | None, str, Metric, Convention]


def _columns(cells: Cells, table: Table) -> Mapping[int, tuple[_Shown, ...]]:
    found = dict(_by_title(cells, table))
    return {
        number: found[title] for number, title in enumerate(table.head) if title in found and number
    }


def _by_title(cells: Cells, table: Table) -> Iterator[tuple[str, tuple[_Shown, ...]]]:
    """What each column shows, by its title."""
    kind, _, rest = table.key.partition("-")
    if kind == "accuracy":
        yield from _datasets(cells, Metric(rest.replace("-", "_")))
    elif kind in ("subsets", "superclasses"):
        yield from _subsets(cells, None if kind == "subsets" else int(rest))
    elif table.key == "models" and cells.pair is not None:
        yield from zip(("Original", "New"), _each(cells.pair, cells.main_metric), strict=True)
        yield "Gap", _together(cells.pair, cells.main_metric)
    elif table.key == "escape-hatches":
        yield "Accuracy", ((None, ALL, Metric.MULTI_LABEL, Convention.POOLED),)
        yield "Imputed", ((None, ALL, Metric.MULTI_LABEL_IMPUTED, Convention.POOLED),)
    elif table.key == "conventions":
        for title, convention in zip(table.head[2:], Convention, strict=False):
            yield title, ((None, ALL, cells.main_metric, convention),)


def _datasets(cells: Cells, metric: Metric) -> Iterator[tuple[str, tuple[_Shown, ...]]]:
    yield from zip(cells.datasets, _each(cells.datasets, metric), strict=True)
    if cells.pair is not None:
        yield "Gap", _together(cells.pair, metric)


def _subsets(cells: Cells, number: int | None) -> Iterator[tuple[str, tuple[_Shown, ...]]]:
    """Of the dataset with the number; without one, of all."""
    for key, title in cells.titles.items():
        for place, dataset in enumerate(cells.datasets, start=1):
            shown = ((dataset, key, cells.main_metric, Convention.POOLED),)
            if number is None:
                yield f"{title}, {dataset}", shown
            elif number == place:
                yield title, shown


def _each(datasets: Sequence[str], metric: Metric) -> Iterator[tuple[_Shown, ...]]:
    return (((dataset, ALL, metric, Convention.POOLED),) for dataset in datasets)


def _together(datasets: Sequence[str], metric: Metric) -> tuple[_Shown, ...]:
    return tuple(shown for (shown,) in _each(datasets, metric))


def _dataset_of(table: Table, row: tuple[str, ...]) -> str:
    return row[table.head.index(_DATASET)] if _DATASET in table.head else ""


def _accuracies(
    cells: Cells, code: str, shown: tuple[_Shown, ...], of_row: str
) -> Iterator[Accuracy]:
    for named, subset, metric, convention in shown:
        key = code, named or of_row, subset, metric
        pooled = convention is Convention.POOLED
        found = cells.accuracy.get(key) if pooled else cells.other.get((*key, convention))
        if found is not None:
            yield found
