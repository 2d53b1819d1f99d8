"""The locks of open windows have the access of the study."""

import os
from pathlib import Path

import pytest

from labeler.core.folder_access import set_access
from labeler.store.study.folder import StudyFolder
from labeler.store.study.session_locks import SessionLock, is_session_locked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no such access")


@pytest.mark.parametrize(
    ("shared", "folder_mode", "file_mode"), [(False, 0o700, 0o600), (True, 0o770, 0o660)]
)
def test_a_lock_can_be_read_by_those_who_share_the_study(
    tmp_path: Path, shared: bool, folder_mode: int, file_mode: int
) -> None:
    folder = StudyFolder(tmp_path / "study")
    folder.path.mkdir()
    set_access(folder.path, os.getgid() if shared else None)
    lock = SessionLock(folder, "s")
    try:
        [file] = folder.windows.iterdir()
        assert folder.windows.stat().st_mode & 0o777 == folder_mode
        assert file.stat().st_mode & 0o777 == file_mode
        assert is_session_locked(folder, "s") is not False
    finally:
        lock.release()
    assert is_session_locked(folder, "s") is False
