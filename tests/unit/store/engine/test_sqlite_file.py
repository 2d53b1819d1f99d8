"""A study on a drive that is mounted read-only can be read, and says what it can't do."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from labeler.core.errors import EnvironmentFault
from labeler.store.engine.integrity_check import DatabaseFaultKind, find_database_faults
from labeler.store.study_opening import open_study


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Callable]]:
    """A folder, and how to make it one that takes no writes."""
    place = tmp_path / "a drive"
    place.mkdir()
    if os.geteuid() != 0:
        yield place, lambda: _pretend(place, monkeypatch)
        place.chmod(0o755)
        return
    if subprocess.run(["mount", "-t", "tmpfs", "none", place], check=False).returncode:
        pytest.skip("root may write everywhere, and no drive can be mounted here")
    try:
        yield place, lambda: subprocess.run(["mount", "-o", "remount,ro", place], check=True)
    finally:
        subprocess.run(["umount", place], check=True)


def _pretend(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _file: SimpleNamespace(f_flag=os.ST_RDONLY))
    for folder in (place / "study", place):
        folder.chmod(0o555)


def test_a_study_at_rest_is_read_and_checked_and_not_written(drive, make, clock) -> None:
    place, seal = drive
    make(place / "study").close()
    seal()
    with open_study(place / "study", clock=clock) as store:
        assert store.identity.name == "Fish and dogs"
        with (
            pytest.raises(EnvironmentFault, match="its file or folder is read-only"),
            store.write() as study,
        ):
            study.audit.record("no")
    assert find_database_faults(place / "study" / "study.db") == []


def test_a_study_whose_last_changes_wait_beside_it_says_what_to_do(
    drive, make, clock, tmp_path
) -> None:
    place, seal = drive
    make(tmp_path / "study").close()
    database = tmp_path / "study" / "study.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE study SET name = 'Fish and cats'")
        connection.commit()
        shutil.copytree(tmp_path / "study", place / "study")
    (place / "study" / "study.db-shm").unlink()
    assert (place / "study" / "study.db-wal").stat().st_size > 0
    seal()
    with pytest.raises(EnvironmentFault, match=r"drive or folder is read-only.*copy the study's"):
        open_study(place / "study", clock=clock)
    (fault,) = find_database_faults(place / "study" / "study.db")
    assert fault.kind is DatabaseFaultKind.UNREACHABLE
    assert "read-only" in fault.sentence
