"""A large button with a text, an optional caption and icon, and its key."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Key
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.theme import Appearance


class ButtonKind(StrEnum):
    """The emphasis of a button; the style sheet uses these names."""

    CHOICE = "choice"
    PRIMARY = "primary"
    PLAIN = "plain"
    DANGER = "danger"
    ROW = "row"
    ROLE = "role"


_MARGINS = {
    ButtonKind.CHOICE: (16, 16, 16, 16),
    ButtonKind.PRIMARY: (16, 7, 16, 7),
    ButtonKind.PLAIN: (16, 7, 16, 7),
    ButtonKind.DANGER: (16, 7, 16, 7),
    ButtonKind.ROW: (16, 8, 16, 8),
    ButtonKind.ROLE: (12, 6, 8, 6),
}
_MARGINS_WITH_KEYS = {
    **_MARGINS,
    **dict.fromkeys((ButtonKind.PRIMARY, ButtonKind.PLAIN, ButtonKind.DANGER), (16, 7, 8, 7)),
}
assert set(_MARGINS) == set(ButtonKind), "every kind has its margins"


class CommandButton(QPushButton):
    """Activated by mouse, Space or Enter; a key that is held down activates it once."""

    def __init__(
        self,
        appearance: Appearance,
        text: str,
        *,
        caption: str = "",
        icon: str = "",
        keys: Sequence[Key] = (),
        actions: Sequence[Action] = (),
        kind: ButtonKind = ButtonKind.PLAIN,
    ) -> None:
        """With `actions`, the keys follow the person's key bindings."""
        super().__init__()
        self._words = label(text, rank="heading" if kind is ButtonKind.CHOICE else "body")
        self._words.setProperty("on", kind.value)
        self.setProperty("kind", kind.value)
        self.setAutoDefault(False)
        self.setAccessibleName(text)
        self.setAccessibleDescription(caption)
        self._caps = KeyCaps(appearance, keys, actions=actions) if keys else None
        self._lay_out(appearance, caption=caption, icon=icon, caps=self._caps, kind=kind)

    @property
    def words(self) -> str:
        return self._words.text()

    def set_words(self, text: str) -> None:
        self._words.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def set_kind(self, kind: ButtonKind) -> None:
        """Change the emphasis; the size stays the same."""
        for part, name in ((self, "kind"), (self._words, "on")):
            if part.property(name) != kind.value:
                part.setProperty(name, kind.value)
                part.style().unpolish(part)
                part.style().polish(part)

    def show_keys(self, shown: bool) -> None:
        """Show or hide the keys; their space is kept."""
        if self._caps is not None:
            kept = self._caps.sizePolicy()
            kept.setRetainSizeWhenHidden(True)
            self._caps.setSizePolicy(kept)
            self._caps.setVisible(shown)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def _lay_out(
        self,
        appearance: Appearance,
        *,
        caption: str,
        icon: str,
        caps: KeyCaps | None,
        kind: ButtonKind,
    ) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(*(_MARGINS_WITH_KEYS if caps else _MARGINS)[kind])
        row.setSpacing(16 if kind is ButtonKind.CHOICE else 8)
        if kind is ButtonKind.ROLE:
            row.addWidget(_ignore_mouse(self._mark(appearance)))
        if icon:
            size = 32 if kind is ButtonKind.CHOICE else 16
            colour = "on_accent" if kind is ButtonKind.PRIMARY else "accent"
            row.addWidget(_ignore_mouse(IconLabel(appearance, icon, colour=colour, size=size)))
        row.addLayout(self._column(caption), stretch=1)
        if caps is not None:
            row.addWidget(_ignore_mouse(caps))

    def _mark(self, appearance: Appearance) -> IconLabel:
        """Return an icon that marks the chosen button, in addition to its colour."""
        mark = IconLabel(appearance, "unchosen", colour="strong_line", size=16)
        self.toggled.connect(
            lambda on: mark.set_icon(
                "chosen" if on else "unchosen", colour="accent" if on else "strong_line"
            )
        )
        return mark

    def _column(self, caption: str) -> QVBoxLayout:
        column = vbox(_ignore_mouse(self._words), spacing=2)
        if caption:
            column.addWidget(_ignore_mouse(label(caption, rank="caption")))
        return column


def _ignore_mouse(part: QWidget) -> QWidget:
    """Let the button handle the mouse events of its parts."""
    part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return part
