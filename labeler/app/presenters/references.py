"""The reference images of the class in focus: fetched elsewhere, kept, fetched ahead."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Generic, TypeVar

from labeler.app.recently_used import RecentlyUsed
from labeler.app.runner import Job, Latest, Runner, Ticket

Sheet = TypeVar("Sheet")

# A decoded sheet takes some 6 MB, so this many stay well under 200 MB.
SHEETS_KEPT = 24

NO_REFERENCES = "No reference images of this class in this study."
DAMAGED = (
    "The reference images of this class can't be shown: their contact sheet is damaged. "
    "The study's lead can mend it: “labeler check” names the command."
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
    """Where on the contact sheet one reference image lies, in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LoadedSheet(Generic[Sheet]):
    """A decoded contact sheet with the places of its images."""

    sheet: Sheet
    tiles: tuple[TileRect, ...]


@dataclass(frozen=True, slots=True)
class ReferencesView(Generic[Sheet]):
    """What the reference panel shows; a sentence stands in for the images where there are none."""

    state: ReferencesState
    wnid: str
    sentence: str = ""
    loaded: LoadedSheet[Sheet] | None = None


class References(Generic[Sheet]):
    """Shows one class's references at a time, the newest that was asked for."""

    def __init__(
        self,
        *,
        folder: Path,
        runner: Runner,
        decode: Callable[[Path], Sheet],
    ) -> None:
        self._folder = folder
        self._runner = runner
        self._decode = decode
        self._show: Callable[[ReferencesView[Sheet]], None] = lambda _view: None
        self._latest = Latest(runner)
        self._known: RecentlyUsed[str, LoadedSheet[Sheet] | None] = RecentlyUsed(SHEETS_KEPT)
        self._ahead: list[Ticket] = []

    @property
    def illustrated(self) -> frozenset[str]:
        """The classes that have a contact sheet, whether it is sound or not."""
        return frozenset(file.stem for file in self._folder.glob("n*.jpg"))

    def listen(self, show: Callable[[ReferencesView[Sheet]], None]) -> None:
        """Have every view from now on shown by this one."""
        self._show = show

    def open(self, wnid: str) -> None:
        """Show the class's references, at once where they are known."""
        self._latest.drop()
        if wnid in self._known:
            self._show(_view(wnid, self._known[wnid]))
            return
        self._show(ReferencesView(ReferencesState.LOADING, wnid))
        self._latest.request(
            self._work(wnid),
            done=lambda loaded: self._arrived(wnid, loaded),
            failed=lambda _error: self._show(
                ReferencesView(ReferencesState.DAMAGED, wnid, sentence=DAMAGED)
            ),
        )

    def close(self) -> None:
        """Want no class's references any more."""
        self._latest.drop()
        self.prefetch(())

    def prefetch(self, wnids: Sequence[str]) -> None:
        """Fetch what a person may look at next, and give up what was fetched ahead before."""
        for ticket in self._ahead:
            ticket.cancel()
        self._ahead = [self._fetch(wnid) for wnid in wnids if wnid not in self._known]

    def _fetch(self, wnid: str) -> Ticket:
        return self._runner.submit(
            self._work(wnid),
            done=lambda loaded: self._known.put(wnid, loaded),
            # The fault is told when the class itself is opened.
            failed=lambda _error: None,
            urgent=False,
        )

    def _work(self, wnid: str) -> Callable[[Job], LoadedSheet[Sheet] | None]:
        return lambda _job: load_sheet(self._folder, wnid, decode=self._decode)

    def _arrived(self, wnid: str, loaded: LoadedSheet[Sheet] | None) -> None:
        self._known.put(wnid, loaded)
        self._show(_view(wnid, loaded))


def load_sheet(
    folder: Path, wnid: str, *, decode: Callable[[Path], Sheet]
) -> LoadedSheet[Sheet] | None:
    """A class's contact sheet, decoded; None where the study has no references of the class."""
    # Pillow and NumPy come with it: a worker can wait for them, the window's first paint can't.
    from labeler.images.contact_sheets import load_manifest

    manifest = load_manifest(folder, wnid)
    if manifest is None:
        if any(folder.glob(f"{wnid}.*")):
            raise DamagedSheet(wnid)
        return None
    tiles = tuple(TileRect(*image.rect) for image in manifest.images if image.problem is None)
    return LoadedSheet(sheet=decode(manifest.jpeg), tiles=tiles) if tiles else None


def _view(wnid: str, loaded: LoadedSheet[Sheet] | None) -> ReferencesView[Sheet]:
    if loaded is None:
        return ReferencesView(ReferencesState.NONE, wnid, sentence=NO_REFERENCES)
    return ReferencesView(ReferencesState.READY, wnid, loaded=loaded)
