"""Writing files of the exchange format aside, and moving them into place when all are whole."""

import csv
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from labeler.core.errors import EnvironmentFault, Refused


class _UnixLines:
    """Ends lines with a line feed alone.

    The writer quotes a value with a lone carriage return, which a reader would take for the end
    of the row, only if its own line ends have one.
    """

    terminator = "\r\n"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        self._stream.write(line.removesuffix(self.terminator))
        self._stream.write("\n")


def write_table(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a CSV file; how many rows it got, the header not counted."""
    count = 0

    def counted() -> Iterator[Sequence[object]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    with file.open("x", encoding="utf-8", newline="") as stream:
        writer = csv.writer(_UnixLines(stream), lineterminator=_UnixLines.terminator)
        writer.writerow(header)
        writer.writerows(counted())
        stream.flush()
        os.fsync(stream.fileno())
    return count


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A folder to write into; its files replace those of `folder` when the block ends well."""
    if folder.exists() and not folder.is_dir():
        raise Refused(f"'{folder}' is a file; give a folder to export into.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".labeler-export-", dir=folder.parent))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield aside
        folder.mkdir(exist_ok=True)
        for file in sorted(aside.iterdir()):
            file.replace(folder / file.name)
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> EnvironmentFault:
    reason = error.strerror or str(error)
    return EnvironmentFault(f"'{folder}' can't be written: {reason}. Nothing in it was changed.")
