"""Loads, decodes and scales the images of trials on workers, the next ones ahead of time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from threading import Lock
from typing import Generic, TypeVar

from labeler.app.incidents import record_incident
from labeler.app.lru_cache import LruCache
from labeler.app.runner import JobHandle, Runner
from labeler.core.clock import Clock
from labeler.core.labeling.blind_types import BlindImage, EncodedImage
from labeler.core.view_geometry import Viewport

Pixels = TypeVar("Pixels")
T = TypeVar("T")

# The current image, the next ones, and two to go back to.
MAX_IMAGES_CACHED = 6
PREFETCH_COUNT = 3

# Images prepared before the window has its size are scaled again, which costs little.
_USUAL_VIEWPORT = Viewport(width=800, height=600)

IMAGE_ERROR = (
    "This image can't be shown: incident {number}. {advice}, and tell the lead of the "
    "study this number."
)
FLAG_ADVICE = "Flag it to go on"


class TrialImageState(Enum):
    """The state of a trial's image."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TrialImageView(Generic[Pixels]):
    """The image, or a sentence if it can't be shown."""

    state: TrialImageState
    trial_id: str
    sentence: str = ""
    image: BlindImage[Pixels] | None = None


class TrialImageLoader(Generic[Pixels]):
    """Shows the image of one trial at a time, the last one requested.

    `prepare` decodes and scales, `refit` scales what is decoded for another viewport; both run on
    worker threads.
    """

    def __init__(
        self,
        *,
        fetch: Callable[[str], EncodedImage],
        prepare: Callable[[EncodedImage, Viewport], Pixels],
        refit: Callable[[Pixels, Viewport], Pixels],
        runner: Runner,
        clock: Clock,
        advice: str = FLAG_ADVICE,
    ) -> None:
        """`advice` says what a person can do if an image can't be shown."""
        self._advice = advice
        self._fetch, self._prepare, self._refit = fetch, prepare, refit
        self._runner = runner
        self._clock = clock
        self._show: Callable[[TrialImageView[Pixels]], None] = lambda _view: None
        self._viewport = _USUAL_VIEWPORT
        self._shown: str | None = None
        self._ahead: tuple[str, ...] = ()
        self._kept: LruCache[str, _Kept[Pixels]] = LruCache(MAX_IMAGES_CACHED)
        self._orders: dict[str, _Order[Pixels]] = {}

    def listen(self, show: Callable[[TrialImageView[Pixels]], None]) -> None:
        """Set the callback for all views from now on."""
        self._show = show

    def show(self, trial_id: str) -> None:
        """Show the trial's image, immediately if it is loaded; a failed one is tried again."""
        self._shown = trial_id
        self._give_up_unwanted()
        if trial_id in self._kept:
            self._notify_ready(trial_id, self._kept[trial_id].pixels)
            self._refit_old(trial_id)
        else:
            self._show(TrialImageView(TrialImageState.LOADING, trial_id))
            self._load(trial_id)

    def prefetch(self, trial_ids: Sequence[str]) -> None:
        """Load the next images, and cancel others that were loading ahead."""
        self._ahead = tuple(trial_ids[:PREFETCH_COUNT])
        self._give_up_unwanted()
        for trial_id in self._ahead:
            if trial_id not in self._kept and trial_id not in self._orders:
                self._load(trial_id)

    def set_viewport(self, viewport: Viewport) -> None:
        """Scale the current and the next images to another viewport."""
        if viewport != self._viewport:
            self._viewport = viewport
            for trial_id in self._wanted:
                self._refit_old(trial_id)

    def close(self) -> None:
        """Show nothing, cancel all loading and empty the cache."""
        self._shown, self._ahead = None, ()
        self._give_up_unwanted()
        self._kept = LruCache(MAX_IMAGES_CACHED)

    @property
    def _wanted(self) -> tuple[str, ...]:
        return self._ahead if self._shown is None else (self._shown, *self._ahead)

    def _load(self, trial_id: str) -> None:
        """Load an image; if it is loading ahead, load it urgently instead."""
        before, viewport = self._orders.get(trial_id), self._viewport
        if before is not None:
            self._order(trial_id, before.work, before.viewport)
            return
        work = SharedResult(lambda: self._prepare(self._fetch(trial_id), viewport))
        self._order(trial_id, work, viewport)

    def _refit_old(self, trial_id: str) -> None:
        """Scale a cached image again if it was scaled for another viewport."""
        if trial_id not in self._kept or self._kept[trial_id].viewport == self._viewport:
            return
        pixels, viewport = self._kept[trial_id].pixels, self._viewport
        self._order(trial_id, SharedResult(lambda: self._refit(pixels, viewport)), viewport)

    def _order(self, trial_id: str, work: "SharedResult[Pixels]", viewport: Viewport) -> None:
        self._give_up(trial_id)
        order = _Order(work, viewport)
        self._orders[trial_id] = order
        order.ticket = self._runner.run(
            "load trial image",
            work,
            done=lambda pixels: self._arrived(trial_id, order, pixels),
            failed=lambda error: self._failed(trial_id, order, error),
            urgent=trial_id == self._shown,
        )

    def _arrived(self, trial_id: str, order: "_Order[Pixels]", pixels: Pixels) -> None:
        if not self._was_open(trial_id, order):
            return
        self._kept.put(trial_id, _Kept(pixels, order.viewport))
        if trial_id == self._shown:
            self._notify_ready(trial_id, pixels)
        self._refit_old(trial_id)

    def _failed(self, trial_id: str, order: "_Order[Pixels]", error: Exception) -> None:
        # An image loaded ahead is tried again, and reported, when its trial is shown.
        if self._was_open(trial_id, order) and trial_id == self._shown:
            number = record_incident(error, at=self._clock.utc(), trial_id=trial_id)
            sentence = IMAGE_ERROR.format(number=number, advice=self._advice)
            self._show(TrialImageView(TrialImageState.FAILED, trial_id, sentence=sentence))

    def _notify_ready(self, trial_id: str, pixels: Pixels) -> None:
        image = BlindImage(trial_id, pixels)
        self._show(TrialImageView(TrialImageState.READY, trial_id, image=image))

    def _was_open(self, trial_id: str, order: "_Order[Pixels]") -> bool:
        """Close an order; return False if it was cancelled or replaced."""
        if self._orders.get(trial_id) is not order:
            return False
        del self._orders[trial_id]
        return True

    def _give_up_unwanted(self) -> None:
        for trial_id in set(self._orders) - set(self._wanted):
            self._give_up(trial_id)

    def _give_up(self, trial_id: str) -> None:
        order = self._orders.pop(trial_id, None)
        if order is not None and order.ticket is not None:
            order.ticket.cancel()


class SharedResult(Generic[T]):
    """Work for two jobs: the second waits for the first and takes its result."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._lock = Lock()
        self._result: tuple[T] | None = None

    def __call__(self) -> T:
        with self._lock:
            if self._result is None:
                self._result = (self._work(),)
            return self._result[0]


@dataclass(slots=True)
class _Order(Generic[Pixels]):
    """An image that is loading; a newer order for the same trial replaces it."""

    work: SharedResult[Pixels]
    viewport: Viewport
    ticket: JobHandle | None = None


@dataclass(frozen=True, slots=True)
class _Kept(Generic[Pixels]):
    """A prepared image, with the viewport it was scaled for."""

    pixels: Pixels
    viewport: Viewport
