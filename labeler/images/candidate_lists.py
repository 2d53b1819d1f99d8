"""List the candidates of a pool: from a folder by class, a manifest, or search results.

A manifest is a CSV file with an image and a label on each row. Search results are a CSV file or a
JSON list with an id and a class; their files are looked up by id, because nothing is downloaded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from labeler.core.curation.entities import CandidateSource
from labeler.core.errors import InputError, RefusedError
from labeler.core.input_files import read_json
from labeler.images.csv_rows import csv_rows
from labeler.images.dataset_files import ListedImage, OnIgnored
from labeler.images.folders import has_image_name, sorted_entries
from labeler.images.layouts import recognise_layout
from labeler.images.listing import list_images

# The names that a column or a JSON key may have.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "file": ("image", "path", "file"),
    "label": ("label", "class", "wnid", "target"),
    "source": ("source",),
    "source_id": ("source_id", "id"),
    "query": ("query",),
    "taken_at": ("taken_at", "taken", "date_taken"),
    "uploaded_at": ("uploaded_at", "uploaded", "date_uploaded"),
    "address": ("address", "url"),
}
_FIELDS = {name: field for field, names in _NAMES.items() for name in names}


@dataclass(frozen=True, slots=True)
class ListedCandidate:
    """An image file to add to a pool, and where it was found."""

    listed: ListedImage
    source: CandidateSource


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row or object of a list: its values by field, and where it is."""

    values: Mapping[str, str]
    names: Mapping[str, str]
    line: int | None
    number: int


OnMissing = Callable[[str], None]


def list_candidates(
    path: Path,
    *,
    source: str,
    classes: Sequence[str],
    files: Path | None,
    on_ignored: OnIgnored,
    on_missing: OnMissing,
) -> Iterator[ListedCandidate]:
    """Yield the candidates in a fixed order.

    `files` is the folder with the images of a list; without it, the list's own folder. Entries
    whose file doesn't exist yet are passed to `on_missing`.
    """
    if path.is_dir():
        layout = recognise_layout(path).layout
        for listed in list_images(path, layout, classes=classes, on_ignored=on_ignored):
            name = ListedImage(f"{source}/{listed.name}", listed.place, listed.target)
            yield ListedCandidate(name, CandidateSource(source=source))
        return
    if not path.exists():
        raise RefusedError(f"The folder or file {path} doesn't exist. Check the spelling.")
    reader = _ListReader(path, source=source, classes=classes, files=files)
    yield from reader.candidates(on_missing)


class _ListReader:
    """Reads a list of candidates and finds their files."""

    def __init__(
        self, file: Path, *, source: str, classes: Sequence[str], files: Path | None
    ) -> None:
        self._file = file
        self._source = source
        self._classes = frozenset(classes)
        self._root = (files or file.parent).resolve()
        self._stems_by_folder: dict[str, dict[str, str]] = {}

    def candidates(self, on_missing: OnMissing) -> Iterator[ListedCandidate]:
        entries = _json_entries if self._file.suffix.lower() == ".json" else _csv_entries
        for entry in entries(self._file):
            label = self._label(entry)
            found = self._find(entry, label)
            if found is None:
                on_missing(entry.values.get("file") or entry.values.get("source_id", ""))
                continue
            inside = found if found.startswith(f"{label}/") else f"{label}/{found}"
            listed = ListedImage(f"{self._source}/{inside}", str(self._root / found), label)
            yield ListedCandidate(listed, self._candidate_source(entry))

    def _label(self, entry: _Entry) -> str:
        label = entry.values.get("label", "")
        if label not in self._classes:
            problem = (
                f"{label!r} isn't the wnid of any of the study's {len(self._classes):,} classes."
            )
            raise self._fault(entry, "label", problem)
        return label

    def _find(self, entry: _Entry, label: str) -> str | None:
        """Return the file relative to the folder of images, or None if it doesn't exist."""
        given = entry.values.get("file", "")
        if given:
            return self._given_file(entry, given)
        number = entry.values.get("source_id", "")
        if not number:
            problem = "there is neither a file nor an id. Fill in one of them."
            raise self._fault(entry, "source_id", problem)
        for folder in (label, ""):
            if name := self._stems(folder).get(number):
                return f"{folder}/{name}" if folder else name
        return None

    def _given_file(self, entry: _Entry, given: str) -> str | None:
        path = PurePosixPath(given)
        if path.is_absolute() or ".." in path.parts or "\0" in given:
            problem = f"{given!r} has to be a path inside {self._root}, without '..'."
            raise self._fault(entry, "file", problem)
        return str(path) if (self._root / path).is_file() else None

    def _stems(self, folder: str) -> Mapping[str, str]:
        """Return the image files of a folder by their names without the extension."""
        if folder not in self._stems_by_folder:
            place = self._root / folder
            entries = sorted_entries(place) if place.is_dir() else []
            names = [entry.name for entry in entries if has_image_name(entry.name)]
            self._stems_by_folder[folder] = {Path(name).stem: name for name in reversed(names)}
        return self._stems_by_folder[folder]

    def _candidate_source(self, entry: _Entry) -> CandidateSource:
        values = entry.values
        return CandidateSource(
            source=values.get("source") or self._source,
            source_id=values.get("source_id") or values.get("address", ""),
            query=values.get("query", ""),
            taken_at=self._date(entry, "taken_at"),
            uploaded_at=self._date(entry, "uploaded_at"),
        )

    def _date(self, entry: _Entry, field: str) -> str:
        text = entry.values.get(field, "")
        try:
            if text:
                datetime.fromisoformat(text)
        except ValueError:
            problem = f"{text!r} is not a date such as 2013-07-11 or 2013-07-11T09:30:00."
            raise self._fault(entry, field, problem) from None
        return text

    def _fault(self, entry: _Entry, field: str, problem: str) -> InputError:
        column = entry.names.get(field, _NAMES[field][0])
        if entry.line is None:
            problem = f"entry {entry.number}: {problem}"
        return InputError(problem, file=self._file, line=entry.line, column=column)


def _csv_entries(file: Path) -> Iterator[_Entry]:
    rows = csv_rows(file)
    _, cells = next(rows, (1, []))
    header = [cell.strip().lower() for cell in cells]
    fields = [_FIELDS.get(name, "") for name in header]
    _require_fields(file, fields)
    names = {field: cell for field, cell in zip(fields, cells, strict=True) if field}
    for number, (line, values) in enumerate(rows, 1):
        if not values:
            continue
        if len(values) != len(header):
            problem = f"the row has {len(values)} fields, but the header has {len(header)}."
            raise InputError(problem, file=file, line=line)
        pairs = zip(fields, map(str.strip, values), strict=True)
        yield _Entry({field: text for field, text in pairs if field}, names, line, number)


def _require_fields(file: Path, fields: Sequence[str]) -> None:
    for needed in ("label", ("file", "source_id")):
        choices = (needed,) if isinstance(needed, str) else needed
        if not any(choice in fields for choice in choices):
            names = ", ".join(name for choice in choices for name in _NAMES[choice])
            raise InputError(f"a column is missing; name it {names}.", file=file, line=1)
    repeated = sorted({field for field in fields if field and fields.count(field) > 1})
    if repeated:
        names = ", ".join(_NAMES[repeated[0]])
        raise InputError(f"there are several of the columns {names}.", file=file, line=1)


def _json_entries(file: Path) -> Iterator[_Entry]:
    found = read_json(file)
    if not isinstance(found, list):
        raise InputError("this isn't a JSON list of search results.", file=file)
    for number, value in enumerate(found, 1):
        if not isinstance(value, dict):
            raise InputError(f"entry {number} isn't an object with an id and a class.", file=file)
        names = {_FIELDS[name.lower()]: name for name in value if name.lower() in _FIELDS}
        values = {field: _text(value[name]) for field, name in names.items()}
        yield _Entry(values, names, None, number)


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
