"""The tables of plain counts: images, escape hatches, what nobody judged, changed labels."""

from collections.abc import Iterator

from labeler.core.metrics.cell_source import Behind, Marking
from labeler.core.metrics.conditions import (
    CountedForAny,
    HatchUsed,
    Listed,
    NotJudged,
    OfSort,
    Sort,
)
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.tallies import DatasetTally, EscapeHatches, Unjudged
from labeler.core.review.label_changes import Change
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import Cells
from labeler.report.table import (
    NONE,
    Cell,
    Column,
    Table,
    count_of,
    percent,
    text_column,
    traced_table,
)


def datasets(cells: Cells) -> Table:
    columns = ("Images", "Base", "Evaluated", "Problematic", "No correct label", "Unjudged")
    several = ("Multi-label images", "Labels each")
    return traced_table(
        key="datasets",
        title="Datasets",
        note="Problematic images and those judged with no label correct are in no accuracy; "
        "unjudged ones are left out of the multi-label metrics only.",
        columns=(text_column("Dataset"), *map(Column, columns + several)),
        rows=((tally.dataset, *_sorts(tally)) for tally in cells.numbers.datasets),
    )


def _sorts(tally: DatasetTally) -> Iterator[Cell]:
    yield count_of(_images(tally.dataset, "All images of the dataset"), tally.images)
    for count, sort in (
        (tally.base, Sort.BASE),
        (tally.evaluated, Sort.EVALUATED),
        (tally.problematic, Sort.PROBLEMATIC),
        (tally.without_correct_label, Sort.WITHOUT_CORRECT_LABEL),
        (tally.unjudged, Sort.UNJUDGED),
        (tally.multi_label_images, Sort.SEVERAL_LABELS),
    ):
        yield count_of(_of_sort(tally.dataset, sort), count)
    mean = tally.mean_labels_of_multi_label_images
    told = NONE if mean is None else f"{mean:.2f}"
    yield Cell(told, _of_sort(tally.dataset, Sort.SEVERAL_LABELS))


def _images(dataset: str, words: str) -> Behind:
    return Behind(heading=dataset, words=words, datasets=(dataset,), subsets=())


def _of_sort(dataset: str, sort: Sort) -> Behind:
    return _images(dataset, "").also(f"Images {sort.value}", OfSort(sort))


def hatches(cells: Cells) -> Table:
    return traced_table(
        key="escape-hatches",
        title="Escape hatches",
        note="Multi-label accuracy in percent, as given and with the alternative in its place.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Used", "Accuracy", "Imputed")),
        ),
        rows=(_hatch_row(cells, row) for row in cells.numbers.escape_hatches),
    )


def _hatch_row(cells: Cells, row: EscapeHatches) -> Iterator[str | Cell]:
    given, imputed = (
        cells.tracing.accuracies(cells.accuracy.get((row.participant, row.dataset, ALL, metric)))
        for metric in (Metric.MULTI_LABEL, Metric.MULTI_LABEL_IMPUTED)
    )
    used = given and given.also("an escape hatch was used", HatchUsed(row.participant))
    yield from (cells.called(row.participant), row.dataset)
    yield count_of(used, row.used)
    yield Cell(percent(row.accuracy), given)
    yield Cell(percent(row.accuracy_imputed), imputed)


def unjudged(cells: Cells) -> Table:
    return traced_table(
        key="unjudged",
        title="Answers that nobody judged",
        note="On images that were judged: these answers count as wrong in the multi-label "
        "metrics. Everybody else’s answers were all judged.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(Column, ("Predictions", "Alternatives")),
        ),
        rows=(_unjudged_row(cells, row) for row in cells.numbers.unjudged),
    )


def _unjudged_row(cells: Cells, row: Unjudged) -> Iterator[str | Cell]:
    yield from (cells.called(row.participant), row.dataset)
    for count, alternative, words in (
        (row.predictions, False, "the answer wasn’t judged"),
        (row.alternatives, True, "the alternative to an escape hatch wasn’t judged"),
    ):
        metric = Metric.MULTI_LABEL_IMPUTED if alternative else Metric.MULTI_LABEL
        marking = Marking(row.participant, metric)
        behind = Behind(
            heading=f"{cells.called(row.participant)} on {row.dataset}",
            words=f"Judged images on which {words}",
            datasets=(row.dataset,),
            conditions=(CountedForAny((marking,)), NotJudged(row.participant, alternative)),
            markings=(marking,),
        )
        yield count_of(behind, count)


def label_changes(cells: Cells) -> Table:
    changes = cells.contents.reviews.changes
    counts = {
        Change.UNCHANGED: "The same labels are correct",
        Change.ADDED: "All are that were, and more",
        Change.MODIFIED: "A label that was correct no longer is",
    }
    assert set(counts) == set(Change), "every change has its words"
    return traced_table(
        key="label-changes",
        title="Labels between the initial and the final review",
        note="Each evaluation image of which both reviews know labels is of exactly one sort.",
        columns=(text_column("Labels"), text_column("What that is"), Column("Images")),
        rows=()
        if changes is None
        else (
            (
                change.value.capitalize(),
                words,
                count_of(_changed(cells, words, frozenset(found)), len(found)),
            )
            for change, words in counts.items()
            for found in (changes.images.get(change, ()),)
        ),
    )


def _changed(cells: Cells, words: str, images: frozenset[ImageKey]) -> Behind:
    return Behind(
        heading="Labels between the reviews",
        words=words,
        datasets=cells.datasets,
        subsets=(),
        conditions=(Listed(images),),
    )
