"""The window's controller for near-duplicates: presenters, pictures and the screen."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.curation.duplicate_review import DuplicateReview
from labeler.app.curation.duplicate_session import DuplicateSession
from labeler.app.curation.search_form import SearchForm
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.study.entities import ImageKey
from labeler.core.view_geometry import Viewport
from labeler.ui.curation.duplicates_screen import DuplicatesScreen
from labeler.ui.curation.search_page import SearchPage
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid
from labeler.ui.window.context import StudyContext

_TILE = Viewport(560, 420)
# Two images are shown; the ones before and after are ready.
_IMAGES_KEPT = 16


class DuplicatesController(QObject):
    """Shows the search first; leaving the screen stops a search, which can be continued."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext, *, goes_home: bool = True) -> None:
        super().__init__(context.window)
        self._window = context.window
        self._session = DuplicateSession(context.study.store, context.code)
        workers = context.workers
        self.review = DuplicateReview(
            session=self._session,
            runner=workers.database,
            clock=context.clock,
            describe_error=context.describe_error,
            name_class=context.study.taxonomy.display_names.__getitem__,
        )
        self.form = SearchForm(
            context.study.store,
            database=workers.database,
            background=workers.background,
            clock=context.clock,
            describe_error=context.describe_error,
        )
        self._tiles = ThumbnailLoader[ImageKey, QImage](
            runner=workers.decoding, load=self._load_tile
        )
        self._images = ThumbnailLoader[ImageKey, ImagePyramid](
            runner=workers.decoding, load=self._load_image, kept=_IMAGES_KEPT
        )
        self.screen = DuplicatesScreen(
            context.appearance,
            context.keymap,
            self.review,
            SearchPage(context.appearance, self.form),
            tiles=self._tiles,
            images=self._images,
            goes_home=goes_home,
        )
        self.screen.home_wanted.connect(self.home_wanted)
        self.screen.destroyed.connect(self.close)
        self._window.closing.connect(self.close)

    def show(self) -> None:
        self._window.show_screen(self.screen)
        self.screen.show_search()
        self.form.refresh()

    def close(self) -> None:
        """Stop a search, which keeps what it has stored, and drop late answers."""
        self.form.close()
        self.review.listen(lambda _view: None)
        self._tiles.close()
        self._images.close()

    def _load_tile(self, key: ImageKey) -> QImage | None:
        made = self._load(key, _TILE)
        return None if made is None else made.fitted

    def _load_image(self, key: ImageKey) -> ImagePyramid | None:
        return self._load(key, _TILE)

    def _load(self, key: ImageKey, viewport: Viewport) -> ImagePyramid | None:
        image = self.review.image(key)
        return None if image is None else build_pyramid(self._session.picture(image), viewport)
