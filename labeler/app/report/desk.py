"""The lead's results while the window is open: read once, then looked at from all sides."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from labeler.app.report.formats import MadeReport, ReportFormat, ReportWish
from labeler.core.errors import Refused
from labeler.core.metrics.answers import NO_LABEL
from labeler.core.metrics.contents import ReportContents
from labeler.core.metrics.marks import UNJUDGED
from labeler.core.metrics.vocabulary import Metric
from labeler.core.study import Role
from labeler.core.verdicts import VERDICT_ORDER
from labeler.report.cells import Cells
from labeler.report.figures.all import figures
from labeler.report.figures.canvas import Drawn
from labeler.report.table import Table, text_column
from labeler.report.tables import tables
from labeler.store.study import StudyStore

NOT_YET = (
    "Results are shown after the evaluation is locked: until then nobody sees an answer. How far "
    "everybody is stands at home."
)


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Everything that the screen shows."""

    cells: Cells
    tables: tuple[Table, ...]
    figures: tuple[Drawn, ...]

    @property
    def contents(self) -> ReportContents:
        return self.cells.contents


class ResultsDesk:
    """What a lead may do with the results; every call may block."""

    def __init__(self, store: StudyStore, code: str) -> None:
        self._store = store
        self._code = code

    def read(self, subsets: tuple[str, ...]) -> Results:
        """Compute and draw everything; refused before the evaluation is locked."""
        from labeler.app.report.locked import evaluation_locked
        from labeler.app.report.reading import read_report

        with self._store.read() as study:
            if not evaluation_locked(study, study.phases.states()):
                raise Refused(NOT_YET)
            person = study.participants.find(self._code)
        if person is not None and Role.LABELER in person.roles:
            # A lead who labels has seen the targets from now on.
            with self._store.write() as study:
                study.report_answers.expose(self._code, at=self._store.clock.utc())
        cells = Cells(read_report(self._store, ReportWish(subsets=subsets)))
        return Results(cells, tuple(tables(cells)), tuple(figures(cells)))

    def export(self, out: Path, subsets: tuple[str, ...]) -> MadeReport:
        """Write the whole report to a folder."""
        from labeler.app.report.making import make_report

        wish = ReportWish(subsets=subsets)
        return make_report(self._store, out, wish=wish, formats=frozenset(ReportFormat))


def images_behind(results: Results, *, participant: str, subset: str, metric: Metric) -> Table:
    """The images behind an accuracy, the wrong ones first, with answers and verdicts."""
    return Table(
        key="images",
        title=f"Images of {participant}",
        note="",
        columns=tuple(
            map(text_column, ("Dataset", "Image", "Target", "Answer", "Judged", "Counts as"))
        ),
        rows=tuple(sorted(_image_rows(results, participant, subset, metric), key=_wrong_first)),
    )


def _wrong_first(row: tuple[str, ...]) -> tuple[bool, str, str]:
    return row[-1] != "wrong", row[0], row[1]


def _image_rows(
    results: Results, participant: str, subset: str, metric: Metric
) -> Iterator[tuple[str, ...]]:
    study, names = results.contents.numbers.study, results.contents.class_names
    row = study.participants.index(participant)
    for scored in results.contents.numbers.scored:
        counted = scored.counted(metric)[row] & scored.members_of(subset)
        right = scored.right(metric)[row]
        for place in np.flatnonzero(counted).tolist():
            label, state = (
                int(scored.marks.labels[row, place]),
                int(scored.marks.states[row, place]),
            )
            assert label != NO_LABEL, "only answers are counted"
            yield (
                scored.name,
                scored.dataset.images[place],
                names[study.wnids[int(scored.dataset.targets[place])]],
                names[study.wnids[label]],
                "not judged" if state == UNJUDGED else str(VERDICT_ORDER[state]),
                "correct" if right[place] else "wrong",
            )
