"""A reviewer's review in the window, by image or by class, and the page at its end."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from labeler.app.review.by_class import ReviewByClass
from labeler.app.review.by_image import ReviewByImage
from labeler.app.review.session import ReviewSession
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.runner import ignore
from labeler.app.tile_loader import TileLoader
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.review.visit_order import ClassRound
from labeler.core.study.entities import Stage
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.pictures.contact_sheet import decode_original
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid, build_pyramid, refit_pyramid
from labeler.ui.kit.text.second_window_dialog import ask_about_window
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.by_image_screen import ReviewByImageScreen
from labeler.ui.review.end_screen import ReviewEndScreen
from labeler.ui.review.verdict_screen import VerdictScreenContext
from labeler.ui.window.context import StudyContext
from labeler.ui.window.idle_queue import IdleQueue

ReviewScreen = ReviewByImageScreen | ReviewByClassScreen


class _NeededData(Enum):
    """What the first screen needs."""

    LABELS = "labels"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class _PendingScreen:
    """A screen that is created, but not shown yet."""

    screen: ReviewScreen
    tools: ClassTools
    start: Callable[[], None]

    def discard(self) -> None:
        self.tools.close()
        self.screen.deleteLater()


class ReviewController(QObject):
    """Connects the presenters, the screens and the study, and closes them again.

    One way of judging is shown at a time; both share the session and its verdicts.
    """

    home_wanted = Signal()
    stopped = Signal(str)

    def __init__(self, context: StudyContext, stage: Stage) -> None:
        super().__init__(context.window)
        self._window, self._context = context.window, context
        self._session = session = ReviewSession(context.study.store, context.code, stage)
        workers, clock = context.workers, context.clock
        self.session_presenter = ReviewSessionPresenter(
            session=session,
            database=workers.database,
            reading=workers.background,
            clock=clock,
        )
        self.session_presenter.storing.on_stop(self._stop)
        self.session_presenter.ask_about_other_window(self._ask_about_window)
        self.images = TrialImageLoader[ImagePyramid](
            fetch=session.picture,
            prepare=build_pyramid,
            refit=refit_pyramid,
            runner=workers.decoding,
            clock=clock,
            advice="Judge its labels as unclear to continue",
        )
        self.tiles = TileLoader[QImage](
            fetch=session.picture,
            shrink=lambda encoded, side: decode_original(encoded, (side, side)),
            runner=workers.decoding,
        )
        self.screen: ReviewScreen | None = None
        self.tools: ClassTools | None = None
        self._leaving = False
        self._awaited = set(_NeededData)
        self._coming: _PendingScreen | None = None
        self._changing = IdleQueue(parent=self)

    def start(self) -> None:
        """Load the visits and the class names; the screen is shown when both are loaded."""
        rows = self._context.study.class_rows
        self._context.workers.background.run(
            "list classes",
            lambda: rows.all,
            done=lambda _rows: self._has_come(_NeededData.NAMES),
            failed=lambda _error: self._has_come(_NeededData.NAMES),
        )
        self.session_presenter.begin(
            started=lambda: self._has_come(_NeededData.LABELS), failed=self.stopped.emit
        )

    def _has_come(self, part: _NeededData) -> None:
        self._awaited.discard(part)
        if self._awaited:
            return
        place = self.session_presenter.place
        if place.by_class:
            self.session_presenter.find_round(
                place.at, past=False, found=self._begin_by_class, failed=self.show_by_image
            )
        else:
            self.show_by_image()

    def _begin_by_class(self, one: ClassRound | None) -> None:
        """Continue where the reviewer was; by image for second checks if no class is open."""
        if one is None:
            self.show_by_image()
        else:
            self.show_by_class(one)

    def leave(self, then: Callable[[], None]) -> None:
        """End the session; all verdicts are kept."""
        self._leaving = True
        self._changing.stop()
        if self._coming is not None:
            self._coming.discard()
        self._stop_screen()
        self._close_tools()
        self.images.close()
        self.tiles.close()
        self.session_presenter.storing.listen(lambda: None)
        self.session_presenter.leave(then)
        self.deleteLater()

    def _ask_about_window(self, take_over: Callable[[], None], look: Callable[[], None]) -> None:
        if not self._leaving:
            ask_about_window(
                self._context.appearance, self._window, take_over, look, self.home_wanted.emit
            )

    def _stop(self, sentence: str) -> None:
        if not self._leaving:
            self.stopped.emit(sentence)

    def look_back(self) -> None:
        """Return to open second checks, or otherwise to judged images."""
        self.show_by_image(look_back=not self.session_presenter.checks)

    def show_by_image(self, *, look_back: bool = False) -> None:
        self._change_to(lambda: self._by_image(look_back=look_back))

    def show_by_class(self, one: ClassRound | None) -> None:
        self._change_to(lambda: self._by_class(one))

    def _change_to(self, make: Callable[[], _PendingScreen]) -> None:
        """Create, show and start another screen in steps, because each blocks the window."""
        if self._leaving or self._coming is not None:
            return

        def make_screen() -> None:
            self._coming = make()

        self._changing = IdleQueue(
            make_screen, self._show_pending_screen, self._start_pending_screen, parent=self
        )
        self._changing.start()

    def _by_image(self, *, look_back: bool) -> _PendingScreen:
        tools = self._new_tools()
        presenter = ReviewByImage[ImagePyramid](
            session_presenter=self.session_presenter,
            images=self.images,
            name_class=tools.browser.row,
        )
        screen = ReviewByImageScreen(self._kit(tools), presenter=presenter)
        screen.image.viewport_changed.connect(self.images.set_viewport)
        screen.mode_switch_wanted.connect(lambda: presenter.to_classes(self.show_by_class))
        return _PendingScreen(screen, tools, lambda: screen.start(look_back=look_back))

    def _by_class(self, one: ClassRound | None) -> _PendingScreen:
        tools = self._new_tools()
        presenter = ReviewByClass(
            session_presenter=self.session_presenter, name_class=tools.browser.row
        )
        screen = ReviewByClassScreen(
            self._kit(tools), presenter=presenter, tiles=self.tiles, images=self.images
        )
        screen.mode_switch_wanted.connect(self.show_by_image)
        return _PendingScreen(screen, tools, lambda: screen.start(one))

    def _show_pending_screen(self) -> None:
        """Show the screen instead of the previous one."""
        assert self._coming is not None
        self._stop_screen()
        self._close_tools()
        self.screen = self.tools = None
        self._window.show_screen(self._coming.screen)

    def _start_pending_screen(self) -> None:
        coming, self._coming = self._coming, None
        assert coming is not None
        self.screen, self.tools = coming.screen, coming.tools
        coming.screen.finished.connect(self._finish)
        coming.screen.home_wanted.connect(self.home_wanted)
        # Not earlier, because loading competes with building the window.
        coming.screen.filled.connect(self.session_presenter.read_on)
        coming.start()
        coming.tools.activate()

    def _finish(self) -> None:
        """This way of judging is finished; the other one may have open labels."""
        if self._leaving:
            return
        self._stop_screen()
        self._close_tools()
        self.screen = None
        end = ReviewEndScreen(
            self._context.appearance,
            self._context.keymap,
            checks=len(self.session_presenter.checks),
        )
        end.images_wanted.connect(self.look_back)
        end.home_wanted.connect(self.home_wanted)
        self._window.show_screen(end)

    def _new_tools(self) -> ClassTools:
        return ClassTools(self._context, page_opened=self._page_opened)

    def _kit(self, tools: ClassTools) -> VerdictScreenContext:
        context = self._context
        return VerdictScreenContext(
            appearance=context.appearance,
            keymap=context.keymap,
            memory=context.memory,
            time=self.session_presenter,
            tools=tools,
        )

    def _close_tools(self) -> None:
        if self.tools is not None:
            self.tools.close()

    def _stop_screen(self) -> None:
        if self.screen is not None:
            self.screen.stop()

    def _page_opened(self, slug: str) -> None:
        self._context.workers.database.run(
            "record guide visit",
            lambda: self._session.visited_guide(
                slug, guide_version=self._context.study.guide_facts().version
            ),
            # A page visit that couldn't be recorded is no reason to interrupt the reader.
            failed=ignore,
            urgent=False,
        )
