"""Writing a table as a CSV file of the exchange format."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO


class _UnixLineEndings:
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
        writer = csv.writer(_UnixLineEndings(stream), lineterminator=_UnixLineEndings.terminator)
        writer.writerow(header)
        writer.writerows(counted())
        stream.flush()
        os.fsync(stream.fileno())
    return count
