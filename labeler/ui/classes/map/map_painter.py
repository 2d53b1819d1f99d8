"""Paints the visible part of the class map at the current zoom."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPixmap

from labeler.app.classes.class_map import ClassMap, ClassMapView, MapStop
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.references import LoadedSheet
from labeler.core.classes.families import Family
from labeler.core.classes.map_layout import MapLayout, MapRect, shows_names
from labeler.core.text import count_noun
from labeler.images.mosaic_pages import TILE_HEIGHT, TILE_WIDTH
from labeler.ui.classes.map.mosaic_atlas import MosaicAtlas
from labeler.ui.window.theme import Appearance, TypeSize

# From this width of tiles on, a class shows several references; before, one picture.
SEVERAL_FROM = 120
_FEW, _MANY = (2, 2), (4, 3)
_INSET, _PICTURE_GAP = 4, 4
_MAX_CARDS = 400
# How much of the window's colour covers what doesn't match.
_DIMMED = 0.73
# A name of a family has as many lines.
_TITLE_LINES = 2


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
        self._lines: dict[tuple[str, int, bool], tuple[str, ...]] = {}
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
        self._lines.clear()

    @property
    def text_height(self) -> int:
        """The height of a line, on which the layout depends."""
        return self._metrics.height()

    def title_lines(self, number: int, width: int) -> int:
        """Return how many lines the name of a family needs, by its block."""
        return len(self._wrapped(self._family(number).name, width, strong=False))

    def head_lines(self, superclass: int, width: int) -> int:
        """Return how many lines the name of a superclass needs, with the number of its classes."""
        name, room = self._map.superclasses[superclass].name, width - self._count_width(superclass)
        return len(self._wrapped(name, room, strong=True))

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
        height = scene.layout.head_height(superclass)
        x, room = frame.x + 6, frame.width - 12
        count = f"{len(shown.wnids):,}"
        if not scene.layout.metrics.title:
            self._draw_name(painter, f"{shown.name} {count}", QRect(x, frame.y, room, height))
            return
        room -= self._count_width(superclass)
        lines = self._wrapped(shown.name, room, strong=True)
        high = self._strong_metrics.height()
        top, used = frame.y + max(0, height - len(lines) * high) // 2, 0
        for row, words in enumerate(lines):
            area = QRect(x, top + row * high, room, high)
            used = self._draw_text(painter, words, area, strong=True)
        area = QRect(x + used + 6, top + (len(lines) - 1) * high, frame.width - used - 18, high)
        self._draw_text(painter, count, area, strong=False)

    def _count_width(self, superclass: int) -> int:
        count = f"{len(self._map.superclasses[superclass].wnids):,}"
        return self._metrics.horizontalAdvance(count) + 6

    def _draw_name(self, painter: QPainter, text: str, area: QRect) -> None:
        """Draw the name of a superclass, in two lines if needed."""
        painter.setFont(self._strong)
        painter.setPen(self._text)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, text)

    def _paint_block(self, painter: QPainter, scene: MapScene, number: int) -> None:
        layout, place = scene.layout, scene.layout.blocks[number]
        block = self._map.arrangement.blocks[number]
        if shows_names(layout.metrics.tile_width):
            self._paint_cards(painter, scene, number)
            self._paint_title(painter, scene, number)
            return
        if layout.metrics.title:
            self._paint_title(painter, scene, number)
        size, ratio = layout.metrics, painter.device().devicePixelRatioF()
        width, height = (round(side * ratio) for side in (size.tile_width, size.tile_height))
        pixmap = self._atlas.block(number, width, height, round(size.gap * ratio))
        # Without the gap after the last row and column, and what is after the last class.
        across = block.columns * (size.tile_width + size.gap)
        down = block.rows * (size.tile_height + size.gap)
        target = QRect(place.x, place.y + layout.title_height(number), across, down)
        if ratio == 1:
            painter.drawPixmap(target.topLeft(), pixmap)
        else:
            painter.drawPixmap(target, pixmap)

    def _paint_title(self, painter: QPainter, scene: MapScene, number: int) -> None:
        if shows_names(scene.layout.metrics.tile_width):
            self._paint_near_title(painter, scene, number)
            return
        place, cursor = scene.layout.blocks[number], scene.view.cursor
        current = cursor is not None and self._map.arrangement.block_of(cursor) == number
        width, line = scene.layout.title_widths[number], scene.layout.metrics.title
        lines = self._wrapped(self._family(number).name, width, strong=False)
        for row, words in enumerate(lines):
            area = QRect(place.x, place.y + row * line, width, line)
            # Bold letters would be too wide for the lines.
            self._draw_text(painter, words, area, strong=False, current=current)

    def _paint_near_title(self, painter: QPainter, scene: MapScene, number: int) -> None:
        """Paint the name of a family and its size; it stays in sight while its classes are."""
        place, height = scene.layout.blocks[number], scene.layout.title_height(number)
        family = self._family(number)
        top = max(place.y, min(scene.area.y, place.y + place.height - height))
        x = max(place.x, min(scene.area.x + 6, place.x + place.width - 160))
        right = place.x + max(place.width, scene.layout.title_widths[number])
        area = QRect(x, top, right - x, height)
        painter.fillRect(place.x, top, place.width, height, self._surface)
        used = self._draw_text(painter, family.name, area, strong=True)
        area.setLeft(area.left() + used + 6)
        words = count_noun(len(family.wnids), "class", "classes")
        if self._metrics.horizontalAdvance(words) <= area.width():
            self._draw_text(painter, words, area, strong=False)

    def _family(self, number: int) -> Family:
        block = self._map.arrangement.blocks[number]
        return self._map.superclasses[block.superclass].families[block.family]

    def _draw_text(
        self, painter: QPainter, text: str, area: QRect, *, strong: bool, current: bool = False
    ) -> int:
        """Draw a line of text, elided; return its width."""
        metrics = self._strong_metrics if strong else self._metrics
        painter.setFont(self._strong if strong else self._caption)
        painter.setPen(self._text if strong or current else self._muted)
        shown = self._elided(text, area.width(), strong=strong)
        baseline = area.top() + (area.height() + metrics.ascent() - metrics.descent()) // 2
        painter.drawText(area.left(), baseline, shown)
        return metrics.horizontalAdvance(shown)

    def _wrapped(self, text: str, width: int, *, strong: bool) -> tuple[str, ...]:
        """Return the lines of a text; the last one has the rest, however wide."""
        key = (text, width, strong)
        known = self._lines.get(key)
        if known is None:
            metrics = self._strong_metrics if strong else self._metrics
            known = tuple(_lines(text, width, metrics))
            if len(self._lines) > 20_000:
                self._lines.clear()
            self._lines[key] = known
        return known

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
        painter.setFont(self._caption)
        if area.width() >= SEVERAL_FROM:
            # The name is above; the description says more than that there is no picture.
            inside = area.adjusted(12, 8, -12, -8)
            words = self._map.gloss(self._map.arrangement.wnids[position])
            lines = max(1, inside.height() // self._metrics.lineSpacing())
            # A line that is broken at words doesn't use all of its width.
            room = round(inside.width() * (lines - 0.5))
            words = self._elided(words, room, strong=False)
        else:
            inside, words = area.adjusted(6, 2, -6, -2), self._map.name(position)
        painter.drawText(inside, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)

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
        dim.setAlphaF(_DIMMED)
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
        self._paint_titles_again(painter, scene, [position for position, _rect in seen])

    def _paint_titles_again(self, painter: QPainter, scene: MapScene, found: Sequence[int]) -> None:
        """Paint the names of the families that have matches as if they weren't dimmed."""
        layout, ground = scene.layout, _blend(self._surface, self._window, _DIMMED)
        if not layout.metrics.title:
            return
        for number in {self._map.arrangement.block_of(position) for position in found}:
            place, height = layout.blocks[number], layout.title_height(number)
            width = layout.title_widths[number]
            painter.fillRect(place.x, place.y, width, height, ground)
            self._paint_title(painter, scene, number)

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
            (rect.y - place.y - scene.layout.title_height(number)) * ratio,
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
            # Around the name too, which may be wider than the classes.
            width = max(own.width, scene.layout.title_widths[number])
            rect = MapRect(own.x - 4, own.y - 1, width + 7, own.height + 5)
        self._outline(painter, rect, self._accent, 3 if scene.focused else 2)

    def _outline(self, painter: QPainter, rect: MapRect, colour: QColor, width: int) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._surface, width + 2))
        box = QRectF(rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QPen(colour, width))
        painter.drawRoundedRect(box, 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _blend(one: QColor, other: QColor, part: float) -> QColor:
    """Return a colour mixed with a part of another one."""
    sides = (one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue())
    return QColor(*(round(a + (b - a) * part) for a, b in sides))


def _lines(text: str, width: int, metrics: QFontMetrics) -> list[str]:
    """Break a text at words into a few lines; the last one has the rest, however wide."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == _TITLE_LINES or metrics.horizontalAdvance(longer) < width):
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _fitted(source: QRect, slot: QRect) -> QRect:
    """Return the largest rectangle of the source's shape in the middle of a slot."""
    size = source.size().scaled(slot.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = slot.left() + (slot.width() - size.width()) // 2
    top = slot.top() + (slot.height() - size.height()) // 2
    return QRect(QPoint(left, top), size)
