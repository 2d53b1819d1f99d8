"""Where one machine has the images of a shared study, in a file of its own study folder."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from uuid import uuid4

from labeler.core.errors import EnvironmentFault, InputError, os_error_reason
from labeler.core.folder_access import follow_folder

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
        aside = self._file.with_name(f".{self._file.name}.{uuid4().hex}")
        try:
            with aside.open("w", encoding="utf-8") as stream:
                json.dump(folders, stream, indent=2, sort_keys=True)
                stream.flush()
                os.fsync(stream.fileno())
            follow_folder(aside)
            aside.replace(self._file)
        except OSError as error:
            aside.unlink(missing_ok=True)
            raise EnvironmentFault(
                f"{self._file} can't be written: {os_error_reason(error)}"
            ) from error


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
