"""Part files: the results of an unfinished scoring, which survive a crash.

Each run starts with a line about the model and its weights. Then every scored chunk is a line,
which is on disk before it counts. Lines are only appended; an incomplete line is scored again.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from labeler.app.durable_append import append_durably
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.folder_access import follow_folder, make_folder
from labeler.core.models.scoring import ScoredChunk, UnreadableFile
from labeler.store.engine.file_lock import try_acquire_lock
from labeler.store.study.folder import StudyFolder

_ABOUT = "about"


@dataclass(slots=True)
class PartContents:
    """The contents of a part file: a line about each run, and the scored chunks."""

    runs: list[Mapping[str, Any]] = field(default_factory=list)
    chunks: list[ScoredChunk] = field(default_factory=list)

    @property
    def replaces(self) -> bool:
        """Return whether this is a replacement of stored predictions with some results."""
        return bool(self.chunks) and bool(self.runs[-1].get("replaces"))

    @property
    def ordinals(self) -> set[int]:
        """Return the images that needn't be scored again, including unreadable ones."""
        scored = {ordinal for chunk in self.chunks for ordinal in chunk.ordinals}
        return scored | {file.ordinal for chunk in self.chunks for file in chunk.unreadable}


class PartFile:
    """The part file of one model and dataset, locked by one program at a time."""

    def __init__(self, folder: StudyFolder, *, model: str, dataset: str) -> None:
        digest = hashlib.sha256(f"{model}\n{dataset}".encode()).hexdigest()[:24]
        self._model, self._dataset = model, dataset
        self.file = folder.scoring / f"{digest}.jsonl"
        self._lock: FileIO | None = None

    def __enter__(self) -> "PartFile":
        make_folder(self.file.parent)
        self._lock = self._lock_file.open("ab", buffering=0)
        follow_folder(self._lock_file)
        if not try_acquire_lock(self._lock.fileno()):
            self._lock.close()
            raise RefusedError(
                f"{self._model} is being scored on {self._dataset} by another program. Wait until "
                "it has finished, or cancel it there."
            )
        return self

    def __exit__(self, *_exception: object) -> None:
        assert self._lock is not None, "the file was entered"
        self._lock.close()

    def contents(self) -> PartContents:
        """Return the contents; incomplete lines are skipped."""
        return read_part(self.file)

    def begin_run(self, about: Mapping[str, Any]) -> None:
        self._append({_ABOUT: about})

    def append(self, chunk: ScoredChunk) -> None:
        """Append a chunk; it is on disk when this returns."""
        self._append(_chunk_line(chunk))

    def discard(self) -> None:
        """Remove the file, when its results are in the database or are replaced."""
        self.file.unlink(missing_ok=True)

    @property
    def _lock_file(self) -> Path:
        # Never removed: otherwise two programs could each lock another file.
        return self.file.with_suffix(".lock")

    def _append(self, line: Mapping[str, Any]) -> None:
        try:
            append_durably(self.file, _line_bytes(line))
        except OSError as error:
            raise EnvironmentFault(
                f"The scored images can't be saved ({error.strerror or error}). Free some space or "
                "check the study's folder, then start the scoring again."
            ) from error


def parts_in(folder: StudyFolder) -> list[PartContents]:
    """Return all part files of a study: scorings that are running or were interrupted."""
    return [read_part(file) for file in sorted(folder.scoring.glob("*.jsonl"))]


def read_part(file: Path) -> PartContents:
    """Read a part file that may still be growing."""
    found = PartContents()
    try:
        written = file.read_bytes()
    except FileNotFoundError:
        return found
    seen: set[int] = set()
    for text in written.split(b"\n"):
        _take(found, text, seen)
    return found


def _take(found: PartContents, text: bytes, seen: set[int]) -> None:
    try:
        line = json.loads(text)
        if _ABOUT in line:
            found.runs.append(line[_ABOUT])
            return
        chunk = _read_chunk(line)
    except (ValueError, KeyError, TypeError):
        return
    # A chunk should be in the file once; duplicates are ignored.
    if seen.isdisjoint(chunk.ordinals):
        seen.update(chunk.ordinals)
        found.chunks.append(chunk)


def _line_bytes(line: Mapping[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _chunk_line(chunk: ScoredChunk) -> dict[str, Any]:
    """Return the chunk without its logits, arrays in base64."""
    return {
        "event": "scored",
        "chunk": chunk.number,
        "ordinals": list(chunk.ordinals),
        "labels": _packed(chunk.labels, "<u2"),
        "scores": _packed(chunk.scores, "<f4"),
        "ranks": int(chunk.labels.shape[1]),
        "unreadable": [[file.ordinal, file.reason] for file in chunk.unreadable],
    }


def _read_chunk(line: Mapping[str, Any]) -> ScoredChunk:
    ordinals = tuple(int(ordinal) for ordinal in line["ordinals"])
    shape = (len(ordinals), int(line["ranks"]))
    return ScoredChunk(
        number=int(line["chunk"]),
        ordinals=ordinals,
        labels=_unpacked(line["labels"], "<u2").reshape(shape),
        scores=_unpacked(line["scores"], "<f4").reshape(shape),
        unreadable=tuple(UnreadableFile(int(o), str(r)) for o, r in line["unreadable"]),
    )


def _packed(array: npt.NDArray[Any], dtype: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


def _unpacked(text: str, dtype: str) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(text, validate=True), dtype)
