"""The training progress and the group discussion in the window."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.classes.references import ClassThumbnails
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.app.training.discussion import GroupDiscussion
from labeler.app.training.progress import TrainingProgress
from labeler.app.training.training_review import TrainingReview
from labeler.app.training.viewer import TrainingViewer
from labeler.core.study.entities import Role
from labeler.core.training.request import TrainingRequest
from labeler.ui.classes.class_presenters import ClassPresenters
from labeler.ui.kit.pictures.contact_sheet import decode_original, decode_tile
from labeler.ui.training.discussion_screen import DiscussionScreen
from labeler.ui.training.progress_screen import TrainingProgressScreen
from labeler.ui.window.context import StudyContext

# The current image is shown larger than the list.
_LIST_PICTURE_SIZE, _SINGLE_PICTURE_SIZE = (640, 480), (960, 720)
# Each takes a few megabytes, and people switch between a few dozen.
_PICTURE_CACHE_SIZE = 48


class TrainingReviewController(QObject):
    """Switches between its two screens; each exists only while it is shown."""

    home_wanted = Signal()
    training_wanted = Signal(TrainingRequest)

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._window, self._appearance = context.window, context.appearance
        self._study, self._person = context.study, context.person
        self._workers, self._describe_error = context.workers, context.describe_error
        self._review = TrainingReview(
            context.study.store, TrainingViewer(context.code, context.role)
        )
        self._keep: Callable[[], None] | None = None

    def keep(self) -> None:
        """Save note drafts before the window closes."""
        if self._keep is not None:
            self._keep()

    def show_progress(self) -> None:
        """Show the person's own progress, or everyone's for a lead."""
        presenter = TrainingProgress(
            record=self._review,
            taxonomy=self._study.taxonomy,
            runner=self._workers.database,
            own_code=self._person.code if self._person.role is Role.LABELER else None,
            describe_error=self._describe_error,
        )
        self._keep = None
        pictures = self._pictures(_LIST_PICTURE_SIZE)
        classes: ClassThumbnails[QImage] = ClassThumbnails(
            folder=self._study.places.thumbnails, runner=self._workers.decoding, decode=decode_tile
        )
        screen = TrainingProgressScreen(
            self._appearance,
            self._window.keymap,
            presenter,
            pictures=pictures,
            classes=classes,
        )
        screen.training_wanted.connect(self.training_wanted)
        screen.discussion_wanted.connect(self.show_discussion)
        screen.home_wanted.connect(self.home_wanted)
        screen.destroyed.connect(presenter.close)
        screen.destroyed.connect(pictures.close)
        screen.destroyed.connect(classes.close)
        self._window.show_screen(screen)
        presenter.open()

    def _pictures(self, size: tuple[int, int]) -> ThumbnailLoader[int, QImage]:
        return ThumbnailLoader(
            runner=self._workers.decoding,
            load=lambda image: decode_original(self._review.picture(image), size),
            kept=_PICTURE_CACHE_SIZE,
        )

    def show_discussion(self) -> None:
        """Show the group discussion."""
        presenter = GroupDiscussion(
            table=self._review,
            taxonomy=self._study.taxonomy,
            runner=self._workers.database,
            describe_error=self._describe_error,
        )
        self._keep = presenter.keep
        pictures = self._pictures(_SINGLE_PICTURE_SIZE)
        classes = ClassPresenters(self._study, self._workers, page_opened=lambda _slug: None)
        screen = DiscussionScreen(
            self._appearance,
            self._window.keymap,
            presenter,
            pictures=pictures,
            classes=classes,
        )
        screen.progress_wanted.connect(self.show_progress)
        screen.home_wanted.connect(self.home_wanted)
        screen.destroyed.connect(presenter.close)
        screen.destroyed.connect(classes.close)
        screen.destroyed.connect(pictures.close)
        self._window.show_screen(screen)
        presenter.open()
        classes.prepare()
