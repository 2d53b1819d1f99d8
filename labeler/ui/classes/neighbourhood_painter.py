"""How the tiles of a neighbourhood are painted."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.neighbourhood import PictureSource
from labeler.app.lru_cache import LruCache
from labeler.ui.classes.neighbourhood_layout import picture_height
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance, TypeSize

PIXMAP_CACHE_SIZE = 128
_ICON = 24
_SENTENCE_MARGINS = 24, 24, -24, -24
# Pictures aren't enlarged further, because they would look blurred.
_LARGEST_SCALE = 1.5
_SHADE = QColor(0, 0, 0, 24)


@dataclass(frozen=True, slots=True)
class NeighbourTileState:
    """The state of a tile on the screen."""

    is_centre: bool
    current: bool
    hovered: bool


class NeighbourhoodPainter:
    """Paints a class's picture with its name below, or a placeholder frame."""

    def __init__(self, appearance: Appearance, pictures: PictureSource[QImage]) -> None:
        self._appearance = appearance
        self._pictures = pictures
        self._pixmaps: LruCache[str, QPixmap] = LruCache(PIXMAP_CACHE_SIZE)
        appearance.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def line(self) -> int:
        """The height of a line of text."""
        return round(self._strong_metrics.height()) + 2

    def paint_sentence(self, painter: QPainter, where: QRect, sentence: str) -> None:
        """Write in the middle of the empty place."""
        painter.setFont(self._title)
        painter.setPen(self._text)
        wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(where.adjusted(*_SENTENCE_MARGINS), wrapped, sentence)

    def paint_title(self, painter: QPainter, where: QRect, title: str) -> None:
        painter.setFont(self._title)
        painter.setPen(self._text)
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, title)

    def paint_tile(
        self, painter: QPainter, where: QRect, link: ClassLink, *, state: NeighbourTileState
    ) -> None:
        height = picture_height(where.width())
        picture = QRectF(where.left(), where.top(), where.width(), height)
        pixmap = self._pixmap(link.wnid)
        if pixmap is None:
            self._paint_placeholder(painter, picture)
        else:
            painter.drawPixmap(_fitted_rect(pixmap, picture), pixmap, QRectF(pixmap.rect()))
        name = QRectF(where)
        name.setTop(where.bottom() + 1 - self.line)
        self._paint_name(painter, name, link.name, strong=state.is_centre)
        self._paint_frame(painter, QRectF(where), state)

    def _pixmap(self, wnid: str) -> QPixmap | None:
        if wnid not in self._pixmaps:
            picture = self._pictures.get(wnid)
            if picture is None:
                return None
            self._pixmaps.put(wnid, QPixmap.fromImage(picture))
        return self._pixmaps[wnid]

    def _paint_placeholder(self, painter: QPainter, place: QRectF) -> None:
        painter.fillRect(place, _SHADE)
        icon = QRectF(0, 0, _ICON, _ICON)
        icon.moveCenter(place.center())
        painter.drawPixmap(icon, self._icon, QRectF(self._icon.rect()))

    def _paint_name(self, painter: QPainter, line: QRectF, name: str, *, strong: bool) -> None:
        metrics = self._strong_metrics if strong else self._name_metrics
        painter.setFont(self._strong if strong else self._name)
        painter.setPen(self._text)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, line.width())
        baseline = line.top() + (line.height() + metrics.ascent() - metrics.descent()) / 2
        left = line.left() + (line.width() - metrics.horizontalAdvance(shown)) / 2
        painter.drawText(QPointF(left, baseline), shown)

    def _paint_frame(self, painter: QPainter, where: QRectF, state: NeighbourTileState) -> None:
        if state.current or state.hovered:
            painter.setPen(QPen(self._focus, 2 if state.current else 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(where.adjusted(-3, -3, 3, 3), 4, 4)

    def _apply_theme(self) -> None:
        """Prepare colours and fonts once per theme."""
        appearance = self._appearance
        self._title = appearance.font(TypeSize.CAPTION, strong=True)
        self._name = appearance.font(TypeSize.CAPTION)
        self._strong = appearance.font(TypeSize.BODY, strong=True)
        self._name_metrics = QFontMetricsF(self._name)
        self._strong_metrics = QFontMetricsF(self._strong)
        self._text = appearance.colour("on_surround")
        self._focus = appearance.colour("focus_on_surround")
        self._icon = _drawn_icon(appearance)


def _fitted_rect(pixmap: QPixmap, room: QRectF) -> QRectF:
    """Return the largest rectangle with the picture's aspect ratio, up to a limit."""
    size = QSizeF(pixmap.size())
    scale = min(room.width() / size.width(), room.height() / size.height(), _LARGEST_SCALE)
    place = QRectF(0, 0, size.width() * scale, size.height() * scale)
    place.moveCenter(room.center())
    return place


def _drawn_icon(appearance: Appearance) -> QPixmap:
    drawn = QPixmap(2 * _ICON, 2 * _ICON)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setOpacity(0.4)
    colours = appearance.theme.colours
    where = QRectF(0, 0, 2 * _ICON, 2 * _ICON)
    paint_icon(
        painter, where, "pictures", colour=colours["on_surround"], background=colours["surround"]
    )
    painter.end()
    return drawn
