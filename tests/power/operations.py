"""The operations of a recorded file system."""

import pickle
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Operation:
    """One recorded step; `node` numbers a file, whose name may change."""

    kind: str
    path: str = ""
    node: int = 0
    offset: int = 0
    data: bytes = b""
    target: str = ""


def read_operations(log: Path) -> list[Operation]:
    """Read a log to its end; a record that was cut off at the end is left out."""
    operations = []
    with log.open("rb") as stream:
        while True:
            try:
                operations.append(pickle.load(stream))
            except (EOFError, pickle.UnpicklingError):
                return operations
