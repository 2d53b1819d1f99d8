"""The visible part of a figure while zooming and panning."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from labeler.ui.window.theme import Appearance, TypeSize

if TYPE_CHECKING:
    from labeler.report.figures.figure import AxesLimits


_TEXT_COLOUR = "#1d2129"
_RING_RADIUS, _CARD_DISTANCE = 8, 14
_CARD_BOUNDS = QRectF(0, 0, 560, 200)


def paint_mark(
    painter: QPainter, appearance: Appearance, mark: QRectF, words: str, inside: QRectF
) -> None:
    """Paint the mark and its card, which stays inside on the side with more room."""
    where = mark.center()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(_TEXT_COLOUR), 2))
    if mark.isEmpty():
        painter.drawEllipse(where, _RING_RADIUS, _RING_RADIUS)
    else:
        painter.drawRect(mark)
    painter.setFont(appearance.font(TypeSize.CAPTION))
    flags = int(Qt.AlignmentFlag.AlignLeft)
    card = QRectF(painter.boundingRect(_CARD_BOUNDS, flags, words)).adjusted(0, 0, 16, 12)
    card.moveTo(where + QPointF(_CARD_DISTANCE, _CARD_DISTANCE))
    if card.right() > inside.right():
        card.moveRight(where.x() - _CARD_DISTANCE)
    if card.bottom() > inside.bottom():
        card.moveBottom(where.y() - _CARD_DISTANCE)
    card.moveLeft(max(card.left(), inside.left()))
    card.moveTop(max(card.top(), inside.top()))
    painter.setPen(QPen(appearance.colour("strong_line"), 1))
    painter.setBrush(appearance.colour("raised"))
    painter.drawRoundedRect(card, 4, 4)
    painter.setPen(appearance.colour("text"))
    painter.drawText(card.adjusted(8, 6, -8, -6), flags, words)


_ZOOM_STEP, _MAX_ZOOM = 1.25, 40.0


@dataclass(frozen=True, slots=True)
class FigureViewport:
    """A part of the figure in data coordinates; fractions start at the top left."""

    full_limits: "AxesLimits"
    limits: "AxesLimits"

    @property
    def zoomed(self) -> float:
        """The zoom factor."""
        return (self.full_limits.right - self.full_limits.left) / (
            self.limits.right - self.limits.left
        )

    @property
    def is_part(self) -> bool:
        return self.limits != self.full_limits

    def fraction(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a data point as fractions of the visible part."""
        left, right, bottom, top = self.limits
        return (x - left) / (right - left), (top - y) / (top - bottom)

    def full_in_fractions(self) -> tuple[float, float, float, float]:
        """Return left, top, width and height of the whole in fractions of the part."""
        left, top = self.fraction(self.full_limits.left, self.full_limits.top)
        right, bottom = self.fraction(self.full_limits.right, self.full_limits.bottom)
        return left, top, right - left, bottom - top

    def full_view(self) -> "FigureViewport":
        return replace(self, limits=self.full_limits)

    def zoom(self, steps: int, x: float, y: float) -> "FigureViewport":
        """Return the viewport zoomed by steps; the point at the fractions stays in place."""
        wanted = min(max(self.zoomed * _ZOOM_STEP**steps, 1.0), _MAX_ZOOM)
        if wanted == 1.0:
            return self.full_view()
        part = self.zoomed / wanted
        left, right, bottom, top = self.limits
        held_x, held_y = left + x * (right - left), top - y * (top - bottom)
        return self._kept_inside(
            held_x - (held_x - left) * part,
            held_x + (right - held_x) * part,
            held_y - (held_y - bottom) * part,
            held_y + (top - held_y) * part,
        )

    def move(self, right: float, down: float) -> "FigureViewport":
        """Return the viewport panned by fractions of the visible part, within the figure."""
        left, end, bottom, top = self.limits
        across, up = right * (end - left), -down * (top - bottom)
        return self._kept_inside(left + across, end + across, bottom + up, top + up)

    def centred_on(self, x: float, y: float) -> "FigureViewport":
        """Return the viewport with a data point in the centre."""
        at = self.fraction(x, y)
        return self.move(at[0] - 0.5, at[1] - 0.5)

    def _kept_inside(
        self, left: float, right: float, bottom: float, top: float
    ) -> "FigureViewport":
        across = _shift_inside(left, right, self.full_limits.left, self.full_limits.right)
        up = _shift_inside(bottom, top, self.full_limits.bottom, self.full_limits.top)
        limits = self.limits._replace(
            left=left + across, right=right + across, bottom=bottom + up, top=top + up
        )
        return replace(self, limits=limits)


def _shift_inside(start: float, end: float, first: float, last: float) -> float:
    """Return the shift that brings a range inside the limits, in either direction."""
    low, high = min(first, last), max(first, last)
    if min(start, end) < low:
        return low - min(start, end)
    return min(high - max(start, end), 0.0)
