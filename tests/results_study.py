"""A study with a hand-checked result, and a lead who looks at it."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from labeler.app.progress import ProgressReporter
from labeler.app.results.results import ResultsPresenter
from labeler.app.results.results_data import ResultsReader, StudyResults
from labeler.app.results.results_view import ResultsView
from labeler.app.study.studies import new_study
from labeler.core.clock import SystemClock
from labeler.core.metrics.cell_source import CellSource
from labeler.core.study.entities import Role
from labeler.report.figures.figure import RenderedFigure
from labeler.store.exchange.importer import import_exchange
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.e2e.golden_study import write_golden
from tests.unit.app.late_runner import LateRunner


def golden_store(place: Path) -> StudyStore:
    """The study of `golden_study`, with its answers imported; anyone who asks for it closes it."""
    store = new_study(place / "study", clock=SystemClock(), name="golden", seed=1)
    import_exchange(store, write_golden(place / "files"))
    return store


class FewFigures(ResultsReader):
    """The real desk; of the report's figures, which take seconds, only the first is drawn."""

    def read(self, progress: ProgressReporter) -> StudyResults:
        return _FewFigures(super().read(progress).contents, self.store.taxonomy)


class _FewFigures(StudyResults):
    def figures(self) -> Iterator[RenderedFigure]:
        return islice(super().figures(), 1)


class LeadResults:
    """A lead who looks, and what was shown last."""

    def __init__(self, reader: Callable[[], ResultsReader], *, opens: bool = True) -> None:
        self.runner = LateRunner()
        self.presenter = ResultsPresenter(
            reader,
            runner=self.runner,
            quick=self.runner,
            clock=AdjustableClock(),
            describe_error=str,
        )
        self.presenter.open()
        if opens:
            self.runner.finish_all()
            self.runner.finish_all()

    @property
    def view(self) -> ResultsView:
        return self.presenter.view

    def choose(self, **changes: object) -> None:
        self.presenter.choose(**changes)
        self.runner.finish_all()

    def cells(self) -> dict[str, tuple[str, ...]]:
        assert self.view.table is not None
        return {row[0]: row[1:] for row in self.view.table.rows}

    def listed(self, source: CellSource | None) -> list[str]:
        """The names of the images behind something, sorted."""
        assert source is not None
        assert self.presenter.results is not None
        return sorted(image.key.image for image in self.presenter.results.images(source))


def lead(store: StudyStore) -> Callable[[], ResultsReader]:
    return lambda: FewFigures(store, "L", Role.LEAD)
