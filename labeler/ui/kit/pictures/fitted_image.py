"""A small version of the image to classify, next to the references."""

from PySide6.QtCore import QPointF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.ui.window.theme import Appearance, TypeSize

UNREADABLE_MESSAGE = "This image can't be read on this machine now."
_HEIGHT, _MARGIN = 96, 4


class FittedImage(QWidget):
    """Shows the whole image on a neutral background, scaled down if needed, never enlarged."""

    def __init__(
        self,
        appearance: Appearance,
        *,
        height: int | None = _HEIGHT,
        fills: bool = False,
        name: str = "The image to classify",
    ) -> None:
        """Without a height it takes all available space, or the part that the image `fills`."""
        super().__init__()
        self._appearance = appearance
        self._height = _HEIGHT if height is None else height
        self._image: QImage | None = None
        self._instead = ""
        self._fills = fills
        self._shown = QPixmap()
        if height is not None:
            self.setFixedHeight(height)
        upright = QSizePolicy.Policy.Ignored if height is None else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Ignored, upright)
        self.setAccessibleName(name)
        appearance.changed.connect(self.update)

    def show_image(self, image: QImage | None, *, instead: str = "") -> None:
        """Show an image; `instead` is shown if there is none."""
        self._image, self._instead = image, "" if image is not None else instead
        self._fit()

    @property
    def sentence(self) -> str:
        """The text shown instead of an image; empty if there is one or it is loading."""
        return self._instead

    @property
    def shows_image(self) -> bool:
        return not self._shown.isNull()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        size = self._shown.deviceIndependentSize()
        left, top = (self.width() - size.width()) // 2, (self.height() - size.height()) // 2
        painter.drawPixmap(QPointF(left, top), self._shown)
        if self._instead:
            painter.setFont(self._appearance.font(TypeSize.BODY))
            painter.setPen(self._appearance.colour("on_surround"))
            middle = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(16, 0, -16, 0), middle, self._instead)

    def _fit(self) -> None:
        self._shown = QPixmap()
        if self._image is not None and not self._image.isNull():
            self._shown = self._scaled(self._image)
            if self._fills:
                self.setMaximumHeight(self._filled_by(self._image))
        self.update()

    def _filled_by(self, image: QImage) -> int:
        """Return the height of the image at full width."""
        wide = self.width() - 2 * _MARGIN
        high = round(image.height() * min(1.0, wide / image.width()))
        return max(self.minimumHeight(), high + 2 * _MARGIN)

    def _scaled(self, image: QImage) -> QPixmap:
        ratio = self.devicePixelRatioF()
        room = QSizeF(self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN) * ratio
        scale = min(1.0, room.width() / image.width(), room.height() / image.height())
        size = (QSizeF(image.size()) * scale).toSize().expandedTo(QSize(1, 1))
        smooth = Qt.TransformationMode.SmoothTransformation
        shown = QPixmap.fromImage(image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
        shown.setDevicePixelRatio(ratio)
        return shown
