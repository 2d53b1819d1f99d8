"""The first page at work: the demo, a study that exists, a new one."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from labeler.app.presenters.answer_storing import sentence_for
from labeler.app.presenters.sign_in import Credentials
from labeler.app.presenters.start import NewStudy, StartView
from labeler.app.recent_studies import RecentStudies
from labeler.app.start import demo_folder, make_demo, new_study_with_lead
from labeler.app.watched_work import WatchedWork
from labeler.core.clock import Clock
from labeler.core.study import Role
from labeler.ui.look import Look
from labeler.ui.screens.start import StartScreen
from labeler.ui.workers import Workers


class Entrance(QObject):
    """Finds or makes the study that a person wants to work on."""

    study_wanted = Signal(Path)
    study_made = Signal(Path, Credentials)

    def __init__(self, look: Look, *, workers: Workers, clock: Clock, sentence: str = "") -> None:
        """`sentence` says why the person is back here."""
        self.screen = StartScreen(look)
        super().__init__(self.screen)
        self._workers, self._clock = workers, clock
        self._demo = WatchedWork(
            lambda progress: make_demo(demo_folder(), clock=clock, progress=progress),
            runner=workers.background,
            clock=clock,
            show=self.screen.show_progress,
            done=self.study_wanted.emit,
            failed=self._fail,
        )
        self.screen.demo_wanted.connect(self._demo.start)
        self.screen.cancel_wanted.connect(self._demo.cancel)
        self.screen.open_wanted.connect(self.study_wanted)
        self.screen.recent_chosen.connect(self.study_wanted)
        self.screen.new_wanted.connect(self._make_study)
        self.screen.render_view(StartView(RecentStudies().all()))
        if sentence:
            self.screen.say(sentence)

    def _make_study(self, wanted: NewStudy) -> None:
        self.screen.show_making()
        self._workers.database.submit(
            lambda _job: new_study_with_lead(wanted, clock=self._clock),
            done=lambda folder: self.study_made.emit(
                folder,
                Credentials(
                    code=wanted.lead_code, role=Role.LEAD, passphrase=wanted.passphrase or None
                ),
            ),
            failed=self._fail,
        )

    def _fail(self, error: Exception) -> None:
        self.screen.say(sentence_for(error, clock=self._clock))
