"""The window's controller for settling disagreements."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from labeler.app.review.disagreement_session import DisagreementSession
from labeler.app.review.disagreements import Disagreements
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.study.entities import Stage
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid, refit_pyramid
from labeler.ui.review.disagreements_screen import DisagreementsScreen
from labeler.ui.window.context import StudyContext


class DisagreementsController(QObject):
    """Connects the presenter, the screen and the study, and closes them again."""

    home_wanted = Signal()
    stopped = Signal(str)
    reviewers_wanted = Signal()

    def __init__(self, context: StudyContext, stage: Stage) -> None:
        super().__init__(context.window)
        self._window = context.window
        workers, clock = context.workers, context.clock
        session = DisagreementSession(context.study.store, context.code, context.role, stage)
        self.tools = ClassTools(context)
        self.images = TrialImageLoader[ImagePyramid](
            fetch=session.picture,
            prepare=build_pyramid,
            refit=refit_pyramid,
            runner=workers.decoding,
            clock=clock,
            advice="Continue with the next label",
        )
        self.presenter = Disagreements[ImagePyramid](
            session=session,
            database=workers.database,
            images=self.images,
            clock=clock,
            name_class=self.tools.browser.row,
        )
        self.screen = DisagreementsScreen(
            appearance=context.appearance,
            keymap=context.keymap,
            presenter=self.presenter,
            tools=self.tools,
        )
        self.screen.stopped.connect(self.stopped)
        self.screen.reviewers_wanted.connect(self.reviewers_wanted)
        self.screen.home_wanted.connect(self.home_wanted)
        self.screen.image.viewport_changed.connect(self.images.set_viewport)

    def start(self) -> None:
        self._window.show_screen(self.screen)
        self.tools.activate()
        self.screen.start()

    def leave(self, then: Callable[[], None]) -> None:
        """End the session; all decisions are kept."""
        self.presenter.listen(lambda _view: None)
        self.screen.stop()
        self.tools.close()
        self.images.close()
        self.presenter.leave(then)
        self.deleteLater()
