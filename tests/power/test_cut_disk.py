"""What a power cut leaves: everything synced, and never more than was written."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.power.cut_disk import CutDisk
from tests.power.operations import Operation

CREATE = Operation("create", "/journal", 1)
SYNC = Operation("fsync", "/journal", 1)
SYNC_FOLDER = Operation("fsync_folder", "/")


def write(data: bytes, offset: int = 0) -> Operation:
    return Operation("write", "/journal", 1, offset, data)


def left(folder: Path, *operations: Operation, seed: int) -> bytes | None:
    """What a cut leaves of the journal; None if its name is lost."""
    disk = CutDisk()
    for operation in operations:
        disk.apply(operation)
    place = folder / str(seed)
    disk.materialize(place, random.Random(seed))
    file = place / "journal"
    return file.read_bytes() if file.exists() else None


@pytest.mark.parametrize("seed", range(20))
def test_what_was_synced_survives_every_cut(tmp_path: Path, seed: int) -> None:
    assert left(tmp_path, CREATE, write(b"one"), SYNC, SYNC_FOLDER, seed=seed) == b"one"


def test_what_was_not_synced_is_lost_in_some_cuts_and_torn_in_others(tmp_path: Path) -> None:
    operations = (CREATE, SYNC_FOLDER, write(b"one" * 1000))
    found = {left(tmp_path, *operations, seed=seed) for seed in range(40)}
    assert b"" in found
    assert len(found) > 2


def test_a_file_whose_folder_was_not_synced_is_lost_in_some_cuts(tmp_path: Path) -> None:
    found = {left(tmp_path, CREATE, write(b"one"), SYNC, seed=seed) for seed in range(40)}
    assert found == {None, b"one"}


def test_a_file_renamed_over_another_is_one_of_the_two(tmp_path: Path) -> None:
    written = Operation("write", "/new", 2, 0, b"new")
    operations = (
        Operation("exists", "/journal", 1, data=b"old"),
        Operation("create", "/new", 2),
        written,
        Operation("fsync", "/new", 2),
        Operation("rename", "/new", target="/journal"),
    )
    found = {left(tmp_path, *operations, seed=seed) for seed in range(40)}
    assert found == {b"old", b"new"}


@given(st.binary(max_size=3000), st.binary(max_size=3000), st.integers(0, 4000), st.integers(0, 99))
def test_unsynced_writes_never_change_bytes_they_did_not_touch(
    tmp_path_factory: pytest.TempPathFactory, synced: bytes, torn: bytes, offset: int, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    operations = (CREATE, SYNC_FOLDER, write(synced), SYNC, write(torn, offset))
    found = left(folder, *operations, seed=seed)
    assert found is not None
    assert found[:offset] == synced[:offset] + bytes(min(len(found), offset) - len(synced[:offset]))
    assert len(found) <= max(len(synced), offset + len(torn))
