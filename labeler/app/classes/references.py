"""The reference images of the selected class: loaded in the background, cached, prefetched."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import JobHandle, LatestRequest, Runner
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.errors import EnvironmentFault
from labeler.images.sheet_manifest import TILE_SIZE, load_manifest, scaled_rect

Sheet = TypeVar("Sheet")

# A decoded sheet takes 6 MB at most, so this many stay well under 200 MB.
MAX_SHEETS_CACHED = 24

NO_REFERENCES_SENTENCE = "This study has no reference images of this class."
NOT_HERE_SENTENCE = (
    "This class has reference images, but they aren't prepared on this computer. Ask the study's "
    "lead where its images are."
)
DAMAGED_SHEET_SENTENCE = (
    "The reference images of this class can't be shown, because their file is damaged. The "
    "study's lead can prepare them again in Set up, step “Backups and check”."
)


class DamagedSheet(Exception):
    """A contact sheet can't be read or doesn't match its manifest."""


class SheetNotHere(Exception):
    """The study has references of the class, but this machine has no sheet of them."""


class ReferencesState(Enum):
    """The state of a class's reference images."""

    LOADING = "loading"
    READY = "ready"
    NONE = "none"
    NOT_HERE = "not here"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class TileRect:
    """The position of a reference image on the decoded contact sheet, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LoadedSheet(Generic[Sheet]):
    """A decoded contact sheet with the positions of its images, in slots of this size."""

    sheet: Sheet
    tiles: tuple[TileRect, ...]
    slot: int = TILE_SIZE


@dataclass(frozen=True, slots=True)
class ReferencesView(Generic[Sheet]):
    """What the reference panel shows: the images, or a sentence instead."""

    state: ReferencesState
    wnid: str
    sentence: str = ""
    loaded: LoadedSheet[Sheet] | None = None


ShowReferences = Callable[[ReferencesView[Sheet]], None]
CancelFetch = Callable[[], None]
# Decodes a sheet's file with slots of the given size in pixels.
DecodeSheet = Callable[[Path, int], Sheet]


class References(Generic[Sheet]):
    """Loads the reference images of classes, and caches the most recent ones.

    One class at a time is open, the last one requested; others can be fetched as well.
    """

    def __init__(
        self,
        *,
        folder: Path,
        runner: Runner,
        decode: DecodeSheet[Sheet],
        has_references: Callable[[str], bool],
    ) -> None:
        """`has_references` asks the study about a class without a sheet; it may block."""
        self._folder = folder
        self._has_references = has_references
        self._runner = runner
        self._decode = decode
        self._slot = TILE_SIZE
        self._opened: str | None = None
        self._show: ShowReferences[Sheet] = lambda _view: None
        self._give_up_opened: CancelFetch = _nothing
        self._known: LruCache[tuple[str, int], LoadedSheet[Sheet] | None] = LruCache(
            MAX_SHEETS_CACHED
        )
        self._ahead: dict[str, JobHandle] = {}

    @property
    def illustrated(self) -> frozenset[str]:
        """The classes that have a contact sheet, even if it is damaged."""
        return frozenset(file.stem for file in self._folder.glob("n*.jpg"))

    @property
    def has_pictures(self) -> bool:
        """Whether any class has a contact sheet."""
        return any(True for _file in self._folder.glob("n*.jpg"))

    def listen(self, show: ShowReferences[Sheet]) -> None:
        """Call `show` with every view of the open class."""
        self._show = show

    def show_at(self, slot: int) -> None:
        """Set the slot size in pixels and reload the open class, which stays visible until then."""
        if slot == self._slot:
            return
        self._slot = slot
        self.prefetch(())
        if self._opened is not None:
            self._give_up_opened()
            self._give_up_opened = self._want(self._opened, slot, self._show_opened)

    def open(self, wnid: str) -> None:
        """Show the class's references, immediately if they are cached."""
        self._give_up_opened()
        self._opened = wnid
        self._give_up_opened = self.fetch(wnid, self._show_opened, slot=self._slot)

    def _show_opened(self, view: ReferencesView[Sheet]) -> None:
        # Looked up now, as the listener may have changed since the request.
        self._show(view)

    def close(self) -> None:
        """Cancel all requests."""
        self._give_up_opened()
        self._opened = None
        self.prefetch(())

    def fetch(
        self, wnid: str, show: ShowReferences[Sheet], *, slot: int = TILE_SIZE
    ) -> CancelFetch:
        """Show a class's references besides the open one's; the returned function cancels this."""
        if (wnid, slot) not in self._known:
            show(ReferencesView(ReferencesState.LOADING, wnid))
        return self._want(wnid, slot, show)

    def _want(self, wnid: str, slot: int, show: ShowReferences[Sheet]) -> CancelFetch:
        if (wnid, slot) in self._known:
            show(_view(wnid, self._known[wnid, slot]))
            return _nothing
        request = LatestRequest(self._runner)
        request.run(
            "load reference images",
            self._work(wnid, slot),
            done=lambda loaded: show(self._keep(wnid, slot, loaded)),
            failed=lambda error: show(_failed_view(wnid, error)),
        )
        return request.drop

    def prefetch(self, wnids: Sequence[str]) -> None:
        """Prefetch the classes that a person may open next, and cancel earlier prefetches."""
        for ticket in (ticket for wnid, ticket in self._ahead.items() if wnid not in wnids):
            ticket.cancel()
        unknown = [wnid for wnid in wnids if (wnid, self._slot) not in self._known]
        self._ahead = {wnid: self._ahead.get(wnid) or self._fetch_ahead(wnid) for wnid in unknown}

    def _fetch_ahead(self, wnid: str) -> JobHandle:
        slot = self._slot
        return self._runner.run(
            "prefetch reference images",
            self._work(wnid, slot),
            done=lambda loaded: self._arrived_ahead(wnid, slot, loaded),
            # Reported when the class itself is opened.
            failed=lambda _error: self._forget_request(wnid),
            urgent=False,
        )

    def _arrived_ahead(self, wnid: str, slot: int, loaded: LoadedSheet[Sheet] | None) -> None:
        self._forget_request(wnid)
        self._keep(wnid, slot, loaded)

    def _forget_request(self, wnid: str) -> None:
        self._ahead.pop(wnid, None)

    def _work(self, wnid: str, slot: int) -> Callable[[], LoadedSheet[Sheet] | None]:
        def load() -> LoadedSheet[Sheet] | None:
            loaded = load_sheet(self._folder, wnid, decode=self._decode, slot=slot)
            if loaded is None and self._has_references(wnid):
                raise SheetNotHere(wnid)
            return loaded

        return load

    def _keep(
        self, wnid: str, slot: int, loaded: LoadedSheet[Sheet] | None
    ) -> ReferencesView[Sheet]:
        self._known.put((wnid, slot), loaded)
        return _view(wnid, loaded)


def load_sheet(
    folder: Path, wnid: str, *, decode: DecodeSheet[Sheet], slot: int = TILE_SIZE
) -> LoadedSheet[Sheet] | None:
    """Return a class's decoded contact sheet, or None if there is none with a picture."""
    manifest = load_manifest(folder, wnid)
    if manifest is None:
        if any(folder.glob(f"{wnid}.*")):
            raise DamagedSheet(wnid)
        return None
    tiles = tuple(TileRect(*scaled_rect(image.rect, slot)) for image in manifest.sound_images)
    return LoadedSheet(decode(manifest.jpeg, slot), tiles, slot) if tiles else None


def _view(wnid: str, loaded: LoadedSheet[Sheet] | None) -> ReferencesView[Sheet]:
    if loaded is None:
        return ReferencesView(ReferencesState.NONE, wnid, sentence=NO_REFERENCES_SENTENCE)
    return ReferencesView(ReferencesState.READY, wnid, loaded=loaded)


def _failed_view(wnid: str, error: Exception) -> ReferencesView[Sheet]:
    """Return the view of a class whose sheet can't be shown; it isn't cached, so it may change."""
    if isinstance(error, SheetNotHere):
        return ReferencesView(ReferencesState.NOT_HERE, wnid, sentence=NOT_HERE_SENTENCE)
    if isinstance(error, EnvironmentFault):
        return ReferencesView(ReferencesState.NOT_HERE, wnid, sentence=str(error))
    return ReferencesView(ReferencesState.DAMAGED, wnid, sentence=DAMAGED_SHEET_SENTENCE)


def _nothing() -> None:
    """There is nothing to cancel."""


Image = TypeVar("Image")


class ClassThumbnails(ThumbnailLoader[str, Image]):
    """The first intact reference image of each class, cut out of its contact sheet.

    The decoder stops below the first row of tiles, which takes a tenth of the time of the whole
    sheet, so separate thumbnail files aren't needed.
    """

    def __init__(
        self, *, folder: Path, runner: Runner, decode: Callable[[Path, TileRect], Image]
    ) -> None:
        super().__init__(runner=runner, load=lambda wnid: _first_tile(folder, wnid, decode))


def _first_tile(folder: Path, wnid: str, decode: Callable[[Path, TileRect], Image]) -> Image | None:
    sheet = load_manifest(folder, wnid)
    first = next(iter(sheet.sound_images), None) if sheet else None
    if sheet is None or first is None:
        return None
    return decode(sheet.jpeg, TileRect(*first.rect))
