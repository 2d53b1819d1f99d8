"""Small pictures for lists and tiles: fetched when wanted, the newest wish first."""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from labeler.app.lru_cache import LruCache
from labeler.app.runner import Runner

Key = TypeVar("Key", bound=Hashable)
Image = TypeVar("Image")

# A picture of 128 pixels a side takes 64 kB, so these take 25 MB.
MAX_THUMBNAILS_CACHED = 400
# More than a tall window shows at once; what was wished for before that has scrolled away.
MAX_THUMBNAIL_REQUESTS = 96


class ThumbnailLoader(Generic[Key, Image]):
    """Pictures by key; `load` works elsewhere, and gives None where there is no picture."""

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
        """Call back with each key that turned out to have no picture."""
        self._missing_listeners.append(callback)

    def is_missing(self, key: Key) -> bool:
        """Whether it is known that there is no picture."""
        return key in self._known and self._known[key] is None

    def stop_listening(self, callback: Callable[[Key], None]) -> None:
        """Stop telling this listener; after `close` there is none left to stop."""
        if callback in self._listeners:
            self._listeners.remove(callback)

    def get(self, key: Key) -> Image | None:
        """The picture, where it is known already."""
        if key not in self._known:
            return None
        return self._known[key]

    def request(self, keys: Iterable[Key]) -> None:
        """Wish for pictures, the first first and before all that was wished for until now."""
        requested = dict.fromkeys((*keys, *self._requested))
        self._requested = [key for key in requested if key not in self._known][
            :MAX_THUMBNAIL_REQUESTS
        ]
        self._fetch_next()

    def close(self) -> None:
        """Request nothing more, and forget all listeners."""
        self._requested.clear()
        self._listeners.clear()
        self._missing_listeners.clear()

    def _fetch_next(self) -> None:
        """Fetch one at a time: a wish that came meanwhile need not wait behind older ones."""
        if self._busy or not self._requested:
            return
        key = self._requested.pop(0)
        self._busy = True
        self._runner.submit(
            lambda _job: self._load(key),
            done=lambda picture: self._arrived(key, picture),
            # What is wrong with the picture is said where the image itself is shown.
            failed=lambda _error: self._arrived(key, None),
            urgent=False,
        )

    def _arrived(self, key: Key, picture: Image | None) -> None:
        self._busy = False
        self._known.put(key, picture)
        for notify in self._missing_listeners if picture is None else self._listeners:
            notify(key)
        self._fetch_next()
