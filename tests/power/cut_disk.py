"""What a power cut leaves of a recorded file system: what was synced, and parts of the rest."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.power.operations import Operation

# The unit that a disk writes whole.
_SECTOR = 512
_ROOT = "/"


@dataclass
class _File:
    """A file's synced contents, and what was changed since."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Operation] = field(default_factory=list)


class CutDisk:
    """Replays recorded operations; `materialize` writes what a cut after the last one leaves.

    The model is the strictest that POSIX allows: a file's contents are safe when the file was
    synced, its name when its folder was. Of everything else a random part survives, sector by
    sector; half of the cuts keep none of it.
    """

    def __init__(self) -> None:
        self._files: dict[int, _File] = {}
        # Names by path; None is a folder.
        self._safe_names: dict[str, int | None] = {_ROOT: None}
        self._pending_names: list[Operation] = []

    def apply(self, operation: Operation) -> None:
        """Take one recorded operation."""
        match operation.kind:
            case "exists":
                self._files[operation.node] = _File(bytearray(operation.data))
                self._safe_names[operation.path] = operation.node
            case "exists_folder":
                self._safe_names[operation.path] = None
            case "write" | "truncate":
                self._file(operation.node).pending.append(operation)
            case "fsync":
                self._sync(self._file(operation.node))
            case "create" | "unlink" | "rename" | "mkdir" | "rmdir":
                self._pending_names.append(operation)
            case "fsync_folder":
                self._sync_folder(operation.path)

    def materialize(self, folder: Path, draw: random.Random) -> None:
        """Write what survives into an empty folder; `draw` decides what isn't certain."""
        keeps_some = draw.random() < 0.5
        for path, node in self._surviving_names(draw, keeps_some=keeps_some).items():
            place = folder / path.removeprefix("/")
            if node is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(self._surviving_contents(node, draw, keeps_some=keeps_some))

    def _file(self, node: int) -> _File:
        return self._files.setdefault(node, _File())

    def _sync(self, file: _File) -> None:
        for change in file.pending:
            _change(file.synced, change)
        file.pending.clear()

    def _sync_folder(self, folder: str) -> None:
        """Make the folder's own entries safe, in their order."""
        synced = [o for o in self._pending_names if _touches(o, folder)]
        self._pending_names = [o for o in self._pending_names if not _touches(o, folder)]
        for operation in synced:
            _rename(self._safe_names, operation)

    def _surviving_names(self, draw: random.Random, *, keeps_some: bool) -> dict[str, int | None]:
        names = dict(self._safe_names)
        # A file system that keeps a journal of its names loses the newest ones first.
        kept = draw.randint(0, len(self._pending_names)) if keeps_some else 0
        for operation in self._pending_names[:kept]:
            _rename(names, operation)
        return {path: node for path, node in names.items() if _is_reachable(path, names)}

    def _surviving_contents(self, node: int, draw: random.Random, *, keeps_some: bool) -> bytes:
        file = self._files.get(node, _File())
        contents = bytearray(file.synced)
        for change in _torn(file.pending, draw) if keeps_some else ():
            _change(contents, change)
        return bytes(contents)


def _torn(pending: Sequence[Operation], draw: random.Random) -> list[Operation]:
    """Every sector of unsynced writes survives or doesn't; the last one may end anywhere."""
    survivors: list[Operation] = []
    for change in pending:
        if change.kind == "truncate":
            survivors += [change] * draw.randint(0, 1)
            continue
        for start in range(0, len(change.data), _SECTOR):
            if draw.random() < 0.5:
                part = change.data[start : start + _SECTOR]
                survivors.append(_write(change, start, part))
    if survivors and survivors[-1].kind == "write":
        last = survivors[-1]
        survivors[-1] = _write(last, 0, last.data[: draw.randint(0, len(last.data))])
    return survivors


def _write(change: Operation, start: int, data: bytes) -> Operation:
    return Operation("write", change.path, change.node, change.offset + start, data)


def _change(contents: bytearray, change: Operation) -> None:
    if change.kind == "truncate":
        del contents[change.offset :]
        contents.extend(bytes(change.offset - len(contents)))
        return
    contents.extend(bytes(max(0, change.offset - len(contents))))
    contents[change.offset : change.offset + len(change.data)] = change.data


def _rename(names: dict[str, int | None], operation: Operation) -> None:
    """Carry a change of names out; one whose own condition didn't survive does nothing."""
    path = operation.path
    if operation.kind == "create":
        names[path] = operation.node
    elif operation.kind == "mkdir":
        names[path] = None
    elif operation.kind in ("unlink", "rmdir"):
        names.pop(path, None)
    elif path in names:
        moved = [name for name in names if name == path or name.startswith(path + "/")]
        for name in moved:
            names[operation.target + name.removeprefix(path)] = names.pop(name)


def _touches(operation: Operation, folder: str) -> bool:
    """Whether the folder holds the name that the operation changes."""
    return str(PurePosixPath(operation.target or operation.path).parent) == folder


def _is_reachable(path: str, names: dict[str, int | None]) -> bool:
    parents = [str(parent) for parent in PurePosixPath(path).parents]
    return all(parent in names and names[parent] is None for parent in parents)
