"""Files of an export come all or not at all, and one that was killed is cleared away."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.store.engine.atomic_folder import (
    LOCK_NAME,
    TEMPORARY_PREFIX,
    replace_folder_atomically,
)
from labeler.store.engine.file_lock import try_acquire_lock

# An export that writes, says so, and then waits for its end.
EXPORT = """
import sys
from pathlib import Path
from labeler.store.engine.atomic_folder import replace_folder_atomically

with replace_folder_atomically(Path(sys.argv[1])) as aside:
    (aside / "a.csv").write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


def aged(folder: Path, seconds: int) -> Path:
    os.utime(folder, times=(time.time() - seconds,) * 2)
    return folder


def leftover(beside: Path, name: str, *, seconds: int, lock: bool = True) -> Path:
    folder = beside / f"{TEMPORARY_PREFIX}{name}"
    folder.mkdir()
    (folder / "datasets.csv").touch()
    if lock:
        (folder / LOCK_NAME).touch()
    return aged(folder, seconds)


def write(folder: Path) -> None:
    with replace_folder_atomically(folder) as aside:
        (aside / "tables").mkdir()
        (aside / "tables" / "a.tex").write_text("new")
        (aside / "b.json").write_text("new")


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("there", [True, False])
def test_files_come_with_their_folders_and_replace_only_their_like(tmp_path, there) -> None:
    out = tmp_path / "out"
    if there:
        (out / "tables").mkdir(parents=True)
        (out / "tables" / "a.tex").write_text("old")
        (out / "mine.txt").touch()
    write(out)
    assert names(out) == ["b.json", *(["mine.txt"] if there else []), "tables/a.tex"]
    assert (out / "tables" / "a.tex").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_disk_that_is_full_before_the_end_leaves_what_was_there(tmp_path) -> None:
    write(tmp_path / "out")

    def fail() -> None:
        with replace_folder_atomically(tmp_path / "out") as aside:
            (aside / "b.json").write_text("newer")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(EnvironmentFault, match=r"the disk is full.*Nothing in it was changed") as e:
        fail()
    assert str(tmp_path / "out") in str(e.value)
    assert names(tmp_path / "out") == ["b.json", "tables/a.tex"]
    assert (tmp_path / "out" / "b.json").read_text() == "new"


def test_a_folder_in_the_place_of_a_file_is_told_with_what_state_things_are_in(tmp_path) -> None:
    (tmp_path / "out" / "b.json").mkdir(parents=True)
    with pytest.raises(EnvironmentFault, match="Some of its files may be of before"):
        write(tmp_path / "out")
    with pytest.raises(RefusedError, match="is a file; give a folder"):
        write(Path(__file__))


def test_what_a_killed_export_left_goes_with_the_next(tmp_path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", EXPORT, str(out)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[4]
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"writing\n"
        (left,) = tmp_path.glob(f"{TEMPORARY_PREFIX}*")
        aged(left, 3600)
        write(out)
        assert left.is_dir(), "it is being written to"
        running.send_signal(signal.SIGKILL)
    write(out)
    assert not left.exists()
    assert names(out) == ["b.json", "tables/a.tex"]


def test_what_may_be_in_use_or_is_not_ours_stays(tmp_path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    dead = [
        leftover(tmp_path, "dead", seconds=120),
        leftover(out, "within", seconds=120),
        leftover(tmp_path, "of-an-older-program", seconds=100_000, lock=False),
    ]
    alive = [
        leftover(tmp_path, "just-begun", seconds=5),
        leftover(tmp_path, "silent", seconds=3600, lock=False),
        leftover(tmp_path, "held", seconds=100_000),
    ]
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / f"{TEMPORARY_PREFIX}link"
    link.symlink_to(tmp_path / "elsewhere")
    with (alive[-1] / LOCK_NAME).open("r+b") as lock:
        assert try_acquire_lock(lock.fileno())
        write(out)
    assert not [left for left in dead if left.exists()]
    assert all(left.exists() for left in (*alive, link))
