"""The originals of reference images: fetched when one is enlarged, since sheets hold small ones."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import LatestRequest, Runner, ignore
from labeler.core.datasets.image_file import ImageFile
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.file_reader import read_known_file
from labeler.images.sheet_manifest import load_manifest
from labeler.images.unreadable import UnreadableImage
from labeler.store.datasets.image_roles import ReferenceImage
from labeler.store.study_store import StudyStore


class OriginalReader:
    """The originals behind the tiles of a study's reference panels; may be asked on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def read(self, wnid: str, number: int) -> EncodedImage | None:
        """The image behind a tile, or None where its file is gone or isn't what the tile shows."""
        reference = self._reference(wnid, number)
        if reference is None:
            return None
        try:
            data = read_known_file(ImageFile(reference.path, content_hash=reference.content_hash))
        except UnreadableImage:
            return None
        return EncodedImage(data=data, apply_exif=reference.apply_exif)

    def _reference(self, wnid: str, number: int) -> ReferenceImage | None:
        """The study's image that the sheet shows as that tile, known by its contents."""
        sheet = load_manifest(self._store.folder.thumbnails, wnid)
        if sheet is None or not 0 <= number < len(sheet.sound_images):
            return None
        shown = sheet.sound_images[number].content_hash
        with self._store.read() as study:
            references = study.image_roles.references(wnid)
        return next((r for r in references if r.content_hash == shown), None)


Image = TypeVar("Image")

# A person steps to and fro between a few; each takes up to 4 MB.
MAX_ORIGINALS_CACHED = 8


@dataclass(frozen=True, slots=True)
class OriginalKey:
    """A reference image by its class and its number in the class's panel, from 0."""

    wnid: str
    number: int


class OriginalMissing(Exception):
    """The original isn't there or has changed; the small picture has to do."""


class OriginalLoader(Generic[Image]):
    """Shows one original at a time, the newest that was asked for, and fetches its neighbours."""

    def __init__(
        self,
        *,
        runner: Runner,
        read: Callable[[str, int], EncodedImage | None],
        decode: Callable[[EncodedImage], Image],
    ) -> None:
        self._read = read
        self._decode = decode
        self._wanted = LatestRequest(runner)
        self._ahead = LatestRequest(runner)
        self._known: LruCache[OriginalKey, Image] = LruCache(MAX_ORIGINALS_CACHED)

    def show(self, place: OriginalKey, show: Callable[[Image], None]) -> None:
        """Show the original when it is there; what was asked for before is given up."""
        self.drop()
        if place in self._known:
            show(self._known[place])
            self._fetch_ahead(place)
            return

        def arrived(picture: Image) -> None:
            self._known.put(place, picture)
            show(picture)
            self._fetch_ahead(place)

        # Without the original the small picture stays; the check of the study reports the file.
        self._wanted.run("load enlarged image", self._work(place), done=arrived, failed=ignore)

    def drop(self) -> None:
        """Want no original any more."""
        self._wanted.drop()
        self._ahead.drop()

    def _fetch_ahead(self, place: OriginalKey) -> None:
        """Have the next one ready for anyone who steps on through the enlarged images."""
        following = replace(place, number=place.number + 1)
        if following not in self._known:
            self._ahead.run(
                "prefetch enlarged image",
                self._work(following),
                done=lambda picture: self._known.put(following, picture),
                failed=ignore,
            )

    def _work(self, place: OriginalKey) -> Callable[[], Image]:
        def fetch() -> Image:
            encoded = self._read(place.wnid, place.number)
            if encoded is None:
                raise OriginalMissing
            return self._decode(encoded)

        return fetch
