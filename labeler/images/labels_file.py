"""Checking a labels file's rows against the classes and the files on disk."""

import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from labeler.core.errors import InputError
from labeler.images.dataset_files import IgnoredFile, IgnoredReason, OnIgnored
from labeler.images.folders import path_objection
from labeler.images.labels_csv import IMAGE_COLUMN, LabelRow, read_label_columns, read_label_rows
from labeler.images.listed import ListedImage

_WINDOWS_ROOT = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class LabelsFileReader:
    """The images of a labels file, checked one by one; remembers which names it has seen."""

    def __init__(self, file: Path, *, root: Path, classes: Sequence[str]) -> None:
        self._file = file
        self._root = root
        self._classes = frozenset(classes)
        self._line_by_name: dict[str, int] = {}
        self._objection_by_folder: dict[str, IgnoredReason | None] = {}

    @property
    def names(self) -> frozenset[str]:
        """The names seen so far."""
        return frozenset(self._line_by_name)

    def read(self, on_ignored: OnIgnored) -> Iterator[ListedImage]:
        """The images in the file's order; InputError at the first row that can't be accepted."""
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
        # Following every path to its end is slow; a plain file goes where its folder goes.
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
                f"{row.label!r} is the wnid of none of the study's {len(self._classes):,} classes.",
                file=self._file,
                line=row.line,
                column=column,
            )

    def _checked_name(self, row: LabelRow) -> str:
        path = PurePosixPath(row.image)
        if not row.image or "\0" in row.image:
            raise self._image_error(row, f"{row.image!r} is no file name.")
        if path.is_absolute() or _WINDOWS_ROOT.match(row.image):
            raise self._image_error(
                row, f"{row.image!r} is an absolute path: write it relative to {self._root}."
            )
        if ".." in path.parts:
            raise self._image_error(
                row, f"{row.image!r} leads out of a folder with '..': write the plain path."
            )
        return self._first_time(row, str(path))

    def _first_time(self, row: LabelRow, name: str) -> str:
        first = self._line_by_name.setdefault(name, row.line)
        if first != row.line:
            raise self._image_error(row, f"{row.image!r} stands on line {first} already.")
        return name

    def _image_error(self, row: LabelRow, problem: str) -> InputError:
        return InputError(problem, file=self._file, line=row.line, column=IMAGE_COLUMN)
