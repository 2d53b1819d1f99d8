"""Find the files of the exchange format in a folder, or identify single files."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.study.exchange_format import (
    EXCHANGE_FILES,
    ExchangeFile,
    header_problem,
)

ExchangePaths = Mapping[ExchangeFile, Path]

_FILES_BY_NAME = {file.name: file for file in EXCHANGE_FILES}
# A longer first line can't be a header and isn't read to its end.
_HEADER_CHARACTERS = 4096


# Marks a folder of files for spreadsheets, which can't be imported.
SPREADSHEET_MARKER = "for-spreadsheets.txt"
SPREADSHEETS_REFUSED = (
    "it was exported for spreadsheets, so some of its texts have an additional apostrophe. "
    "Export the study without --for-spreadsheets, and import that folder."
)


def find_in_folder(folder: Path) -> ExchangePaths:
    """Find the files of the format in the folder by name, in reading order.

    An unknown CSV file is an error, because it may be a misspelled one; other files are ignored.
    """
    _refuse_spreadsheets(folder)
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() == ".csv" and path.name not in _FILES_BY_NAME:
            raise InputError(_unknown_file_text(), file=path)
    present = {file: path for file in EXCHANGE_FILES if (path := folder / file.name).is_file()}
    if not present:
        raise RefusedError(
            f"There is nothing to import in '{folder}': it has none of the files "
            f"{', '.join(_FILES_BY_NAME)}. "
            "Add folders of images as datasets.",
            by_command="Use `labeler add-dataset`.",
        )
    return present


def _refuse_spreadsheets(folder: Path) -> None:
    if (folder / SPREADSHEET_MARKER).exists():
        raise InputError(SPREADSHEETS_REFUSED, file=folder)


def _unknown_file_text() -> str:
    return (
        f"this is not a file of the exchange format. Its files are {', '.join(_FILES_BY_NAME)}. "
        "Rename the file, or move it out of the folder."
    )


def find_single_files(paths: Sequence[Path]) -> ExchangePaths:
    """Identify single files of the format by name, or otherwise by their header."""
    given: dict[ExchangeFile, Path] = {}
    for path in paths:
        _refuse_spreadsheets(path.parent)
        file = _FILES_BY_NAME.get(path.name) or _file_by_header(path)
        if file in given:
            raise RefusedError(
                f"'{given[file]}' and '{path}' are both {file.name}; choose one of them."
            )
        given[file] = path
    return {file: given[file] for file in EXCHANGE_FILES if file in given}


def read_header(path: Path) -> list[str]:
    """Return the columns in a CSV file's first line; empty without readable text."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            line = stream.readline(_HEADER_CHARACTERS)
    except UnicodeDecodeError:
        return []
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error
    return next(csv.reader([line]), [])


def _file_by_header(path: Path) -> ExchangeFile:
    header = read_header(path)
    fitting = [file for file in EXCHANGE_FILES if header_problem(file, header) is None]
    if fitting:
        return fitting[0]
    if not header:
        problem = "the header is missing or not UTF-8 text. Save the file as UTF-8."
        raise InputError(problem, file=path, line=1)
    problem = (
        f"the header {','.join(header)[:200]} does not belong to a file of the exchange format. "
        f"Its files are {', '.join(_FILES_BY_NAME)}."
    )
    raise InputError(problem, file=path, line=1)
