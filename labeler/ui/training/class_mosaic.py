"""One picture of each of several classes in a grid."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from labeler.app.classes.references import ClassThumbnails
from labeler.ui.classes.result_pictures import paint_missing
from labeler.ui.window.theme import Appearance

MAX_PICTURES = 6
_GAP, _FRAME = 4, 4
MOSAIC_HEIGHT = 112


class MosaicShape(NamedTuple):
    """Columns and rows of a mosaic."""

    columns: int
    rows: int


def mosaic_shape(count: int) -> MosaicShape:
    """Return a grid for up to six pictures with as few empty cells as possible."""
    if count <= 3:
        return MosaicShape(max(count, 1), 1)
    return MosaicShape(2 if count == 4 else 3, 2)


class ClassMosaic(QWidget):
    """Pictures of classes, painted as they arrive; only those in sight are loaded."""

    def __init__(
        self,
        appearance: Appearance,
        wnids: Sequence[str],
        pictures: ClassThumbnails[QImage],
        *,
        height: int = MOSAIC_HEIGHT,
    ) -> None:
        super().__init__()
        self._appearance, self._pictures = appearance, pictures
        self._wnids = tuple(wnids)[:MAX_PICTURES]
        self._shape = mosaic_shape(len(self._wnids))
        self._has_requested = False
        self.setFixedHeight(height)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        pictures.listen(self._arrived)
        pictures.listen_for_missing(self._arrived)
        self.destroyed.connect(partial(pictures.stop_listening, self._arrived))

    def _arrived(self, wnid: str) -> None:
        if wnid in self._wnids:
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._has_requested:
            self._has_requested = True
            self._pictures.request(self._wnids)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("surround"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        for place, wnid in enumerate(self._wnids):
            picture, cell = self._pictures.get(wnid), self._cell(place)
            if self._pictures.is_missing(wnid):
                paint_missing(painter, QRectF(cell), self._appearance)
            elif picture is not None:
                painter.drawImage(cell, picture, _cropped(picture.size(), cell.size()))

    def _cell(self, place: int) -> QRect:
        inside = self.rect().adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME)
        columns, rows = self._shape
        wide = (inside.width() - (columns - 1) * _GAP) // columns
        high = (inside.height() - (rows - 1) * _GAP) // rows
        row, column = divmod(place, columns)
        x = inside.left() + column * (wide + _GAP)
        return QRect(x, inside.top() + row * (high + _GAP), wide, high)


def _cropped(picture: QSize, cell: QSize) -> QRect:
    """Return the middle part of the picture that has the shape of the cell."""
    whole = cell.scaled(picture, Qt.AspectRatioMode.KeepAspectRatio)
    return QRect(
        (picture.width() - whole.width()) // 2,
        (picture.height() - whole.height()) // 2,
        whole.width(),
        whole.height(),
    )
