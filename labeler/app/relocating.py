"""Telling a study where a dataset's folder lies now, once its files are found there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labeler.app.progress import Progress, Unwatched
from labeler.core.errors import Refused
from labeler.core.naming import counted
from labeler.store.study import StudyStore

# Of more files an even part is looked for: each asks the disk, which may be another machine's.
_AT_MOST = 10_000
_UNCHANGED = "Nothing was changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesThere:
    """How many of a dataset's files lie in a folder by name, of those that were looked for."""

    found: int
    looked_for: int
    files: int

    @property
    def whole(self) -> bool:
        return self.found == self.looked_for

    @property
    def sentence(self) -> str:
        """What is there of it, for somebody who expects all of it."""
        if self.looked_for == self.files:
            there = "is" if self.found == 1 else "are"
            return f"Only {self.found:,} of {counted(self.files, 'file')} {there} there."
        return (
            f"Only {self.found:,} of {self.looked_for:,} files that were looked for are there; "
            f"the dataset has {self.files:,}."
        )


def see_place(
    store: StudyStore, dataset: str, folder: Path, *, progress: Progress | None = None
) -> FilesThere:
    """Look for the dataset's files in the folder; without any of them it can't lie there."""
    with store.read() as study:
        names = study.datasets.names_of_files(dataset)
    wanted = _even_part(names)
    watching = progress or Unwatched()
    watching.start(f"Looking for the files of {dataset}", len(wanted))
    found = 0
    for name in wanted:
        found += _is_there(folder, name)
        watching.advance()
    if wanted and not found:
        raise Refused(
            f"No file of {dataset} is in {folder}: there is no {wanted[0]}, for example. Choose "
            f"the folder that holds what its former one held. {_UNCHANGED}"
        )
    return FilesThere(found=found, looked_for=len(wanted), files=len(names))


def relocate_dataset(
    store: StudyStore,
    dataset: str,
    folder: Path,
    *,
    partly: bool = False,
    progress: Progress | None = None,
) -> FilesThere:
    """Say that the dataset lies there now; a part of its files is enough only if it may be."""
    there = see_place(store, dataset, folder, progress=progress)
    if not there.whole and not partly:
        raise Refused(
            f"{there.sentence} {_UNCHANGED}", by_command="--partly takes the folder all the same."
        )
    with store.write() as study:
        study.datasets.relocate(dataset, str(folder.resolve()))
        study.audit.record("dataset relocated", dataset=dataset, folder=folder)
    return there


def _even_part(names: Sequence[str]) -> list[str]:
    """All of them, or so many at equal distances: whole classes may be missing."""
    if len(names) <= _AT_MOST:
        return list(names)
    return [names[place * len(names) // _AT_MOST] for place in range(_AT_MOST)]


def _is_there(folder: Path, name: str) -> bool:
    return folder.joinpath(*name.split("/")).is_file()
