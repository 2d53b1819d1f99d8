"""The pixels of a study's images at 256 × 256, on disk, so that a search reads each file once.

Rows are appended and synchronised before the key that names them, so that a killed search
continues after the last whole row. Everything here can be computed again.
"""

import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeler.app.progress import ProgressReporter
from labeler.core.curation.fingerprints import (
    BLOCK_SUMS,
    PIXEL_SHAPE,
    SIDE,
    BlockSums,
    Hashes,
    Pixels,
    block_sums,
    perceptual_hash,
)
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault
from labeler.core.study.entities import ImageKey
from labeler.images.decoder import decode_stretched
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage, UnreadableReason
from labeler.store.curation.duplicate_searches import ComparedImage

PIXEL_BYTES = 3 * SIDE * SIDE
_KEY_BYTES = 32
_CHUNK = 64
_TURNED = b"upright"

_NO_ROOM = (
    "The search needs {needed:.1f} GB for {images:,} images in '{folder}', which has {free:.1f} GB "
    "left. Free some space, or search fewer datasets."
)


def pixel_key(file: ImageFile) -> bytes:
    """Return the key of an image's pixels: its content, and whether it is turned upright."""
    assert file.content_hash is not None, "images are measured first"
    if not file.apply_exif:
        return file.content_hash
    return hashlib.sha256(file.content_hash + _TURNED).digest()


class RowFile:
    """A file of equal rows under keys, to which rows are only appended."""

    def __init__(self, file: Path, *, dtype: Any, shape: tuple[int, ...]) -> None:
        self._file, self._keys_file = file, file.with_suffix(".keys")
        self._dtype, self._shape = np.dtype(dtype), shape
        self._row_bytes = self._dtype.itemsize * int(np.prod(shape))
        self.keys = self._read_keys()

    def _read_keys(self) -> dict[bytes, int]:
        """Return the rows that were written whole."""
        if not self._keys_file.exists() or not self._file.exists():
            return {}
        text = self._keys_file.read_bytes()
        rows = min(len(text) // _KEY_BYTES, self._file.stat().st_size // self._row_bytes)
        return {text[row * _KEY_BYTES : (row + 1) * _KEY_BYTES]: row for row in range(rows)}

    def keep(self, rows: int) -> None:
        """Forget the rows after these; the next ones are written over them."""
        self.keys = {key: row for key, row in self.keys.items() if row < rows}

    def append(self, keys: Sequence[bytes], rows: NDArray[Any]) -> None:
        """Add rows, durable before their keys are."""
        self._file.parent.mkdir(exist_ok=True)
        count = len(self.keys)
        for file, at, data in (
            (self._file, count * self._row_bytes, np.ascontiguousarray(rows, self._dtype).data),
            (self._keys_file, count * _KEY_BYTES, b"".join(keys)),
        ):
            with file.open("r+b" if file.exists() else "x+b") as stream:
                stream.truncate(at)
                stream.seek(at)
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        for offset, key in enumerate(keys):
            self.keys[key] = count + offset

    def rows(self) -> NDArray[Any]:
        """Return all rows, mapped into memory."""
        if not self.keys:
            return np.empty((0, *self._shape), dtype=self._dtype)
        shape = (len(self.keys), *self._shape)
        return np.memmap(self._file, dtype=self._dtype, mode="r", shape=shape)


@dataclass(frozen=True, slots=True)
class UnreadImage:
    """An image that takes no part in a search, and why."""

    key: ImageKey
    reason: UnreadableReason


class PixelStore:
    """Pixels, block sums and perceptual hashes of images."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sums = RowFile(folder / "block-sums.u16", dtype="<u2", shape=(BLOCK_SUMS,))
        self._hashes = RowFile(folder / "hashes.u64", dtype="<u8", shape=())
        self._pixels = RowFile(folder / "pixels.u8", dtype="u1", shape=PIXEL_SHAPE)
        # A search that was killed may have written some files further than others.
        files = (self._sums, self._hashes, self._pixels)
        whole = min(len(file.keys) for file in files)
        for file in files:
            file.keep(whole)

    def missing(self, images: Iterable[ComparedImage]) -> list[ComparedImage]:
        """Return the images whose pixels aren't stored yet, copies once."""
        by_key = {pixel_key(image.file): image for image in images if image.file.content_hash}
        return [image for key, image in by_key.items() if key not in self._pixels.keys]

    def has(self, image: ComparedImage) -> bool:
        return image.file.content_hash is not None and pixel_key(image.file) in self._pixels.keys

    def fill(
        self, images: Sequence[ComparedImage], progress: ProgressReporter
    ) -> list[UnreadImage]:
        """Decode what is missing, in several threads, and return what can't be read."""
        missing = self.missing(images)
        if not missing:
            return []
        self._require_room(len(missing))
        progress.start("Reading images", len(missing))
        unread: list[UnreadImage] = []
        executor = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="pixels")
        try:
            decoded = _in_order(executor, iter(missing))
            while chunk := list(islice(decoded, _CHUNK)):
                self._append([(i, p) for i, p in chunk if not isinstance(p, UnreadableReason)])
                unread += [
                    UnreadImage(i.key, p) for i, p in chunk if isinstance(p, UnreadableReason)
                ]
                progress.advance(len(chunk))
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
        return unread

    def places(self, images: Iterable[ComparedImage]) -> NDArray[np.int64]:
        """Return the row of each image."""
        return np.array([self._pixels.keys[pixel_key(i.file)] for i in images], dtype=np.int64)

    def pixels(self) -> Pixels:
        return self._pixels.rows()

    def sums(self) -> BlockSums:
        return self._sums.rows()

    def hashes(self) -> Hashes:
        return self._hashes.rows()

    def _append(self, decoded: Sequence[tuple[ComparedImage, Pixels]]) -> None:
        if not decoded:
            return
        keys = [pixel_key(image.file) for image, _pixels in decoded]
        arrays = [pixels for _image, pixels in decoded]
        # The pixels last: a row of them has the others, too.
        self._sums.append(keys, np.stack([block_sums(a) for a in arrays]))
        self._hashes.append(keys, np.array([perceptual_hash(a) for a in arrays]))
        self._pixels.append(keys, np.stack(arrays))

    def _require_room(self, images: int) -> None:
        self.folder.mkdir(exist_ok=True)
        found = os.statvfs(self.folder) if hasattr(os, "statvfs") else None
        needed = images * (PIXEL_BYTES + 2 * BLOCK_SUMS)
        if found is not None and found.f_bavail * found.f_frsize < needed:
            raise EnvironmentFault(
                _NO_ROOM.format(
                    needed=needed / 1e9,
                    images=images,
                    folder=self.folder,
                    free=found.f_bavail * found.f_frsize / 1e9,
                )
            )


_Decoded = tuple[ComparedImage, "Pixels | UnreadableReason"]


def _in_order(executor: ThreadPoolExecutor, images: Iterator[ComparedImage]) -> Iterator[_Decoded]:
    pending: deque[Future[_Decoded]] = deque()
    for image in images:
        pending.append(executor.submit(_decode, image))
        if len(pending) > _CHUNK:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _decode(image: ComparedImage) -> _Decoded:
    try:
        data = read_known_file(image.file)
        picture = decode_stretched(data, size=(SIDE, SIDE), apply_exif=image.file.apply_exif)
    except UnreadableImage as problem:
        return image, problem.reason
    return image, np.ascontiguousarray(np.asarray(picture).transpose(2, 0, 1))
