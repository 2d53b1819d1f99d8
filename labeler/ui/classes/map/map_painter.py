"""Paints the visible part of the class map at the current zoom."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPixmap

from labeler.app.classes.class_map import ClassMap, ClassMapView, MapStop
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.references import LoadedSheet
from labeler.core.classes.map_layout import MapLayout, MapRect, shows_names
from labeler.images.mosaic_pages import TILE_HEIGHT, TILE_WIDTH
from labeler.ui.classes.map.mosaic_atlas import MosaicAtlas
from labeler.ui.window.theme import Appearance, TypeSize

# From this width of tiles on, a class shows several references; before, one picture.
SEVERAL_FROM = 120
_FEW, _MANY = (2, 2), (4, 3)
_INSET, _PICTURE_GAP = 4, 4
_MAX_CARDS = 400
NO_REFERENCES = "no references in this study"
_NO_REFERENCES_SHORT = "no references"


@dataclass(frozen=True, slots=True)
class MapScene:
    """What is painted: the layout, the view, and where the viewport is on the map."""

    layout: MapLayout
    view: ClassMapView
    area: MapRect
    hovered: int | None
    focused: bool


class ClassMapPainter:
    """Paints frames, families and classes; pictures come from the atlas and the references."""

    def __init__(
        self,
        appearance: Appearance,
        class_map: ClassMap,
        atlas: MosaicAtlas,
        *,
        few: FirstReferences[QImage],
        many: FirstReferences[QImage],
    ) -> None:
        self._appearance, self._map, self._atlas = appearance, class_map, atlas
        self._few, self._many = few, many
        self._cards: dict[tuple[str, int, int, bool], QPixmap] = {}
        self._texts: dict[tuple[str, int, bool], str] = {}
        self.apply_theme()

    def apply_theme(self) -> None:
        """Take the colours and fonts of the theme."""
        colour, font = self._appearance.colour, self._appearance.font
        self._window, self._surface, self._line = map(colour, ("window", "surface", "line"))
        self._text, self._muted, self._accent = map(colour, ("text", "muted", "accent"))
        self._ground, self._on_ground = colour("surround"), colour("on_surround")
        self._raised = colour("raised")
        self._caption, self._body = font(TypeSize.CAPTION), font(TypeSize.BODY)
        self._strong = font(TypeSize.CAPTION, strong=True)
        self._metrics = QFontMetrics(self._caption)
        self._strong_metrics = QFontMetrics(self._strong)
        self._atlas.set_colours(ground=self._ground, gap=self._surface)
        self._cards.clear()
        self._texts.clear()

    @property
    def text_height(self) -> int:
        """The height of a line, on which the layout depends."""
        return self._metrics.height()

    def picture_arrived(self, wnid: str) -> None:
        """Draw the references of a class when it is painted next."""
        for key in [key for key in self._cards if key[0] == wnid]:
            del self._cards[key]

    def paint(self, painter: QPainter, scene: MapScene) -> None:
        """Paint everything in the viewport."""
        painter.fillRect(0, 0, scene.area.width, scene.area.height, self._window)
        painter.translate(-scene.area.x, -scene.area.y)
        for superclass, frame in scene.layout.frames.items():
            if frame.meets(scene.area):
                self._paint_frame(painter, scene, superclass, frame)
        blocks = [n for n, rect in enumerate(scene.layout.blocks) if rect.meets(scene.area)]
        for number in blocks:
            self._paint_block(painter, scene, number)
        if scene.view.found is not None:
            self._paint_found(painter, scene)
        self._paint_cursor(painter, scene)

    # Frames and titles.

    def _paint_frame(
        self, painter: QPainter, scene: MapScene, superclass: int, frame: MapRect
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._line, 1))
        painter.setBrush(self._surface)
        painter.drawRoundedRect(
            QRectF(frame.x + 0.5, frame.y + 0.5, frame.width - 1, frame.height - 1), 6, 6
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        shown = self._map.superclasses[superclass]
        height = scene.layout.metrics.head
        x, room = frame.x + 6, frame.width - 12
        count = f"{len(shown.wnids):,}"
        if not scene.layout.metrics.title:
            self._draw_name(painter, f"{shown.name} {count}", QRect(x, frame.y, room, height))
            return
        reserved = self._metrics.horizontalAdvance(count) + 6
        area = QRect(x, frame.y, room - reserved, height)
        used = self._draw_text(painter, shown.name, area, strong=True)
        area = QRect(x + used + 6, frame.y, room - used - 6, height)
        self._draw_text(painter, count, area, strong=False)

    def _draw_name(self, painter: QPainter, text: str, area: QRect) -> None:
        """Draw the name of a superclass, in two lines if needed."""
        painter.setFont(self._strong)
        painter.setPen(self._text)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, text)

    def _paint_block(self, painter: QPainter, scene: MapScene, number: int) -> None:
        layout, place = scene.layout, scene.layout.blocks[number]
        block = self._map.arrangement.blocks[number]
        if layout.metrics.title:
            self._paint_title(painter, scene, number)
        if shows_names(layout.metrics.tile_width):
            self._paint_cards(painter, scene, number)
            return
        size, ratio = layout.metrics, painter.device().devicePixelRatioF()
        width, height = (round(side * ratio) for side in (size.tile_width, size.tile_height))
        pixmap = self._atlas.block(number, width, height, round(size.gap * ratio))
        # Without the gap after the last row and column, and what is after the last class.
        across = block.columns * (size.tile_width + size.gap)
        down = block.rows * (size.tile_height + size.gap)
        target = QRect(place.x, place.y + size.title, across, down)
        if ratio == 1:
            painter.drawPixmap(target.topLeft(), pixmap)
        else:
            painter.drawPixmap(target, pixmap)

    def _paint_title(self, painter: QPainter, scene: MapScene, number: int) -> None:
        place, block = scene.layout.blocks[number], self._map.arrangement.blocks[number]
        family = self._map.superclasses[block.superclass].families[block.family]
        cursor = scene.view.cursor
        current = cursor is not None and self._map.arrangement.block_of(cursor) == number
        near = shows_names(scene.layout.metrics.tile_width)
        # The title stays in sight while the classes below it are.
        top = max(place.y, min(scene.area.y, place.y + place.height - scene.layout.metrics.title))
        x = max(place.x, min(scene.area.x + 6, place.x + place.width - 160)) if near else place.x
        top = top if near else place.y
        room = max(place.width, scene.layout.title_widths[number])
        area = QRect(x, top, room, scene.layout.metrics.title)
        used = self._draw_text(painter, family.name, area, strong=current or near)
        if near:
            area.setLeft(area.left() + used + 6)
            count = len(family.wnids)
            self._draw_text(
                painter, f"{count:,} {'class' if count == 1 else 'classes'}", area, strong=False
            )

    def _draw_text(self, painter: QPainter, text: str, area: QRect, *, strong: bool) -> int:
        """Draw a line of text, elided; return its width."""
        metrics = self._strong_metrics if strong else self._metrics
        painter.setFont(self._strong if strong else self._caption)
        painter.setPen(self._text if strong else self._muted)
        shown = self._elided(text, area.width(), strong=strong)
        baseline = area.top() + (area.height() + metrics.ascent() - metrics.descent()) // 2
        painter.drawText(area.left(), baseline, shown)
        return metrics.horizontalAdvance(shown)

    def _elided(self, text: str, width: int, *, strong: bool) -> str:
        key = (text, width, strong)
        known = self._texts.get(key)
        if known is None:
            metrics = self._strong_metrics if strong else self._metrics
            known = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, width))
            if len(self._texts) > 20_000:
                self._texts.clear()
            self._texts[key] = known
        return known

    # Classes from near.

    def _paint_cards(self, painter: QPainter, scene: MapScene, number: int) -> None:
        positions = list(scene.layout.tiles_in(number, scene.area))
        if scene.layout.metrics.tile_width >= SEVERAL_FROM:
            wnids = [self._map.arrangement.wnids[position] for position in positions]
            self._references(scene).request(wnids)
        for position in positions:
            self._paint_card(painter, scene, position)

    def _references(self, scene: MapScene) -> FirstReferences[QImage]:
        return self._many if scene.view.stop is MapStop.REFERENCES else self._few

    def _paint_card(self, painter: QPainter, scene: MapScene, position: int) -> None:
        rect = scene.layout.tile(position)
        strip = self._metrics.height() + 8
        painter.fillRect(rect.x, rect.y, rect.width, strip, self._raised)
        name = self._map.name(position)
        inside = QRect(rect.x + 5, rect.y, rect.width - 8, strip)
        used = self._draw_text(painter, name, inside, strong=True)
        also = self._map.other_names(position)
        if also and used + 40 < inside.width():
            inside.setLeft(inside.left() + used + 6)
            self._draw_text(painter, also, inside, strong=False)
        self._paint_pictures(painter, scene, position, rect, strip)

    def _paint_pictures(
        self, painter: QPainter, scene: MapScene, position: int, rect: MapRect, strip: int
    ) -> None:
        area = QRect(rect.x, rect.y + strip, rect.width, rect.height - strip)
        wnid = self._map.arrangement.wnids[position]
        if area.width() < SEVERAL_FROM:
            self._paint_single(painter, position, area)
            return
        many = scene.view.stop is MapStop.REFERENCES
        references = self._many if many else self._few
        loaded = references.get(wnid)
        if loaded is not None:
            ratio = painter.device().devicePixelRatioF()
            painter.drawPixmap(area, self._card(wnid, loaded, area, many=many, ratio=ratio))
        elif references.is_missing(wnid):
            self._paint_missing(painter, position, area)
        else:
            self._paint_single(painter, position, area)

    def _paint_single(self, painter: QPainter, position: int, area: QRect) -> None:
        found = self._atlas.picture(position)
        if found is not None:
            page, x, y = found
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area, page, QRect(x, y, TILE_WIDTH, TILE_HEIGHT))
        elif self._atlas.is_loading(position):
            painter.fillRect(area, self._ground)
        else:
            self._paint_missing(painter, position, area)

    def _paint_missing(self, painter: QPainter, position: int, area: QRect) -> None:
        painter.drawPixmap(area, self._atlas.hatch(area.width(), area.height()))
        painter.setPen(self._on_ground)
        large = area.width() >= SEVERAL_FROM
        middle = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.setFont(self._strong if large else self._caption)
        inside = area.adjusted(6, 2, -6, -2)
        if large:
            line = self._metrics.height()
            upper = inside.adjusted(0, 0, 0, -line)
            painter.drawText(upper, middle, self._map.name(position))
            painter.setFont(self._caption)
            lower = inside.adjusted(0, inside.height() // 2 + 2, 0, 0)
            short = inside.width() < self._metrics.horizontalAdvance(NO_REFERENCES)
            words = _NO_REFERENCES_SHORT if short else NO_REFERENCES
            painter.drawText(lower, Qt.AlignmentFlag.AlignHCenter, words)
        else:
            painter.drawText(inside, middle, self._map.name(position))

    def _card(
        self, wnid: str, loaded: LoadedSheet[QImage], area: QRect, *, many: bool, ratio: float
    ) -> QPixmap:
        """Return the references of a class, drawn once for each size."""
        key = (wnid, area.width(), area.height(), many)
        known = self._cards.get(key)
        if known is None:
            if len(self._cards) >= _MAX_CARDS:
                self._cards.clear()
            known = self._cards[key] = self._drawn(loaded, area, _MANY if many else _FEW, ratio)
        return known

    def _drawn(
        self, loaded: LoadedSheet[QImage], area: QRect, grid: tuple[int, int], ratio: float
    ) -> QPixmap:
        pixmap = QPixmap(round(area.width() * ratio), round(area.height() * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._ground)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        columns, rows = grid
        width = (area.width() - 2 * _INSET - (columns - 1) * _PICTURE_GAP) // columns
        height = (area.height() - 2 * _INSET - (rows - 1) * _PICTURE_GAP) // rows
        for number, tile in enumerate(loaded.tiles[: columns * rows]):
            row, column = divmod(number, columns)
            slot = QRect(
                _INSET + column * (width + _PICTURE_GAP),
                _INSET + row * (height + _PICTURE_GAP),
                width,
                height,
            )
            source = QRect(tile.x, tile.y, tile.width, tile.height)
            painter.drawImage(_fitted(source, slot), loaded.sheet, source)
        painter.end()
        return pixmap

    # What was found, and the cursor.

    def _paint_found(self, painter: QPainter, scene: MapScene) -> None:
        """Dim everything, and paint what was found again on top."""
        dim = QColor(self._window)
        dim.setAlpha(205)
        area = scene.area
        painter.fillRect(area.x, area.y, area.width, area.height, dim)
        found = scene.view.found or ()
        seen = [(n, r) for n in found if (r := scene.layout.tile(n)).meets(area)]
        for position, rect in seen:
            self._paint_again(painter, scene, position, rect)
        painter.setPen(QPen(self._accent, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for _position, rect in seen:
            painter.drawRect(rect.x - 1, rect.y - 1, rect.width + 1, rect.height + 1)

    def _paint_again(
        self, painter: QPainter, scene: MapScene, position: int, rect: MapRect
    ) -> None:
        if shows_names(scene.layout.metrics.tile_width):
            self._paint_card(painter, scene, position)
            return
        number = self._map.arrangement.block_of(position)
        place, size = scene.layout.blocks[number], scene.layout.metrics
        ratio = painter.device().devicePixelRatioF()
        sides = (size.tile_width, size.tile_height, size.gap)
        pixmap = self._atlas.block(number, *(round(side * ratio) for side in sides))
        source = QRectF(
            (rect.x - place.x) * ratio,
            (rect.y - place.y - size.title) * ratio,
            rect.width * ratio,
            rect.height * ratio,
        )
        painter.drawPixmap(QRectF(rect.x, rect.y, rect.width, rect.height), pixmap, source)

    def _paint_cursor(self, painter: QPainter, scene: MapScene) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if scene.hovered is not None and scene.hovered != scene.view.cursor:
            self._outline(painter, scene.layout.tile(scene.hovered), self._muted, 1)
        cursor = scene.view.cursor
        if cursor is None:
            return
        rect = scene.layout.tile(cursor)
        block = self._map.arrangement.blocks[number := self._map.arrangement.block_of(cursor)]
        if scene.view.stop is MapStop.SUPERCLASSES:
            rect = scene.layout.frames[block.superclass]
        elif scene.view.stop is MapStop.FAMILIES:
            own = scene.layout.blocks[number]
            rect = MapRect(own.x - 4, own.y - 1, own.width + 8, own.height + 5)
        self._outline(painter, rect, self._accent, 3 if scene.focused else 2)

    def _outline(self, painter: QPainter, rect: MapRect, colour: QColor, width: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._surface, width + 2))
        box = QRectF(rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QPen(colour, width))
        painter.drawRoundedRect(box, 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _fitted(source: QRect, slot: QRect) -> QRect:
    """Return the largest rectangle of the source's shape in the middle of a slot."""
    size = source.size().scaled(slot.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = slot.left() + (slot.width() - size.width()) // 2
    top = slot.top() + (slot.height() - size.height()) // 2
    return QRect(QPoint(left, top), size)
