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
from labeler.store.exchange.csv_reader import CsvSource, FileProgress
from labeler.store.exchange.parquet.library import PARQUET_SIGNATURE, PARQUET_SUFFIX
from labeler.store.exchange.parquet.source import ParquetSource, read_parquet_columns

ExchangePaths = Mapping[ExchangeFile, Path]

_FILES_BY_NAME = {file.name: file for file in EXCHANGE_FILES}
_SUFFIXES = (".csv", PARQUET_SUFFIX)
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
    present: dict[ExchangeFile, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _SUFFIXES:
            file = _file_by_name(path)
            if file is None:
                raise InputError(_UNKNOWN_FILE, file=path)
            if path.is_file():
                _add(present, file, path)
    if not present:
        raise RefusedError(
            f"There is nothing to import in '{folder}': it has none of the files "
            f"{', '.join(_FILES_BY_NAME)}. "
            "Add folders of images as datasets.",
            by_command="Use `labeler add-dataset`.",
        )
    return _in_reading_order(present)


def _file_by_name(path: Path) -> ExchangeFile | None:
    """Return the file of the format with this name, as CSV or as Parquet."""
    as_csv = f"{path.stem}.csv" if path.suffix == PARQUET_SUFFIX else path.name
    return _FILES_BY_NAME.get(as_csv)


def _add(found: dict[ExchangeFile, Path], file: ExchangeFile, path: Path) -> None:
    if file in found:
        raise RefusedError(
            f"'{found[file]}' and '{path}' are both {file.name}; choose one of them."
        )
    found[file] = path


def _in_reading_order(found: Mapping[ExchangeFile, Path]) -> ExchangePaths:
    return {file: found[file] for file in EXCHANGE_FILES if file in found}


def _refuse_spreadsheets(folder: Path) -> None:
    if (folder / SPREADSHEET_MARKER).exists():
        raise InputError(SPREADSHEETS_REFUSED, file=folder)


_UNKNOWN_FILE = (
    f"this is not a file of the exchange format. Its files are {', '.join(_FILES_BY_NAME)}. "
    "Rename the file, or move it out of the folder."
)


def find_single_files(paths: Sequence[Path]) -> ExchangePaths:
    """Identify single files of the format by name, or otherwise by their header."""
    given: dict[ExchangeFile, Path] = {}
    for path in paths:
        _refuse_spreadsheets(path.parent)
        _add(given, _file_by_name(path) or _file_by_header(path), path)
    return _in_reading_order(given)


def read_header(path: Path) -> list[str]:
    """Return the columns of a Parquet file, or in a CSV file's first line.

    The list is empty without readable text.
    """
    if is_parquet(path):
        return read_parquet_columns(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            line = stream.readline(_HEADER_CHARACTERS)
    except UnicodeDecodeError:
        return []
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error
    return next(csv.reader([line]), [])


def is_parquet(path: Path) -> bool:
    """Return whether the file starts as a Parquet file does, whatever its name is."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(PARQUET_SIGNATURE)) == PARQUET_SIGNATURE
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error


def open_exchange_file(path: Path, file: ExchangeFile, progress: FileProgress) -> CsvSource:
    """Open a file for an import, as CSV or as Parquet."""
    opened = ParquetSource if is_parquet(path) else CsvSource
    return opened(path, file, progress)


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
