"""What the plots share: places that can be pointed at, by mouse and by keyboard."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.data_views import ImageListSource
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.look import Appearance

CAPTION_GAP = 8


class Plot(QWidget):
    """A picture of numbers; one of its places is current, says its words and leads to images."""

    pointed = Signal(str)
    opened = Signal(ImageListSource)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._look = look
        self._current: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self.update)
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
        """Point at nothing, as before anybody pointed; with the keyboard here, at the last."""
        self._current = None
        self._tell()
        if self.hasFocus():
            self.step(0)

    def step(self, steps: int) -> None:
        """Go to another place; from nowhere, to the last."""
        self.go_to(len(self.words()) - 1 if self._current is None else self._current + steps)

    def go_to(self, number: int) -> None:
        """Make a place the current one; past either end means the one at the end."""
        if self.words():
            self._current = max(0, min(number, len(self.words()) - 1))
            self._tell()

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
            painter.setPen(QPen(self._look.colour("accent"), 1))
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

    def _tell(self) -> None:
        words = "" if self._current is None else self.words()[self._current]
        self.setAccessibleDescription(words)
        self.pointed.emit(words)
        self.update()
