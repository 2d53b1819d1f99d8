"""An annotator's task in the window: the explanation, the task, and the page at its end."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.crowd.annotator_session import AnnotatorHome, AnnotatorSession
from labeler.app.crowd.classify import ClassifyPresenter
from labeler.app.crowd.contains import ContainsPresenter
from labeler.app.crowd.task_pictures import TaskPictures
from labeler.core.crowd.rounds import CrowdTask
from labeler.ui.crowd.classify_screen import ClassifyScreen
from labeler.ui.crowd.contains_screen import ContainsScreen
from labeler.ui.crowd.explanation_page import AllDonePage, ExplanationPage
from labeler.ui.window.context import StudyContext


class CrowdController(QObject):
    """Connects the presenters, the screens and the study, and closes them again."""

    home_wanted = Signal()
    stopped = Signal(str)

    def __init__(self, context: StudyContext, task: CrowdTask) -> None:
        super().__init__(context.window)
        self._context, self._task = context, task
        self.session = AnnotatorSession(context.study.store, context.code)
        self._pictures = TaskPictures[QImage](
            fetch=self.session.picture, decode=decode_jpeg, runner=context.workers.decoding
        )
        self.screen: ContainsScreen | ClassifyScreen | None = None

    def start(self) -> None:
        """Explain the task before the first answer, otherwise continue with it."""
        self._context.run(
            "read crowd tasks", self.session.home, done=self._begin, failed=self.stopped.emit
        )

    def _begin(self, home: AnnotatorHome) -> None:
        progress = home.progress[self._task]
        if progress.done == 0 and not progress.has_open:
            page = ExplanationPage(self._context.appearance, self._task, test=home.needs_test)
            page.begin_wanted.connect(self.show_task)
            page.home_wanted.connect(self.home_wanted)
            self._context.window.show_screen(page)
        else:
            self.show_task()

    def show_task(self) -> None:
        """Show the task; the test comes first if it is needed."""
        self._context.run(
            "read crowd settings",
            lambda: (self._context.study.settings().idle_after_ms, self.session.needs_test()),
            done=lambda found: self._show_screen(*found),
            failed=self.stopped.emit,
        )

    def _show_screen(self, idle_after_ms: int, needs_test: bool) -> None:
        context = self._context
        if self._task is CrowdTask.CONTAINS or needs_test:
            contains = ContainsPresenter(
                session=self.session,
                runner=context.workers.database,
                clock=context.clock,
                idle_after_ms=idle_after_ms,
                describe=context.describe_error,
            )
            self.screen = ContainsScreen(
                context.appearance, context.keymap, contains, self._pictures
            )
            if self._task is CrowdTask.CLASSIFY:
                contains.only_test(self._test_passed)
            self.presenter: ContainsPresenter | ClassifyPresenter = contains
        else:
            classify = ClassifyPresenter(
                session=self.session,
                runner=context.workers.database,
                clock=context.clock,
                idle_after_ms=idle_after_ms,
                describe=context.describe_error,
            )
            self.screen = ClassifyScreen(
                context.appearance, context.keymap, classify, self._pictures
            )
            self.presenter = classify
        self.screen.finished.connect(self._finish)
        self.screen.home_wanted.connect(self.home_wanted)
        context.window.show_screen(self.screen)
        self.screen.start()

    def _test_passed(self) -> None:
        """Go on from the test to the images."""
        assert self.screen is not None
        self.screen.stop()
        self._pictures.close()
        self.show_task()

    def _finish(self) -> None:
        self.screen = None
        self._pictures.close()
        page = AllDonePage(self._context.appearance)
        page.home_wanted.connect(self.home_wanted)
        page.back_wanted.connect(self._go_back)
        self._context.window.show_screen(page)

    def _go_back(self) -> None:
        """Show the last submitted task again."""
        self._context.run(
            "read crowd settings",
            lambda: self._context.study.settings().idle_after_ms,
            done=self._show_last,
            failed=self.stopped.emit,
        )

    def _show_last(self, idle_after_ms: int) -> None:
        self._show_screen(idle_after_ms, False)
        self.presenter.back()

    def leave(self, then: Callable[[], None]) -> None:
        """Keep the unfinished answer."""
        self._pictures.close()
        if self.screen is not None:
            self.screen.stop()
            self.presenter.leave(then)
        else:
            then()
        self.deleteLater()


def decode_jpeg(data: bytes) -> QImage:
    """Return the picture of a JPEG that the program has made itself."""
    return QImage.fromData(data)
