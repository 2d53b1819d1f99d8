"""One small picture per class, for lists and tiles: fetched when wanted, the newest wish first."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from labeler.app.presenters.references import TileRect
from labeler.app.recently_used import RecentlyUsed
from labeler.app.runner import Runner
from labeler.images.sheet_manifest import load_manifest

Image = TypeVar("Image")

# A picture of 128 pixels a side takes 64 kB, so these take 25 MB.
PICTURES_KEPT = 400
# More than a tall window shows at once; what was wished for before that has scrolled away.
WISHES_KEPT = 96


class ClassPictures(Generic[Image]):
    """The first sound reference image of each class, cut out of its contact sheet.

    No sheet is decoded as a whole for it: the decoder stops below the first row of tiles, which
    takes a tenth of the time, so no second file with first images has to be kept in step.
    """

    def __init__(
        self, *, folder: Path, runner: Runner, decode: Callable[[Path, TileRect], Image]
    ) -> None:
        self._folder = folder
        self._runner = runner
        self._decode = decode
        self._known: RecentlyUsed[str, Image | None] = RecentlyUsed(PICTURES_KEPT)
        self._wishes: list[str] = []
        self._busy = False
        self._listeners: list[Callable[[str], None]] = []

    def listen(self, callback: Callable[[str], None]) -> None:
        """Have this one told, too, of each class whose picture has come."""
        self._listeners.append(callback)

    def stop_listening(self, callback: Callable[[str], None]) -> None:
        """Tell this one nothing any more."""
        self._listeners.remove(callback)

    def get(self, wnid: str) -> Image | None:
        """The class's picture, where it is known already."""
        if wnid not in self._known:
            return None
        return self._known[wnid]

    def request(self, wnids: Iterable[str]) -> None:
        """Wish for pictures, the first first and before all that was wished for until now."""
        wishes = dict.fromkeys((*wnids, *self._wishes))
        self._wishes = [wnid for wnid in wishes if wnid not in self._known][:WISHES_KEPT]
        self._fetch_next()

    def _fetch_next(self) -> None:
        """Fetch one at a time: a wish that came meanwhile need not wait behind older ones."""
        if self._busy or not self._wishes:
            return
        wnid = self._wishes.pop(0)
        self._busy = True
        self._runner.submit(
            lambda _job: self._load(wnid),
            done=lambda picture: self._arrived(wnid, picture),
            # The reference panel tells what is wrong with the class's sheet.
            failed=lambda _error: self._arrived(wnid, None),
            urgent=False,
        )

    def _arrived(self, wnid: str, picture: Image | None) -> None:
        self._busy = False
        self._known.put(wnid, picture)
        if picture is not None:
            for tell in self._listeners:
                tell(wnid)
        self._fetch_next()

    def _load(self, wnid: str) -> Image | None:
        sheet = load_manifest(self._folder, wnid)
        first = next(iter(sheet.sound_images), None) if sheet else None
        if sheet is None or first is None:
            return None
        return self._decode(sheet.jpeg, TileRect(*first.rect))
