"""Hashing and measuring listed images in parallel, in order and in bounded memory."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, takewhile

from labeler.images.identify import ImageFileFacts, identify_image
from labeler.images.listed import ListedImage
from labeler.images.unreadable import UnreadableImage

_GROUPS = 16


@dataclass(frozen=True, slots=True)
class ScannedImage:
    """A listed image with its facts, or with the problem that left it without."""

    listed: ListedImage
    facts: ImageFileFacts | None
    problem: UnreadableImage | None


def scan_images(
    listed: Iterable[ListedImage],
    *,
    workers: int | None = None,
    in_flight: int = 256,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[ScannedImage]:
    """Identify images on several threads; results come in the order of the input.

    Ends early when cancelled. Closing the iterator, or an exception in its consumer, drops what
    has not begun and waits only for the files that are being read.
    """
    # Reading, hashing and decoding all release the interpreter's lock, so threads suffice.
    executor = ThreadPoolExecutor(workers or _default_workers(), thread_name_prefix="scan")
    try:
        yield from _in_order(executor, iter(listed), in_flight=in_flight, cancelled=cancelled)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _in_order(
    executor: ThreadPoolExecutor,
    listed: Iterator[ListedImage],
    *,
    in_flight: int,
    cancelled: Callable[[], bool],
) -> Generator[ScannedImage]:
    # Handing over a file at a time would cost as much as reading it.
    size = max(1, in_flight // _GROUPS)
    pending: deque[Future[list[ScannedImage]]] = deque()
    while group := tuple(islice(listed, size)):
        if cancelled():
            return
        pending.append(executor.submit(_scan_group, group))
        if len(pending) * size >= in_flight:
            yield from _until(cancelled, pending.popleft().result())
    while pending and not cancelled():
        yield from _until(cancelled, pending.popleft().result())


def _until(
    cancelled: Callable[[], bool], results: Iterable[ScannedImage]
) -> Iterator[ScannedImage]:
    return takewhile(lambda _result: not cancelled(), results)


def _scan_group(group: tuple[ListedImage, ...]) -> list[ScannedImage]:
    return [_scan_one(image) for image in group]


def _scan_one(listed: ListedImage) -> ScannedImage:
    try:
        return ScannedImage(listed=listed, facts=identify_image(listed.path), problem=None)
    except UnreadableImage as problem:
        return ScannedImage(listed=listed, facts=None, problem=problem)


def _default_workers() -> int:
    # More than the processors only makes them wait for the interpreter's lock.
    return os.cpu_count() or 1
