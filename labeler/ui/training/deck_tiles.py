"""Decks as tiles with pictures of their classes; a click starts a training."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Action, Keymap
from labeler.app.training.decks import DeckSection, DeckView
from labeler.core.training.request import TrainingRequest
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.training.class_mosaic import MOSAIC_HEIGHT, ClassMosaic
from labeler.ui.window.actions import bind_action
from labeler.ui.window.theme import Appearance

_MIN_WIDTH = 160
_GAP = 16
SUGGESTED_ACTIONS = (
    Action.SUGGESTED_1,
    Action.SUGGESTED_2,
    Action.SUGGESTED_3,
    Action.SUGGESTED_4,
)


class DeckTile(QPushButton):
    """A deck: pictures of its classes, its title, its size and the labeler's accuracy."""

    def __init__(
        self,
        appearance: Appearance,
        view: DeckView,
        pictures: ClassThumbnails[QImage],
        *,
        caps: KeyCaps | None = None,
        with_reason: bool = False,
        pictures_height: int = MOSAIC_HEIGHT,
    ) -> None:
        super().__init__()
        self.view = view
        self.setProperty("kind", "choice")
        self.setAutoDefault(False)
        reason = view.reason if with_reason else ""
        self.setAccessibleName(f"Train: {view.title}")
        self.setAccessibleDescription(". ".join(filter(None, (view.caption, view.reason))))
        self.setToolTip(view.title)
        title = ElidedLabel(rank="number")
        title.setText(view.title)
        lines = [_caption(view.caption), *([_caption(reason)] if with_reason else [])]
        heading = hbox(grow(title), *([caps] if caps is not None else []))
        mosaic = ClassMosaic(appearance, view.pictures, pictures, height=pictures_height)
        words = vbox(heading, *lines, spacing=2)
        vbox(mosaic, words, on=self, spacing=6, margins=(12, 12, 12, 10))
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None, "the tile is laid out"
        return QSize(_MIN_WIDTH, layout.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()


class DeckGrid(QWidget):
    """Decks in rows of `columns`, all equally wide."""

    wanted = Signal(TrainingRequest)

    def __init__(self, tiles: Sequence[DeckTile], *, columns: int) -> None:
        super().__init__()
        self.tiles = list(tiles)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(_GAP)
        for place, tile in enumerate(self.tiles):
            grid.addWidget(tile, *divmod(place, columns))
            tile.clicked.connect(partial(self.wanted.emit, tile.view.request))
        for column in range(columns):
            grid.setColumnStretch(column, 1)

    def bind_keys(self, screen: QWidget, keymap: Keymap) -> None:
        """Make the keys of the suggested decks work on the screen."""
        for number, action in enumerate(SUGGESTED_ACTIONS[: len(self.tiles)]):
            key = bind_action(screen, keymap[action], partial(self.start, number))
            key.setAutoRepeat(False)

    def start(self, number: int) -> None:
        """Click the deck of this number, if there are so many."""
        if number < len(self.tiles):
            self.tiles[number].click()


def suggested_decks_grid(
    appearance: Appearance,
    keymap: Keymap,
    decks: Sequence[DeckView],
    pictures: ClassThumbnails[QImage],
    *,
    columns: int,
) -> DeckGrid:
    """Return one row of suggested decks with their keys, which the screen binds."""
    tiles = [
        DeckTile(
            appearance,
            view,
            pictures,
            caps=KeyCaps(appearance, keymap[action].keys[:1], actions=[action]),
            with_reason=True,
        )
        for view, action in zip(decks[:columns], SUGGESTED_ACTIONS, strict=False)
    ]
    return DeckGrid(tiles, columns=columns)


class DeckSections(QWidget):
    """All decks, below the titles of their sections."""

    wanted = Signal(TrainingRequest)

    def __init__(
        self,
        appearance: Appearance,
        sections: Sequence[DeckSection],
        pictures: ClassThumbnails[QImage],
        *,
        columns: int,
    ) -> None:
        super().__init__()
        self.grids: list[DeckGrid] = []
        column: QVBoxLayout = vbox(on=self, spacing=8)
        for section in sections:
            tiles = [DeckTile(appearance, view, pictures) for view in section.decks]
            grid = DeckGrid(tiles, columns=columns)
            grid.wanted.connect(self.wanted)
            self.grids.append(grid)
            column.addWidget(label(section.title, rank="heading"))
            column.addWidget(grid)
            column.addSpacing(8)


def _caption(text: str) -> ElidedLabel:
    shown = ElidedLabel(rank="caption")
    shown.setText(text)
    return shown
