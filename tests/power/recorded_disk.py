"""A folder on a recording file system, mounted for as long as a program works in it."""

import ctypes.util
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tests.power.operations import Operation, read_operations

_CHECKOUT = Path(__file__).parents[2]
_PATIENCE_S = 20


@cache
def why_unavailable() -> str:
    """Say why no file system can be mounted here; empty if one can."""
    if find_spec("mfusepy") is None:
        return "the package mfusepy isn't installed"
    if not any(map(ctypes.util.find_library, ("fuse3", "fuse"))):
        return "the library libfuse isn't installed"
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "/dev/fuse can't be opened"
    return ""


@dataclass(frozen=True)
class RecordedDisk:
    """The mounted folder, and the log of what happened in it."""

    mount: Path
    log: Path

    def operations(self) -> list[Operation]:
        return read_operations(self.log)


@contextmanager
def recorded(backing: Path, mount: Path, log: Path, *, failing: int = 0) -> Iterator[RecordedDisk]:
    """Mount `backing` at `mount`; the write or sync number `failing` fails, if given."""
    mount.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.power.recording_fs", backing, mount, log]
    options = ["--fail", str(failing)] if failing else []
    server = subprocess.Popen([*map(str, command), *options], cwd=_CHECKOUT)
    try:
        _wait_for_mount(mount, server)
        yield RecordedDisk(mount, log)
    finally:
        _unmount(mount)
        server.wait(_PATIENCE_S)


def _wait_for_mount(mount: Path, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not mount.is_mount():
        assert server.poll() is None, "the file system couldn't be mounted"
        assert time.monotonic() < end, "the file system isn't mounted"
        time.sleep(0.01)


def _unmount(mount: Path) -> None:
    """Unmount, as soon as the killed program has let go of its files."""
    end = time.monotonic() + _PATIENCE_S
    while mount.is_mount():
        subprocess.run(["fusermount3", "-u", mount], capture_output=True, check=False)
        assert time.monotonic() < end, f"{mount} can't be unmounted"
        time.sleep(0.01)
