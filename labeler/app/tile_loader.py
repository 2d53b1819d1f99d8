"""Thumbnails of many images: loaded when visible, cached, latest request first."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import Runner
from labeler.core.labeling.blind_types import EncodedImage

Image = TypeVar("Image")

# A thumbnail of 160 pixels takes 100 kB, so these take 150 MB at most; larger ones are fewer.
MAX_TILES_CACHED, _USUAL_SIDE = 1_500, 160
# More than a large window shows; earlier requests have scrolled out of view.
MAX_TILE_REQUESTS = 240
# Each occupies a decoding thread.
_PARALLEL_LOADS = 2


class TileLoader(Generic[Image]):
    """Loads and scales one image at a time on each decoding thread."""

    def __init__(
        self,
        *,
        fetch: Callable[[str], EncodedImage],
        shrink: Callable[[EncodedImage, int], Image],
        runner: Runner,
    ) -> None:
        """`shrink` gets the maximum side of the picture in pixels."""
        self._fetch, self._shrink, self._runner = fetch, shrink, runner
        self._side = _USUAL_SIDE
        self._known: LruCache[str, Image | None] = LruCache(MAX_TILES_CACHED)
        self._requested: list[str] = []
        self._under_way: set[str] = set()
        self._arrived_callback: Callable[[str], None] = lambda _visit_id: None
        self._closed = False

    def listen(self, callback: Callable[[str], None]) -> None:
        """Set the callback for each loaded image."""
        self._arrived_callback = callback

    @property
    def side(self) -> int:
        return self._side

    def size_to(self, side: int) -> None:
        """Set the side of the images in pixels; cached images of another size are dropped."""
        if side != self._side:
            self._side = side
            capacity = MAX_TILES_CACHED * _USUAL_SIDE**2 // side**2
            self._known = LruCache(max(MAX_TILE_REQUESTS, capacity))
            self._requested = []

    def get(self, visit_id: str) -> Image | None:
        if visit_id not in self._known:
            return None
        return self._known[visit_id]

    def failed(self, visit_id: str) -> bool:
        """Return whether the image was loaded and can't be shown."""
        return visit_id in self._known and self._known[visit_id] is None

    def request(self, visit_ids: Iterable[str]) -> None:
        """Request images, in order and before all earlier requests."""
        requested = dict.fromkeys((*visit_ids, *self._requested))
        unknown = [v for v in requested if v not in self._known and v not in self._under_way]
        self._requested = unknown[:MAX_TILE_REQUESTS]
        self._fetch_next()

    def close(self) -> None:
        """Drop all requests."""
        self._closed = True
        self._requested = []

    def _fetch_next(self) -> None:
        while self._requested and len(self._under_way) < _PARALLEL_LOADS:
            visit_id = self._requested.pop(0)
            self._under_way.add(visit_id)
            self._load(visit_id)

    def _load(self, visit_id: str) -> None:
        side = self._side
        self._runner.run(
            "load tile",
            lambda: self._shrink(self._fetch(visit_id), side),
            done=lambda image: self._arrived(visit_id, image, side),
            # An error is reported when the image itself is opened.
            failed=lambda _error: self._arrived(visit_id, None, side),
            urgent=False,
        )

    def _arrived(self, visit_id: str, image: Image | None, side: int) -> None:
        self._under_way.discard(visit_id)
        if side == self._side:
            self._known.put(visit_id, image)
        elif not self._closed:
            # Another size was requested while it was loading.
            self._requested.insert(0, visit_id)
        if not self._closed:
            self._arrived_callback(visit_id)
            self._fetch_next()
