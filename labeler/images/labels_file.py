"""Read a labels file and check its rows against the classes and the files on disk."""

import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from labeler.core.errors import InputError
from labeler.images.csv_rows import csv_rows
from labeler.images.dataset_files import IgnoredFile, IgnoredReason, ListedImage, OnIgnored
from labeler.images.folders import path_objection

IMAGE_COLUMN = "image"
LABEL_COLUMNS = ("label", "wnid", "target")


@dataclass(frozen=True, slots=True)
class LabelRow:
    """An image and its label as written in the file, with the line number."""

    line: int
    image: str
    label: str


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The positions of the image column and the label column."""

    image: int
    label: int
    label_name: str
    count: int


def read_label_columns(file: Path) -> LabelColumns:
    """Find the two columns in the header, or raise an error that names the missing one."""
    return _columns(file, csv_rows(file))


def read_label_rows(file: Path) -> Iterator[LabelRow]:
    """Yield the rows in order; blank lines are skipped."""
    rows = csv_rows(file)
    columns = _columns(file, rows)
    for line, cells in rows:
        if not cells:
            continue
        if len(cells) != columns.count:
            raise InputError(
                f"the row has {len(cells)} fields, but the header has {columns.count}.",
                file=file,
                line=line,
            )
        yield LabelRow(
            line=line, image=cells[columns.image].strip(), label=cells[columns.label].strip()
        )


def _columns(file: Path, rows: Iterator[tuple[int, list[str]]]) -> LabelColumns:
    _, cells = next(rows, (1, []))
    header = [cell.strip().lower() for cell in cells]
    if IMAGE_COLUMN not in header:
        raise InputError(f"there is no column named {IMAGE_COLUMN}.", file=file, line=1)
    labels = [name for name in header if name in LABEL_COLUMNS]
    if not labels:
        raise InputError(
            f"there is no column of labels. Name it {_either(LABEL_COLUMNS)}.",
            file=file,
            line=1,
        )
    if len(labels) > 1 or header.count(IMAGE_COLUMN) > 1:
        raise InputError(
            "there are several columns of images or of labels. Keep one of each.",
            file=file,
            line=1,
        )
    return LabelColumns(
        image=header.index(IMAGE_COLUMN),
        label=header.index(labels[0]),
        label_name=cells[header.index(labels[0])].strip(),
        count=len(header),
    )


def _either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


_WINDOWS_ROOT = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class LabelsFileReader:
    """Checks the images of a labels file one by one and remembers their names."""

    def __init__(self, file: Path, *, root: Path, classes: Sequence[str]) -> None:
        self._file = file
        self._root = root
        self._classes = frozenset(classes)
        self._line_by_name: dict[str, int] = {}
        self._objection_by_folder: dict[str, IgnoredReason | None] = {}

    @property
    def names(self) -> frozenset[str]:
        """Return the names read so far."""
        return frozenset(self._line_by_name)

    def read(self, on_ignored: OnIgnored) -> Iterator[ListedImage]:
        """Yield the images in the order of the file; raise InputError at the first bad row."""
        label_column = read_label_columns(self._file).label_name
        for row in read_label_rows(self._file):
            self._check_label(row, column=label_column)
            name = self._checked_name(row)
            path = self._root / name
            objection = self._objection(name, path)
            if objection is IgnoredReason.OUTSIDE_LINK:
                on_ignored(IgnoredFile(name=name, why=objection))
            elif objection is not None:
                raise self._image_error(row, f"there is no file {row.image!r} in {self._root}.")
            else:
                yield ListedImage(name, str(path), row.label)

    def _objection(self, name: str, path: Path) -> IgnoredReason | None:
        # Resolving every path is slow; a regular file is where its folder is.
        try:
            mode = path.lstat().st_mode
        except OSError:
            return IgnoredReason.MISSING
        if stat.S_ISLNK(mode):
            return self._link_objection(path)
        return self._folder_objection(name) if stat.S_ISREG(mode) else IgnoredReason.NOT_A_FILE

    def _link_objection(self, path: Path) -> IgnoredReason | None:
        objection = path_objection(path, self._root)
        return objection or (None if path.is_file() else IgnoredReason.NOT_A_FILE)

    def _folder_objection(self, name: str) -> IgnoredReason | None:
        folder, _, _ = name.rpartition("/")
        if folder not in self._objection_by_folder:
            self._objection_by_folder[folder] = path_objection(self._root / folder, self._root)
        return self._objection_by_folder[folder]

    def _check_label(self, row: LabelRow, *, column: str) -> None:
        if row.label not in self._classes:
            raise InputError(
                f"{row.label!r} isn't the wnid of any of the study's {len(self._classes):,} "
                "classes.",
                file=self._file,
                line=row.line,
                column=column,
            )

    def _checked_name(self, row: LabelRow) -> str:
        path = PurePosixPath(row.image)
        if not row.image or "\0" in row.image:
            raise self._image_error(row, f"{row.image!r} isn't a file name.")
        if path.is_absolute() or _WINDOWS_ROOT.match(row.image):
            raise self._image_error(
                row, f"{row.image!r} is an absolute path. Write it relative to {self._root}."
            )
        if ".." in path.parts:
            raise self._image_error(row, f"{row.image!r} contains '..'. Write the path without it.")
        return self._first_time(row, str(path))

    def _first_time(self, row: LabelRow, name: str) -> str:
        first = self._line_by_name.setdefault(name, row.line)
        if first != row.line:
            raise self._image_error(row, f"{row.image!r} is already on line {first}.")
        return name

    def _image_error(self, row: LabelRow, problem: str) -> InputError:
        return InputError(problem, file=self._file, line=row.line, column=IMAGE_COLUMN)
