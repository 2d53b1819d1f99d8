"""Tables of objects: how many, which occur together, and what predictions name."""

from labeler.core.crowd.analysis.object_analyses import (
    ObjectGroup,
    ObjectMetric,
    in_group,
    is_in_other_object,
    main_differs,
    other_object_labels,
    predicted_corrections,
    with_target_object,
)
from labeler.core.crowd.entities import AnnotationStatus
from labeler.core.text import count_noun
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.crowd.annotated_tables import (
    MOST_ROWS,
    AnnotatedTables,
    Holds,
    Row,
    crowd_table,
    format_proportion,
    format_share,
)
from labeler.report.table import (
    NO_VALUE,
    ReportCell,
    ReportTable,
    format_with_interval,
)

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

ALL_CLASSES = "all classes"


def object_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of objects, and of the annotators."""
    crowd = _ObjectTables(cells)
    return [
        crowd.statuses(),
        crowd.objects(),
        crowd.cooccurrence(),
        crowd.accuracy_by_objects(),
        crowd.main_differs(),
        crowd.main_differs_accuracy(),
        crowd.top5_corrections(),
        crowd.superclass_cooccurrence(),
        crowd.annotators(),
    ]


class _ObjectTables(AnnotatedTables):
    """The tables of one report."""

    def statuses(self) -> ReportTable:
        rows = (
            (data.dataset, status.replace("_", " "), self._count(data, words, found))
            for data in self._crowd.datasets
            for status in AnnotationStatus
            if (found := [image for image in data.images if image.status is status])
            for words in [f"Status: {status.replace('_', ' ')}"]
        )
        return crowd_table(
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
                    count_noun(row.num_objects, "object"),
                    _has_objects(row.num_objects),
                ),
                format_with_interval(row.mean_confidence, row.ci_low, row.ci_high),
            )
            for row in self._crowd.objects
        ]
        shares = "; ".join(
            f"{share.dataset}: {share.images:,} of {share.of:,} annotated images have several "
            f"({format_with_interval(share.images / share.of, share.ci_low, share.ci_high)} %)"
            for share in self._crowd.multi_object_shares
        )
        return crowd_table(
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
            for row in self._crowd.cooccurrence[:MOST_ROWS]
        ]
        return crowd_table(
            "crowd-cooccurrence",
            "Objects that occur together",
            "The most frequent pairs of a target and another object's label, at most "
            f"{MOST_ROWS}; report.json has all.",
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
        return crowd_table(
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
            (
                ALL_CLASSES,
                row.dataset,
                f"{row.of:,}",
                self._differing(row.dataset, lambda _image: True),
                format_with_interval(row.images / row.of, row.ci_low, row.ci_high),
            )
            for row in self._crowd.main_differs
        ]
        rows += [
            (
                self._name(row.label),
                row.dataset,
                f"{row.of:,}",
                self._differing(row.dataset, _has_target(row.label)),
                format_proportion(row.images, row.of),
            )
            for row in self._crowd.main_differs_classes[:MOST_ROWS]
        ]
        return crowd_table(
            "crowd-main-differs",
            "The main object is not the target",
            "Of the images with several objects, one of which is the target; in total and by "
            "target class. Shares in percent with exact 95 % Clopper–Pearson intervals.",
            ("Target", "Dataset"),
            ("Several objects", "Main object differs", "Share"),
            rows=rows,
        )

    def main_differs_accuracy(self) -> ReportTable:
        return crowd_table(
            "crowd-main-differs-accuracy",
            "Accuracy where the main object is not the target",
            "Top-1 accuracy in percent, with exact 95 % Clopper–Pearson intervals.",
            ("Participant", "Dataset"),
            ("Images", "Top-1"),
            rows=(
                (
                    self._cells.display_name(row.participant),
                    row.dataset,
                    self._differing(row.dataset, self._answered(row.dataset, row.participant)),
                    format_with_interval(row.correct / row.total, row.ci_low, row.ci_high),
                )
                for row in self._crowd.main_differs_accuracy
            ),
        )

    def _differing(self, dataset: str, holds: Holds) -> ReportCell:
        data = self._datasets[dataset]
        found = [i for i in with_target_object(data) if main_differs(i) and holds(i)]
        return self._count(data, "The main object is not the target", found)

    def _answered(self, dataset: str, participant: str) -> Holds:
        by = next(p for p in self._datasets[dataset].predictions if p.participant == participant)
        return lambda image: bool(by.labels.get(image.image))

    def top5_corrections(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                *self._corrections(row.dataset, row.participant),
                format_proportion(row.in_other_object, row.corrections),
            )
            for row in self._crowd.top5_corrections
        )
        return crowd_table(
            "crowd-top5-corrections",
            "Top-5 corrections",
            "Images whose target is in ranks 2 to 5 only, and the share in percent where the "
            "prediction names another object.",
            ("Model", "Dataset"),
            ("Corrections", "In another object", "Share"),
            rows=rows,
        )

    def _corrections(self, dataset: str, participant: str) -> tuple[ReportCell, ReportCell]:
        data = self._datasets[dataset]
        by = next(p for p in data.predictions if p.participant == participant)
        found = predicted_corrections(data, by)
        other = [image for image, labels in found if is_in_other_object(image, labels[0])]
        name = self._cells.display_name(participant)
        return (
            self._count(data, f"{name}: top-5 corrections", [image for image, _labels in found]),
            self._count(data, f"{name}: the prediction is another object", other),
        )

    def superclass_cooccurrence(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                row.superclass,
                row.other_superclass,
                self._counted(
                    row.dataset,
                    f"{row.superclass} with {row.other_superclass}",
                    self._has_superclasses(row.superclass, row.other_superclass),
                ),
            )
            for row in self._crowd.superclass_cooccurrence
        )
        return crowd_table(
            "crowd-superclass-cooccurrence",
            "Superclasses that occur together",
            "The target's superclass and those of other objects, once an image.",
            ("Dataset", "Target", "Other object"),
            ("Images",),
            rows=rows,
        )

    def _has_superclasses(self, one: str, other: str) -> Holds:
        of = self._crowd.superclasses
        return lambda image: (
            of.get(image.target) == one
            and other in {of.get(label) for label in other_object_labels(image)}
        )

    def annotators(self) -> ReportTable:
        rows = (
            (
                each.participant,
                "excluded" if each.excluded else "kept",
                each.reason,
                f"{each.grids:,}",
                format_share(*each.positive),
                format_share(*each.negative),
                NO_VALUE
                if each.median_active_ms is None
                else f"{each.median_active_ms / 1000:.1f}",
                f"{each.selections:,}",
            )
            for each in self._crowd.annotators
        )
        return crowd_table(
            "crowd-annotators",
            "Annotators",
            f"Quality rule: {self._crowd.quality}. Selected controls in percent; median active "
            "time of a grid in seconds.",
            ("Annotator", "Answers", "Reason"),
            ("Grids", "Positive controls", "Negative controls", "Median time", "Selections"),
            rows=rows,
        )


def _has_target(label: str) -> Holds:
    return lambda image: image.target == label


def _has_objects(count: int) -> Holds:
    return lambda image: len(image.objects) == count


def _has_pair(label: str, other: str) -> Holds:
    return lambda image: (
        image.target == label and len(image.objects) > 1 and other in other_object_labels(image)
    )


def _in_group(group: ObjectGroup) -> Holds:
    return lambda image: in_group(image, group)
