"""Identify image files: hash, size, format and unusual properties."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path

from PIL.ImageFile import ImageFile

from labeler.images.dataset_files import ListedImage
from labeler.images.file_reader import content_hash, read_image_bytes
from labeler.images.jpeg_header import JPEG_END_MARKER, PlainJpeg, parse_plain_jpeg
from labeler.images.oddities import (
    JPEG_FORMAT,
    Oddity,
    format_of,
    jpeg_oddities,
    loaded_oddities,
    stored_oddities,
)
from labeler.images.pillow import load_pixels, open_header, to_rgb
from labeler.images.unreadable import UnreadableImage


@dataclass(frozen=True, slots=True)
class ImageFileFacts:
    """Facts about an image that don't depend on its path; width and height are as stored."""

    content_hash: bytes
    byte_count: int
    width: int
    height: int
    format: str
    mode: str
    oddities: frozenset[Oddity]


def identify_image(path: Path) -> ImageFileFacts:
    """Read an image file once and return its facts, or raise UnreadableImage."""
    data = read_image_bytes(path)
    plain = parse_plain_jpeg(data)
    return _decoded_facts(data, path) if plain is None else _plain_jpeg_facts(plain, data, path)


def _plain_jpeg_facts(jpeg: PlainJpeg, data: bytes, path: Path) -> ImageFileFacts:
    return ImageFileFacts(
        content_hash=content_hash(data),
        byte_count=len(data),
        width=jpeg.width,
        height=jpeg.height,
        format=JPEG_FORMAT,
        mode=jpeg.mode,
        oddities=jpeg_oddities(jpeg, path),
    )


def _decoded_facts(data: bytes, path: Path) -> ImageFileFacts:
    image = open_header(data)
    width, height = image.size
    mode, stored = image.mode, stored_oddities(image, path)
    _require_complete(image, data)
    return ImageFileFacts(
        content_hash=content_hash(data),
        byte_count=len(data),
        width=width,
        height=height,
        format=format_of(image),
        mode=mode,
        oddities=stored | loaded_oddities(image),
    )


def _require_complete(image: ImageFile, data: bytes) -> None:
    """Raise UnreadableImage for a truncated picture.

    A JPEG with an end marker is complete. Others are decoded, a JPEG at an eighth of its size,
    which finds the same errors in less time.
    """
    if format_of(image) == JPEG_FORMAT and data.endswith(JPEG_END_MARKER):
        return
    image.draft(None, (1, 1))
    load_pixels(image)
    to_rgb(image)


_GROUPS = 16


@dataclass(frozen=True, slots=True)
class ScannedImage:
    """A listed image with its facts, or with the reason why it has none."""

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
    """Identify images in several threads; yield the results in the order of the input.

    Stops early if cancelled. Closing the iterator, or an exception in its consumer, drops files
    that aren't being read yet and waits only for the others.
    """
    # Reading, hashing and decoding release the GIL, so threads are enough.
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
    # Submitting single files would take as long as reading them.
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
    # More threads than processors would only wait for the GIL.
    return os.cpu_count() or 1
