"""Small JSON files in a study's folder that say what this machine has."""

import json
import os
from pathlib import Path
from uuid import uuid4

from labeler.core.errors import EnvironmentFault, os_error_reason
from labeler.core.folder_access import follow_folder


def write_local_json(file: Path, document: object) -> None:
    """Replace the file; it is on the disk when this returns, and a crash leaves the old one."""
    aside = file.with_name(f".{file.name}.{uuid4().hex}")
    try:
        with aside.open("w", encoding="utf-8") as stream:
            json.dump(document, stream, indent=2, sort_keys=True)
            stream.flush()
            os.fsync(stream.fileno())
        follow_folder(aside)
        aside.replace(file)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise EnvironmentFault(f"{file} can't be written: {os_error_reason(error)}") from error
