"""Finding datasets whose folder is missing, and setting a new one once their files are there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from labeler.app.progress import NoProgress, ProgressReporter
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Dataset
from labeler.core.text import count_noun
from labeler.images.file_reader import read_known_file
from labeler.images.unreadable import UnreadableImage
from labeler.store.datasets.datasets import NamedImageFile
from labeler.store.study_store import StudyStore, Transaction

# Limits on how many files are searched and read, evenly spread: the disk may be a network drive.
_AT_MOST, _READ_AT_MOST = 10_000, 500
_UNCHANGED = "Nothing was changed."
OTHER_CONTENTS = "it has files with the same names but other contents"


@dataclass(frozen=True, slots=True, kw_only=True)
class RelocationPreview:
    """How many of the dataset's files are in a folder, of those that were searched.

    `others` have the right name but other contents.
    """

    found: int
    others: int
    searched: int
    files: int

    @property
    def complete(self) -> bool:
        return self.found == self.searched

    @property
    def sentence(self) -> str:
        """Say how much of the dataset was found, if not all of it."""
        if self.searched == self.files:
            found_sentence = f"Found only {self.found:,} of {count_noun(self.files, 'file')}."
        else:
            found_sentence = (
                f"Found only {self.found:,} of {self.searched:,} files searched; the dataset has "
                f"{self.files:,}."
            )
        return f"{found_sentence} {self._others_sentence}".rstrip()

    @property
    def _others_sentence(self) -> str:
        if not self.others:
            return ""
        have = "has" if self.others == 1 else "have"
        return f"{count_noun(self.others, 'more file')} {have} the right name but other contents."


def missing_folder(dataset: Dataset) -> Path | None:
    """Return the dataset's folder if it is missing: that is one problem, not one per file."""
    if not dataset.root:
        return None
    folder = Path(dataset.root)
    try:
        return None if folder.is_dir() else folder
    except OSError:
        return folder


def missing_datasets(study: Transaction) -> list[Dataset]:
    """Return the datasets whose folder this machine doesn't have."""
    return [one for one in study.datasets.all() if missing_folder(one) is not None]


def preview_relocation(
    store: StudyStore, dataset: str, folder: Path, *, progress: ProgressReporter | None = None
) -> RelocationPreview:
    """Look for the dataset's files in the folder; refuse if none is there."""
    with store.read() as study:
        files = study.datasets.files_by_name(dataset)
    if not folder.is_dir():
        raise RefusedError(f"There is no folder {folder}. Check the spelling. {_UNCHANGED}")
    wanted = _even_part(files, _AT_MOST)
    read = frozenset(file.name for file in _even_part(wanted, _READ_AT_MOST))
    watching = progress or NoProgress()
    watching.start(f"Looking for the files of {dataset}", len(wanted))
    found: Counter[_FileMatch] = Counter()
    for file in wanted:
        found[_compare_file(folder, file, reads=file.name in read)] += 1
        watching.advance()
    if wanted and not found[_FileMatch.SAME]:
        raise RefusedError(
            f"No file of {dataset} is in {folder}: {_for_example(wanted[0], found)}. Choose "
            f"the folder with the same contents as before. {_UNCHANGED}"
        )
    return RelocationPreview(
        found=found[_FileMatch.SAME],
        others=found[_FileMatch.OTHER],
        searched=len(wanted),
        files=len(files),
    )


def relocate_dataset(
    store: StudyStore,
    dataset: str,
    folder: Path,
    *,
    partly: bool = False,
    progress: ProgressReporter | None = None,
) -> RelocationPreview:
    """Set the dataset's new folder; with `partly` some of its files may be missing.

    Of a study on a server the folder changes on this machine only.
    """
    there = preview_relocation(store, dataset, folder, progress=progress)
    if not there.complete and not partly:
        raise RefusedError(
            f"{there.sentence} {_UNCHANGED}", by_command="Use --partly to accept the folder anyway."
        )
    if store.local_folders is not None:
        store.local_folders.put(dataset, folder.resolve())
        return there
    with store.write() as study:
        study.datasets.relocate(dataset, str(folder.resolve()))
        study.audit.record("dataset relocated", dataset=dataset, folder=folder)
    return there


class _FileMatch(Enum):
    """What was found in place of a file."""

    SAME = "the file"
    OTHER = "another of its name"
    NOTHING = "nothing"


def _compare_file(folder: Path, file: NamedImageFile, *, reads: bool) -> _FileMatch:
    """Compare by size, and with `reads` also by contents."""
    path = folder.joinpath(*file.name.split("/"))
    try:
        same = file.byte_count in (None, path.stat().st_size) if path.is_file() else None
        if same and reads:
            read_known_file(ImageFile(path, content_hash=file.content_hash))
    except (OSError, UnreadableImage):
        return _FileMatch.OTHER
    if same is None:
        return _FileMatch.NOTHING
    return _FileMatch.SAME if same else _FileMatch.OTHER


def _for_example(file: NamedImageFile, found: Counter[_FileMatch]) -> str:
    if found[_FileMatch.OTHER]:
        return OTHER_CONTENTS
    return f"there is no {file.name}, for example"


def _even_part(files: Sequence[NamedImageFile], at_most: int) -> Sequence[NamedImageFile]:
    """Return all files, or an evenly spread part, since whole classes may be missing."""
    if len(files) <= at_most:
        return files
    return [files[place * len(files) // at_most] for place in range(at_most)]
