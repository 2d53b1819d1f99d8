"""A journal for answers that could not be written to the database, so that none is lost.

A line is an answer, or the id of one that has been stored since. Lines are only ever appended,
until all are settled and the file starts again. Trials and sessions are known by their
random ids, and the file is named by a hash of the code, so it reveals nothing to a labeler.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from io import FileIO
from pathlib import Path
from typing import Any

from labeler import __version__
from labeler.app.durable_append import append_durably
from labeler.app.visit_json import visit_from_json, visit_to_json
from labeler.core.errors import EnvironmentFault, RefusedError, os_error_reason
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import Role, SessionTask
from labeler.store.engine.file_lock import hold_lock
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import JournalLines, StudyStore, Transaction

_ANSWER, _SETTLED = "answer", "settled"


@dataclass(frozen=True, slots=True)
class PendingAnswers:
    """The pending answers in order, and the number of lines damaged by a crash."""

    answers: tuple[CommittedAnswer, ...]
    torn_lines: int


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The outcome of a replay; the reasons are sentences for the labeler."""

    stored: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]  # answer id, reason
    torn_lines: int

    def __add__(self, other: "ReplayResult") -> "ReplayResult":
        return ReplayResult(
            self.stored + other.stored,
            self.refused + other.refused,
            self.torn_lines + other.torn_lines,
        )


class AnswerJournal:
    """One participant's journal of a task; an answer is on disk when `append` returns."""

    def __init__(
        self,
        folder: StudyFolder,
        participant: str,
        task: SessionTask = SessionTask.EVALUATE,
        *,
        private: bool = False,
        lines: JournalLines | None = None,
    ) -> None:
        """`private` is for a journal in the user's data folder; `lines` are those of the study."""
        self.participant, self._private = participant, private
        self._form = lines or JournalLines()
        digest = hashlib.sha256(participant.encode()).hexdigest()[:32]
        self.task = task
        self.file = _place(folder, task) / f"{digest}.jsonl"

    def append(self, answer: CommittedAnswer) -> None:
        visits = [visit_to_json(visit) for visit in answer.visits]
        self._write({_ANSWER: {**_fields(answer), "visits": visits}})

    def settle(self, answer_id: str) -> None:
        """Record that the answer is in the database and no longer pending."""
        self._write({_SETTLED: answer_id})

    def pending(self) -> PendingAnswers:
        """Return the answers that were appended and not settled; damaged lines are counted."""
        return _pending(self._lines())

    @property
    def is_empty(self) -> bool:
        """Return whether the file has no lines, settled or not."""
        return not self._lines()

    def compact(self) -> None:
        """Empty the file if nothing is pending; a file with damaged lines is copied first."""
        with _log_faults("written"):
            try:
                with self.file.open("r+b", buffering=0) as journal:
                    self._start_new_file(journal)
            except FileNotFoundError:
                return

    def _start_new_file(self, journal: FileIO) -> None:
        # Another window may append at the same time, so the file is only emptied under the lock.
        with hold_lock(journal.fileno()) as alone:
            contents = self.file.read_bytes()
            pending = _pending(map(self._form.opened, contents.splitlines()))
            if not alone or not contents or pending.answers:
                return
            if pending.torn_lines:
                self._save_torn_lines(contents)
            journal.truncate(0)
            os.fsync(journal.fileno())

    def _save_torn_lines(self, contents: bytes) -> None:
        number = 1 + len(list(self.file.parent.glob(f"{self.file.stem}.torn-*")))
        append_durably(self.file.with_suffix(f".torn-{number}"), contents)

    def _lines(self) -> list[bytes]:
        with _log_faults("read"):
            try:
                return list(map(self._form.opened, self.file.read_bytes().splitlines()))
            except FileNotFoundError:
                return []

    def _write(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode()
        with _log_faults("written"):
            line = self._form.sealed(text) + b"\n"
            append_durably(self.file, line, private=self._private)


def count_pending_answers(folder: StudyFolder, task: SessionTask = SessionTask.EVALUATE) -> int:
    """Return the number of pending answers in all journals of a task."""
    files = _place(folder, task).glob("*.jsonl")
    return sum(len(_pending(file.read_bytes().splitlines()).answers) for file in files)


def replay_journal(store: StudyStore, journal: AnswerJournal) -> ReplayResult:
    """Store the pending answers; those that are refused stay pending, so that none is lost."""
    pending = journal.pending()
    stored: list[str] = []
    refused: list[tuple[str, str]] = []
    for answer in pending.answers:
        try:
            with store.write() as study:
                _add_missing_sessions(study, answer, journal)
                study.answers.commit(answer, task=journal.task)
        except RefusedError as refusal:
            refused.append((answer.answer_id, str(refusal)))
            continue
        journal.settle(answer.answer_id)
        stored.append(answer.answer_id)
    return ReplayResult(tuple(stored), tuple(refused), pending.torn_lines)


def _add_missing_sessions(
    study: Transaction, answer: CommittedAnswer, journal: AnswerJournal
) -> None:
    study.sessions.add_missing(
        (answer.session_id, *(visit.session for visit in answer.visits)),
        journal.participant,
        role=Role.LABELER,
        task=journal.task,
        program_version=__version__,
        at=answer.submitted_at,
    )


def _place(folder: StudyFolder, task: SessionTask) -> Path:
    """Return the folder of a task's journals; phases open separately, so each has its own."""
    return folder.journal if task is SessionTask.EVALUATE else folder.journal / task.value


def _pending(lines: Iterable[bytes]) -> PendingAnswers:
    waiting: dict[str, CommittedAnswer] = {}
    torn = 0
    for line in lines:
        entry = _entry(line)
        if isinstance(entry, CommittedAnswer):
            waiting[entry.answer_id] = entry
        elif isinstance(entry, str):
            waiting.pop(entry, None)
        else:
            torn += 1
    return PendingAnswers(tuple(waiting.values()), torn)


def _entry(line: bytes) -> CommittedAnswer | str | None:
    """Parse a line: an answer, the id of a settled one, or None if it is damaged."""
    try:
        entry = json.loads(line)
        return entry[_SETTLED] if _SETTLED in entry else _answer(entry[_ANSWER])
    except (ValueError, KeyError, TypeError):
        return None


def _fields(answer: CommittedAnswer) -> dict[str, Any]:
    return {field.name: getattr(answer, field.name) for field in fields(answer)}


def _answer(entry: dict[str, Any]) -> CommittedAnswer:
    visits = tuple(visit_from_json(visit) for visit in entry["visits"])
    return CommittedAnswer(**{**entry, "visits": visits})


@contextmanager
def _log_faults(done: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(
            f"The journal of answers can't be {done}: {os_error_reason(error)} The answer stays on "
            "the screen until it is stored."
        ) from error
