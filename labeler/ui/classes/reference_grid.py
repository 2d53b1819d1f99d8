"""The reference images of a class, painted straight from its contact sheet."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from labeler.app.classes.reference_originals import OriginalKey, OriginalLoader
from labeler.app.classes.references import LoadedSheet, TileRect
from labeler.app.keymap import Action
from labeler.images.sheet_manifest import TILE_SIZE, slot_size_for
from labeler.ui.classes.enlarged_tile import EnlargedTile
from labeler.ui.classes.tile_layout import TILE_GAP, TileLayout, fitting_size
from labeler.ui.kit.pictures.tile_scroll_area import TileScrollArea
from labeler.ui.window.actions import Handlers
from labeler.ui.window.theme import Appearance

TILE_SIZES = (64, 80, 96, 112, 128, 160, 192, 256)
DEFAULT_TILE_SIZE = 96


class ReferenceGrid(TileScrollArea):
    """A scrollable grid of tiles with one current tile, which can be enlarged in place."""

    tile_size_changed = Signal(int)
    # Emits the slot size at which a sheet could be painted without scaling.
    slot_wanted = Signal(int)
    tile_enlarged = Signal(int)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._sheet = QPixmap()
        self._slot = TILE_SIZE
        self._tiles: tuple[TileRect, ...] = ()
        self._tile_size = DEFAULT_TILE_SIZE
        # Whether tiles follow the panel, and whether they do so until another size is chosen.
        self._is_fitted = self._fits_usually = False
        self._emitted_slot = 0
        self._layout: TileLayout | None = None
        self._current = 0
        self._enlarged: EnlargedTile | None = None
        self._enlarge_host: QWidget = self.viewport()
        appearance.changed.connect(self.viewport().update)

    @property
    def tiles(self) -> tuple[TileRect, ...]:
        return self._tiles

    @property
    def current(self) -> int:
        return self._current

    @property
    def tile_size(self) -> int:
        return self.size_for(self.viewport().width())

    @property
    def visible_tiles(self) -> range:
        """The tiles that are visible as a whole."""
        layout, top = self.tile_layout(), self.scrolled
        bottom = top + self.viewport().height()
        whole = [
            number
            for number in layout.between(top, bottom)
            if layout.rect(number).top() >= top and layout.rect(number).bottom() < bottom
        ]
        return range(whole[0], whole[-1] + 1) if whole else range(0)

    @property
    def slot(self) -> int:
        """The slot size of the shown sheet, in pixels."""
        return self._slot

    @property
    def sharp_slot(self) -> int:
        """The slot size at which tiles could be painted without scaling."""
        return slot_size_for(round(self.tile_size * self.devicePixelRatioF()))

    @property
    def is_enlarged(self) -> bool:
        return self._enlarged is not None and not self._enlarged.isHidden()

    @property
    def enlarged_tile(self) -> EnlargedTile:
        """The overlay for an enlarged image; made when first used, as most grids need none."""
        if self._enlarged is None:
            self._enlarged = EnlargedTile(self._appearance, self._enlarge_host)
            self._enlarged.left.connect(self.put_back)
            self._enlarged.stepped.connect(self.step)
        return self._enlarged

    @property
    def columns(self) -> int:
        return self.tile_layout().columns

    def tile_layout(self) -> TileLayout:
        """The current positions of the tiles."""
        if self._layout is None:
            self._layout = TileLayout(
                count=len(self._tiles),
                size=self.size_for(self.viewport().width()),
                width=self.viewport().width(),
                tallness=self._tallness,
                sharpest=round(self.sharp_slot / self.devicePixelRatioF()),
            )
        return self._layout

    @property
    def _tallness(self) -> float:
        tallest = max((tile.height for tile in self._tiles), default=self._slot)
        return tallest / self._slot

    def size_for(self, width: int) -> int:
        """Return the tile width for a grid of this width: what fits, or what the person chose."""
        if not self._is_fitted:
            return self._tile_size
        return fitting_size(
            count=len(self._tiles),
            width=width,
            height=self.viewport().height(),
            tallness=self._tallness,
        )

    def fit_tiles(self) -> None:
        """Scale the tiles with the panel until the person chooses a size."""
        self._is_fitted = self._fits_usually = True
        self._set_range()

    def use_usual_size(self) -> None:
        """Return to the size before the person chose one."""
        if not self._fits_usually:
            self.set_tile_size(DEFAULT_TILE_SIZE)
        elif not self._is_fitted:
            self._is_fitted = True
            self._set_range()
            self._ensure_visible()
            self.tile_size_changed.emit(0)

    def show_tiles(self, loaded: LoadedSheet[QImage]) -> None:
        """Show other images, starting at the first."""
        self._take(QPixmap.fromImage(loaded.sheet), loaded.tiles, loaded.slot)
        self._set_range()
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def exchange_tiles(self, loaded: LoadedSheet[QImage]) -> None:
        """Show the same images from a sheet that was decoded at another size."""
        self._sheet, self._slot = QPixmap.fromImage(loaded.sheet), loaded.slot
        self._tiles = loaded.tiles
        self._set_range()
        self._ensure_visible()

    def clear_tiles(self) -> None:
        """Drop the images, but keep them on the screen until others arrive.

        Others usually arrive within a frame, and an empty grid in between would flicker.
        """
        self._take(QPixmap(), (), TILE_SIZE)

    def set_tile_size(self, size: int) -> None:
        """Use the nearest available size, and keep the current tile visible."""
        nearest = min(TILE_SIZES, key=lambda offered: abs(offered - size))
        if self._is_fitted or nearest != self._tile_size:
            self._tile_size, self._is_fitted = nearest, False
            self._set_range()
            self._ensure_visible()
            self.tile_size_changed.emit(nearest)
            self.slot_wanted.emit(self.sharp_slot)

    def resize_tiles(self, steps: int) -> None:
        """Use a larger size, or a smaller one if negative."""
        now = min(TILE_SIZES, key=lambda offered: abs(offered - self.tile_size))
        place = TILE_SIZES.index(now) + steps
        self.set_tile_size(TILE_SIZES[max(0, min(place, len(TILE_SIZES) - 1))])

    def step(self, tiles: int) -> None:
        """Move the current tile."""
        self.go_to(self._current + tiles)

    def go_to(self, number: int) -> None:
        """Make a tile current; beyond either end, the last one there."""
        self._current = max(0, min(number, len(self._tiles) - 1))
        self._ensure_visible()
        self._describe()
        if self.is_enlarged:
            self._show_enlarged()

    def enlarge_or_put_back(self) -> None:
        if self.is_enlarged:
            self.put_back()
        elif self._tiles:
            self._show_enlarged()

    def put_back(self) -> None:
        if self._enlarged is not None:
            self._enlarged.hide()

    def enlarge_over(self, host: QWidget) -> None:
        """Enlarge images over another widget, where this grid is too small for them."""
        self._enlarge_host = host
        if self._enlarged is not None:
            self._enlarged.cover(host)

    def sharpen(self, number: int, picture: QPixmap) -> None:
        """Show the original of the enlarged image, unless another one is enlarged by now."""
        if self.is_enlarged and number == self._current:
            self.enlarged_tile.sharpen(picture)

    def event(self, event: QEvent) -> bool:
        # A tile has more device pixels on a high-density screen.
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._set_range()
            self.slot_wanted.emit(self.sharp_slot)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._appearance.colour("surround"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        scrolled, layout = self.scrolled, self.tile_layout()
        top, bottom = event.rect().top() + scrolled, event.rect().bottom() + scrolled
        for number in layout.between(top, bottom):
            self._paint_tile(painter, number, layout.rect(number).translated(0, -scrolled))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_range()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.tile_layout().at(event.position().toPoint() + self._offset())
        if number is not None and event.button() is Qt.MouseButton.LeftButton:
            self.go_to(number)
            self._show_enlarged()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.resize_tiles(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def _take(self, sheet: QPixmap, tiles: tuple[TileRect, ...], slot: int) -> None:
        self._sheet, self._tiles, self._slot, self._current = sheet, tiles, slot, 0
        self._layout = None
        self.put_back()
        self._describe()

    def _offset(self) -> QPoint:
        return QPoint(0, self.scrolled)

    def _paint_tile(self, painter: QPainter, number: int, where: QRect) -> None:
        tile = self._tiles[number]
        scale = where.width() / self._slot
        width, height = round(tile.width * scale), round(tile.height * scale)
        x = where.left() + (where.width() - width) // 2
        y = where.top() + (where.height() - height) // 2
        # In whole pixels, because half-pixel offsets would blur tiles.
        painter.drawPixmap(
            x, y, width, height, self._sheet, tile.x, tile.y, tile.width, tile.height
        )
        if number == self._current and self.hasFocus():
            painter.setPen(QPen(self._appearance.colour("focus_on_surround"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(where.adjusted(-3, -3, 3, 3))

    def _set_range(self) -> None:
        self._layout = None
        self.fit_scroll_bar(self.tile_layout().height, step=self.tile_size // 2)
        if self._is_fitted and self._tiles and self.sharp_slot != self._emitted_slot:
            self._emitted_slot = self.sharp_slot
            self.slot_wanted.emit(self._emitted_slot)

    def _ensure_visible(self) -> None:
        where = self.tile_layout().rect(self._current).adjusted(0, -TILE_GAP, 0, TILE_GAP)
        self.scroll_to(where.top(), where.bottom())
        self.viewport().update()

    def _show_enlarged(self) -> None:
        tile = self._tiles[self._current]
        place = f"{self._current + 1} of {len(self._tiles)}"
        self.enlarged_tile.show_tile(self._sheet, tile, place)
        self.tile_enlarged.emit(self._current)

    def _describe(self) -> None:
        total = len(self._tiles)
        self.setAccessibleDescription(f"Image {self._current + 1} of {total}" if total else "")


def reference_image_keys(grid: ReferenceGrid, *, leave: Callable[[], object]) -> Handlers:
    """The keys of `Scope.REFERENCES`; leaving closes an enlarged image first."""
    return {
        Action.ENLARGE: grid.enlarge_or_put_back,
        Action.LEAVE: lambda: grid.put_back() if grid.is_enlarged else leave(),
        Action.NEXT_IMAGE: lambda: grid.step(1),
        Action.PREVIOUS_IMAGE: lambda: grid.step(-1),
        Action.IMAGE_BELOW: lambda: grid.step(grid.columns),
        Action.IMAGE_ABOVE: lambda: grid.step(-grid.columns),
        Action.FIRST_IMAGE: lambda: grid.go_to(0),
        Action.LAST_IMAGE: lambda: grid.go_to(len(grid.tiles) - 1),
    }


def tile_size_keys(grid: ReferenceGrid) -> Handlers:
    """The keys of `Scope.TILES`."""
    return {
        Action.LARGER_TILES: lambda: grid.resize_tiles(1),
        Action.SMALLER_TILES: lambda: grid.resize_tiles(-1),
        Action.USUAL_TILES: grid.use_usual_size,
    }


def load_originals(
    originals: OriginalLoader[QImage], grid: ReferenceGrid, *, wnid: Callable[[], str]
) -> None:
    """Show images enlarged in the grid from their originals."""

    def fetch(number: int) -> None:
        originals.show(OriginalKey(wnid(), number), lambda image: arrived(number, image))

    def arrived(number: int, image: QImage) -> None:
        # The column may have been removed while its image was loading.
        if isValid(grid):
            grid.sharpen(number, QPixmap.fromImage(image))

    grid.tile_enlarged.connect(fetch)
