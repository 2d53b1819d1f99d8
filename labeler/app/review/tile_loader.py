"""Small pictures of the images to judge: fetched when in sight, kept, the newest wish first."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import Runner
from labeler.core.labeling.blind_types import EncodedImage

Image = TypeVar("Image")

# A picture of 160 pixels a side takes 100 kB, so these take 150 MB at most; larger ones are fewer.
MAX_TILES_CACHED, _USUAL_SIDE = 1_500, 160
# More than a large window shows at once; what was wished for before that has scrolled away.
MAX_TILE_REQUESTS = 240
# Each keeps a decoding thread busy.
_PARALLEL_LOADS = 2


class ReviewTileLoader(Generic[Image]):
    """Fetches and shrinks one picture at a time on each decoding thread."""

    def __init__(
        self,
        *,
        fetch: Callable[[str], EncodedImage],
        shrink: Callable[[EncodedImage, int], Image],
        runner: Runner,
    ) -> None:
        """`shrink` is shown how many pixels a side the picture may have."""
        self._fetch, self._shrink, self._runner = fetch, shrink, runner
        self._side = _USUAL_SIDE
        self._known: LruCache[str, Image | None] = LruCache(MAX_TILES_CACHED)
        self._requested: list[str] = []
        self._under_way: set[str] = set()
        self._arrived_callback: Callable[[str], None] = lambda _visit_id: None
        self._closed = False

    def listen(self, callback: Callable[[str], None]) -> None:
        """Have this one told of each picture that has come."""
        self._arrived_callback = callback

    @property
    def side(self) -> int:
        return self._side

    def size_to(self, side: int) -> None:
        """Have pictures of so many pixels a side; those of another size are forgotten."""
        if side != self._side:
            self._side = side
            kept = MAX_TILES_CACHED * _USUAL_SIDE**2 // side**2
            self._known = LruCache(max(MAX_TILE_REQUESTS, kept))
            self._requested = []

    def get(self, visit_id: str) -> Image | None:
        if visit_id not in self._known:
            return None
        return self._known[visit_id]

    def failed(self, visit_id: str) -> bool:
        """Whether the picture was fetched and can't be shown."""
        return visit_id in self._known and self._known[visit_id] is None

    def request(self, visit_ids: Iterable[str]) -> None:
        """Wish for pictures, the first first and before all that was wished for until now."""
        requested = dict.fromkeys((*visit_ids, *self._requested))
        unknown = [v for v in requested if v not in self._known and v not in self._under_way]
        self._requested = unknown[:MAX_TILE_REQUESTS]
        self._fetch_next()

    def close(self) -> None:
        """Wish for nothing any more."""
        self._closed = True
        self._requested = []

    def _fetch_next(self) -> None:
        while self._requested and len(self._under_way) < _PARALLEL_LOADS:
            visit_id = self._requested.pop(0)
            self._under_way.add(visit_id)
            self._order(visit_id)

    def _order(self, visit_id: str) -> None:
        side = self._side
        self._runner.run(
            "load review tile",
            lambda: self._shrink(self._fetch(visit_id), side),
            done=lambda image: self._arrived(visit_id, image, side),
            # What can't be shown as a tile is reported when the image itself is opened.
            failed=lambda _error: self._arrived(visit_id, None, side),
            urgent=False,
        )

    def _arrived(self, visit_id: str, image: Image | None, side: int) -> None:
        self._under_way.discard(visit_id)
        if side == self._side:
            self._known.put(visit_id, image)
        elif not self._closed:
            # It was on its way when another size was wished for.
            self._requested.insert(0, visit_id)
        if not self._closed:
            self._arrived_callback(visit_id)
            self._fetch_next()
