"""Review by class: all images of a class in a grid, with the class next to it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.review.by_class import ReviewByClass
from labeler.app.review.views import ClassReviewView, ReviewStage
from labeler.app.tile_loader import TileLoader
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.review.visit_order import ClassRound
from labeler.core.study.entities import CorrectKind, Verdict
from labeler.core.text import count_noun
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.image_view import image_view_keys
from labeler.ui.kit.text.labels import label
from labeler.ui.review.by_class_grid import ReviewGrid
from labeler.ui.review.class_panel import ClassGuidePanel
from labeler.ui.review.tile_forms import TileForms
from labeler.ui.review.two_columns import fill_column, lay_out_two_columns, split_percent
from labeler.ui.review.verdict_bar import VERDICT_ACTIONS
from labeler.ui.review.verdict_mark import VERDICT_WORDS, verdict_words
from labeler.ui.review.verdict_screen import FORM_OPEN, VerdictScreen, VerdictScreenContext
from labeler.ui.window.actions import Handlers, bind_scope

_PAUSED_MESSAGE = "Paused. The images are hidden, and time isn't counted."
_LEFT = 60
# Stored by the window: the width of the grid and the height of the references.
_SPLIT_KEY, _CLASS_SPLIT_KEY = "review by class", "class and guide"
_NAVIGATION_ACTIONS = (
    (Action.PREVIOUS_VISIT, "Previous class"),
    (Action.CLASS_DONE, "Next class"),
    (Action.UNDO_VERDICT, "Undo"),
    (Action.PAUSE_REVIEW, "Pause"),
    (Action.ENLARGE_TILE, "Enlarge"),
    (Action.FLAG_TILE, "Problematic"),
    (Action.ADD_TILE_LABEL, "Add label"),
    (Action.OTHER_WAY, "By image"),
    (Action.GO_HOME, "Home"),
    (Action.REJECT_REST, "All remaining wrong"),
)


class ReviewByClassScreen(VerdictScreen):
    """Renders the view and forwards actions."""

    def __init__(
        self,
        kit: VerdictScreenContext,
        *,
        presenter: ReviewByClass,
        tiles: TileLoader[QImage],
        images: TrialImageLoader[ImagePyramid],
    ) -> None:
        super().__init__(kit, _NAVIGATION_ACTIONS)
        self._presenter, self._memory = presenter, kit.memory
        self._images, self._tiles = images, tiles
        self._view = ClassReviewView()
        self.heading: QLabel = label(rank="heading")
        self.grid = ReviewGrid(kit.appearance, tiles)
        self.side = ClassGuidePanel(kit.tools, percent=kit.memory.share(_CLASS_SPLIT_KEY))
        self.forms = TileForms(kit, presenter)
        self._was_enlarged = False
        self._room = QWidget()
        self._shared = {_SPLIT_KEY: self._lay_out(), _CLASS_SPLIT_KEY: self.side.parts}
        self._connect()
        self._bind(kit.keymap)
        presenter.listen(self.render_view)

    @property
    def is_enlarged(self) -> bool:
        return not self.image.isHidden()

    def start(self, one: ClassRound | None) -> None:
        self._images.listen(self.image.render_trial_image)
        self._start_measuring()
        self._presenter.start(one)
        self.grid.setFocus()
        self._filling.start()

    def stop(self) -> None:
        super().stop()
        self.side.stop()
        # Images may arrive after the screen is closed.
        self._presenter.leave()
        self._tiles.listen(lambda _visit_id: None)
        self._images.listen(lambda _image: None)
        for place, parts in self._shared.items():
            self._memory.remember_share(place, split_percent(parts))

    def render_view(self, view: ClassReviewView) -> None:
        """Show the class, its images and the progress."""
        before, self._view = self._view, view
        paused = view.stage is ReviewStage.PAUSED
        place = f"Class {view.number:,} of {view.classes:,}" if view.number else ""
        self._render_heading()
        self.strip.show_progress(place, view.progress, each="per label")
        self.bar.notice.setText(view.trouble or view.notice)
        self.grid.show_tiles(view.tiles)
        if view.pointed_at is not None:
            self.grid.go_to(view.pointed_at)
        self._render_cover(paused)
        self._render_buttons(view)
        if view.wnid is not None and view.wnid != before.wnid:
            self.forms.close_form()
            self.side.show_other(view.wnid)
            self._put_back()
        if view.stage is ReviewStage.FINISHED and before.stage is not view.stage:
            self.finished.emit()

    def _render_heading(self) -> None:
        """Show the class with its open images, or the enlarged image and its verdict."""
        view, images = self._view, count_noun(len(self._view.tiles), "image")
        if self.is_enlarged and view.tiles and view.stage is ReviewStage.JUDGING:
            own = view.tiles[self.grid.current].own
            verdict = "not judged" if own is None else verdict_words(own).lower()
            place = f"image {self.grid.current + 1:,} of {len(view.tiles):,}"
            self.heading.setText(f"{view.name} · {place}: {verdict}")
        else:
            self.heading.setText(f"{view.name} · {images}, {view.left:,} left")
        words = "Back to grid" if self.is_enlarged else "Enlarge"
        self.bar.buttons[Action.ENLARGE_TILE].set_words(words)

    def _render_cover(self, paused: bool) -> None:
        if paused:
            self.forms.close_form()
        if paused and not self.image.is_covered:
            self.image.show()
            self.image.cover(_PAUSED_MESSAGE)
        elif not paused and self.image.is_covered:
            self.image.uncover()
            self._put_back()

    def _render_buttons(self, view: ClassReviewView) -> None:
        judging = view.stage is ReviewStage.JUDGING
        paused = view.stage is ReviewStage.PAUSED
        at_grid = judging and not self.forms.is_open
        self.bar.allow_judging(at_grid)
        self.bar.allow(
            {
                Action.ENLARGE_TILE: at_grid,
                Action.FLAG_TILE: at_grid and bool(view.tiles),
                Action.ADD_TILE_LABEL: at_grid and bool(view.tiles),
                Action.UNDO_VERDICT: at_grid and view.can_undo,
                Action.PAUSE_REVIEW: judging or paused,
                Action.PREVIOUS_VISIT: judging and view.number != 1,
                Action.CLASS_DONE: judging,
                Action.REJECT_REST: at_grid and view.left > 0,
                Action.OTHER_WAY: judging,
            }
        )
        self.bar.buttons[Action.PAUSE_REVIEW].set_words("Resume" if paused else "Pause")

    # Building.

    def _lay_out(self) -> QSplitter:
        columns = lay_out_two_columns(self, percent=self._memory.share(_SPLIT_KEY) or _LEFT)
        # The enlarged image covers the grid, which keeps the focus.
        layers = QStackedLayout(self._room)
        layers.setStackingMode(QStackedLayout.StackingMode.StackAll)
        layers.addWidget(self.grid)
        layers.addWidget(self.image)
        layers.setCurrentWidget(self.image)
        self.image.hide()
        fill_column(columns.left, self.strip, self.heading, self._room, self.bar, grows=self._room)
        fill_column(columns.right, self.forms, self.side, grows=self.side)
        return columns.across

    def _deferred_parts(self) -> tuple[Callable[[], object], ...]:
        return (
            lambda: self._tools.class_view,
            self.side.side.fill,
            lambda: self._tools.guide,
            self._show_guide,
        )

    def _show_guide(self) -> None:
        self.side.fill_guide()

    @property
    def _judged(self) -> QWidget:
        return self._room

    def _connect(self) -> None:
        self.image.resume_wanted.connect(self._presenter.pause_or_resume)
        self.image.viewport_changed.connect(self._images.set_viewport)
        self.grid.moved.connect(self._moved)
        self.grid.opened.connect(lambda _place: self._enlarge())
        self.grid.left.connect(self._put_back)
        self.grid.seen.connect(self._presenter.saw)
        self.grid.toggled.connect(self._toggle)
        self.bar.pressed.connect(self._press)
        self.forms.closed.connect(self._form_closed)
        self.side.left.connect(self.grid.setFocus)

    def _bind(self, keymap: Keymap) -> None:
        handlers = self._handlers()
        in_grid = {binding.action for binding in keymap.of(Scope.REVIEW_GRID)}
        rest = {action: run for action, run in handlers.items() if action not in in_grid}
        bound = bind_scope(self, keymap, Scope.REVIEW, rest)
        bound |= bind_scope(
            self._room, keymap, Scope.REVIEW_GRID, {action: handlers[action] for action in in_grid}
        )
        for action in bound.values():
            # A key that is held down must not judge the next image, too.
            action.setAutoRepeat(False)
        bind_scope(self, keymap, Scope.VIEW, image_view_keys(self.image))
        self._tools.bind_keys(self, keymap)

    def _handlers(self) -> Handlers:
        judging = {
            action: partial(self._at_grid, partial(self._judge, *what))
            for action, what in VERDICT_ACTIONS.items()
        }
        return {
            **judging,
            Action.UNDO_VERDICT: lambda: self._at_grid(self._presenter.undo),
            Action.PREVIOUS_VISIT: self._presenter.previous_class,
            Action.NEXT_VISIT: self._presenter.next_class,
            Action.PAUSE_REVIEW: self._presenter.pause_or_resume,
            Action.OTHER_WAY: self._switch_review_mode,
            Action.ENLARGE_TILE: self._enlarge_or_put_back,
            Action.CLASS_DONE: self._go_on,
            Action.FLAG_TILE: lambda: self._open_form(self.forms.open_flag),
            Action.ADD_TILE_LABEL: lambda: self._open_form(self.forms.open_finder),
            Action.REJECT_REST: lambda: self._at_grid(self._presenter.reject_rest),
        }

    # Actions.

    def _press(self, action: Action) -> None:
        if action is Action.GO_HOME:
            self.home_wanted.emit()
            return
        self._handlers()[action]()
        if self._view.stage is ReviewStage.JUDGING and not self.forms.is_open:
            self.grid.setFocus()

    def _at_grid(self, run: Callable[[], object]) -> None:
        """Run something that changes verdicts, but not behind a form."""
        if self.forms.is_open:
            self.bar.notice.setText(FORM_OPEN)
        else:
            run()

    def _switch_review_mode(self) -> None:
        if self._view.stage is ReviewStage.JUDGING:
            self.mode_switch_wanted.emit()

    def _judge(self, verdict: Verdict, kind: CorrectKind | None) -> None:
        if self._view.stage is not ReviewStage.JUDGING:
            return
        chosen = self.grid.selected
        wnid = self._view.wnid
        self._presenter.judge(chosen, verdict, kind)
        if chosen and self._view.wnid == wnid:
            self.grid.go_to(self._presenter.next_waiting(chosen[-1]))

    def _toggle(self, place: int) -> None:
        """Give the tile the next verdict and stay there."""
        own = self._view.tiles[place].own
        order = list(VERDICT_WORDS)
        following = order[0] if own is None else order[(order.index(own.verdict) + 1) % len(order)]
        self.grid.go_to(place)
        # A second click must still be possible after the last open image.
        self._presenter.judge([place], following, moves_on=False)

    def _open_form(self, open_form: Callable[[str], None]) -> None:
        """Open a form for the current image, which is enlarged next to it."""
        if self._view.stage is ReviewStage.JUDGING and self._view.tiles and not self.forms.is_open:
            self._was_enlarged = self.is_enlarged
            self._enlarge()
            self.side.show_guide(False)
            open_form(self._view.tiles[self.grid.current].visit_id)
            self._render_buttons(self._view)

    def _form_closed(self) -> None:
        self.side.show_guide(True)
        if self._view.wnid is not None:
            self._tools.show_class(self._view.wnid)
        if not self._was_enlarged and not self.image.is_covered:
            self._put_back()
        self.grid.setFocus()
        self._render_buttons(self._view)

    def _moved(self, _place: int) -> None:
        if self.is_enlarged and not self.image.is_covered:
            self._enlarge()

    def _go_on(self) -> None:
        """The key for the next class also presses the button while the images are hidden."""
        if self._view.stage is ReviewStage.PAUSED:
            self._presenter.pause_or_resume()
        else:
            self._presenter.next_class()

    def _enlarge_or_put_back(self) -> None:
        if self._view.stage is ReviewStage.PAUSED:
            self._presenter.pause_or_resume()
        elif self.is_enlarged:
            self._put_back()
        else:
            self._enlarge()

    def _enlarge(self) -> None:
        if self._view.tiles and self._view.stage is ReviewStage.JUDGING:
            self.image.show()
            self._images.show(self._view.tiles[self.grid.current].visit_id)
            self.grid.setFocus()
            self._render_heading()

    def _put_back(self) -> None:
        self.image.hide()
        self.grid.setFocus()
        self._render_heading()
