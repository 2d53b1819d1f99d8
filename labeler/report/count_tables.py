"""Tables of counts: images, escape hatches, unjudged answers, changed labels."""

from collections.abc import Iterator

from labeler.core.metrics.cell_source import (
    AnswerNotJudged,
    CountedForAny,
    EscapeHatchUsed,
    EvaluationSource,
    HasImageStatus,
    ImageListed,
    ImageStatus,
    ParticipantMetric,
)
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.subsets import ALL
from labeler.core.metrics.tallies import DatasetTally, EscapeHatchTally, UnjudgedAnswers
from labeler.core.review.label_changes import LabelChangeKind
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    count_cell,
    format_percent,
    table_with_sources,
    text_column,
)


def datasets_table(cells: AccuracyIndex) -> ReportTable:
    columns = ("Images", "Base", "Evaluated", "Problematic", "No correct label", "Unjudged")
    several = ("Multi-label images", "Labels each")
    return table_with_sources(
        key="datasets",
        title="Datasets",
        note="Problematic images and images without a correct label are excluded from all "
        "accuracies; unjudged images only from the multi-label metrics.",
        columns=(text_column("Dataset"), *map(ReportColumn, columns + several)),
        rows=((tally.dataset, *_status_counts(tally)) for tally in cells.numbers.datasets),
    )


def _status_counts(tally: DatasetTally) -> Iterator[ReportCell]:
    yield count_cell(_images(tally.dataset, "All images of the dataset"), tally.images)
    for count, status in (
        (tally.base, ImageStatus.BASE),
        (tally.evaluated, ImageStatus.EVALUATED),
        (tally.problematic, ImageStatus.PROBLEMATIC),
        (tally.without_correct_label, ImageStatus.WITHOUT_CORRECT_LABEL),
        (tally.unjudged, ImageStatus.UNJUDGED),
        (tally.multi_label_images, ImageStatus.SEVERAL_LABELS),
    ):
        yield count_cell(_with_status(tally.dataset, status), count)
    mean = tally.mean_labels_of_multi_label_images
    mean_text = NO_VALUE if mean is None else f"{mean:.2f}"
    yield ReportCell(mean_text, _with_status(tally.dataset, ImageStatus.SEVERAL_LABELS))


def _images(dataset: str, words: str) -> EvaluationSource:
    return EvaluationSource(heading=dataset, words=words, datasets=(dataset,), subsets=())


def _with_status(dataset: str, status: ImageStatus) -> EvaluationSource:
    return _images(dataset, "").also(f"Images {status.value}", HasImageStatus(status))


def escape_hatches_table(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="escape-hatches",
        title="Escape hatches",
        note="Multi-label accuracy in percent, as answered and with the alternative imputed.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(ReportColumn, ("Used", "Accuracy", "Imputed")),
        ),
        rows=(_hatch_row(cells, row) for row in cells.numbers.escape_hatches),
    )


def _hatch_row(cells: AccuracyIndex, row: EscapeHatchTally) -> Iterator[str | ReportCell]:
    given, imputed = (
        cells.cell_sources.accuracies(
            cells.accuracy.get((row.participant, row.dataset, ALL, metric))
        )
        for metric in (Metric.MULTI_LABEL, Metric.MULTI_LABEL_IMPUTED)
    )
    used = given and given.also("an escape hatch was used", EscapeHatchUsed(row.participant))
    yield from (cells.display_name(row.participant), row.dataset)
    yield count_cell(used, row.used)
    yield ReportCell(format_percent(row.accuracy), given)
    yield ReportCell(format_percent(row.accuracy_imputed), imputed)


def unjudged_table(cells: AccuracyIndex) -> ReportTable:
    return table_with_sources(
        key="unjudged",
        title="Unjudged answers",
        note="On images that were judged, these answers count as wrong in the multi-label metrics. "
        "All answers of other participants were judged.",
        columns=(
            text_column("Participant"),
            text_column("Dataset"),
            *map(ReportColumn, ("Predictions", "Alternatives")),
        ),
        rows=(_unjudged_row(cells, row) for row in cells.numbers.unjudged),
    )


def _unjudged_row(cells: AccuracyIndex, row: UnjudgedAnswers) -> Iterator[str | ReportCell]:
    yield from (cells.display_name(row.participant), row.dataset)
    for count, alternative, words in (
        (row.predictions, False, "the answer wasn’t judged"),
        (row.alternatives, True, "the alternative to an escape hatch wasn’t judged"),
    ):
        metric = Metric.MULTI_LABEL_IMPUTED if alternative else Metric.MULTI_LABEL
        marking = ParticipantMetric(row.participant, metric)
        source = EvaluationSource(
            heading=f"{cells.display_name(row.participant)} on {row.dataset}",
            words=f"Judged images on which {words}",
            datasets=(row.dataset,),
            conditions=(CountedForAny((marking,)), AnswerNotJudged(row.participant, alternative)),
            markings=(marking,),
        )
        yield count_cell(source, count)


def label_changes_table(cells: AccuracyIndex) -> ReportTable:
    changes = cells.contents.reviews.changes
    counts = {
        LabelChangeKind.UNCHANGED: "The same labels are correct",
        LabelChangeKind.ADDED: "All are that were, and more",
        LabelChangeKind.MODIFIED: "A label that was correct no longer is",
    }
    assert set(counts) == set(LabelChangeKind), "every change has a description"
    return table_with_sources(
        key="label-changes",
        title="Labels between the initial and the final review",
        note="Each evaluation image with labels in both reviews is counted exactly once.",
        columns=(text_column("Labels"), text_column("What that is"), ReportColumn("Images")),
        rows=()
        if changes is None
        else (
            (
                change.value.capitalize(),
                words,
                count_cell(_changed(cells, words, frozenset(found)), len(found)),
            )
            for change, words in counts.items()
            for found in (changes.images.get(change, ()),)
        ),
    )


def _changed(cells: AccuracyIndex, words: str, images: frozenset[ImageKey]) -> EvaluationSource:
    return EvaluationSource(
        heading="Labels between the reviews",
        words=words,
        datasets=cells.datasets,
        subsets=(),
        conditions=(ImageListed(images),),
    )
