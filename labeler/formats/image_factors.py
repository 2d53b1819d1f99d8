"""Read properties of images: ImageNet-X' factors, or any CSV file `image,factor…`."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.input_files import require_regular_file

MAX_VALUES = 20
_IMAGE_COLUMNS = ("image", "file_name", "filename")
_ONE_HOT = "one_hot"
_YES, _NO = ("1", "1.0", "true", "yes"), ("", "0", "0.0", "false", "no", "nan", "none")

FactorRow = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFactors:
    """The images of each factor by their names in the file, and the columns that are no factor."""

    images: Mapping[str, frozenset[str]]
    ignored: tuple[str, ...]
    names: frozenset[str]


def read_image_factors(path: Path) -> ImageFactors:
    """Return the factors of a CSV file or of JSON lines; refuse a file without any."""
    rows = list(_json_rows(path) if _is_json(path) else _csv_rows(path))
    if not rows:
        raise InputError("there are no images in this file.", file=path)
    image = next((column for column in _IMAGE_COLUMNS if column in rows[0]), None)
    if image is None:
        raise InputError(
            "there is no column image or file_name, which says what a row is about.", file=path
        )
    factors: dict[str, frozenset[str]] = {}
    ignored = []
    for column in (each for each in rows[0] if each != image):
        found = _factors_of(column, image, rows)
        factors |= found
        if not found:
            ignored.append(column)
    if not factors:
        raise InputError(
            "no column is a factor: use 0 and 1, or at most "
            f"{MAX_VALUES} different values in a column.",
            file=path,
        )
    names = frozenset(row[image] for row in rows)
    return ImageFactors(images=factors, ignored=tuple(ignored), names=names)


def _factors_of(column: str, image: str, rows: Sequence[FactorRow]) -> dict[str, frozenset[str]]:
    """Return the factor of a column of flags, or one for each of a few values."""
    values = {row[column] for row in rows}
    lower = {value.lower() for value in values}
    if lower <= {*_YES, *_NO}:
        named = {column: {value for value in values if value.lower() in _YES}}
    else:
        given = sorted(value for value in values if value.lower() not in _NO)
        if len(given) > MAX_VALUES:
            return {}
        named = {f"{column}: {value}": {value} for value in given}
    found = {
        name: frozenset(row[image] for row in rows if row[column] in chosen)
        for name, chosen in named.items()
    }
    return {name: images for name, images in found.items() if images}


def _is_json(path: Path) -> bool:
    require_regular_file(path)
    try:
        with path.open("rb") as stream:
            return stream.read(64).lstrip()[:1] == b"{"
    except OSError as error:
        raise EnvironmentFault(f"'{path}' can't be read: {error.strerror}.") from error


def _csv_rows(path: Path) -> Iterator[FactorRow]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = next(reader, [])
            if len(set(header)) < len(header):
                raise InputError("a column occurs twice in the header.", file=path, line=1)
            for row in reader:
                if len(row) != len(header):
                    raise InputError(
                        f"there are {len(row)} values where the header has {len(header)} columns.",
                        file=path,
                        line=reader.line_num,
                    )
                yield dict(zip(header, row, strict=True))
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text. Save the file as UTF-8.", file=path) from error
    except csv.Error as error:
        raise InputError(f"not valid CSV: {error}.", file=path) from error


def _json_rows(path: Path) -> Iterator[FactorRow]:
    """Yield the rows of JSON lines; the factors may be in an object of their own."""
    columns: list[str] | None = None
    try:
        with path.open(encoding="utf-8-sig") as stream:
            for line, text in enumerate(stream, start=1):
                if not text.strip():
                    continue
                row = _flat(text, path, line)
                columns = columns or list(row)
                if list(row) != columns:
                    raise InputError(
                        f"the fields differ from those of the first line: {', '.join(columns)}.",
                        file=path,
                        line=line,
                    )
                yield row
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text. Save the file as UTF-8.", file=path) from error


def _flat(text: str, path: Path, line: int) -> dict[str, str]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise InputError(f"not valid JSON: {error}.", file=path, line=line) from error
    if not isinstance(document, dict):
        raise InputError("this line is not a JSON object.", file=path, line=line)
    nested = document.pop(_ONE_HOT, {})
    flat = document | (nested if isinstance(nested, dict) else {})
    return {str(name): "" if value is None else str(value) for name, value in flat.items()}
