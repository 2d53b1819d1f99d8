"""Read the rows of a CSV file with their line numbers, or raise a clear error."""

import csv
from collections.abc import Iterator
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import require_regular_file


def csv_rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows in order, header first, each with the number of its last line."""
    reader = csv.reader(_lines(file), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(
            f"this isn't valid CSV ({error}).", file=file, line=reader.line_num
        ) from None


def _lines(file: Path) -> Iterator[str]:
    require_regular_file(file)
    # Decoded line by line, because a text file's decoder reads ahead and the line would be unknown.
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield _text(line, file=file, number=number)
    except (FileNotFoundError, IsADirectoryError):
        raise RefusedError(f"The file {file} doesn't exist. Check the spelling.") from None
    except PermissionError:
        raise EnvironmentFault(
            f"You have no permission to read {file}. Change its permissions."
        ) from None


def _text(line: bytes, *, file: Path, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise InputError(
            "this isn't UTF-8 text. Save the file as UTF-8.", file=file, line=number
        ) from None
