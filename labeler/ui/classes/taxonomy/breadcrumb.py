"""The path of a class in the taxonomy on one line, with a link for each step."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy

from labeler.app.classes.class_view import PATH_SEPARATOR, ClassLink
from labeler.ui.kit.text.labels import label, wrapped_height

_PATH_ELLIPSIS = "…" + PATH_SEPARATOR
_STEP_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_OPEN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class _Step:
    """A node in the line, and its horizontal extent."""

    node: ClassLink
    left: float
    right: float


class Breadcrumb(QLabel):
    """The path from the general to the specific; if it is too long, its first steps are hidden.

    It is a single tab stop, with a current step that the arrow keys move.
    """

    node_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._nodes: tuple[ClassLink, ...] = ()
        self._steps: tuple[_Step, ...] = ()
        self._current = 0
        self._hovered: int | None = None
        self.setProperty("rank", "muted")
        self.setTextFormat(label().textFormat())
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)

    def show_path(self, nodes: tuple[ClassLink, ...]) -> None:
        """Show another path, with the last step current."""
        self._nodes, self._hovered = nodes, None
        self.setAccessibleName("Place in the taxonomy: " + ", ".join(n.name for n in nodes))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def sizeHint(self) -> QSize:
        """Return the same height with and without a path."""
        self.ensurePolished()
        return QSize(super().sizeHint().width(), wrapped_height(self.font(), 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        metrics = QFontMetricsF(self.font())
        baseline = (self.height() + metrics.ascent() - metrics.descent()) / 2
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        if len(self._steps) < len(self._nodes):
            painter.drawText(QPointF(0, baseline), _PATH_ELLIPSIS)
        for number, step in enumerate(self._steps):
            if number:
                before = self._steps[number - 1].right
                painter.drawText(QPointF(before, baseline), PATH_SEPARATOR)
            self._paint_step(painter, QPointF(step.left, baseline), number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _OPEN_KEYS and self._steps and not event.isAutoRepeat():
            self.node_chosen.emit(self._steps[self._current].node.wnid)
        elif key in _STEP_KEYS and not event.modifiers():
            self._go_to(self._current + _STEP_KEYS[key])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self._at(event.position().toPoint())
        if step is not None and event.button() is Qt.MouseButton.LeftButton:
            self.node_chosen.emit(self._steps[step].node.wnid)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _fit(self) -> None:
        metrics = QFontMetricsF(self.font())
        self._steps = _fitting_steps(self._nodes, metrics, width=self.width())
        path = PATH_SEPARATOR.join(node.name for node in self._nodes)
        hidden = len(self._steps) < len(self._nodes)
        shown = PATH_SEPARATOR.join(step.node.name for step in self._steps)
        self.setText(_PATH_ELLIPSIS + shown if hidden else shown)
        self.setToolTip(path if hidden else "")
        self._go_to(len(self._steps) - 1)

    def _paint_step(self, painter: QPainter, start: QPointF, number: int) -> None:
        painter.save()
        lit = number == self._hovered or (number == self._current and self.hasFocus())
        if lit:
            font = QFont(self.font())
            font.setUnderline(True)
            painter.setFont(font)
            painter.setPen(self.palette().color(QPalette.ColorRole.Link))
        painter.drawText(start, self._steps[number].node.name)
        painter.restore()

    def _go_to(self, step: int) -> None:
        self._current = max(0, min(step, len(self._steps) - 1))
        name = self._steps[self._current].node.name if self._steps else ""
        self.setAccessibleDescription(name)
        self.update()

    def _hover(self, step: int | None) -> None:
        if step != self._hovered:
            self._hovered = step
            cursor = Qt.CursorShape
            self.setCursor(cursor.ArrowCursor if step is None else cursor.PointingHandCursor)
            self.update()

    def _at(self, point: QPoint) -> int | None:
        steps = enumerate(self._steps)
        return next((n for n, step in steps if step.left <= point.x() < step.right), None)


def _fitting_steps(
    nodes: tuple[ClassLink, ...], metrics: QFontMetricsF, *, width: float
) -> tuple[_Step, ...]:
    """Return the steps that fit, with their positions; the last one is always included."""
    for first in range(len(nodes)):
        x = metrics.horizontalAdvance(_PATH_ELLIPSIS) if first else 0.0
        steps = _placed_steps(nodes[first:], metrics, x)
        if steps[-1].right <= width or first == len(nodes) - 1:
            return steps
    return ()


def _placed_steps(
    nodes: tuple[ClassLink, ...], metrics: QFontMetricsF, x: float
) -> tuple[_Step, ...]:
    between = metrics.horizontalAdvance(PATH_SEPARATOR)
    steps = []
    for node in nodes:
        right = x + metrics.horizontalAdvance(node.name)
        steps.append(_Step(node, left=x, right=right))
        x = right + between
    return tuple(steps)
