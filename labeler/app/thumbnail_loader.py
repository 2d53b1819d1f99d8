"""Loads small pictures for lists and tiles, the newest request first."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import Runner

Key = TypeVar("Key", bound=Hashable)
Image = TypeVar("Image")

# A picture of 128 pixels a side takes 64 kB, so these take 25 MB.
MAX_THUMBNAILS_CACHED = 400
# More than a tall window shows at once; older requests have scrolled out of view.
MAX_THUMBNAIL_REQUESTS = 96


class ThumbnailLoader(Generic[Key, Image]):
    """Pictures by key; `load` runs on a worker and returns None if there is no picture."""

    def __init__(
        self,
        *,
        runner: Runner,
        load: Callable[[Key], Image | None],
        kept: int = MAX_THUMBNAILS_CACHED,
    ) -> None:
        self._runner = runner
        self._load = load
        self._known: LruCache[Key, Image | None] = LruCache(kept)
        self._requested: list[Key] = []
        self._busy = False
        self._listeners: list[Callable[[Key], None]] = []
        self._missing_listeners: list[Callable[[Key], None]] = []

    def listen(self, callback: Callable[[Key], None]) -> None:
        """Call back with each key whose picture has been loaded."""
        self._listeners.append(callback)

    def listen_for_missing(self, callback: Callable[[Key], None]) -> None:
        """Call back with each key that has no picture."""
        self._missing_listeners.append(callback)

    def is_missing(self, key: Key) -> bool:
        """Whether the key is known to have no picture."""
        return key in self._known and self._known[key] is None

    def stop_listening(self, callback: Callable[[Key], None]) -> None:
        """Stop calling this listener; after `close` there is none left to stop."""
        for listeners in (self._listeners, self._missing_listeners):
            if callback in listeners:
                listeners.remove(callback)

    def get(self, key: Key) -> Image | None:
        """Return the picture if it has been loaded."""
        if key not in self._known:
            return None
        return self._known[key]

    def request(self, keys: Iterable[Key]) -> None:
        """Request pictures in this order, before all earlier requests."""
        requested = dict.fromkeys((*keys, *self._requested))
        self._requested = [key for key in requested if key not in self._known][
            :MAX_THUMBNAIL_REQUESTS
        ]
        self._fetch_next()

    def close(self) -> None:
        """Drop all requests and callbacks."""
        self._requested.clear()
        self._listeners.clear()
        self._missing_listeners.clear()

    def _fetch_next(self) -> None:
        """Load one at a time, so that new requests needn't wait for older ones."""
        if self._busy or not self._requested:
            return
        key = self._requested.pop(0)
        self._busy = True
        self._runner.run(
            "load thumbnail",
            lambda: self._load(key),
            done=lambda picture: self._arrived(key, picture),
            # The view of the image itself reports what is wrong with it.
            failed=lambda _error: self._arrived(key, None),
            urgent=False,
        )

    def _arrived(self, key: Key, picture: Image | None) -> None:
        self._busy = False
        self._known.put(key, picture)
        for notify in self._missing_listeners if picture is None else self._listeners:
            notify(key)
        self._fetch_next()
