"""A row of flat buttons with an icon, a short name, and the key below."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from labeler.app.keymap import Binding, Keymap
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance, TypeSize

_ICON, _GAP, _SIDE, _ABOVE = 16, 4, 2, 4
_FADED = 0.4


class IconKeyButton(QPushButton):
    """An icon and a name with the key below them; it never takes the focus from the search field.

    Where there is no room for a name next to its icon, the name is below the icon.
    """

    def __init__(
        self,
        appearance: Appearance,
        binding: Binding,
        text: str,
        *,
        icon: str,
        full_name: str = "",
        checkable: bool = False,
    ) -> None:
        """`full_name` is for screen readers, where the text is shorter than the action's name."""
        super().__init__()
        self._appearance = appearance
        self._action = binding.action
        self._words, self._icon = text, icon
        self._kept: tuple[str, ...] = ()
        self._key = " ".join(binding.keys[0].caps)
        self._is_stacked = False
        self.setCheckable(checkable)
        self.setProperty("kind", "icon")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setToolTip(action_tooltip(binding))
        self.setAccessibleName(full_name or text)
        appearance.changed.connect(self.updateGeometry)
        appearance.key_hints_changed.connect(self.update)

    @property
    def words(self) -> str:
        return self._words

    @property
    def key(self) -> str:
        """The key as it is shown; empty while key hints are hidden."""
        return self._key if self._appearance.key_hints_shown else ""

    def reserve_space_for(self, *words: str) -> None:
        """Reserve the width of the widest of these texts."""
        self._kept = words
        self.updateGeometry()

    def set_words(self, text: str, *, icon: str, full_name: str = "") -> None:
        self._words, self._icon = text, icon
        self.setAccessibleName(full_name or text)
        self.update()

    def follow_keymap(self, keymap: Keymap) -> None:
        binding = keymap[self._action]
        self._key = " ".join(binding.keys[0].caps)
        self.setToolTip(action_tooltip(binding))
        self.update()

    def stack(self, stacked: bool) -> None:
        """Place the name below the icon, or next to it."""
        if stacked is not self._is_stacked:
            self._is_stacked = stacked
            self.update()

    @property
    def wide(self) -> int:
        """The width that is needed for the name next to the icon."""
        return _SIDE + _ICON + _GAP + self._widest(TypeSize.BODY) + _SIDE

    @property
    def narrow(self) -> int:
        """The width that is needed for the name below the icon."""
        key = self._metrics(TypeSize.CAPTION).horizontalAdvance(self._key)
        return _SIDE + max(_ICON, self._widest(TypeSize.CAPTION), key) + _SIDE

    def sizeHint(self) -> QSize:
        return QSize(self.wide, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.narrow, self._height)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setOpacity(1.0 if self.isEnabled() else _FADED)
        if self._is_stacked:
            self._paint_stacked(painter)
        else:
            self._paint_in_line(painter)
        painter.end()

    def _widest(self, size: TypeSize) -> int:
        metrics = self._metrics(size, strong=True)
        return max(metrics.horizontalAdvance(text) for text in (self._words, *self._kept))

    @property
    def _height(self) -> int:
        """The height with the name below the icon, so that all buttons stay as high as they are."""
        return 2 * _ABOVE + _ICON + 2 * self._metrics(TypeSize.CAPTION, strong=True).height()

    def _paint_in_line(self, painter: QPainter) -> None:
        name, key = self._metrics(TypeSize.BODY, strong=True), self._metrics(TypeSize.CAPTION)
        high = name.height() + key.height()
        top = (self.height() - high) // 2
        wide = _ICON + _GAP + name.horizontalAdvance(self._words)
        left = max(_SIDE, (self.width() - wide) // 2)
        self._paint_icon(painter, left, top + (name.height() - _ICON) // 2)
        left += _ICON + _GAP
        words = QRect(left, top, self.width() - left, name.height())
        self._paint_text(painter, words, self._words, TypeSize.BODY, strong=True)
        below = QRect(left, top + name.height(), self.width() - left, key.height())
        self._paint_text(painter, below, self.key, TypeSize.CAPTION)

    def _paint_stacked(self, painter: QPainter) -> None:
        line = self._metrics(TypeSize.CAPTION, strong=True).height()
        self._paint_icon(painter, (self.width() - _ICON) // 2, _ABOVE)
        name = QRect(0, _ABOVE + _ICON, self.width(), line)
        centred = Qt.AlignmentFlag.AlignHCenter
        self._paint_text(painter, name, self._words, TypeSize.CAPTION, strong=True, at=centred)
        self._paint_text(painter, name.translated(0, line), self.key, TypeSize.CAPTION, at=centred)

    def _paint_icon(self, painter: QPainter, x: int, y: int) -> None:
        colours = self._appearance.theme.colours
        where = QRectF(x, y, _ICON, _ICON)
        colour = colours["accent" if self.isChecked() else "text"]
        paint_icon(painter, where, self._icon, colour=colour, background=colours["window"])

    def _paint_text(
        self,
        painter: QPainter,
        where: QRect,
        text: str,
        size: TypeSize,
        *,
        strong: bool = False,
        at: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        painter.setFont(self._appearance.font(size, strong=strong))
        painter.setPen(self._appearance.colour("text" if strong else "muted"))
        painter.drawText(where, int(at | Qt.AlignmentFlag.AlignVCenter), text)

    def _metrics(self, size: TypeSize, *, strong: bool = False) -> QFontMetrics:
        return QFontMetrics(self._appearance.font(size, strong=strong))


class IconButtonRow(QWidget):
    """Buttons with their name next to the icon, or all with it below where that doesn't fit."""

    def __init__(self, buttons: Sequence[IconKeyButton]) -> None:
        super().__init__()
        self._buttons = tuple(buttons)
        for button in self._buttons:
            button.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(sum(button.wide for button in self._buttons), self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(sum(button.narrow for button in self._buttons), self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def _height(self) -> int:
        return max(button.sizeHint().height() for button in self._buttons)

    def _arrange(self) -> None:
        stacked = self.sizeHint().width() > self.width()
        widths = [button.narrow if stacked else button.wide for button in self._buttons]
        spare = max(0, self.width() - sum(widths)) // len(self._buttons)
        x = 0
        for button, width in zip(self._buttons, widths, strict=True):
            button.stack(stacked)
            button.setGeometry(x, 0, width + spare, self.height())
            x += width + spare
