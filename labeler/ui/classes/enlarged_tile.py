"""One reference image, enlarged over the others to the size of the image to classify."""

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from labeler.app.classes.references import TileRect
from labeler.core.view_geometry import MAX_FIT_SCALE
from labeler.ui.kit.layout.boxes import aligned, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.icons import icon
from labeler.ui.window.theme import Appearance

# A tile of the sheet is as large as its original will be, for the moment until that arrives.
_MAX_TILE_SCALE = 6.0
_MARGIN, _FOOT = 8, 36
PREVIOUS_TEXT, NEXT_TEXT, CLOSE_TEXT = "Previous image", "Next image", "Back to all images"


class EnlargedTile(QWidget):
    """Covers its host while shown; a click closes it, the wheel and two buttons go on."""

    left = Signal()
    stepped = Signal(int)

    def __init__(self, appearance: Appearance, host: QWidget) -> None:
        super().__init__(host)
        self._appearance = appearance
        self._host = host
        self._picture = QPixmap()
        self._shown = QPixmap()
        self._is_original = False
        self._place = label(rank="caption")
        self.previous = _button(PREVIOUS_TEXT)
        self.following = _button(NEXT_TEXT)
        self.close_button = _button(CLOSE_TEXT)
        self.close_button.setText("✕")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lay_out()
        self._connect()
        host.installEventFilter(self)
        self.hide()

    @property
    def picture_size(self) -> QSizeF:
        """The size of the picture on the screen."""
        return self._picture_place().size()

    @property
    def place(self) -> str:
        """Which of how many images it is."""
        return self._place.text()

    def cover(self, host: QWidget) -> None:
        """Cover another widget from now on, such as one with more room."""
        self._host.removeEventFilter(self)
        self._host = host
        self.setParent(host)
        self.hide()
        host.installEventFilter(self)

    def show_tile(self, sheet: QPixmap, tile: TileRect, place: str) -> None:
        """Enlarge an image from its sheet; `place` says which of how many it is."""
        self._place.setText(place)
        self.setAccessibleName(f"Enlarged reference image {place}")
        self._is_original = False
        self._picture = sheet.copy(tile.x, tile.y, tile.width, tile.height)
        self.setGeometry(self._host.rect())
        self._fit()
        self.show()
        self.raise_()

    def sharpen(self, picture: QPixmap) -> None:
        """Replace the tile by the original of the same image."""
        self._is_original = True
        self._picture = picture
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._host and event.type() is QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._host.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(self._appearance.colour("surround")))
        painter.drawPixmap(self._picture_place().topLeft(), self._shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.left.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        if event.angleDelta().y():
            self.stepped.emit(-1 if event.angleDelta().y() > 0 else 1)

    def _fit(self) -> None:
        """Scale the picture once, since it is painted often."""
        if self._picture.isNull():
            return
        ratio = self.devicePixelRatioF()
        self._shown = self._picture.scaled(
            (self._picture_place().size() * ratio).toSize(),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        self._shown.setDevicePixelRatio(ratio)
        self.update()

    def _picture_place(self) -> QRectF:
        width, height = max(1, self._picture.width()), max(1, self._picture.height())
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN - _FOOT)
        most = MAX_FIT_SCALE if self._is_original else _MAX_TILE_SCALE
        scale = min(most, room.width() / width, room.height() / height)
        size = QSizeF(max(1, round(width * scale)), max(1, round(height * scale)))
        x = round((self.width() - size.width()) / 2)
        y = round((self.height() - _FOOT - size.height()) / 2)
        return QRectF(x, y, size.width(), size.height())

    def _lay_out(self) -> None:
        foot = hbox(stretch(1), self.previous, self._place, self.following, stretch(1))
        foot.addWidget(self.close_button)
        holder = QWidget()
        holder.setObjectName("zoom")
        holder.setLayout(foot)
        holder.setFixedHeight(_FOOT)
        vbox(stretch(1), aligned(holder, Qt.AlignmentFlag(0)), on=self, spacing=0)

    def _connect(self) -> None:
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.following.clicked.connect(lambda: self.stepped.emit(1))
        self.close_button.clicked.connect(self.left)
        self._appearance.changed.connect(self._recolour)
        self._recolour()

    def _recolour(self) -> None:
        theme = self._appearance.theme
        for button, name in ((self.previous, "arrow_left"), (self.following, "arrow_right")):
            button.setIcon(icon(name, colour=theme.on_surround, background=theme.surround))


def _button(name: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(name)
    button.setAccessibleName(name)
    # The keyboard focus stays in the grid.
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setIconSize(QSize(16, 16))
    return button
