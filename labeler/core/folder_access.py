"""Who may read a study's files: only their owner, or a group that the lead chose.

New files and folders follow the folder that they are in, so the study's folder alone decides.
"""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
# The set-group-ID bit passes the group on to everything that is created in the folder.
GROUP_FOLDER, GROUP_FILE = 0o2770, 0o660


def follow_folder(path: Path) -> None:
    """Give a new file or folder the access of its folder, if that isn't open to everyone."""
    # Someone else in the group may have created it, and so have set its access.
    with suppress(PermissionError):
        if path.parent.stat().st_mode & 0o077 == 0:
            path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
        elif shared_group(path.parent) is not None:
            path.chmod(GROUP_FOLDER if path.is_dir() else GROUP_FILE)


def shared_group(folder: Path) -> int | None:
    """Return the number of the group that a folder is shared with, and no one else; or None."""
    status = folder.stat()
    is_shared = status.st_mode & stat.S_ISGID and status.st_mode & 0o077 == 0o070
    return status.st_gid if is_shared else None


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, each with the access of the folder it is in."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    follow_folder(folder)


def set_access(folder: Path, group: str | int | None) -> None:
    """Let only the owner read and write the folder with all its contents, or also a group.

    A group is given by its name or number.
    """
    if os.name != "posix":
        if group is not None:
            raise RefusedError("Groups are set with the permissions of the folder on this system.")
        return
    try:
        for parent, folders, files in os.walk(folder, topdown=False):
            for name in (*folders, *files):
                _set(Path(parent, name), group)
        _set(folder, group)
    except LookupError as error:
        raise RefusedError(f"This computer has no group '{group}'.") from error
    except OSError as error:
        raise EnvironmentFault(
            f"The permissions of '{folder}' can't be changed: {os_error_reason(error)}"
        ) from error


def _set(path: Path, group: str | int | None) -> None:
    if path.is_symlink():
        return
    if group is not None:
        shutil.chown(path, group=group)
    folder_mode, file_mode = (
        (PRIVATE_FOLDER, PRIVATE_FILE) if group is None else (GROUP_FOLDER, GROUP_FILE)
    )
    path.chmod(folder_mode if path.is_dir() else file_mode)
