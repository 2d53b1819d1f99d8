"""Write verdicts to the database, and to a journal while the database is unavailable.

The journal has ids of visits and sessions, and its name is a hash of the participant's code, so it
reveals nothing that a reviewer must not know.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from labeler.app.durable_append import append_durably
from labeler.app.incidents import error_sentence
from labeler.app.runner import Runner, ignore
from labeler.app.visit_json import visit_from_json, visit_to_json
from labeler.core.clock import Clock
from labeler.core.errors import EnvironmentFault, os_error_reason
from labeler.core.labeling.active_time import TrialVisit
from labeler.core.review.blind_types import CommittedVerdict, Lap, OwnVerdict
from labeler.core.study.entities import CorrectKind, SessionTask, Stage, Verdict
from labeler.store.engine.opened_file import DatabaseReplaced
from labeler.store.study.folder import StudyFolder
from labeler.store.study.sessions import SessionTakenOver
from labeler.store.study_store import JournalLines


class VerdictWriter:
    """Queues verdicts until they are stored; each attempt writes all of them, to keep the order."""

    def __init__(
        self,
        *,
        commit: Callable[[Sequence[CommittedVerdict]], None],
        keep: Callable[[Sequence[CommittedVerdict]], None],
        runner: Runner,
        clock: Clock,
    ) -> None:
        """`commit` stores verdicts, or journals them and fails; `keep` only journals them."""
        self._commit, self._keep, self._runner, self._clock = commit, keep, runner, clock
        self._waiting: list[CommittedVerdict] = []
        self._trying = False
        self._changed: Callable[[], None] = lambda: None
        self._stop: Callable[[str], None] = ignore
        self.trouble = ""

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the callback for stored or failed verdicts."""
        self._changed = changed

    def on_stop(self, stop: Callable[[str], None]) -> None:
        """Set the callback for when nothing more can be stored in this session."""
        self._stop = stop

    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    def store(self, verdicts: Sequence[CommittedVerdict]) -> None:
        self._waiting += verdicts
        self.try_again()

    def try_again(self) -> None:
        """Try to store the queued verdicts, unless an attempt is running."""
        if self._trying or not self._waiting:
            return
        self._trying = True
        tried = tuple(self._waiting)
        self._runner.run(
            "store verdicts",
            lambda: self._commit(tried),
            done=lambda _nothing: self._stored(len(tried)),
            failed=lambda error: self._failed(error, len(tried)),
        )

    def _stored(self, count: int) -> None:
        self._trying = False
        del self._waiting[:count]
        self.trouble = ""
        self.try_again()
        self._changed()

    def _failed(self, error: Exception, kept: int) -> None:
        """Announce the failure when every verdict is in the journal, also those given meanwhile."""
        waiting = tuple(self._waiting)
        if isinstance(error, EnvironmentFault) and len(waiting) > kept:
            self._runner.run(
                "journal verdicts",
                lambda: self._keep(waiting),
                done=lambda _nothing: self._failed(error, len(waiting)),
                failed=self._announce,
            )
        else:
            self._announce(error)

    def refuse(self, sentence: str) -> None:
        """Say why a verdict isn't accepted."""
        self.trouble = sentence
        self._changed()

    def _announce(self, error: Exception) -> None:
        self._trying = False
        self.trouble = error_sentence(error, clock=self._clock, blind=True)
        self._changed()
        if isinstance(error, DatabaseReplaced | SessionTakenOver):
            self._waiting.clear()
            self._stop(self.trouble)


class VerdictJournal:
    """The journal of one reviewer and stage; verdicts are on disk when `keep` returns."""

    def __init__(
        self,
        folder: StudyFolder,
        participant: str,
        stage: Stage,
        *,
        private: bool = False,
        lines: JournalLines | None = None,
    ) -> None:
        """`private` is for a journal in the user's data folder; `lines` are those of the study."""
        self._private = private
        self._form = lines or JournalLines()
        digest = hashlib.sha256(participant.encode()).hexdigest()[:32]
        self.file = folder.journal / SessionTask.REVIEW.value / f"{stage}-{digest}.jsonl"
        self._kept: set[CommittedVerdict] = set()

    def keep(self, verdicts: Sequence[CommittedVerdict]) -> None:
        """Append the verdicts that aren't in the journal yet."""
        new = [verdict for verdict in verdicts if verdict not in self._kept]
        if new:
            lines = b"".join(self._form.sealed(_written(verdict)) + b"\n" for verdict in new)
            with _translate_errors():
                append_durably(self.file, lines, private=self._private)
            self._kept.update(new)

    def pending(self) -> list[CommittedVerdict]:
        """Return the verdicts in the journal, in order; incomplete lines are skipped."""
        with _translate_errors():
            if not self.file.exists():
                return []
            lines = self.file.read_bytes().splitlines()
        found = (_read(self._form.opened(line)) for line in lines)
        return [verdict for verdict in found if verdict is not None]

    def clear(self) -> None:
        """Delete the journal: all verdicts are in the database now."""
        self._kept.clear()
        with _translate_errors():
            self.file.unlink(missing_ok=True)


def count_pending_verdicts(folder: StudyFolder, stage: Stage) -> int:
    """Return the number of lines in all journals of a stage."""
    files = (folder.journal / SessionTask.REVIEW.value).glob(f"{stage}-*.jsonl")
    return sum(len(file.read_bytes().splitlines()) for file in files)


def _written(verdict: CommittedVerdict) -> bytes:
    entry = {field.name: getattr(verdict, field.name) for field in fields(verdict)}
    own = verdict.own
    entry["own"] = None if own is None else {"verdict": own.verdict, "kind": own.kind}
    entry["lap"] = None if verdict.lap is None else _written_lap(verdict.session_id, verdict.lap)
    return json.dumps(entry, ensure_ascii=True, separators=(",", ":")).encode()


def _read(line: bytes) -> CommittedVerdict | None:
    try:
        entry = json.loads(line)
        own = entry["own"]
        if own is not None:
            kind = own["kind"]
            own = OwnVerdict(Verdict(own["verdict"]), None if kind is None else CorrectKind(kind))
        return CommittedVerdict(**{**entry, "own": own, "lap": _read_lap(entry.get("lap"))})
    except (ValueError, KeyError, TypeError):
        return None


def _written_lap(session: str, lap: Lap) -> dict[str, Any]:
    return {"number": lap.number, **visit_to_json(TrialVisit(session, lap.intervals))}


def _read_lap(fields: dict[str, Any] | None) -> Lap | None:
    """Return the stored lap; journals of earlier versions have none."""
    return None if fields is None else Lap(int(fields["number"]), visit_from_json(fields).intervals)


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(
            f"The journal of verdicts can't be written: {os_error_reason(error)}"
        ) from error
