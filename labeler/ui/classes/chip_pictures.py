"""Small pictures of classes for the chips that link to them."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap

from labeler.app.classes.references import ClassThumbnails, TileRect
from labeler.ui.classes.result_pictures import draw_cropped, paint_missing
from labeler.ui.window.theme import Appearance

_PICTURE = QRectF(0, 0, 24, 18)
# Qt puts the name close to the icon.
CHIP_ICON = QSize(28, 18)


class ChipPictures:
    """The icon of each class: all of one size, so that nothing moves when a picture arrives."""

    def __init__(self, appearance: Appearance, thumbnails: ClassThumbnails[QImage]) -> None:
        self._appearance, self._thumbnails = appearance, thumbnails

    def request(self, wnids: Iterable[str]) -> None:
        self._thumbnails.request(wnids)

    def listen(self, callback: Callable[[str], None]) -> None:
        """Call back with each class whose icon is another one now."""
        self._thumbnails.listen(callback)
        self._thumbnails.listen_for_missing(callback)

    def icon(self, wnid: str, *, dense: float) -> QIcon:
        """Return the class's picture, or grey until it is loaded; `dense` as the screen is."""
        pixmap = QPixmap(CHIP_ICON * dense)
        pixmap.setDevicePixelRatio(dense)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.fillRect(_PICTURE, self._appearance.colour("surround"))
        picture = self._thumbnails.get(wnid)
        if picture is not None:
            whole = TileRect(0, 0, picture.width(), picture.height())
            draw_cropped(painter, _PICTURE, picture, whole)
        elif self._thumbnails.is_missing(wnid):
            paint_missing(painter, _PICTURE, self._appearance)
        painter.end()
        return QIcon(pixmap)
