"""Loading the originals of reference images, since contact sheets only have small ones."""

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
    """Reads the originals of a study's reference images; may be used on any thread."""

    def __init__(self, store: StudyStore) -> None:
        self._store = store

    def read(self, wnid: str, number: int) -> EncodedImage | None:
        """Return the image of a tile, or None if its file is missing or has changed."""

        reference = self._reference(wnid, number)
        if reference is None:
            return None
        try:
            data = read_known_file(ImageFile(reference.path, content_hash=reference.content_hash))
        except UnreadableImage:
            return None
        return EncodedImage(data=data, apply_exif=reference.apply_exif)

    def _reference(self, wnid: str, number: int) -> ReferenceImage | None:
        """Return the study's image with the contents of the tile."""
        sheet = load_manifest(self._store.folder.thumbnails, wnid)
        if sheet is None or not 0 <= number < len(sheet.sound_images):
            return None
        shown = sheet.sound_images[number].content_hash
        with self._store.read() as study:
            references = study.image_roles.references(wnid)
        return next((r for r in references if r.content_hash == shown), None)


Image = TypeVar("Image")

# People step back and forth between a few; each takes up to 4 MB.
MAX_ORIGINALS_CACHED = 8


@dataclass(frozen=True, slots=True)
class OriginalKey:
    """A reference image by its class and its number in the class's sheet, from 0."""

    wnid: str
    number: int


class OriginalMissing(Exception):
    """The original is missing or has changed, so the small picture is kept."""


class OriginalLoader(Generic[Image]):
    """Loads the original that was requested last, and prefetches the next one."""

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
        """Show the original once it is loaded, and cancel earlier requests."""
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
        """Cancel all requests."""
        self._wanted.drop()
        self._ahead.drop()

    def _fetch_ahead(self, place: OriginalKey) -> None:
        """Prefetch the next original."""
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


def _ignore_error(_error: Exception) -> None:
    """Keep the small picture; the lead's check reports missing originals."""
