"""Composes the blocks of the map from mosaic pages, so that painting a family is one copy."""

from collections import OrderedDict
from functools import lru_cache

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap

from labeler.app.classes.map_pictures import SCALES, DecodedPage, MosaicLoader
from labeler.core.classes.map_layout import MapArrangement
from labeler.images.mosaic_pages import PAGE_COLUMNS, TILE_HEIGHT, TILE_WIDTH

Pixels = NDArray[np.uint8]

# Pixels of all kept blocks and scaled pages: enough for several zooms of the whole screen.
_MAX_KEPT_PIXELS = 12_000_000
_HATCH_SPACING = 8


def decode_page(jpeg: bytes, eighths: int) -> QImage:
    """Decode a mosaic page at some eighths of its size; may be called on any thread."""
    wanted = PAGE_COLUMNS * TILE_WIDTH * eighths // 8
    height, _width, *_kind = simplejpeg.decode_jpeg_header(jpeg, min_width=wanted)
    image = QImage(wanted, int(height), QImage.Format.Format_RGB32)
    simplejpeg.decode_jpeg(jpeg, "BGRA", fastdct=True, min_width=wanted, buffer=image.bits())
    return image


class MosaicAtlas:
    """Pictures of whole families at one size of tiles, in device pixels."""

    def __init__(self, arrangement: MapArrangement, loader: MosaicLoader[QImage]) -> None:
        self._arrangement, self._loader = arrangement, loader
        slots = [loader.slot(wnid) for wnid in arrangement.wnids]
        self._pages = np.array([page for page, _slot in slots], dtype=np.int32)
        self._slots = np.array([slot for _page, slot in slots], dtype=np.int32)
        self._kept: OrderedDict[tuple[int, ...], tuple[QPixmap, bool]] = OrderedDict()
        self._kept_pixels = 0
        self._ground = QColor("#707070")
        self._gap = QColor("#ffffff")
        self._hatch = lru_cache(4)(self._hatched)
        self._tiles = lru_cache(128)(self._page_tiles)

    def set_colours(self, *, ground: QColor, gap: QColor) -> None:
        """Set the colours of tiles without a picture, and of the gaps between tiles."""
        self._ground, self._gap = ground, gap
        self.drop()
        self._hatch.cache_clear()

    def drop(self) -> None:
        """Forget composed blocks, as other pages have been loaded."""
        self._kept.clear()
        self._kept_pixels = 0

    def pages_arrived(self) -> None:
        """Compose incomplete blocks again."""
        for key, (pixmap, complete) in list(self._kept.items()):
            if not complete:
                self._kept_pixels -= pixmap.width() * pixmap.height()
                del self._kept[key]

    def block(self, number: int, width: int, height: int, gap: int) -> QPixmap:
        """Return the tiles of a family, as many as are loaded."""
        key = (number, width, height, gap)
        known = self._kept.get(key)
        if known is None:
            known = self._compose(number, width, height, gap)
            self._keep(key, known)
        self._kept.move_to_end(key)
        return known[0]

    def picture(self, position: int, scale: int = SCALES[-1]) -> tuple[QImage, int, int] | None:
        """Return the page with a class's picture, and where on it; None if there is none."""
        page = self._loader.page(int(self._pages[position]), scale)
        slot = int(self._slots[position])
        if page is None or not page.pictured[slot]:
            return None
        row, column = divmod(slot, PAGE_COLUMNS)
        return page.picture, column * TILE_WIDTH * scale // 8, row * TILE_HEIGHT * scale // 8

    def is_loading(self, position: int, scale: int = SCALES[-1]) -> bool:
        """Whether the page of a class is still being loaded."""
        return self._loader.is_loading(int(self._pages[position]), scale)

    def hatch(self, width: int, height: int) -> QPixmap:
        """Return a tile for a class without a picture."""
        return QPixmap.fromImage(self._hatched(width, height))

    def _keep(self, key: tuple[int, ...], made: tuple[QPixmap, bool]) -> None:
        self._kept[key] = made
        self._kept_pixels += made[0].width() * made[0].height()
        while self._kept_pixels > _MAX_KEPT_PIXELS and len(self._kept) > 1:
            _key, (oldest, _complete) = self._kept.popitem(last=False)
            self._kept_pixels -= oldest.width() * oldest.height()

    def _compose(self, number: int, width: int, height: int, gap: int) -> tuple[QPixmap, bool]:
        block = self._arrangement.blocks[number]
        shape = (block.rows, height + gap, block.columns, width + gap, 4)
        pixels: Pixels = np.empty(shape, dtype=np.uint8)
        pixels[:] = _bgra(self._gap)
        within = np.arange(block.count)
        rows, columns = np.divmod(within, block.columns)
        pages = self._pages[block.first : block.first + block.count]
        slots = self._slots[block.first : block.first + block.count]
        complete = True
        for page in np.unique(pages):
            mine = pages == page
            tiles = self._tiles_of(int(page), width, height)
            complete = complete and tiles is not None
            if tiles is not None:
                pixels[rows[mine], :height, columns[mine], :width] = tiles[slots[mine]]
            else:
                pixels[rows[mine], :height, columns[mine], :width] = _bgra(self._ground)
        across, down = block.columns * (width + gap), block.rows * (height + gap)
        image = QImage(pixels.tobytes(), across, down, 4 * across, QImage.Format.Format_RGB32)
        return QPixmap.fromImage(image), complete

    def _tiles_of(self, page: int, width: int, height: int) -> Pixels | None:
        scale = next((s for s in SCALES if TILE_WIDTH * s // 8 >= width), SCALES[-1])
        loaded = self._loader.page(page, scale)
        return None if loaded is None else self._tiles(page, width, height, _Page(loaded))

    def _page_tiles(self, _number: int, width: int, height: int, page: "_Page") -> Pixels:
        """Return the tiles of a page at a size, with hatched ones where there is no picture."""
        picture, pictured = page.decoded.picture, page.decoded.pictured
        rows = -(-len(pictured) // PAGE_COLUMNS)
        smooth = Qt.TransformationMode.SmoothTransformation
        size = QSize(PAGE_COLUMNS * width, rows * height)
        pixels = _pixels(picture.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
        tiles = pixels.reshape(rows, height, PAGE_COLUMNS, width, 4).transpose(0, 2, 1, 3, 4)
        tiles = tiles.reshape(rows * PAGE_COLUMNS, height, width, 4).copy()
        missing = np.flatnonzero(~np.array(pictured, dtype=bool))
        tiles[missing] = _pixels(self._hatch(width, height))
        return tiles

    def _hatched(self, width: int, height: int) -> QImage:
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(self._ground)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        spacing = max(4, min(_HATCH_SPACING * 2, width // 4))
        painter.setPen(QPen(self._ground.darker(112), spacing / 2))
        for x in range(-height, width + height, spacing):
            painter.drawLine(x, height, x + height, 0)
        painter.end()
        return image


class _Page:
    """A page as the key of a cache: equal only to itself."""

    __slots__ = ("decoded",)

    def __init__(self, decoded: DecodedPage[QImage]) -> None:
        self.decoded = decoded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Page) and other.decoded is self.decoded

    def __hash__(self) -> int:
        return id(self.decoded)


def _pixels(image: QImage) -> Pixels:
    converted = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(converted.constBits(), dtype=np.uint8)
    across = converted.bytesPerLine()
    pixels: Pixels = data.reshape(converted.height(), across // 4, 4)[:, : converted.width()]
    return pixels.copy()


def _bgra(colour: QColor) -> tuple[int, int, int, int]:
    return colour.blue(), colour.green(), colour.red(), 255
