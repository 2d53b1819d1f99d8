"""The sheet of the class map: scrolling, zooming and pointing."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame

from labeler.app.classes.class_map import ClassMap, MapStop
from labeler.app.classes.map_pictures import FirstReferences, MosaicLoader
from labeler.core.classes.map_layout import MapLayout, MapRect, fitting_tile, map_metrics
from labeler.ui.classes.map.map_painter import ClassMapPainter, MapScene
from labeler.ui.classes.map.mosaic_atlas import MosaicAtlas
from labeler.ui.kit.input.search_field import forward_typing
from labeler.ui.window.theme import Appearance

_MARGIN = 8
# Families have readable titles from this width of tiles on.
_FAMILY_TILE = 12
_CLASS_WIDTH = 240
_WHEEL_STEP = 120
_ZOOM_FACTOR = 1.25


class ClassMapCanvas(QAbstractScrollArea):
    """Shows the map of a presenter; only a person's actions emit signals."""

    changed = Signal()
    activated = Signal(int)
    # The class under the pointer, or None.
    hovered = Signal(object)
    typed = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        class_map: ClassMap,
        *,
        pages: MosaicLoader[QImage],
        few: FirstReferences[QImage],
        many: FirstReferences[QImage],
    ) -> None:
        super().__init__()
        self._map = class_map
        self._atlas = MosaicAtlas(class_map.arrangement, pages)
        self._painter = ClassMapPainter(appearance, class_map, self._atlas, few=few, many=many)
        self._pages, self._few, self._many = pages, few, many
        self._stops: dict[MapStop, int] = {}
        self._tile = _FAMILY_TILE
        self._layout = self._laid_out()
        self._hovered: int | None = None
        self._pressed: QPoint | None = None
        self._dragging = False
        self._scrolled = QPoint()
        self._set_up()
        self._connect(appearance)

    @property
    def tile_width(self) -> int:
        """The width of tiles at the current zoom."""
        return self._tile

    @property
    def layout_shown(self) -> MapLayout:
        """The positions at the current zoom."""
        return self._layout

    def show_view(self) -> None:
        """Show the presenter's zoom stop with the cursor in the middle."""
        self._zoom_to(self._stops.get(self._map.view.stop, _FAMILY_TILE))
        self.centre_on_cursor()
        self._announce()

    def follow_cursor(self) -> None:
        """Scroll as little as needed to have the cursor in sight."""
        rect = self._cursor_rect()
        if rect is not None:
            self._reveal(rect)
        self.viewport().update()
        self._announce()

    def centre_on_cursor(self) -> None:
        rect = self._cursor_rect()
        if rect is not None:
            middle = QPointF(rect.x + rect.width / 2, rect.y + rect.height / 2)
            self._scroll_to(middle, self._viewport_centre())
        self.viewport().update()

    def reveal_found(self) -> None:
        """Show the best match without moving the cursor, if no match is in sight."""
        found, area = self._map.view.found or (), self._area()
        if found and not any(self._layout.tile(n).meets(area) for n in found):
            self._reveal(self._layout.tile(found[0]))
        self.viewport().update()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom about a point of the viewport, or about the cursor."""
        wanted = round(self._tile * factor)
        if wanted == self._tile:
            wanted += 1 if factor > 1 else -1
        self._zoom_about(wanted, at or self._cursor_point())

    def pan(self, across: int, down: int) -> None:
        """Scroll by so many pixels."""
        bars = (self.horizontalScrollBar(), self.verticalScrollBar())
        for bar, by in zip(bars, (across, down), strict=True):
            bar.setValue(bar.value() + by)

    def close_pictures(self) -> None:
        """Stop listening for pictures."""
        self._pages.close()
        self._few.close()
        self._many.close()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self.viewport())
        scene = MapScene(
            self._layout, self._map.view, self._area(), self._hovered, focused=self.hasFocus()
        )
        self._painter.paint(painter, scene)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before, self._stops = self._stops, self._tiles_of_stops()
        at_stop = next((s for s, tile in before.items() if tile == self._tile), None)
        if not before or at_stop is not None:
            self._zoom_to(self._stops[at_stop or self._map.view.stop])
            self.centre_on_cursor()
        else:
            self._fit_scroll_bars()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / _WHEEL_STEP
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not steps:
            super().wheelEvent(event)
            return
        self.zoom_by(_ZOOM_FACTOR**steps, event.position())
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        forward_typing(event, self.typed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            self._dragging = False
            self._scrolled = QPoint(
                self.horizontalScrollBar().value(), self.verticalScrollBar().value()
            )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._hover(self._class_at(event.position()))
            return
        by = point - self._pressed
        if self._dragging or by.manhattanLength() >= QApplication.startDragDistance():
            self._dragging = True
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self.horizontalScrollBar().setValue(self._scrolled.x() - by.x())
            self.verticalScrollBar().setValue(self._scrolled.y() - by.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._dragging = self._dragging, False
        self._pressed = None
        self.viewport().unsetCursor()
        if event.button() is Qt.MouseButton.LeftButton and not dragged:
            self._point_at(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position())
        if self._map.view.cursor is not None:
            self.activated.emit(self._map.view.cursor)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # Zooming.

    def _tiles_of_stops(self) -> dict[MapStop, int]:
        size = self._room()
        text, arrangement = self._painter.text_height, self._map.arrangement
        far = fitting_tile(arrangement, size, text=text, titles=False)
        lines, heads = self._painter.title_lines, self._painter.head_lines
        fitting = fitting_tile(arrangement, size, text=text, titles=True, lines=lines, heads=heads)
        families = max(fitting, _FAMILY_TILE)
        columns = max(3, round(size[0] / _CLASS_WIDTH))
        classes = max(140, size[0] // columns - 16)
        return {
            MapStop.SUPERCLASSES: far,
            MapStop.FAMILIES: families,
            MapStop.CLASSES: classes,
            MapStop.REFERENCES: max(2 * classes, size[0] // 2 - 24),
        }

    def _zoom_about(self, tile: int, at: QPointF) -> None:
        """Zoom while the place at a point of the viewport stays where it is."""
        stops, before = self._stops, self._layout
        leaving = self._map.view.stop is MapStop.SUPERCLASSES
        tile = stops[MapStop.FAMILIES] if leaving and tile > self._tile else tile
        place = self._to_map(at)
        number = before.nearest_block(place.x(), place.y())
        self._map.zoom_to(self._stop_of(tile))
        far = self._map.view.stop is MapStop.SUPERCLASSES
        self._zoom_to(stops[MapStop.SUPERCLASSES] if far else tile)
        self._scroll_to(_same_place(place, before.blocks[number], self._layout.blocks[number]), at)

    def _stop_of(self, tile: int) -> MapStop:
        stops = self._stops
        if tile < stops[MapStop.FAMILIES]:
            return MapStop.SUPERCLASSES
        if tile < stops[MapStop.CLASSES] // 2:
            return MapStop.FAMILIES
        middle = (stops[MapStop.CLASSES] + stops[MapStop.REFERENCES]) // 2
        return MapStop.CLASSES if tile < middle else MapStop.REFERENCES

    def _zoom_to(self, tile: int) -> None:
        largest = self._stops.get(MapStop.REFERENCES, tile)
        self._tile = max(1, min(tile, largest))
        self._layout = self._laid_out()
        self._hovered = None
        self._fit_scroll_bars()

    def _laid_out(self) -> MapLayout:
        far = self._map.view.stop is MapStop.SUPERCLASSES
        metrics = map_metrics(self._tile, text=self._painter.text_height, titles=not far)
        whole = self._tile in (
            self._stops.get(MapStop.SUPERCLASSES),
            self._stops.get(MapStop.FAMILIES),
        )
        return MapLayout(
            self._map.arrangement,
            metrics,
            fill=self._room() if whole else (0, 0),
            lines=self._painter.title_lines,
            heads=self._painter.head_lines,
        )

    def _room(self) -> tuple[int, int]:
        view = self.viewport()
        return view.width() - 2 * _MARGIN, view.height() - 2 * _MARGIN

    # Scrolling.

    def _fit_scroll_bars(self) -> None:
        view, layout = self.viewport(), self._layout
        bars = (self.horizontalScrollBar(), self.verticalScrollBar())
        sides = ((layout.width, view.width()), (layout.height, view.height()))
        for bar, (whole, page) in zip(bars, sides, strict=True):
            spare = max(0, page - whole) // 2
            low = -spare if spare >= _MARGIN else -_MARGIN
            high = max(low, whole - page + _MARGIN)
            bar.setRange(low, high)
            bar.setPageStep(page)
            bar.setSingleStep(40)
        self.viewport().update()

    def _area(self) -> MapRect:
        return MapRect(
            self.horizontalScrollBar().value(),
            self.verticalScrollBar().value(),
            self.viewport().width(),
            self.viewport().height(),
        )

    def _scroll_to(self, place: QPointF, at: QPointF) -> None:
        """Scroll so that a place on the map is at a point of the viewport."""
        self.horizontalScrollBar().setValue(round(place.x() - at.x()))
        self.verticalScrollBar().setValue(round(place.y() - at.y()))

    def _reveal(self, rect: MapRect) -> None:
        area = self._area()
        # The name of the family above the class stays in sight.
        title = self._layout.metrics.title
        across = _needed(rect.x, rect.width, area.x, area.width)
        down = _needed(rect.y - title, rect.height + title, area.y, area.height)
        self.pan(across, down)

    def _to_map(self, at: QPointF) -> QPointF:
        area = self._area()
        return QPointF(at.x() + area.x, at.y() + area.y)

    def _viewport_centre(self) -> QPointF:
        return QPointF(self.viewport().width() / 2, self.viewport().height() / 2)

    def _cursor_rect(self) -> MapRect | None:
        view = self._map.view
        if view.cursor is None:
            return None
        if view.stop in (MapStop.CLASSES, MapStop.REFERENCES):
            return self._layout.tile(view.cursor)
        number = self._map.arrangement.block_of(view.cursor)
        return self._layout.blocks[number]

    def _cursor_point(self) -> QPointF:
        """Return where the cursor is in the viewport if it is in sight, or the middle."""
        rect, area = self._cursor_rect(), self._area()
        if rect is None or not rect.meets(area):
            return self._viewport_centre()
        return QPointF(rect.x + rect.width / 2 - area.x, rect.y + rect.height / 2 - area.y)

    # Pointing.

    def _class_at(self, at: QPointF) -> int | None:
        place = self._to_map(at)
        return self._layout.class_at(place.x(), place.y())

    def _point_at(self, at: QPointF) -> None:
        position = self._class_at(at)
        if position is None and self._map.view.stop in (MapStop.SUPERCLASSES, MapStop.FAMILIES):
            position = self._first_at(self._to_map(at))
        if position is not None:
            self._map.point(position)
            self.viewport().update()
            self._announce()
            self.changed.emit()

    def _first_at(self, place: QPointF) -> int | None:
        """Return the first class of the family or superclass at a place."""
        blocks = self._map.arrangement.blocks
        number = self._layout.block_at(place.x(), place.y())
        if number is not None:
            return blocks[number].first
        frames = self._layout.frames.items()
        found = next((n for n, rect in frames if rect.contains(place.x(), place.y())), None)
        return next((b.first for b in blocks if b.superclass == found), None)

    def _hover(self, position: int | None) -> None:
        if position != self._hovered:
            self._hovered = position
            self.viewport().update()
            self.hovered.emit(position)

    def _announce(self) -> None:
        """Tell screen readers what the cursor is on."""
        selected = self._map.selection()
        words = "All classes" if selected is None else selected.summary
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            if self.hasFocus():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    # Building.

    def _set_up(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Class map")
        never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(never)
        self.setVerticalScrollBarPolicy(never)

    def _connect(self, appearance: Appearance) -> None:
        appearance.changed.connect(self._follow_theme)
        self._pages.listen(self._pages_arrived)
        for references in (self._few, self._many):
            references.listen(self._picture_arrived)
            references.listen_for_missing(self._picture_arrived)

    def _follow_theme(self) -> None:
        self._painter.apply_theme()
        self._stops = self._tiles_of_stops()
        self.show_view()

    def _pages_arrived(self) -> None:
        self._atlas.pages_arrived()
        self.viewport().update()

    def _picture_arrived(self, wnid: str) -> None:
        self._painter.picture_arrived(wnid)
        self.viewport().update()


def _needed(start: int, length: int, first: int, room: int) -> int:
    """Return how far to scroll so that a range is in sight with a margin."""
    before, after = start - _MARGIN - first, start + length + _MARGIN - first - room
    if before < 0:
        return before
    return min(after, before) if after > 0 else 0


def _same_place(place: QPointF, before: MapRect, after: MapRect) -> QPointF:
    """Return the place in a block after zooming that is where `place` was in it before."""
    return QPointF(
        after.x + (place.x() - before.x) / max(1, before.width) * after.width,
        after.y + (place.y() - before.y) / max(1, before.height) * after.height,
    )
