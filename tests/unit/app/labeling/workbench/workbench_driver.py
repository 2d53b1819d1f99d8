"""A labeler at the workbench of a real study, for the tests of its presenter."""

import sqlite3
from dataclasses import dataclass, field

from labeler.app.labeling.evaluation_flow import EvaluationFlow
from labeler.app.labeling.evaluation_session import EvaluationSession
from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.workbench_view import ChosenClass, WorkbenchView
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.view_geometry import Viewport
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

FISH, DOG = "n01440764", "n02085620"


def prepared(picture: EncodedImage, _viewport: Viewport) -> bytes:
    return picture.data


def refitted(pixels: bytes, _viewport: Viewport) -> bytes:
    return pixels


def named(wnid: str) -> ChosenClass:
    return ChosenClass(wnid, f"name of {wnid}", "path")


@dataclass
class WorkbenchDriver:
    """A labeler at a workbench; nothing happens until the runner is reported to."""

    store: StudyStore
    clock: AdjustableClock
    runner: LateRunner = field(default_factory=LateRunner)
    views: list[WorkbenchView[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session = EvaluationSession(self.store, "A")
        images = TrialImageLoader(
            fetch=self.session.picture,
            prepare=prepared,
            refit=refitted,
            runner=self.runner,
            clock=self.clock,
        )
        self.flow = EvaluationFlow(self.session, self.runner)
        self.bench = WorkbenchPresenter(
            session=self.session,
            flow=self.flow,
            database=self.runner,
            images=images,
            clock=self.clock,
            name_class=named,
        )
        self.bench.listen(self.views.append)

    @property
    def view(self) -> WorkbenchView[bytes]:
        return self.bench.view

    @property
    def position(self) -> int | None:
        return self.view.trial.position if self.view.trial else None

    def work(self) -> None:
        """Let everything that waits be done, and all that follows from it, and paint."""
        self._finish_all()
        if self.view.image is not None:
            self.bench.painted(self.view.image.trial_id)

    def _finish_all(self) -> None:
        while self.runner.tickets:
            self.runner.finish_all()

    def begin(self) -> "WorkbenchDriver":
        self.bench.begin()
        self.work()
        # What follows the first image: the order of all trials, and what is ahead.
        self._finish_all()
        return self

    def answer(self, wnid: str = FISH) -> None:
        self.bench.choose(wnid)
        self.bench.submit()
        self.work()

    def stored(self) -> list[tuple[int, int, str, int]]:
        """Position, revision, label and active milliseconds of every stored answer."""
        database = self.store.folder.path / "study.db"
        with sqlite3.connect(database) as connection:
            return connection.execute(
                "SELECT t.position, p.revision, c.wnid, p.active_ms FROM prediction p"
                " JOIN trial t ON t.id = p.trial_id JOIN class c ON c.id = p.class_id"
                " ORDER BY p.committed_at, p.revision"
            ).fetchall()
