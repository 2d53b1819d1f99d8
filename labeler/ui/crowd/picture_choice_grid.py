"""A grid of pictures that are selected by click or key, all visible without scrolling."""

from collections.abc import Callable
from functools import lru_cache
from time import perf_counter

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.theme import Appearance

CANT_BE_SHOWN = "can't be shown"
# The longest time that one paint spends on smooth copies; the rest follows in the next paints.
_SCALING_SECONDS = 0.012
_GAP, _MARGIN, _RADIUS = 4, 12, 2
_TILE_RATIO = 3 / 4
_BADGE = 24
_WHITE, _EDGE = QColor("#ffffff"), QColor("#222222")
_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class PictureChoiceGrid(QWidget):
    """Arrows move the cursor; a click selects and moves it. Positions count from 1."""

    toggled = Signal(int)
    moved = Signal(int)
    enlarged = Signal(int)

    def __init__(self, appearance: Appearance, picture: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._appearance, self._picture = appearance, picture
        self._count = 0
        # Scaled smoothly once, and a few at a time, so that no paint takes long.
        self._scaled: dict[int, QPixmap] = {}
        self._scale_until = 0.0
        self._selected: frozenset[int] = frozenset()
        self._failed: Callable[[int], bool] = lambda _position: False
        self.cursor_position = 1
        # The number of columns for a number of images and a size: every tile asks for it.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Images to select")
        appearance.changed.connect(self.update)

    def say_failed(self, failed: Callable[[int], bool]) -> None:
        """Set the function that says whether an image can't be shown."""
        self._failed = failed

    def show_images(self, count: int) -> None:
        """Show another number of images, with the cursor on the first."""
        self._count, self.cursor_position = count, 1
        self._scaled = {}
        self._describe()
        self.update()

    def show_selected(self, selected: frozenset[int]) -> None:
        changed, self._selected = self._selected ^ selected, selected
        for position in changed:
            self.update_image(position)
        if self.cursor_position in changed:
            self._announce()
        self._describe()

    def update_image(self, position: int) -> None:
        self.update(self.tile(position).adjusted(-4, -4, 4, 4))

    @property
    def columns(self) -> int:
        """The number of columns that makes the tiles as large as possible."""
        return _best_columns(self._count, self.width(), self.height())

    def tile(self, position: int) -> QRect:
        """Return the rectangle of an image."""
        columns = self.columns
        wide = _tile_width(columns, self._count, self.width(), self.height())
        high = int(wide * _TILE_RATIO)
        rows = -(-self._count // columns)
        left = (self.width() - columns * (wide + _GAP) + _GAP) // 2
        top = (self.height() - rows * (high + _GAP) + _GAP) // 2
        row, column = divmod(position - 1, columns)
        return QRect(left + column * (wide + _GAP), top + row * (high + _GAP), wide, high)

    def height_of_tiles(self, count: int, width: int, *, least_width: int) -> int:
        """Return the height at which so many tiles have at least this width."""
        columns = max(1, (width - 2 * _MARGIN + _GAP) // (least_width + _GAP))
        high = int(least_width * _TILE_RATIO) + _GAP
        return -(-count // columns) * high - _GAP + 2 * _MARGIN

    def position_at(self, point: QPoint) -> int | None:
        return next((p for p in range(1, self._count + 1) if self.tile(p).contains(point)), None)

    def move_to(self, position: int) -> None:
        if 1 <= position <= self._count and position != self.cursor_position:
            before, self.cursor_position = self.cursor_position, position
            self.update_image(before)
            self.update_image(position)
            self._announce()
            self.moved.emit(position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Home:
            self.move_to(1)
        elif event.key() == Qt.Key.Key_End:
            self.move_to(self._count)
        elif step is None:
            event.ignore()
        else:
            self.move_to(self.cursor_position + step[0] + step[1] * self.columns)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        position = self.position_at(event.position().toPoint())
        if position is None:
            return
        self.move_to(position)
        if event.button() is Qt.MouseButton.LeftButton:
            self.toggled.emit(position)
        elif event.button() is Qt.MouseButton.RightButton:
            self.enlarged.emit(position)

    def sizeHint(self) -> QSize:
        return QSize(1100, 640)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._scale_until = perf_counter() + _SCALING_SECONDS
        for position in range(1, self._count + 1):
            tile = self.tile(position)
            if event.rect().intersects(tile.adjusted(-4, -4, 4, 4)):
                self._paint_tile(painter, position, tile)
        if self.hasFocus() and self._count:
            self._paint_cursor(painter, self.tile(self.cursor_position))

    def _paint_tile(self, painter: QPainter, position: int, tile: QRect) -> None:
        picture = self._picture(position)
        if picture is None:
            painter.setPen(self._appearance.colour("on_surround"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(tile.adjusted(0, 0, -1, -1))
            if self._failed(position):
                painter.drawText(tile, Qt.AlignmentFlag.AlignCenter, CANT_BE_SHOWN)
        else:
            self._paint_picture(painter, position, tile, picture)
        if position in self._selected:
            self._paint_selection(painter, tile)

    def _paint_picture(
        self, painter: QPainter, position: int, tile: QRect, picture: QImage
    ) -> None:
        """Paint the smooth copy; before there is one, the image itself, which looks rougher."""
        fitted = picture.size().scaled(tile.size(), Qt.AspectRatioMode.KeepAspectRatio)
        frame = QRect(tile.topLeft(), fitted)
        frame.moveCenter(tile.center())
        if not self._is_scaled(position, fitted) and perf_counter() < self._scale_until:
            self._scaled[position] = self._smooth_copy(picture, fitted)
        if self._is_scaled(position, fitted):
            painter.drawPixmap(frame.topLeft(), self._scaled[position])
        else:
            painter.drawImage(frame, picture)
            self.update(tile)

    def _is_scaled(self, position: int, size: QSize) -> bool:
        known = self._scaled.get(position)
        return known is not None and known.size() == self._device_size(size)

    def _smooth_copy(self, picture: QImage, size: QSize) -> QPixmap:
        smooth = Qt.TransformationMode.SmoothTransformation
        fill = Qt.AspectRatioMode.IgnoreAspectRatio
        copy = QPixmap.fromImage(picture.scaled(self._device_size(size), fill, smooth))
        copy.setDevicePixelRatio(self.devicePixelRatioF())
        return copy

    def _device_size(self, size: QSize) -> QSize:
        """Return the size in the pixels of the screen."""
        return (size.toSizeF() * self.devicePixelRatioF()).toSize()

    def _paint_selection(self, painter: QPainter, tile: QRect) -> None:
        accent = self._appearance.colour("accent")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(accent, 4))
        painter.drawRoundedRect(QRectF(tile).adjusted(2, 2, -2, -2), _RADIUS, _RADIUS)
        painter.setPen(QPen(_WHITE, 2))
        painter.drawRect(QRectF(tile).adjusted(5, 5, -5, -5))
        badge = QRectF(tile.right() - _BADGE - 6, tile.top() + 8, _BADGE, _BADGE)
        painter.setBrush(accent)
        painter.drawEllipse(badge)
        painter.setPen(QPen(self._appearance.colour("on_accent"), 2.4))
        middle = badge.center()
        painter.drawPolyline([middle + QPointF(*p) for p in ((-5, 0), (-1.5, 4), (5, -4))])

    def _paint_cursor(self, painter: QPainter, tile: QRect) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen, grown in ((QPen(_EDGE, 1), 3.5), (QPen(_WHITE, 3), 1.5)):
            painter.setPen(pen)
            painter.drawRoundedRect(
                QRectF(tile).adjusted(-grown, -grown, grown, grown), _RADIUS + 2, _RADIUS + 2
            )

    def _describe(self) -> None:
        self.setAccessibleDescription(f"{len(self._selected)} of {self._count} selected")

    def _announce(self) -> None:
        """Tell screen readers which image has the cursor."""
        word = "selected" if self.cursor_position in self._selected else "not selected"
        text = f"Image {self.cursor_position} of {self._count}: {word}"
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))


def _tile_width(columns: int, count: int, width: int, height: int) -> int:
    rows = -(-count // columns)
    wide = (width - 2 * _MARGIN + _GAP) // columns - _GAP
    high = (height - 2 * _MARGIN + _GAP) // rows - _GAP
    return max(1, min(wide, int(high / _TILE_RATIO)))


@lru_cache(maxsize=8)
def _best_columns(count: int, width: int, height: int) -> int:
    sizes = {n: _tile_width(n, count, width, height) for n in range(1, count + 1)}
    return max(sizes, key=lambda columns: (sizes[columns], -columns), default=1)
