"""A file system on FUSE that records every change and every sync, in order.

    python -m tests.power.recording_fs BACKING MOUNT LOG [--fail NUMBER]

Changes go through to the folder BACKING. Each is also appended to LOG, from which `cut_disk`
rebuilds what a power cut at any moment would have left. Looking up a name that starts with
`MARK_PREFIX` changes nothing and records a mark: the program under test says so what it has
acknowledged, at a known position between the writes. With `--fail`, the write or sync of that
number after the first mark fails once with an input/output error.
"""

import errno
import os
import pickle
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import mfusepy

from tests.power.operations import Operation

MARK_PREFIX = ".mark-"
_ATTRIBUTES = (
    "st_mode",
    "st_nlink",
    "st_uid",
    "st_gid",
    "st_size",
    "st_atime_ns",
    "st_mtime_ns",
    "st_ctime_ns",
)


class RecordingFileSystem(mfusepy.Operations):  # type: ignore[misc]
    """Passes everything through to a folder, and records what changes it."""

    use_ns = True

    def __init__(self, backing: Path, log: Path, *, failing: int = 0) -> None:
        self._backing = str(backing)
        self._log = log.open("ab", buffering=0)
        self._numbers = count(1)
        self._nodes: dict[str, int] = {}
        self._opened: dict[int, int] = {}
        self._failing, self._syncs_and_writes, self._marked = failing, count(1), False
        for file in backing.rglob("*"):
            if file.is_file():
                path = "/" + file.relative_to(backing).as_posix()
                self._record(Operation("exists", path, self._node(path), data=file.read_bytes()))
            elif file.is_dir():
                self._record(Operation("exists_folder", "/" + file.relative_to(backing).as_posix()))

    # Reading.

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        name = path.rpartition("/")[2]
        if name.startswith(MARK_PREFIX):
            self._marked = True
            self._record(Operation("mark", name.removeprefix(MARK_PREFIX)))
            raise mfusepy.FuseOSError(errno.ENOENT)
        status = os.lstat(self._real(path))
        return {name: getattr(status, name) for name in _ATTRIBUTES}

    def readdir(self, path: str, fh: int) -> Iterator[str]:
        yield from (".", "..", *os.listdir(self._real(path)))

    def open(self, path: str, flags: int) -> int:
        # Even a file that is opened to append is written at the offsets that the kernel gives.
        descriptor = os.open(self._real(path), flags & ~(os.O_APPEND | os.O_CREAT | os.O_EXCL))
        self._opened[descriptor] = self._node(path)
        return descriptor

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return os.pread(fh, size, offset)

    def statfs(self, path: str) -> dict[str, int]:
        found = os.statvfs(self._real(path))
        return {name: getattr(found, name) for name in ("f_bsize", "f_blocks", "f_bavail")}

    def release(self, path: str, fh: int) -> int:
        self._opened.pop(fh, None)
        os.close(fh)
        return 0

    # Changing.

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        descriptor = os.open(self._real(path), os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode)
        self._opened[descriptor] = self._node(path)
        self._record(Operation("create", path, self._node(path)))
        return descriptor

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        self._fail_if_due()
        written = os.pwrite(fh, data, offset)
        self._record(Operation("write", path, self._opened[fh], offset, bytes(data[:written])))
        return written

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        os.truncate(self._real(path) if fh is None else fh, length)
        node = self._node(path) if fh is None else self._opened[fh]
        self._record(Operation("truncate", path, node, length))
        return 0

    def unlink(self, path: str) -> int:
        os.unlink(self._real(path))
        self._nodes.pop(path, None)
        self._record(Operation("unlink", path))
        return 0

    def mkdir(self, path: str, mode: int) -> int:
        os.mkdir(self._real(path), mode)
        self._record(Operation("mkdir", path))
        return 0

    def rmdir(self, path: str) -> int:
        os.rmdir(self._real(path))
        self._record(Operation("rmdir", path))
        return 0

    def rename(self, old: str, new: str) -> int:
        os.rename(self._real(old), self._real(new))
        moved = {p: n for p, n in self._nodes.items() if p == old or p.startswith(old + "/")}
        for path, node in moved.items():
            del self._nodes[path]
            self._nodes[new + path.removeprefix(old)] = node
        self._record(Operation("rename", old, target=new))
        return 0

    def chmod(self, path: str, mode: int) -> int:
        os.chmod(self._real(path), mode)
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:
        os.chown(self._real(path), uid, gid)
        return 0

    def utimens(self, path: str, times: tuple[int, int] | None = None) -> int:
        os.utime(self._real(path), ns=times)
        return 0

    # Syncing.

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        self._fail_if_due()
        self._record(Operation("fsync", path, self._opened[fh]))
        return 0

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        self._record(Operation("fsync_folder", path))
        return 0

    def _fail_if_due(self) -> None:
        if self._marked and next(self._syncs_and_writes) == self._failing:
            self._record(Operation("failure"))
            raise mfusepy.FuseOSError(errno.EIO)

    def _node(self, path: str) -> int:
        if path not in self._nodes:
            self._nodes[path] = next(self._numbers)
        return self._nodes[path]

    def _real(self, path: str) -> str:
        return self._backing + path

    def _record(self, operation: Operation) -> None:
        self._log.write(pickle.dumps(operation))


if __name__ == "__main__":
    backing_path, mount_path, log_path, *options = sys.argv[1:]
    number = int(options[1]) if options else 0
    files = RecordingFileSystem(Path(backing_path), Path(log_path), failing=number)
    mfusepy.FUSE(
        files,
        mount_path,
        foreground=True,
        nothreads=True,
        # Every look-up reaches us, so that every mark does.
        attr_timeout=0,
        entry_timeout=0,
        negative_timeout=0,
    )
