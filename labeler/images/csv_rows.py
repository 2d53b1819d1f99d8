"""The rows of a CSV file with their lines, or a sentence about what is wrong with it."""

import csv
from collections.abc import Iterator
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import require_regular_file


def csv_rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows in order, the header first, each with the number of its last line."""
    reader = csv.reader(_lines(file), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(
            f"this is not valid CSV ({error}).", file=file, line=reader.line_num
        ) from None


def _lines(file: Path) -> Iterator[str]:
    require_regular_file(file)
    # Decoded line by line, because a text file's own decoder runs ahead and loses the line.
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield _text(line, file=file, number=number)
    except (FileNotFoundError, IsADirectoryError):
        raise RefusedError(f"There is no file {file}: check how it is spelled.") from None
    except PermissionError:
        raise EnvironmentFault(f"{file} may not be read: change its permissions.") from None


def _text(line: bytes, *, file: Path, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise InputError(
            "this is not UTF-8 text: save the file as UTF-8.", file=file, line=number
        ) from None
