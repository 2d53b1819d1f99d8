"""Where one machine has the images of a shared study, in a file of its own study folder."""

import json
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason
from labeler.store.study.local_json import write_local_json

_FORM = 'this file must contain {"DATASET": "FOLDER", …}. Correct it, or delete it to start again.'


class LocalFolders:
    """The image folders of this machine by dataset; other machines have other ones.

    The file is read again when it has changed, because another program may have written it.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._read: tuple[tuple[int, int], Mapping[str, str]] | None = None

    def all(self) -> Mapping[str, str]:
        """Return the folders that were set on this machine."""
        with self._lock:
            try:
                status = self._file.stat()
            except FileNotFoundError:
                return {}
            state = (status.st_mtime_ns, status.st_ino)
            if self._read is None or self._read[0] != state:
                self._read = state, _parse(self._file)
            return self._read[1]

    def put(self, dataset: str, folder: Path) -> None:
        """Set the dataset's folder on this machine; it is on the disk when this returns."""
        folders = {**self.all(), dataset: str(folder)}
        write_local_json(self._file, folders)


def _parse(file: Path) -> Mapping[str, str]:
    try:
        folders = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentFault(f"{file} can't be read: {os_error_reason(error)}") from error
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise InputError(_FORM, file=file, line=line) from error
    if not isinstance(folders, dict) or not all(isinstance(f, str) for f in folders.values()):
        raise InputError(_FORM, file=file)
    return folders
