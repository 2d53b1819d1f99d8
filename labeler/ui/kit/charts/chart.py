"""The base of all charts: marks that can be selected by mouse and keyboard, and a legend."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance, TypeSize


class ChartMark(Protocol):
    """A point, bar or cell of a chart: its text, and the images behind it, if any."""

    @property
    def words(self) -> str: ...
    @property
    def source(self) -> object | None: ...


class Chart(QWidget):
    """A chart with a current mark, whose text is shown and which can be opened.

    A subclass paints the chart, says what its marks are and where each of them is.
    """

    pointed = Signal(str)
    opened = Signal(object)

    focus_width = 1

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._current: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        appearance.changed.connect(self.update)

    # What a chart says about itself.

    def marks(self) -> Sequence[ChartMark]:
        """Return the marks, in the order in which the keys go through them."""
        raise NotImplementedError

    def mark_at(self, where: QPointF) -> int | None:
        """Return the number of the mark that the mouse points at, or None."""
        raise NotImplementedError

    def paint(self, painter: QPainter) -> None:
        """Paint everything but the focus frame."""
        raise NotImplementedError

    # Pointing.

    @property
    def current(self) -> int | None:
        """The number of the current mark."""
        return self._current

    @property
    def current_mark(self) -> ChartMark | None:
        return None if self._current is None else self.marks()[self._current]

    def point_at(self, number: int | None) -> None:
        """Make a mark the current one, or none."""
        self._current = number
        mark = self.current_mark
        words = "" if mark is None else mark.words
        self.setAccessibleDescription(words)
        self.pointed.emit(words)
        self.update()

    def open_current(self) -> None:
        """Show the images behind the current mark, if there are any."""
        mark = self.current_mark
        if mark is not None and mark.source is not None:
            self.opened.emit(mark.source)

    def hover(self, where: QPointF) -> int | None:
        """Make the mark under the mouse current; return its number."""
        number = self.mark_at(where)
        opens = number is not None and self.marks()[number].source is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if number is not None and number != self._current:
            self.point_at(number)
        return number

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint(painter)
        if self.hasFocus():
            half = self.focus_width / 2
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._appearance.colour("accent"), self.focus_width))
            frame = QRectF(self.rect()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(frame, 4, 4)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hover(event.position())


class Plot(Chart):
    """A small chart of which every mark is reached by the arrow keys and opens images."""

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__(appearance)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        bind_scope(
            self,
            keymap,
            Scope.PLOT,
            {
                Action.NEXT_POINT: lambda: self.step(1),
                Action.PREVIOUS_POINT: lambda: self.step(-1),
                Action.FIRST_POINT: lambda: self.go_to(0),
                Action.LAST_POINT: lambda: self.go_to(len(self.marks()) - 1),
                Action.OPEN_POINT: self.open_current,
            },
        )

    def place(self, number: int) -> QRectF:
        """Return the area of a mark that reacts to the mouse."""
        raise NotImplementedError

    def start(self) -> int:
        """Return the mark that is current first: the last one, which is the newest."""
        return len(self.marks()) - 1

    def mark_at(self, where: QPointF) -> int | None:
        found = (n for n in range(len(self.marks())) if self.place(n).contains(where))
        return next(found, None)

    def clear_current(self) -> None:
        """Clear the current mark; with the keyboard focus, go to the first one instead."""
        self.point_at(None)
        if self.hasFocus():
            self.step(0)

    def step(self, steps: int) -> None:
        """Go to another mark; without a current mark, to the start."""
        self.go_to(self.start() if self.current is None else self.current + steps)

    def go_to(self, number: int) -> None:
        """Make a mark current; numbers beyond either end are clamped."""
        if self.marks():
            self.point_at(max(0, min(number, len(self.marks()) - 1)))

    def sizeHint(self) -> QSize:
        return QSize(480, 200)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.hover(event.position()) is not None:
            self.open_current()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.current is None:
            self.step(0)


_SYMBOL_SIZE, _TEXT_GAP, _ENTRY_GAP = 16.0, 6.0, 16.0


class LegendSymbol(Enum):
    """The symbols that charts are made of."""

    DOT = "dot"
    LINE = "line"
    AMOUNT = "amount"
    BAR = "bar"
    MARK = "mark"
    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


_LEVELS = {LegendSymbol.LOW: "wrong", LegendSymbol.MIDDLE: "unclear", LegendSymbol.HIGH: "correct"}


class ChartLegend(QWidget):
    """Draws symbols with their texts in one line."""

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
                painter.setPen(QPen(colour("strong_line"), 1.5))
                painter.drawLine(
                    QPointF(centre.x(), centre.y() - 8), QPointF(centre.x(), centre.y() + 8)
                )
                painter.setPen(Qt.PenStyle.NoPen)
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
            case LegendSymbol.LOW | LegendSymbol.MIDDLE | LegendSymbol.HIGH:
                painter.setBrush(colour(_LEVELS[sign]))
                painter.drawRoundedRect(QRectF(room.left(), centre.y() - 6, _SYMBOL_SIZE, 12), 2, 2)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._appearance.font(TypeSize.CAPTION))

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()
