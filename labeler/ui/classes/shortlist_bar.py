"""The shortlist on one line: its classes, or how one comes onto it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.shortlist import MAX_SHORTLISTED, ShortlistView
from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.theme import Appearance

_MIN_WIDTH, _AROUND_TEXT, _REMOVE_WIDTH = 40, 14, 22


class ElidedNameButton(QToolButton):
    """A class's name, cut where there is no room and whole in its tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_name(self, name: str) -> None:
        self._name = name
        self.setToolTip(name)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        # Text is set in fractions of a pixel, and a whole one less than it needs would cut it.
        wide = self.fontMetrics().horizontalAdvance(self._name) + 1 + _AROUND_TEXT
        return QSize(wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - _AROUND_TEXT
        right = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._name, right, room))


class ShortlistChip(QFrame):
    """Says which class was chosen or is to go."""

    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._wnid = ""
        self.name = ElidedNameButton()
        self.cross = QToolButton()
        self.cross.setText("✕")
        self.cross.setFixedWidth(_REMOVE_WIDTH)
        self.setProperty("kind", "shortlisted")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.name.clicked.connect(lambda: self.chosen.emit(self._wnid))
        self.cross.clicked.connect(lambda: self.removed.emit(self._wnid))
        hbox(grow(self.name), self.cross, on=self, spacing=0, margins=(2, 0, 2, 0))

    def show_class(self, link: ClassLink) -> None:
        self._wnid = link.wnid
        self.name.show_name(link.name)
        self.name.setAccessibleName(f"On the shortlist: {link.name}")
        self.cross.setToolTip(f"Take {link.name} off the shortlist")
        self.cross.setAccessibleName(f"Take {link.name} off the shortlist")


class ShortlistBar(QWidget):
    """Renders the shortlist; while it is empty it says how a class comes onto it."""

    removed = Signal(str)
    chosen = Signal(str)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.chips = [self._chip() for _ in range(MAX_SHORTLISTED)]
        self.caption = label("Shortlist", rank="caption")
        self.refusal = label(rank="caption", wrap=True)
        self.hint = self._make_hint(appearance, keymap)
        self.setAccessibleName("Shortlist")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lay_out()
        self.render_shortlist(ShortlistView())

    def render_shortlist(self, view: ShortlistView) -> None:
        """Show the classes, or the hint; a refusal is below until something changes."""
        for chip in self.chips[len(view.classes) :]:
            chip.hide()
        for chip, link in zip(self.chips, view.classes, strict=False):
            chip.show_class(link)
            chip.show()
        # Chips need the room, and need no caption.
        self.caption.setVisible(len(view.classes) < MAX_SHORTLISTED - 1)
        self.hint.setVisible(not view.classes)
        self.refusal.setText(view.refusal)
        self.refusal.setVisible(bool(view.refusal))
        self.setAccessibleDescription(view.refusal or _accessible_text(view))

    def _chip(self) -> ShortlistChip:
        chip = ShortlistChip()
        chip.chosen.connect(self.chosen)
        chip.removed.connect(self.removed)
        return chip

    def _make_hint(self, appearance: Appearance, keymap: Keymap) -> QWidget:
        hint = QWidget()
        row = QHBoxLayout(hint)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = ElidedLabel(rank="caption")
        words.setText("puts a class here, to compare it with others")
        row.addWidget(KeyCaps(appearance, keymap[Action.SHORTLIST].keys[:1]))
        row.addWidget(words, stretch=1)
        return hint

    def _lay_out(self) -> None:
        row = hbox(
            self.caption,
            _ChipHeightSpacer(self.chips[0]),
            *self.chips,
            grow(self.hint, 8),
            stretch(1),
        )
        vbox(row, self.refusal, on=self, spacing=4)


class _ChipHeightSpacer(QWidget):
    """As high as a chip and of no width, so that the first chip makes nothing move."""

    def __init__(self, chip: ShortlistChip) -> None:
        super().__init__()
        self._chip = chip
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        # A chip that was never shown isn't dressed, unlike its buttons when they are asked.
        buttons = (self._chip.name, self._chip.cross)
        return QSize(0, max(button.sizeHint().height() for button in buttons))


def _accessible_text(view: ShortlistView) -> str:
    return ", ".join(link.name for link in view.classes) or "empty"
