"""Tables of confusions: what annotators and participants take for what."""

from collections.abc import Mapping
from functools import cached_property

from labeler.core.crowd.analysis.annotations import AnnotatedImage
from labeler.core.crowd.analysis.confusions import answers_by_participant
from labeler.report.accuracy_index import AccuracyIndex
from labeler.report.crowd.annotated_tables import MOST_ROWS, AnnotatedTables, crowd_table
from labeler.report.table import ReportCell, ReportTable


def confusion_tables(cells: AccuracyIndex) -> list[ReportTable]:
    """Return the tables of confusions, of classes and of superclasses."""
    crowd = _ConfusionTables(cells)
    return [crowd.confusions(), crowd.superclass_confusions()]


class _ConfusionTables(AnnotatedTables):
    """The tables of one report."""

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
                self._confused(
                    row.dataset,
                    row.participant,
                    f"{self._name(row.label)} called {self._name(row.other_label)}",
                    (row.label, row.other_label),
                ),
            )
            for row in largest[:MOST_ROWS]
        )
        return crowd_table(
            "crowd-confusions",
            "Confusions of annotators and participants",
            f"The most frequent, at most {MOST_ROWS}; report.json has all.",
            ("Who", "Dataset", "Target", "Answer", "Same superclass"),
            ("Images",),
            rows=rows,
        )

    def superclass_confusions(self) -> ReportTable:
        different = [
            row
            for row in self._crowd.superclass_confusions
            if row.superclass != row.other_superclass
        ]
        rows = (
            (
                self._cells.display_name(row.participant),
                row.dataset,
                row.superclass,
                row.other_superclass,
                self._confused(
                    row.dataset,
                    row.participant,
                    f"{row.superclass} called {row.other_superclass}",
                    (row.superclass, row.other_superclass),
                    self._crowd.superclasses,
                ),
            )
            for row in sorted(different, key=lambda row: -row.images)[:MOST_ROWS]
        )
        return crowd_table(
            "crowd-superclass-confusions",
            "Confusions of different superclasses",
            f"The most frequent, at most {MOST_ROWS}; report.json has all, also those within a "
            "superclass.",
            ("Who", "Dataset", "Target", "Answer"),
            ("Images",),
            rows=rows,
        )

    def _confused(
        self,
        dataset: str,
        participant: str,
        words: str,
        pair: tuple[str, str],
        groups: Mapping[str, str] | None = None,
    ) -> ReportCell:
        """Return the images whose target and answer are the pair, of classes or of `groups`."""
        images = [
            image
            for image, label in self._given[dataset][participant]
            if pair == _grouped(image.target, label, groups)
        ]
        heading = f"{self._cells.display_name(participant)}: {words}"
        return self._count(self._datasets[dataset], heading, images)

    @cached_property
    def _given(self) -> dict[str, dict[str, list[tuple[AnnotatedImage, str]]]]:
        return {d.dataset: dict(answers_by_participant(d)) for d in self._crowd.datasets}


def _grouped(
    target: str, label: str, groups: Mapping[str, str] | None
) -> tuple[str | None, str | None]:
    return (target, label) if groups is None else (groups.get(target), groups.get(label))
