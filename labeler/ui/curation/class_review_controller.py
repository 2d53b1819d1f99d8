"""Connects the review of classes with the study and the decoder."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.curation.class_review import ClassReviewPresenter
from labeler.app.curation.class_review_session import (
    PoolClasses,
    ReviewedClasses,
    RevisionClasses,
    candidate_picture,
)
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.study.entities import ImageKey, Role
from labeler.store.study_store import StudyStore
from labeler.ui.curation.class_review_screen import ClassReviewScreen
from labeler.ui.kit.pictures.contact_sheet import decode_original
from labeler.ui.window.context import StudyContext

_PICTURE_SIZE = (720, 720)
# Twenty images are shown, and a class of candidates can have some hundred.
_KEPT = 200


class ClassReviewController(QObject):
    """A reviewer's or lead's way through the classes of a revision, or of a pool."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext, classes: ReviewedClasses, *, goes_home: bool) -> None:
        super().__init__(context.window)
        self._context = context
        self.pictures = candidate_pictures(context)
        self.presenter = ClassReviewPresenter(
            store=context.study.store,
            reviewer=context.code,
            runner=context.workers.database,
            describe=context.describe_error,
            classes=classes,
        )
        self.screen = ClassReviewScreen(
            context.appearance, context.keymap, self.presenter, self.pictures, goes_home=goes_home
        )
        self.screen.home_wanted.connect(self.home_wanted)

    def start(self) -> None:
        self._context.window.show_screen(self.screen)
        self.screen.start()

    def leave(self, then: Callable[[], None]) -> None:
        """Stop loading pictures; every decision is stored already."""
        self.pictures.close()
        then()
        self.deleteLater()


def classes_of_revision(
    context: StudyContext, dataset: str = "", revision: int = 0
) -> ReviewedClasses:
    """Return the classes of a revision, where the lead sees frequencies in any case."""
    return RevisionClasses(
        context.study.store, dataset, revision, shows_frequencies=context.role is Role.LEAD
    )


def classes_of_pool(context: StudyContext, pool: str, first: str = "") -> ReviewedClasses:
    """Return the classes of a pool, beginning with one of them."""
    return PoolClasses(context.study.store, pool, begins_with=first)


def candidate_pictures(context: StudyContext) -> ThumbnailLoader[ImageKey, QImage]:
    """Return a loader for the pictures of candidates and originals."""
    store = context.study.store
    return ThumbnailLoader(
        runner=context.workers.decoding, load=lambda key: _load(store, key), kept=_KEPT
    )


def _load(store: StudyStore, key: ImageKey) -> QImage | None:
    picture = candidate_picture(store, key)
    return None if picture is None else decode_original(picture, _PICTURE_SIZE)
