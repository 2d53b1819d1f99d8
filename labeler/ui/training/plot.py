"""What the plots share: places that can be pointed at, by mouse and by keyboard."""

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.chart_views import ImageListSource
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance, TypeSize

_SYMBOL_SIZE, _TEXT_GAP, _ENTRY_GAP = 16.0, 6.0, 16.0


class LegendSymbol(Enum):
    """The signs that plots are made of."""

    DOT = "dot"
    LINE = "line"
    AMOUNT = "amount"
    BAR = "bar"
    MARK = "mark"


class PlotLegend(QWidget):
    """Draws signs with their words in one line."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._signs: list[tuple[LegendSymbol, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self._follow)

    def show_signs(self, signs: Sequence[tuple[LegendSymbol, str]]) -> None:
        self._signs = list(signs)
        self.setAccessibleName("; ".join(f"{sign.value}: {words}" for sign, words in signs))
        self._follow()

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        words = sum(metrics.horizontalAdvance(words) for _sign, words in self._signs)
        spacing = (
            len(self._signs) * (_SYMBOL_SIZE + _TEXT_GAP) + (len(self._signs) - 1) * _ENTRY_GAP
        )
        return QSize(round(words + max(spacing, 0)) + 2, round(metrics.height()) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        metrics, x = self._metrics(), 0.0
        for sign, words in self._signs:
            self._paint_sign(painter, sign, QRectF(x, 0, _SYMBOL_SIZE, self.height()))
            x += _SYMBOL_SIZE + _TEXT_GAP
            width = metrics.horizontalAdvance(words) + 1
            painter.setPen(self._appearance.colour("muted"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(x, 0, width, self.height()), middle, words)
            x += width + _ENTRY_GAP

    def _paint_sign(self, painter: QPainter, sign: LegendSymbol, room: QRectF) -> None:
        centre, colour = room.center(), self._appearance.colour
        painter.setPen(Qt.PenStyle.NoPen)
        match sign:
            case LegendSymbol.DOT:
                painter.setBrush(colour("text"))
                painter.drawEllipse(centre, 4, 4)
            case LegendSymbol.LINE:
                painter.setPen(QPen(colour("accent"), 2))
                painter.drawLine(
                    QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y())
                )
            case LegendSymbol.AMOUNT:
                painter.setBrush(colour("strong_line"))
                painter.drawRect(QRectF(centre.x() - 3, centre.y() - 6, 6, 12))
            case LegendSymbol.BAR:
                painter.setBrush(colour("accent"))
                painter.drawRect(QRectF(room.left(), centre.y() - 5, _SYMBOL_SIZE, 10))
            case LegendSymbol.MARK:
                painter.setPen(QPen(colour("text"), 2))
                painter.drawLine(
                    QPointF(centre.x(), centre.y() - 7), QPointF(centre.x(), centre.y() + 7)
                )

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._appearance.font(TypeSize.CAPTION))

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()


class Plot(QWidget):
    """A picture of numbers; one of its places is current, says its words and leads to images."""

    pointed = Signal(str)
    opened = Signal(ImageListSource)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._appearance = appearance
        self._current: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        appearance.changed.connect(self.update)
        bind_scope(
            self,
            keymap,
            Scope.PLOT,
            {
                Action.NEXT_POINT: lambda: self.step(1),
                Action.PREVIOUS_POINT: lambda: self.step(-1),
                Action.FIRST_POINT: lambda: self.go_to(0),
                Action.LAST_POINT: lambda: self.go_to(len(self.words()) - 1),
                Action.OPEN_POINT: self.open_current,
            },
        )

    # What a plot says of itself.

    def words(self) -> Sequence[str]:
        """What each place says."""
        raise NotImplementedError

    def all_sources(self) -> Sequence[ImageListSource]:
        """Where each place leads."""
        raise NotImplementedError

    def place(self, number: int) -> QRectF:
        """Where a place is, with the room in which the mouse means it."""
        raise NotImplementedError

    def paint(self, painter: QPainter) -> None:
        """Draw everything but the focus."""
        raise NotImplementedError

    # Pointing.

    @property
    def current(self) -> int | None:
        return self._current

    def clear_current(self) -> None:
        """Point at nothing, as before anyone pointed; with the keyboard here, at the last."""
        self._current = None
        self._show_current()
        if self.hasFocus():
            self.step(0)

    def step(self, steps: int) -> None:
        """Go to another place; from nowhere, to the last."""
        self.go_to(len(self.words()) - 1 if self._current is None else self._current + steps)

    def go_to(self, number: int) -> None:
        """Make a place the current one; past either end means the one at the end."""
        if self.words():
            self._current = max(0, min(number, len(self.words()) - 1))
            self._show_current()

    def open_current(self) -> None:
        """Show the images behind the current place."""
        if self._current is not None:
            self.opened.emit(self.all_sources()[self._current])

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._appearance.colour("accent"), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        self.setCursor(
            Qt.CursorShape.ArrowCursor if number is None else Qt.CursorShape.PointingHandCursor
        )
        if number is not None and number != self._current:
            self.go_to(number)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is not None and event.button() is Qt.MouseButton.LeftButton:
            self.go_to(number)
            self.open_current()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._current is None:
            self.step(0)

    def _at(self, where: QPointF) -> int | None:
        found = (n for n in range(len(self.words())) if self.place(n).contains(where))
        return next(found, None)

    def _show_current(self) -> None:
        words = "" if self._current is None else self.words()[self._current]
        self.setAccessibleDescription(words)
        self.pointed.emit(words)
        self.update()
