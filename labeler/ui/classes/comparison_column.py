"""One class under comparison: the image on top, below it the class's references."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from labeler.app.classes.comparison import ComparedClass
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.keymap import Action, Keymap
from labeler.ui.classes.class_columns import ClassColumn
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.pictures.fitted_image import FittedImage
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.look import Appearance

_CLOSE_BUTTON_SIZE = 24
_MIN_IMAGE_HEIGHT = 72
# How the room is shared by the image and the references below it.
_IMAGE_SHARE, _REFERENCES_SHARE = 2, 3


class ComparisonColumn(ClassColumn):
    """Renders a class below the image; says, too, when it is chosen or dropped."""

    chosen = Signal(str)
    dropped = Signal(str)

    def __init__(
        self,
        look: Appearance,
        keymap: Keymap,
        wnid: str,
        *,
        originals: OriginalLoader[QImage] | None,
    ) -> None:
        self.subject = FittedImage(look, height=None, fills=True)
        self.subject.setMinimumHeight(_MIN_IMAGE_HEIGHT)
        self.choose = QPushButton("Choose")
        self.cross = QToolButton()
        self._caps = KeyCaps(look, keymap[Action.CHOOSE_COLUMN].keys[:1])
        self._choosing = _line(self.choose, self._caps)
        super().__init__(look, wnid, originals=originals)
        self._share_height()
        self._apply_theme(keymap)

    def parts(self) -> tuple[QWidget, ...]:
        name, path, references = super().parts()
        return (_line(name, self.cross), path, self.subject, references, self._choosing)

    def ask(self, asks: bool) -> None:
        """Have the image on top and the button below, or neither."""
        for part in (self.subject, self._choosing):
            part.setVisible(asks)

    def render_column(self, column: ComparedClass[QImage]) -> None:
        super().render_column(column)
        self.choose.setAccessibleName(f"Choose {column.name}")
        self.cross.setAccessibleName(f"Take {column.name} off the shortlist")

    def set_current(self, current: bool) -> None:
        """Frame the column whose keys are in force, and show the key that chooses it."""
        self._caps.setVisible(current)
        if self.property("current") is not current:
            self.setProperty("current", current)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pointed.emit(self.wnid)

    def _share_height(self) -> None:
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout), "it is laid out when it is made"
        layout.setStretchFactor(self.subject, _IMAGE_SHARE)
        layout.setStretchFactor(self._stack, _REFERENCES_SHARE)

    def _apply_theme(self, keymap: Keymap) -> None:
        self.cross.setText("✕")
        self.cross.setFixedWidth(_CLOSE_BUTTON_SIZE)
        self.cross.setToolTip(action_tooltip(keymap[Action.DROP_COLUMN]))
        self.choose.setToolTip(action_tooltip(keymap[Action.CHOOSE_COLUMN]))
        for button in (self.cross, self.choose):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.choose.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choose.clicked.connect(lambda: self.chosen.emit(self.wnid))
        self.cross.clicked.connect(lambda: self.dropped.emit(self.wnid))
        kept = self._caps.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._caps.setSizePolicy(kept)


def _line(wide: QWidget, narrow: QWidget) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addWidget(wide, stretch=1)
    row.addWidget(narrow)
    return line
