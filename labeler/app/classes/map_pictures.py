"""The pictures of the class map: mosaic pages from afar, the first references from near."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from labeler.app.classes.references import LoadedSheet, TileRect
from labeler.app.lru_cache import LruCache
from labeler.app.runner import Runner
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.errors import EnvironmentFault
from labeler.images.mosaic_pages import (
    CLASSES_PER_PAGE,
    MosaicPage,
    build_page,
    load_page,
    pages_of,
    write_page,
)
from labeler.images.sheet_manifest import TILE_SIZE, load_manifest

Picture = TypeVar("Picture")

# Pages are decoded at a quarter, a half or all of their size, given in eighths.
SCALES = (2, 4, 8)
# A page takes 0.4, 1.8 or 7 MB; all small ones are kept, since the whole map shows them.
_LARGE_PAGES_KEPT = 12
# So many references of a class, from the top of its contact sheet, are shown at the two near stops.
FEW_COLUMNS, FEW_ROWS = 4, 1
MANY_COLUMNS, MANY_ROWS = 10, 2
_FEW_KEPT, _MANY_KEPT = 160, 40

DecodePage = Callable[[bytes, int], Picture]
DecodeTiles = Callable[[Path, TileRect], Picture]


@dataclass(frozen=True, slots=True)
class DecodedPage(Generic[Picture]):
    """A decoded page, and which of its slots have a picture."""

    picture: Picture
    pictured: tuple[bool, ...]


class MosaicLoader(Generic[Picture]):
    """Loads mosaic pages in the background, at the scale that the zoom needs."""

    def __init__(
        self, *, folder: Path, wnids: Sequence[str], runner: Runner, decode: DecodePage[Picture]
    ) -> None:
        self._folder, self._runner, self._decode = folder, runner, decode
        self._pages = pages_of(wnids)
        self._slots = {wnid: divmod(n, CLASSES_PER_PAGE) for n, wnid in enumerate(wnids)}
        self._known: dict[tuple[int, int], DecodedPage[Picture] | None] = {}
        self._large: LruCache[tuple[int, int], DecodedPage[Picture] | None] = LruCache(
            _LARGE_PAGES_KEPT
        )
        self._requested: set[tuple[int, int]] = set()
        self._notify: Callable[[], None] = lambda: None

    def listen(self, notify: Callable[[], None]) -> None:
        """Call back whenever a page has been loaded."""
        self._notify = notify

    def slot(self, wnid: str) -> tuple[int, int]:
        """Return the page of a class and its slot there."""
        return self._slots[wnid]

    def page(self, number: int, scale: int) -> DecodedPage[Picture] | None:
        """Return a page if it has been loaded at this scale, and request it otherwise."""
        key = (number, scale)
        kept = self._large if scale == SCALES[-1] else self._known
        if key in kept:
            return kept[key]
        if key not in self._requested:
            self._requested.add(key)
            self._request(key)
        return None

    def is_loading(self, number: int, scale: int) -> bool:
        return (number, scale) in self._requested

    def close(self) -> None:
        self._notify = lambda: None

    def _request(self, key: tuple[int, int]) -> None:
        self._runner.run(
            "load map page",
            lambda: self._load(*key),
            done=lambda page: self._arrived(key, page),
            # Without pictures, the map shows the names.
            failed=lambda _error: self._arrived(key, None),
            urgent=False,
        )

    def _load(self, number: int, scale: int) -> DecodedPage[Picture]:
        wnids = self._pages[number]
        page = load_page(self._folder, number, wnids)
        if page is not None:
            return self._decoded(page, page.jpeg.read_bytes(), scale)
        # Studies that were prepared by an earlier version have no pages.
        built = build_page(self._folder, number, wnids)
        # In a folder that can't be written to, it is built again next time.
        with suppress(EnvironmentFault):
            write_page(self._folder, number, built)
        return self._decoded(built.page, built.jpeg, scale)

    def _decoded(self, page: MosaicPage, jpeg: bytes, scale: int) -> DecodedPage[Picture]:
        return DecodedPage(self._decode(jpeg, scale), page.pictured)

    def _arrived(self, key: tuple[int, int], page: DecodedPage[Picture] | None) -> None:
        self._requested.discard(key)
        if key[1] == SCALES[-1]:
            self._large.put(key, page)
        else:
            self._known[key] = page
        self._notify()


class FirstReferences(ThumbnailLoader[str, LoadedSheet[Picture]]):
    """The first references of a class: the top rows of its contact sheet, which are read fast."""

    def __init__(
        self, *, folder: Path, runner: Runner, decode: DecodeTiles[Picture], many: bool = False
    ) -> None:
        columns, rows = (MANY_COLUMNS, MANY_ROWS) if many else (FEW_COLUMNS, FEW_ROWS)
        super().__init__(
            runner=runner,
            load=lambda wnid: _top_of_sheet(folder, wnid, decode, columns=columns, rows=rows),
            kept=_MANY_KEPT if many else _FEW_KEPT,
        )


def _top_of_sheet(
    folder: Path, wnid: str, decode: DecodeTiles[Picture], *, columns: int, rows: int
) -> LoadedSheet[Picture] | None:
    sheet = load_manifest(folder, wnid)
    if sheet is None:
        return None
    width, height = columns * TILE_SIZE, rows * TILE_SIZE
    tiles = [TileRect(*image.rect) for image in sheet.sound_images]
    top = tuple(t for t in tiles if t.x + t.width <= width and t.y + t.height <= height)
    if not top:
        return None
    bottom = max(tile.y + tile.height for tile in top)
    right = max(tile.x + tile.width for tile in top)
    return LoadedSheet(decode(sheet.jpeg, TileRect(0, 0, right, bottom)), top)
