"""All logits of a model on a dataset, in a .npy file by image ordinal and class index."""

from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.models.scoring import ScoredChunk


class LogitsFile:
    """A file that is filled row by row; rows of images without a prediction stay NaN."""

    def __init__(self, file: Path, *, images: int, classes: int) -> None:
        self._file = file
        try:
            self._rows = self._opened(images, classes)
        except OSError as error:
            raise EnvironmentFault(f"'{file}' can't be written: {error.strerror}.") from error

    def put(self, chunk: ScoredChunk) -> None:
        """Write a chunk's rows; they are on disk when this returns."""
        if chunk.logits is not None and chunk.ordinals:
            self._rows[list(chunk.ordinals)] = chunk.logits
            self._rows.flush()

    def _opened(
        self, images: int, classes: int
    ) -> "np.memmap[tuple[int, int], np.dtype[np.float32]]":
        if not self._file.exists():
            return self._made(images, classes)
        rows = open_memmap(self._file, mode="r+")
        if rows.shape != (images, classes) or rows.dtype != np.float32:
            raise InputError("this file isn't of this scoring; choose another.", file=self._file)
        return rows

    def _made(
        self, images: int, classes: int
    ) -> "np.memmap[tuple[int, int], np.dtype[np.float32]]":
        self._file.parent.mkdir(parents=True, exist_ok=True)
        aside = self._file.with_name(self._file.name + ".partial")
        rows = open_memmap(aside, mode="w+", dtype=np.float32, shape=(images, classes))
        rows[:] = np.nan
        rows.flush()
        aside.replace(self._file)
        return rows
