"""Tables of selection frequencies: validated labels, ambiguity, predictions, suspects."""

from fractions import Fraction

from labeler.core.crowd.analysis.ambiguity import ambiguous_images
from labeler.core.crowd.analysis.label_analyses import (
    BinAccuracy,
    SuspectReason,
    TargetFrequency,
    ValidatedLabels,
    count_validated,
)
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.text import count_noun
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.crowd.annotated_tables import (
    MOST_ROWS,
    AnnotatedTables,
    Holds,
    crowd_table,
    format_optional,
    format_share,
)
from labeler.report.table import (
    ReportCell,
    ReportTable,
    format_with_interval,
)

_REASONS = {
    SuspectReason.NEVER_SELECTED: "target never selected",
    SuspectReason.NEVER_TICKED: "target never ticked",
}
assert _REASONS.keys() == set(SuspectReason)
_UNASKED = "Predictions that annotators weren't asked about are left out and counted as unasked."
_JUDGED_COLUMNS = ("Prediction selected", "Target selected", "Is main label", "Asked", "Unasked")


def label_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of frequencies."""
    crowd = _LabelTables(cells)
    return [
        crowd.frequencies(),
        crowd.accuracy_by_bin(),
        crowd.validated_labels(),
        crowd.twice_selected_labels(),
        crowd.ambiguous_pairs(),
        crowd.human_based(),
        crowd.human_based_wrong(),
        crowd.wrong_predictions(),
        crowd.suspects(),
    ]


class _LabelTables(AnnotatedTables):
    """The tables of one report."""

    def frequencies(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                "" if row.revision is None else str(row.revision),
                format_with_interval(row.mean or 0, row.ci_low or 0, row.ci_high or 0),
                self._asked_about_target(row),
            )
            for row in (*self._crowd.frequencies, *self._built.frequencies)
            if row.label is None and None not in (row.mean, row.ci_low, row.ci_high)
        )
        return crowd_table(
            "crowd-frequencies",
            "How often annotators select the target",
            "The mean selection frequency of the target, in percent, with a 95 % bootstrap "
            "interval over images; report.json has it for every class.",
            ("Dataset", "Revision"),
            ("Mean frequency", "Images"),
            rows=rows,
        )

    def _asked_about_target(self, row: TargetFrequency) -> str | ReportCell:
        """Return the count with its images; those of a revision are images of its pool."""
        if row.revision is not None:
            return f"{row.images:,}"
        return self._counted(row.dataset, "Target asked", lambda i: i.target in i.frequencies)

    def accuracy_by_bin(self) -> ReportTable:
        rows = [*self._crowd.accuracy_by_bin, *self._built.accuracy_by_bin]
        exact = clopper_pearson([row.correct for row in rows], [row.total for row in rows])
        return crowd_table(
            "crowd-accuracy-by-frequency",
            "Accuracy by selection frequency",
            "Top-1 accuracy in percent with exact 95 % Clopper–Pearson intervals, by how often "
            "annotators select the target.",
            ("Participant", "Dataset", "Frequency"),
            ("Top-1", "Images"),
            rows=(
                (
                    self._cells.display_name(row.participant),
                    row.dataset,
                    frequency_range(row),
                    format_with_interval(row.correct / row.total, float(low), float(high)),
                    f"{row.total:,}",
                )
                for row, low, high in zip(rows, exact.low, exact.high, strict=True)
            ),
        )

    def validated_labels(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                "all" if row.annotators is None else str(row.annotators),
                f"{row.threshold:g}",
                str(row.labels),
                self._validated(row),
            )
            for row in (*self._crowd.validated_labels, *self._crowd.validated_by_subsets)
        )
        return crowd_table(
            "crowd-validated-labels",
            "Labels validated by annotators",
            "Images by the number of labels that are selected at least threshold times as often as "
            "the target; also with a random subset of the annotators of each label.",
            ("Dataset", "Annotators", "Threshold"),
            ("Labels", "Images"),
            rows=rows,
        )

    def _validated(self, row: ValidatedLabels) -> str | ReportCell:
        """Return the count with its images; those of a random subset aren't kept."""
        if row.annotators is not None:
            return f"{row.images:,}"
        threshold = Fraction(row.threshold)
        return self._counted(
            row.dataset,
            f"{count_noun(row.labels, 'label')}, threshold {row.threshold:g}",
            lambda i: count_validated(i.target, i.frequencies, threshold) == row.labels,
        )

    def twice_selected_labels(self) -> ReportTable:
        rows = (
            (
                row.dataset,
                str(row.labels),
                self._counted(
                    row.dataset,
                    f"{count_noun(row.labels, 'label')} selected twice or more",
                    _has_twice_selected(row.labels),
                ),
            )
            for row in self._crowd.twice_selected_labels
        )
        return crowd_table(
            "crowd-twice-selected",
            "Labels that at least two annotators select",
            "Images by their number of such labels.",
            ("Dataset",),
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
                format_with_interval(row.score, row.ci_low, row.ci_high),
                *self._pair_accuracy(row.dataset, row.label_a, row.label_b),
            )
            for row in self._crowd.ambiguous_pairs[:MOST_ROWS]
        ]
        return crowd_table(
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
            format_share(sum(r.correct for r in rows), sum(r.total for r in rows)),
            format_share(
                sum(r.pairwise_correct for r in rows), sum(r.pairwise_total for r in rows)
            ),
        )

    def human_based(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                format_optional(row.mean_prediction_frequency, row.mean_prediction_ci),
                format_optional(row.mean_target_frequency, row.mean_target_ci),
                format_optional(row.is_main_label, row.is_main_label_ci),
                f"{row.asked:,}",
                f"{row.unasked:,}",
            )
            for row in self._crowd.human_based
        )
        return crowd_table(
            "crowd-human-based",
            "Predictions as annotators see them",
            f"Mean selection frequencies in percent. {_UNASKED}",
            ("Participant", "Dataset"),
            _JUDGED_COLUMNS,
            rows=rows,
        )

    def human_based_wrong(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                format_optional(row.wrong_mean_prediction_frequency, row.wrong_mean_prediction_ci),
                format_optional(row.wrong_mean_target_frequency, row.wrong_mean_target_ci),
                format_optional(row.wrong_is_main_label, row.wrong_is_main_label_ci),
                f"{row.wrong_asked:,}",
                f"{row.wrong_unasked:,}",
            )
            for row in self._crowd.human_based
            if row.wrong_asked or row.wrong_unasked
        )
        return crowd_table(
            "crowd-human-based-wrong",
            "Wrong predictions as annotators see them",
            "Mean selection frequencies in percent, over the predictions other than the target. "
            f"{_UNASKED}",
            ("Participant", "Dataset"),
            _JUDGED_COLUMNS,
            rows=rows,
        )

    def wrong_predictions(self) -> ReportTable:
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                *(f"{count:,}" for count in row.wrong_histogram),
                f"{row.wrong_unasked:,}",
            )
            for row in self._crowd.human_based
            if row.wrong_asked
        )
        tenths = tuple(f"{10 * n}–{10 * n + 10}" for n in range(10))
        return crowd_table(
            "crowd-wrong-predictions",
            "Wrong predictions by selection frequency",
            "Predictions other than the target, by how often annotators select them, in percent; "
            "the last column includes 100. Unasked ones are in no other column.",
            ("Participant", "Dataset"),
            (*tenths, "Unasked"),
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
            for row in self._crowd.suspects[:MOST_ROWS]
        )
        return crowd_table(
            "crowd-suspects",
            "Suspect targets",
            "Images whose target no annotator selected in a grid, or ticked among the labels of "
            f"the image. At most {MOST_ROWS}; report.json has all.",
            ("Dataset", "Image", "Reason"),
            (),
            rows=rows,
        )


def frequency_range(row: BinAccuracy) -> str:
    return f"{100 * row.bin_low:.0f} to {100 * row.bin_high:.0f} %"


def _is_image(name: str) -> Holds:
    return lambda image: image.image == name


def _has_twice_selected(count: int) -> Holds:
    return lambda image: (
        bool(image.frequencies) and sum(f.selected > 1 for f in image.frequencies.values()) == count
    )
