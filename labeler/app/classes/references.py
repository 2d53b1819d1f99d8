"""The reference images of the class in focus: fetched elsewhere, kept, fetched ahead."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import JobHandle, LatestRequest, Runner
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.images.sheet_manifest import TILE_SIZE, load_manifest, scaled_rect

Sheet = TypeVar("Sheet")

# A decoded sheet takes 6 MB at most, so this many stay well under 200 MB.
MAX_SHEETS_CACHED = 24

NO_REFERENCES_SENTENCE = "No reference images of this class in this study."
DAMAGED_SHEET_SENTENCE = (
    "The reference images of this class can't be shown: what was prepared of them is damaged. The "
    "study's lead can have them prepared anew: Set up, “Backups and check”."
)


class DamagedSheet(Exception):
    """A contact sheet is there, but can't be read or doesn't fit its manifest."""


class ReferencesState(Enum):
    """What there is to see of a class's references."""

    LOADING = "loading"
    READY = "ready"
    NONE = "none"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class TileRect:
    """Where on the decoded contact sheet one reference image is, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LoadedSheet(Generic[Sheet]):
    """A decoded contact sheet with the places of its images, in slots of so many pixels."""

    sheet: Sheet
    tiles: tuple[TileRect, ...]
    slot: int = TILE_SIZE


@dataclass(frozen=True, slots=True)
class ReferencesView(Generic[Sheet]):
    """What the reference panel shows; a sentence is in for the images where there are none."""

    state: ReferencesState
    wnid: str
    sentence: str = ""
    loaded: LoadedSheet[Sheet] | None = None


ShowReferences = Callable[[ReferencesView[Sheet]], None]
CancelFetch = Callable[[], None]
# Decodes a sheet's file with slots of so many pixels.
DecodeSheet = Callable[[Path, int], Sheet]


class References(Generic[Sheet]):
    """Fetches the references of classes and keeps those used last.

    One class at a time is open, the newest that was asked for; others may be fetched next to it.
    """

    def __init__(
        self,
        *,
        folder: Path,
        runner: Runner,
        decode: DecodeSheet[Sheet],
    ) -> None:
        self._folder = folder
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
        """The classes that have a contact sheet, whether it is sound or not."""
        return frozenset(file.stem for file in self._folder.glob("n*.jpg"))

    def listen(self, show: ShowReferences[Sheet]) -> None:
        """Have every view of the open class from now on shown by this one."""
        self._show = show

    def show_at(self, slot: int) -> None:
        """Have classes opened from now on with slots of so many pixels, and the open one again.

        What is shown of it stays until it comes.
        """
        if slot == self._slot:
            return
        self._slot = slot
        self.prefetch(())
        if self._opened is not None:
            self._give_up_opened()
            self._give_up_opened = self._want(self._opened, slot, self._show_opened)

    def open(self, wnid: str) -> None:
        """Show the class's references, at once where they are known."""
        self._give_up_opened()
        self._opened = wnid
        self._give_up_opened = self.fetch(wnid, self._show_opened, slot=self._slot)

    def _show_opened(self, view: ReferencesView[Sheet]) -> None:
        # Anyone who listens when the references arrive gets them, anyone who did when they were
        # wanted.
        self._show(view)

    def close(self) -> None:
        """Want no class's references any more."""
        self._give_up_opened()
        self._opened = None
        self.prefetch(())

    def fetch(
        self, wnid: str, show: ShowReferences[Sheet], *, slot: int = TILE_SIZE
    ) -> CancelFetch:
        """Show a class's references next to those of others; the answer gives the wish up."""
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
            failed=lambda _error: show(
                ReferencesView(ReferencesState.DAMAGED, wnid, sentence=DAMAGED_SHEET_SENTENCE)
            ),
        )
        return request.drop

    def prefetch(self, wnids: Sequence[str]) -> None:
        """Fetch what a person may look at next, and give up what was fetched ahead before."""
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
            # The fault is reported when the class itself is opened.
            failed=lambda _error: self._forget_request(wnid),
            urgent=False,
        )

    def _arrived_ahead(self, wnid: str, slot: int, loaded: LoadedSheet[Sheet] | None) -> None:
        self._forget_request(wnid)
        self._keep(wnid, slot, loaded)

    def _forget_request(self, wnid: str) -> None:
        self._ahead.pop(wnid, None)

    def _work(self, wnid: str, slot: int) -> Callable[[], LoadedSheet[Sheet] | None]:
        return lambda: load_sheet(self._folder, wnid, decode=self._decode, slot=slot)

    def _keep(
        self, wnid: str, slot: int, loaded: LoadedSheet[Sheet] | None
    ) -> ReferencesView[Sheet]:
        self._known.put((wnid, slot), loaded)
        return _view(wnid, loaded)


def load_sheet(
    folder: Path, wnid: str, *, decode: DecodeSheet[Sheet], slot: int = TILE_SIZE
) -> LoadedSheet[Sheet] | None:
    """A class's contact sheet, decoded; None where the study has no references of the class."""
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


def _nothing() -> None:
    """There is nothing to give up."""


Image = TypeVar("Image")


class ClassThumbnails(ThumbnailLoader[str, Image]):
    """The first sound reference image of each class, cut out of its contact sheet.

    No sheet is decoded as a whole for it: the decoder stops below the first row of tiles, which
    takes a tenth of the time, so no second file with first images has to be kept in step.
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
