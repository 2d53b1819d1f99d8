"""Appends to a file so that the text survives a crash or a power cut."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

from labeler.core.folder_access import follow_folder, make_folder
from labeler.store.engine.file_lock import hold_lock
from labeler.store.study.folder import StudyFolder


def user_journal(study_id: str) -> StudyFolder:
    """Return the folder for decisions that a study couldn't take because its file is gone.

    It is in the user's data folder, so that it survives whatever happens to the study's folder.
    """
    data = Path(platformdirs.user_data_dir("labeler", appauthor=False))
    return StudyFolder(data / "unsaved" / study_id)


def append_durably(file: Path, line: bytes, *, private: bool = False) -> None:
    """Append the line; a line that the disk wrote only in part counts as torn, as after a crash.

    Other users can't read a private file or the folders that are created for it.
    """
    new_names = _missing(file)
    if private:
        _make_private_folders(file.parent)
    make_folder(file.parent)
    opener = _open_private if private else None
    # Unbuffered: a buffer that the disk refused would be written again at close.
    with open(file, "ab", buffering=0, opener=opener) as journal, hold_lock(journal.fileno()):
        if file in new_names and not private:
            follow_folder(file)
        _write_all(journal.fileno(), _separator(file) + line)
        os.fsync(journal.fileno())
    for path in new_names:
        _sync_folder(path.parent)


def _make_private_folders(folder: Path) -> None:
    for missing in reversed(_missing(folder)):
        missing.mkdir(mode=0o700, exist_ok=True)


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _missing(file: Path) -> list[Path]:
    """Return the file and those of its parent folders that don't exist yet."""
    return [path for path in (file, *file.parents) if not path.exists()]


def _write_all(descriptor: int, data: bytes) -> None:
    """Write until a nearly full disk has taken everything or refuses."""
    while data:
        data = data[os.write(descriptor, data) :]


def _separator(file: Path) -> bytes:
    """Return a line end if the last line has none after a crash, so the next isn't torn too."""
    if file.stat().st_size == 0:
        return b""
    with file.open("rb") as earlier:
        earlier.seek(-1, os.SEEK_END)
        return b"" if earlier.read(1) == b"\n" else b"\n"


def _sync_folder(folder: Path) -> None:
    # A file's name is in its folder: until that is on disk too, a power cut could lose the file.
    with suppress(PermissionError):  # Windows opens no folders, and needs no such call.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
