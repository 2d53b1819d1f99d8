"""Tables of what annotators say about images, targets and predictions."""

from collections.abc import Callable, Iterable

from labeler.core.crowd.analysis.annotations import AnnotatedDataset, AnnotatedImage
from labeler.core.crowd.analysis.label_analyses import SuspectReason, ambiguous_images
from labeler.core.crowd.analysis.object_analyses import (
    ObjectGroup,
    ObjectMetric,
    in_group,
    main_differs,
    other_object_labels,
    with_target_object,
)
from labeler.core.crowd.entities import AnnotationStatus
from labeler.core.metrics.cell_source import EvaluationSource, ImageListed
from labeler.core.study.entities import ImageKey
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportColumn,
    ReportTable,
    format_percent,
    format_with_interval,
    table_with_sources,
    text_column,
)

# More rows are in report.json.
_MOST_ROWS = 50

Row = Iterable[str | ReportCell]
Holds = Callable[[AnnotatedImage], bool]

_METRICS = {
    ObjectMetric.TOP1: "Top-1",
    ObjectMetric.TOP5: "Top-5",
    ObjectMetric.OBJECT_LABEL: "An object's label",
    ObjectMetric.ANY_OBJECT: "Any label of an object",
    ObjectMetric.MAIN_LABEL: "Main label",
}
assert _METRICS.keys() == set(ObjectMetric)
_GROUPS = {
    ObjectGroup.ONE: "1",
    ObjectGroup.ONE_WITH_CLEAR: "1, with clear images",
    ObjectGroup.TWO: "2",
    ObjectGroup.THREE_OR_MORE: "3 or more",
    ObjectGroup.SEVERAL: "2 or more",
}
assert _GROUPS.keys() == set(ObjectGroup)
_REASONS = {
    SuspectReason.NEVER_SELECTED: "No annotator selected the target.",
    SuspectReason.NEVER_TICKED: "No annotator ticked the target.",
}
assert _REASONS.keys() == set(SuspectReason)


def crowd_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of all analyses."""
    crowd = _CrowdTables(cells)
    return [
        crowd.statuses(),
        crowd.objects(),
        crowd.cooccurrence(),
        crowd.accuracy_by_objects(),
        crowd.main_differs(),
        crowd.top5_corrections(),
        crowd.validated_labels(),
        crowd.ambiguous_pairs(),
        crowd.human_based(),
        crowd.confusions(),
        crowd.superclass_cooccurrence(),
        crowd.suspects(),
        crowd.annotators(),
    ]


class _CrowdTables:
    """The tables of one report."""

    def __init__(self, cells: AccuracyIndex) -> None:
        self._cells = cells
        self._crowd = cells.contents.crowd
        self._datasets = {data.dataset: data for data in self._crowd.datasets}

    def statuses(self) -> ReportTable:
        rows = (
            (data.dataset, status.replace("_", " "), self._count(data, words, found))
            for data in self._crowd.datasets
            for status in AnnotationStatus
            if (found := [image for image in data.images if image.status is status])
            for words in [f"Status: {status.replace('_', ' ')}"]
        )
        return _table(
            "crowd-statuses",
            "Annotated images",
            "Clear: the target is selected more than twice as often as every other label. "
            "Follow up: annotators also named the objects. Mislabeled: shown, and never selected.",
            ("Dataset", "Status"),
            ("Images",),
            rows=rows,
        )

    def objects(self) -> ReportTable:
        rows = [
            (
                row.dataset,
                str(row.num_objects),
                self._counted(
                    row.dataset,
                    f"{row.num_objects} objects",
                    _has_objects(row.num_objects),
                ),
                format_percent(row.mean_confidence),
            )
            for row in self._crowd.objects
        ]
        shares = "; ".join(
            f"{share.dataset}: {share.images:,} of {share.of:,} annotated images have several "
            f"({format_with_interval(share.images / share.of, share.ci_low, share.ci_high)} %)"
            for share in self._crowd.multi_object_shares
        )
        return _table(
            "crowd-objects",
            "Objects per image",
            "Confidence is the mean share of annotators, in percent, who named as many labels. "
            f"{shares}.",
            ("Dataset", "Objects"),
            ("Images", "Confidence"),
            rows=rows,
        )

    def cooccurrence(self) -> ReportTable:
        rows = [
            (
                row.dataset,
                self._name(row.label),
                self._name(row.other_label),
                self._counted(
                    row.dataset,
                    f"{self._name(row.label)} with {self._name(row.other_label)}",
                    _has_pair(row.label, row.other_label),
                ),
            )
            for row in self._crowd.cooccurrence[:_MOST_ROWS]
        ]
        return _table(
            "crowd-cooccurrence",
            "Objects that occur together",
            f"The {_MOST_ROWS} most frequent pairs of a target and another object's label.",
            ("Dataset", "Target", "Other object"),
            ("Images",),
            rows=rows,
        )

    def accuracy_by_objects(self) -> ReportTable:
        rows = [
            (
                self._cells.display_name(row.participant),
                row.dataset,
                _GROUPS[row.objects],
                _METRICS[row.metric],
                ReportCell(
                    format_with_interval(row.correct / row.total, row.ci_low, row.ci_high),
                    self._source(
                        row.dataset,
                        f"Objects: {_GROUPS[row.objects]}",
                        _in_group(row.objects),
                    ),
                ),
                f"{row.total:,}",
            )
            for row in self._crowd.accuracy_by_objects
        ]
        return _table(
            "crowd-accuracy-by-objects",
            "Accuracy by number of objects",
            "In percent, with exact 95 % Clopper–Pearson intervals. A clear image counts as one "
            "object with its target.",
            ("Participant", "Dataset", "Objects", "Metric"),
            ("Accuracy", "Images"),
            rows=rows,
        )

    def main_differs(self) -> ReportTable:
        rows: list[Row] = [
            ("", row.dataset, self._differing(row.dataset, None), f"{row.of:,}", NO_VALUE)
            for row in self._crowd.main_differs
        ]
        rows += [
            (
                self._name(row.label),
                row.dataset,
                self._differing(row.dataset, row.label),
                f"{row.of:,}",
                NO_VALUE,
            )
            for row in self._crowd.main_differs_classes[:_MOST_ROWS]
        ]
        rows += [
            (
                self._cells.display_name(row.participant),
                row.dataset,
                self._differing(row.dataset, None),
                f"{row.total:,}",
                format_with_interval(row.correct / row.total, row.ci_low, row.ci_high),
            )
            for row in self._crowd.main_differs_accuracy
        ]
        return _table(
            "crowd-main-differs",
            "The main object is not the target",
            "Of the images with several objects, one of which is the target: in total, by target "
            "class, and top-1 accuracy of participants on them.",
            ("Class or participant", "Dataset"),
            ("Main object differs", "Of", "Top-1"),
            rows=rows,
        )

    def _differing(self, dataset: str, label: str | None) -> ReportCell:
        data = self._datasets[dataset]
        found = [i for i in with_target_object(data) if main_differs(i)]
        return self._count(
            data,
            "The main object is not the target",
            [i for i in found if label is None or i.target == label],
        )

    def top5_corrections(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                f"{row.corrections:,}",
                f"{row.in_other_object:,}",
                format_percent(row.in_other_object / row.corrections)
                if row.corrections
                else NO_VALUE,
            )
            for row in self._crowd.top5_corrections
        )
        return _table(
            "crowd-top5-corrections",
            "Top-5 corrections",
            "Images whose target is in ranks 2 to 5 only, and the share in percent where the "
            "prediction names another object.",
            ("Model", "Dataset"),
            ("Corrections", "In another object", "Share"),
            rows=rows,
        )

    def validated_labels(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                "all" if row.annotators is None else str(row.annotators),
                f"{row.threshold:g}",
                str(row.labels),
                f"{row.images:,}",
            )
            for row in (*self._crowd.validated_labels, *self._crowd.validated_by_subsets)
        )
        return _table(
            "crowd-validated-labels",
            "Labels validated by annotators",
            "Images by the number of labels that are selected at least threshold times as often as "
            "the target; also with a random subset of the annotators of each label.",
            ("Dataset", "Annotators", "Threshold"),
            ("Labels", "Images"),
            rows=rows,
        )

    def ambiguous_pairs(self) -> ReportTable:
        images = {d.dataset: ambiguous_images(d) for d in self._crowd.datasets}
        rows = [
            (
                row.dataset,
                self._name(row.label_a),
                self._name(row.label_b),
                self._count(
                    self._datasets[row.dataset],
                    f"{self._name(row.label_a)} or {self._name(row.label_b)}",
                    images[row.dataset][row.label_a, row.label_b],
                ),
                format_percent(row.score),
                *self._pair_accuracy(row.dataset, row.label_a, row.label_b),
            )
            for row in self._crowd.ambiguous_pairs[:_MOST_ROWS]
        ]
        return _table(
            "crowd-ambiguous-pairs",
            "Ambiguous pairs of classes",
            "The mean of the smaller selection frequency, in percent, over images of either class "
            "for which both labels were asked (at least 5). Pairwise: the predictions of either "
            "class that are right. Both accuracies are over all participants.",
            ("Dataset", "Class", "Other class"),
            ("Images", "Score", "Top-1", "Pairwise"),
            rows=rows,
        )

    def _pair_accuracy(self, dataset: str, a: str, b: str) -> tuple[str, str]:
        rows = [
            row
            for row in self._crowd.pair_accuracy
            if (row.dataset, row.label_a, row.label_b) == (dataset, a, b)
        ]
        return (
            _share(sum(r.correct for r in rows), sum(r.total for r in rows)),
            _share(sum(r.pairwise_correct for r in rows), sum(r.pairwise_total for r in rows)),
        )

    def human_based(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                _percent(row.mean_prediction_frequency),
                _percent(row.mean_target_frequency),
                _percent(row.is_main_label),
                f"{row.asked:,}",
                f"{row.unasked:,}",
                _percent(row.wrong_mean_prediction_frequency),
                _percent(row.wrong_is_main_label),
            )
            for row in self._crowd.human_based
        )
        return _table(
            "crowd-human-based",
            "Predictions as annotators see them",
            "Mean selection frequencies in percent. Predictions that annotators weren't asked "
            "about are left out and counted as unasked. Wrong: predictions other than the target.",
            ("Participant", "Dataset"),
            (
                "Prediction selected",
                "Target selected",
                "Is main label",
                "Asked",
                "Unasked",
                "Wrong, selected",
                "Wrong, main label",
            ),
            rows=rows,
        )

    def confusions(self) -> ReportTable:
        names = self._cells.display_name
        largest = sorted(self._crowd.class_confusions, key=lambda row: -row.images)
        rows = (
            (
                names(row.participant),
                row.dataset,
                self._name(row.label),
                self._name(row.other_label),
                "yes" if row.same_superclass else "no",
                f"{row.images:,}",
            )
            for row in largest[:_MOST_ROWS]
        )
        return _table(
            "crowd-confusions",
            "Confusions of annotators and participants",
            f"The {_MOST_ROWS} most frequent; report.json has all, also by superclass.",
            ("Who", "Dataset", "Target", "Answer", "Same superclass"),
            ("Images",),
            rows=rows,
        )

    def superclass_cooccurrence(self) -> ReportTable:
        rows = (
            (row.dataset, row.superclass, row.other_superclass, f"{row.images:,}")
            for row in self._crowd.superclass_cooccurrence
        )
        return _table(
            "crowd-superclass-cooccurrence",
            "Superclasses that occur together",
            "The target's superclass and those of other objects, once an image.",
            ("Dataset", "Target", "Other object"),
            ("Images",),
            rows=rows,
        )

    def suspects(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                ReportCell(
                    row.image,
                    self._source(row.dataset, _REASONS[row.reason], _is_image(row.image)),
                ),
                _REASONS[row.reason],
            )
            for row in self._crowd.suspects[:_MOST_ROWS]
        )
        return _table(
            "crowd-suspects",
            "Suspect targets",
            f"The first {_MOST_ROWS}; report.json has all.",
            ("Dataset", "Image", "Reason"),
            (),
            rows=rows,
        )

    def annotators(self) -> ReportTable:
        rows = (
            (
                each.participant,
                "excluded" if each.excluded else "kept",
                each.reason,
                f"{each.grids:,}",
                _share(*each.positive),
                _share(*each.negative),
                NO_VALUE
                if each.median_active_ms is None
                else f"{each.median_active_ms / 1000:.1f}",
                f"{each.selections:,}",
            )
            for each in self._crowd.annotators
        )
        return _table(
            "crowd-annotators",
            "Annotators",
            f"Quality rule: {self._crowd.quality}. Selected controls in percent; median active "
            "time of a grid in seconds.",
            ("Annotator", "Answers", "Reason"),
            ("Grids", "Positive controls", "Negative controls", "Median time", "Selections"),
            rows=rows,
        )

    def _name(self, wnid: str) -> str:
        return self._cells.contents.class_names.get(wnid, wnid)

    def _counted(self, dataset: str, words: str, holds: Holds) -> ReportCell:
        data = self._datasets[dataset]
        return self._count(data, words, [image for image in data.images if holds(image)])

    def _count(
        self, data: AnnotatedDataset, words: str, images: list[AnnotatedImage]
    ) -> ReportCell:
        source = _source_of(data.dataset, words, images) if images else None
        return ReportCell(f"{len(images):,}", source)

    def _source(self, dataset: str, words: str, holds: Holds) -> EvaluationSource:
        images = [image for image in self._datasets[dataset].images if holds(image)]
        return _source_of(dataset, words, images)


def _has_objects(count: int) -> Holds:
    return lambda image: len(image.objects) == count


def _has_pair(label: str, other: str) -> Holds:
    return lambda image: (
        image.target == label and len(image.objects) > 1 and other in other_object_labels(image)
    )


def _in_group(group: ObjectGroup) -> Holds:
    return lambda image: in_group(image, group)


def _is_image(name: str) -> Holds:
    return lambda image: image.image == name


def _source_of(dataset: str, words: str, images: Iterable[AnnotatedImage]) -> EvaluationSource:
    keys = frozenset(ImageKey(dataset, image.image) for image in images)
    return EvaluationSource(
        heading=words,
        words=f"Annotated images of {dataset}",
        datasets=(dataset,),
        subsets=(),
        conditions=(ImageListed(keys),),
        everything=True,
    )


def _table(
    key: str,
    title: str,
    note: str,
    texts: tuple[str, ...],
    numbers: tuple[str, ...],
    *,
    rows: Iterable[Row],
) -> ReportTable:
    columns = (*map(text_column, texts), *map(ReportColumn, numbers))
    return table_with_sources(key=key, title=title, note=note, columns=columns, rows=rows)


def _percent(share: float | None) -> str:
    return NO_VALUE if share is None else format_percent(share)


def _share(part: int, of: int) -> str:
    return format_percent(part / of) if of else NO_VALUE
