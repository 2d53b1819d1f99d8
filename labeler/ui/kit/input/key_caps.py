"""Keys drawn as key caps."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from labeler.app.keymap import Action, Key, Keymap
from labeler.ui.kit.layout.boxes import hbox
from labeler.ui.window.theme import Appearance, TypeSize

_PADDING, _GAP, _BETWEEN_KEYS, _ABOVE_AND_BELOW = 6, 3, 8, 4
_FADED = 0.4


class KeyCaps(QWidget):
    """One or several keys, each as a row of caps."""

    def __init__(
        self, appearance: Appearance, keys: Sequence[Key], *, actions: Sequence[Action] = ()
    ) -> None:
        """With `actions`, the first key of each is shown and updated when it changes."""
        super().__init__()
        self._appearance = appearance
        self._actions = actions
        self._keys: list[tuple[str, ...]] = []
        self._caps: list[tuple[str, QRectF]] = []
        self._size = QSize()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_keys(keys)
        appearance.changed.connect(self._follow)
        appearance.key_hints_changed.connect(self.update)

    def show_keys(self, keys: Sequence[Key]) -> None:
        self._keys = [key.caps for key in keys]
        self.setAccessibleName(" or ".join(" ".join(caps) for caps in self._keys))
        self._follow()

    def follow_keymap(self, keymap: Keymap) -> None:
        if self._actions:
            self.show_keys([keymap[action].keys[0] for action in self._actions])

    def sizeHint(self) -> QSize:
        return self._size

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        if not self._appearance.key_hints_shown:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else _FADED)
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        for text, where in self._caps:
            painter.setPen(self._appearance.colour("strong_line"))
            painter.setBrush(self._appearance.colour("raised"))
            painter.drawRoundedRect(where, 4, 4)
            painter.setPen(self._appearance.colour("text"))
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)

    def _follow(self) -> None:
        # Measured once: a layout asks for the size again and again.
        metrics = QFontMetricsF(self._appearance.font(TypeSize.CAPTION))
        height = metrics.height() + _ABOVE_AND_BELOW
        self._caps = self._placed(metrics, height)
        right = max((where.right() for _text, where in self._caps), default=0.0)
        self._size = QSize(round(right) + 1, round(height) + 1)
        self.updateGeometry()  # the caps grow with the type
        self.update()

    def _placed(self, metrics: QFontMetricsF, height: float) -> list[tuple[str, QRectF]]:
        """Return the caps with their positions, from left to right."""
        x, placed = 0.5, []
        for caps in self._keys:
            for text in caps:
                width = max(metrics.horizontalAdvance(text) + 2 * _PADDING, height)
                placed.append((text, QRectF(x, 0.5, width, height - 1)))
                x += width + _GAP
            x += _BETWEEN_KEYS - _GAP
        return placed


class KeyTabBar(QTabBar):
    """A tab bar with one tab for each action; the screen binds the keys."""

    def __init__(self, appearance: Appearance, keymap: Keymap, tabs: Mapping[Action, str]) -> None:
        super().__init__()
        self.setDrawBase(False)
        self.setExpanding(False)
        for action, words in tabs.items():
            caps = KeyCaps(appearance, keymap[action].keys[:1], actions=[action])
            self.setTabButton(
                self.addTab(words), QTabBar.ButtonPosition.RightSide, _padded_caps(caps)
            )


def _padded_caps(caps: KeyCaps) -> QWidget:
    """Return the caps with a margin on the right, which tabs don't add."""
    room = QWidget()
    hbox(caps, on=room, margins=(0, 0, 8, 0))
    return room
