"""The cut-out photographs from which the demo's pictures are composed."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from labeler.core.errors import InputError, RefusedError
from labeler.demo.composer.scenes import SceneKind

CATALOGUE = "cutouts.csv"
STAGING_LIST = "staging.csv"

_CATALOGUE_COLUMNS = ("file", "wnid", "class_name", "also_valid", "tuxpaint_stamp")
_STAGING_COLUMNS = ("file", "size_cm", "scenes")
_WNID = re.compile(r"n\d{8}")


@dataclass(frozen=True, slots=True)
class Cutout:
    """One photographed object without its background.

    Plans refer to it by `file`; things of one `theme` are seen together.
    """

    path: Path
    file: str
    wnid: str
    also_valid: frozenset[str]
    theme: str
    size_cm: float
    scenes: tuple[SceneKind, ...]
    width: int
    height: int

    @property
    def labels(self) -> frozenset[str]:
        """Every class that is right for this object."""
        return self.also_valid | {self.wnid}


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a list, which can say where in the file a value is."""

    file: Path
    line: int
    values: Mapping[str, str]

    def problem(self, column: str, sentence: str) -> InputError:
        return InputError(sentence, file=self.file, line=self.line, column=column)


def load_cutouts(folder: Path) -> tuple[Cutout, ...]:
    """Read the catalogue of a folder of cut-outs; the pictures themselves are read when needed."""
    stagings = {row.values["file"]: row for row in _rows(folder / STAGING_LIST, _STAGING_COLUMNS)}
    found: dict[str, Cutout] = {}
    for row in _rows(folder / CATALOGUE, _CATALOGUE_COLUMNS):
        name = row.values["file"]
        if name in found:
            raise row.problem("file", f"{name} is listed twice; remove one of the two lines.")
        if name not in stagings:
            raise row.problem("file", f"{name} has no line in {STAGING_LIST}; add one.")
        found[name] = _cutout(folder, row, stagings[name])
    return tuple(found.values())


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[_Row]:
    """Read a list with the given columns, line by line."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            _check_header(path, reader.fieldnames or (), columns)
            for values in reader:
                row = _Row(path, reader.line_num, values)
                _check_complete(row, columns)
                yield row
    except FileNotFoundError:
        raise RefusedError(f"{path} is missing; a folder of cut-outs needs this list.") from None
    except UnicodeDecodeError:
        raise InputError("This isn't UTF-8 text; save it as UTF-8.", file=path) from None


def _check_header(path: Path, found: object, columns: tuple[str, ...]) -> None:
    for column in columns:
        if column not in (found or ()):  # type: ignore[operator]
            sentence = f"The column is missing; the first line must name {', '.join(columns)}."
            raise InputError(sentence, file=path, line=1, column=column)


def _check_complete(row: _Row, columns: tuple[str, ...]) -> None:
    for column in columns:
        if row.values[column] is None:
            raise row.problem(column, "The line ends before this column; complete it.")


def _cutout(folder: Path, row: _Row, staging: _Row) -> Cutout:
    path = folder / row.values["file"]
    width, height = _measure(path, row)
    return Cutout(
        path=path,
        file=path.name,
        wnid=_wnid(row, "wnid", row.values["wnid"]),
        also_valid=frozenset(
            _wnid(row, "also_valid", other) for other in row.values["also_valid"].split()
        ),
        theme=row.values["tuxpaint_stamp"].partition("/")[0],
        size_cm=_size(staging),
        scenes=_scenes(staging),
        width=width,
        height=height,
    )


def _measure(path: Path, row: _Row) -> tuple[int, int]:
    """Give width and height from the picture's header."""
    try:
        with Image.open(path) as image:
            return image.size
    except FileNotFoundError:
        sentence = f"{path.name} isn't in the folder; put it there or remove the line."
    except (UnidentifiedImageError, OSError):
        sentence = f"{path.name} can't be read as a picture; replace it by a whole PNG."
    raise row.problem("file", sentence)


def _wnid(row: _Row, column: str, value: str) -> str:
    if not _WNID.fullmatch(value):
        raise row.problem(column, f"“{value}” isn't a wnid; write n and eight digits.")
    return value


def _size(row: _Row) -> float:
    value = row.values["size_cm"]
    try:
        size = float(value)
    except ValueError:
        size = 0.0
    if not 0.0 < size < 1e6:
        raise row.problem("size_cm", f"“{value}” isn't a size in centimetres; write a number.")
    return size


def _scenes(row: _Row) -> tuple[SceneKind, ...]:
    known = {kind.value: kind for kind in SceneKind}
    names = row.values["scenes"].split()
    for name in names:
        if name not in known:
            sentence = f"“{name}” isn't a scene; choose from {', '.join(sorted(known))}."
            raise row.problem("scenes", sentence)
    if not names:
        raise row.problem("scenes", "No scene is named; write at least one.")
    return tuple(known[name] for name in names)
