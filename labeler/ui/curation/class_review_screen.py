"""The review of a revision: the class's images above originals, and one of each enlarged."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from labeler.app.curation.class_review import ClassReviewPresenter
from labeler.app.curation.class_review_views import DatasetReviewView, ReviewTile
from labeler.app.curation.rejections import REASON_WORDS
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.curation.entities import RejectReason
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun
from labeler.ui.curation.captioned_grid import CaptionedGrid, TileCaption
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.leaving_button import leaving_button
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

_SIDE_WIDTH, _BAR_WIDTH = 352, 160
_BAR, _HEADER, _FOOTER = 40, 48, 56
# All candidates of a class can be hundreds: then the grid scrolls.
_LEAST_TILE = 160
NO_ORIGINALS = "The study has no dataset to compare this class with."

Pictures = ThumbnailLoader[ImageKey, QImage]


class ClassReviewScreen(QWidget):
    """Renders the presenter's class and forwards what the reviewer does."""

    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: ClassReviewPresenter,
        pictures: Pictures,
        *,
        goes_home: bool = True,
    ) -> None:
        super().__init__()
        self.appearance, self.keymap = appearance, keymap
        self._presenter, self._pictures = presenter, pictures
        self._keys: list[ImageKey] = []
        self._original_keys: list[ImageKey] = []
        self._looks_at_originals = False
        self.home = leaving_button(appearance, keymap, goes_home=goes_home)
        self.banner = ErrorBanner(appearance, BannerKind.INFO)
        self.images = CaptionedGrid(appearance, self._image, name="Images of the dataset")
        self.originals = CaptionedGrid(appearance, self._original, name="Originals")
        self.enlarged = FittedImage(appearance, height=None, name="The enlarged image")
        self.focused = FittedImage(appearance, height=None, name="The image")
        self.beside = FittedImage(appearance, height=None, name="An original")
        self._lay_out()
        self._connect()

    def start(self) -> None:
        self._presenter.start()

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        compared = QWidget()
        hbox(grow(self._left()), self._side(), on=compared, spacing=16, margins=(16, 8, 16, 8))
        self.stack.addWidget(compared)
        self.stack.addWidget(self.enlarged)
        vbox(
            self._top(),
            self._header(),
            self.banner,
            grow(self.stack),
            self._footer(),
            on=self,
            spacing=0,
        )

    def _top(self) -> QFrame:
        top = _bar(_BAR)
        self.title = label("Dataset review", rank="heading")
        self.place = label(rank="muted")
        self.progress = ProgressBar("Classes reviewed")
        self.progress.setFixedWidth(_BAR_WIDTH)
        self.revision = label(rank="muted")
        hbox(
            self.home,
            self.title,
            self.place,
            self.progress,
            stretch(1),
            self.revision,
            on=top,
            spacing=12,
            margins=(16, 4, 16, 4),
        )
        return top

    def _header(self) -> QFrame:
        header = _bar(_HEADER)
        self.name = label(rank="title")
        self.gloss = ElidedLabel(rank="muted")
        self.mode = self._button("All candidates", Action.SHOW_ALL_CANDIDATES)
        hbox(self.name, grow(self.gloss), self.mode, on=header, spacing=8, margins=(16, 4, 16, 4))
        return header

    def _left(self) -> QWidget:
        self.heading, self.counted = label(rank="heading"), label(rank="muted")
        self.draw = self._button("Other originals", Action.OTHER_ORIGINALS)
        self.drawn = label(rank="muted")
        self._below = QWidget()
        vbox(
            hbox(label("Originals", rank="heading"), self.drawn, stretch(1), self.draw),
            grow(self.originals),
            on=self._below,
        )
        self.scrolled = QScrollArea()
        self.scrolled.setWidgetResizable(True)
        self.scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrolled.setWidget(self.images)
        left = QWidget()
        vbox(
            hbox(self.heading, self.counted, stretch(1)),
            grow(self.scrolled),
            grow(self._below),
            on=left,
        )
        return left

    def _side(self) -> QWidget:
        self.about, self.original_words = label(wrap=True), label(rank="muted")
        side = QWidget()
        side.setFixedWidth(_SIDE_WIDTH)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        vbox(grow(self.focused), self.about, grow(self.beside), self.original_words, on=side)
        return side

    def _footer(self) -> QFrame:
        footer = _bar(_FOOTER)
        self.reject_button = self._button("Reject…", Action.REJECT_CANDIDATE)
        self.copy_button = self._button("Duplicates", Action.MARK_COPY)
        self.enlarge_button = self._button("Enlarge", Action.ENLARGE_CANDIDATE)
        self.undo_button = self._button("Undo", Action.UNDO_REJECTION)
        self.summary = label(rank="muted")
        self.work_button = self._button("Needs work", Action.CLASS_NEEDS_WORK)
        self.reviewed_button = self._button(
            "Reviewed, next", Action.CLASS_REVIEWED, ButtonKind.PRIMARY
        )
        hbox(
            self.reject_button,
            self.copy_button,
            self.enlarge_button,
            self.undo_button,
            stretch(1),
            self.summary,
            self.work_button,
            self.reviewed_button,
            on=footer,
            spacing=8,
            margins=(16, 8, 16, 8),
        )
        return footer

    def _button(
        self, words: str, action: Action, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = self.keymap[action].keys[:1]
        made = CommandButton(self.appearance, words, keys=keys, actions=[action], kind=kind)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def _connect(self) -> None:
        presenter = self._presenter
        handlers: dict[Action, Callable[[], object]] = {
            Action.REJECT_CANDIDATE: self.choose_reason,
            Action.MARK_COPY: self.mark_copy,
            Action.ENLARGE_CANDIDATE: self.enlarge,
            Action.UNDO_REJECTION: presenter.undo,
            Action.CLASS_NEEDS_WORK: lambda: presenter.finish_class(needs_work=True),
            Action.CLASS_REVIEWED: presenter.finish_class,
            Action.SHOW_ALL_CANDIDATES: self.switch_mode,
            Action.OTHER_ORIGINALS: presenter.other_originals,
            Action.NEXT_REVIEWED_CLASS: lambda: presenter.move(1),
            Action.PREVIOUS_REVIEWED_CLASS: lambda: presenter.move(-1),
        }
        bind_scope(self, self.keymap, Scope.CLASS_REVIEW, handlers)
        buttons = {
            self.reject_button: Action.REJECT_CANDIDATE,
            self.copy_button: Action.MARK_COPY,
            self.enlarge_button: Action.ENLARGE_CANDIDATE,
            self.undo_button: Action.UNDO_REJECTION,
            self.work_button: Action.CLASS_NEEDS_WORK,
            self.reviewed_button: Action.CLASS_REVIEWED,
            self.mode: Action.SHOW_ALL_CANDIDATES,
            self.draw: Action.OTHER_ORIGINALS,
        }
        for button, action in buttons.items():
            button.clicked.connect(lambda _checked=False, do=handlers[action]: do())
        self.home.clicked.connect(self.home_wanted)
        self.images.moved.connect(self._move)
        self.originals.moved.connect(lambda _at: self._show_original())
        self.images.enlarged.connect(lambda _at: self.enlarge())
        self._pictures.listen(self._picture_came)
        self._pictures.listen_for_missing(self._picture_came)
        self.images.say_failed(lambda at: self._is_missing(self._keys, at))
        self.originals.say_failed(lambda at: self._is_missing(self._original_keys, at))
        presenter.listen(self.render_state)

    def render_state(self) -> None:
        """Show the presenter's class, or what went wrong."""
        presenter = self._presenter
        self.banner.say(presenter.message, BannerKind.INFO)
        view = presenter.view
        if view is None:
            return
        if presenter.keys != self._keys:
            self._keys = presenter.keys
            self.images.show_captions(())
        if presenter.original_keys != self._original_keys:
            self._original_keys = presenter.original_keys
            self.originals.show_captions(())
        self.images.show_captions([_caption(t, all_shown=view.shows_all) for t in view.tiles])
        self.originals.show_captions([TileCaption(mark=mark) for mark in view.originals])
        self._show_words(view)
        self._pictures.request([*self._keys, *self._original_keys])
        self._show_focused()
        self._show_original()
        if not self.images.hasFocus() and not self.originals.hasFocus():
            self.images.setFocus()

    def _show_words(self, view: DatasetReviewView) -> None:
        self.name.setText(view.name)
        self.gloss.setText(view.gloss)
        self.place.setText(f"Class {view.position:,} of {view.total:,}")
        self.progress.show_part(view.reviewed, view.total)
        self._show_whose(view)
        self.heading.setText("All candidates" if view.shows_all else "New dataset")
        order = "chosen first" if view.shows_all else "by date taken"
        order = "most often selected first" if view.is_pool else order
        self.counted.setText(f"{count_noun(len(view.tiles), 'image')}, {order}")
        drawn = len(view.originals)
        self.drawn.setText(f"{drawn} drawn at random" if drawn else NO_ORIGINALS)
        self._below.setVisible(not view.shows_all)
        room = self.scrolled.viewport().width()
        least = self.images.height_of_tiles(len(view.tiles), room, least_width=_LEAST_TILE)
        self.images.setMinimumHeight(least if view.shows_all else 0)
        other = f"Chosen {view.chosen}" if view.shows_all else f"All candidates {view.candidates}"
        self.mode.set_words(other)
        self.summary.setText(" · ".join(filter(None, (view.summary, _state_words(view)))))

    def _show_whose(self, view: DatasetReviewView) -> None:
        """Show whether a revision is reviewed, or a pool that nothing is built from yet."""
        self.title.setText("Candidates" if view.is_pool else "Dataset review")
        work = count_noun(view.needs_work, "class needs work", "classes need work")
        reviewed = f"{view.reviewed:,} reviewed · {work}"
        self.revision.setText(
            f"pool “{view.dataset}”"
            if view.is_pool
            else f"revision {view.revision} of “{view.dataset}” · {reviewed}"
        )
        for only_of_revisions in (self.progress, self.mode, self.work_button):
            only_of_revisions.setVisible(not view.is_pool)
        self.reviewed_button.set_words("Next class" if view.is_pool else "Reviewed, next")

    def choose_reason(self) -> None:
        """Ask why the image is rejected, or take its rejection back."""
        tile = self._tile()
        if tile is None:
            return
        if tile.mark:
            self._presenter.take_back(tile.number)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for number, (reason, words) in enumerate(REASON_WORDS.items(), 1):
            action = menu.addAction(f"&{number % 10}  {words}")
            action.triggered.connect(lambda _checked=False, chosen=reason: self.reject(chosen))
        self.reasons = menu
        menu.popup(self.reject_button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def reject(self, reason: RejectReason) -> None:
        tile = self._tile()
        if tile is not None:
            self._presenter.reject(tile.number, reason)

    def mark_copy(self) -> None:
        """Begin a pair of near-duplicates with the image or original, or complete it."""
        on_originals = self.originals.hasFocus()
        grid = self.originals if on_originals else self.images
        self._presenter.mark_duplicate(grid.cursor_position, original=on_originals)

    def enlarge(self) -> None:
        """Show one image as large as there is room, or go back to all."""
        if self.stack.currentWidget() is self.enlarged:
            self.stack.setCurrentIndex(0)
            (self.originals if self._looks_at_originals else self.images).setFocus()
            return
        self._looks_at_originals = self.originals.hasFocus()
        grid = self.originals if self._looks_at_originals else self.images
        find = self._original if self._looks_at_originals else self._image
        self.enlarged.show_image(find(grid.cursor_position))
        self.stack.setCurrentWidget(self.enlarged)

    def switch_mode(self) -> None:
        view = self._presenter.view
        if view is not None:
            self._presenter.show_all(not view.shows_all)

    def _tile(self) -> ReviewTile | None:
        view, at = self._presenter.view, self.images.cursor_position
        return view.tiles[at - 1] if view is not None and at <= len(view.tiles) else None

    def _move(self, position: int) -> None:
        middle = self.images.tile(position).center()
        self.scrolled.ensureVisible(middle.x(), middle.y(), 0, _LEAST_TILE)
        self._show_focused()

    def _show_focused(self) -> None:
        tile = self._tile()
        if tile is None:
            self.focused.show_image(None)
            self.about.setText("")
            return
        self.focused.show_image(self._image(tile.number))
        parts = [
            f"taken {tile.taken}" if tile.taken else "",
            tile.frequency and f"selected by {tile.frequency}",
            f"found by “{tile.query}”" if tile.query else "",
        ]
        self.about.setText(f"Image {tile.number}  {', '.join(filter(None, parts))}")

    def _show_original(self) -> None:
        at = self.originals.cursor_position
        self.beside.show_image(self._original(at))
        shown = f"Original {at} of {len(self._original_keys)}" if self._original_keys else ""
        self.original_words.setText(shown)

    def _image(self, position: int) -> QImage | None:
        return self._get(self._keys, position)

    def _original(self, position: int) -> QImage | None:
        return self._get(self._original_keys, position)

    def _get(self, keys: list[ImageKey], position: int) -> QImage | None:
        return self._pictures.get(keys[position - 1]) if 1 <= position <= len(keys) else None

    def _is_missing(self, keys: list[ImageKey], position: int) -> bool:
        return 1 <= position <= len(keys) and self._pictures.is_missing(keys[position - 1])

    def _picture_came(self, key: ImageKey) -> None:
        for keys, grid in ((self._keys, self.images), (self._original_keys, self.originals)):
            if key in keys:
                at = keys.index(key) + 1
                grid.update_image(at)
                if at == grid.cursor_position:
                    self._show_focused()
                    self._show_original()


def _caption(tile: ReviewTile, *, all_shown: bool) -> TileCaption:
    words = tile.frequency or tile.taken
    parts = ("chosen" if tile.chosen else "", words) if all_shown else (tile.taken, tile.frequency)
    text = " · ".join(filter(None, parts)) or f"Image {tile.number}"
    marks = " · ".join(filter(None, (tile.mark, tile.same_set)))
    return TileCaption(text, marks, dimmed=bool(tile.mark))


def _state_words(view: DatasetReviewView) -> str:
    if view.state.needs_work:
        return "needs work"
    if view.state.carried:
        return "reviewed in an earlier revision"
    return "reviewed" if view.state.reviewed else ""


def _bar(height: int) -> QFrame:
    made = QFrame()
    made.setObjectName("task_bar")
    made.setMinimumHeight(height)
    return made
