"""What is on the disk of a study, read past the program from a copy of its files.

A copy, since anyone who opens the database itself puts its log in order, and the program has to
cope
with what the kill left.
"""

import json
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

from labeler.app.labeling.answer_journal import AnswerJournal
from labeler.core.labeling.active_time import IDLE_AFTER_MS, AttentionInterval, active_ms
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import AttentionPlace
from labeler.store.labeling.trial_time import unpack_inputs
from labeler.store.study.folder import StudyFolder

_ANSWERS = """
SELECT p.trial_id, p.id, p.revision, c.wnid, a.wnid, p.note, p.active_ms, p.wall_ms, p.escape_hatch,
       t.shown_at IS NOT NULL,
       (SELECT count(*) FROM exposure e WHERE e.image_id = p.image_id
        AND e.participant_id = p.participant_id AND e.occasion = 'evaluation')
FROM prediction p JOIN trial t ON t.id = p.trial_id JOIN class c ON c.id = p.class_id
LEFT JOIN class a ON a.id = p.alternative_id
ORDER BY t.position, p.revision
"""
_INTERVALS = """
SELECT trial_id, session_id, place, started_ms, ended_ms, inputs
FROM attention_interval ORDER BY trial_id, number
"""
_INTERVAL_FIELDS = ("place", "started_ms", "ended_ms", "inputs")
_DRAFTS = "SELECT subject, contents FROM draft WHERE subject != 'marked trials'"
_WAITING = """
SELECT id FROM trial WHERE NOT EXISTS (SELECT 1 FROM prediction WHERE trial_id = trial.id)
ORDER BY position
"""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A prediction with what must have been stored together with it."""

    trial: str
    answer_id: str
    revision: int
    label: str
    alternative: str | None
    note: str
    active_ms: int
    wall_ms: int
    escape_hatch: bool
    trial_was_shown: bool
    exposures: int


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """What was kept of a trial, and the active time since its last answer."""

    label: str | None
    alternative: str | None
    escape_hatch: bool
    note: str
    shortlist: tuple[str, ...]
    active_ms: int


@dataclass(frozen=True)
class StudyOnDisk:
    """A study at one moment; trials are known by the ids that the program uses."""

    sound: bool
    answers: dict[str, list[StoredAnswer]]  # by trial, in the order of their revisions
    stretches: dict[str, list[tuple[AttentionInterval, ...]]]  # by trial, one for each session
    drafts: dict[str, StoredDraft]
    waiting: tuple[str, ...]
    journaled: tuple[CommittedAnswer, ...]

    def active_ms(self, trial: str) -> int:
        """The active time that the trial's stored intervals add up to."""
        return _summed(self.stretches.get(trial, []))

    def holds_in_journal(self, trial: str) -> bool:
        return any(answer.trial_id == trial for answer in self.journaled)


def read_study(folder: Path, *, code: str) -> StudyOnDisk:
    """Read a study whose program was killed."""
    with _copied(folder) as database, closing(sqlite3.connect(database)) as connection:
        answers: dict[str, list[StoredAnswer]] = defaultdict(list)
        for row in connection.execute(_ANSWERS):
            answers[_id(row[0])].append(StoredAnswer(_id(row[0]), _id(row[1]), *row[2:]))
        return StudyOnDisk(
            sound=_is_sound(connection),
            answers=answers,
            stretches=_stretches(connection),
            drafts=_drafts(connection),
            waiting=tuple(_id(row[0]) for row in connection.execute(_WAITING)),
            journaled=AnswerJournal(StudyFolder(folder), code).pending().answers,
        )


def read_drafts(folder: Path) -> dict[str, StoredDraft]:
    """Read the drafts of a study while its program runs."""
    address = f"file:{StudyFolder(folder).database}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        return _drafts(connection)


@contextmanager
def _copied(folder: Path) -> Iterator[Path]:
    database = StudyFolder(folder).database
    with tempfile.TemporaryDirectory() as place:
        for file in (database, Path(f"{database}-wal")):
            if file.exists():
                shutil.copy(file, place)
        yield Path(place, database.name)


def _is_sound(connection: sqlite3.Connection) -> bool:
    integrity = connection.execute("PRAGMA integrity_check").fetchall()
    return integrity == [("ok",)] and not connection.execute("PRAGMA foreign_key_check").fetchall()


def _stretches(connection: sqlite3.Connection) -> dict[str, list[tuple[AttentionInterval, ...]]]:
    found: dict[str, list[tuple[AttentionInterval, ...]]] = defaultdict(list)
    rows = connection.execute(_INTERVALS).fetchall()
    for (trial, _session), own in groupby(rows, key=lambda row: row[:2]):
        intervals = (_interval(*row[2:5], unpack_inputs(row[5])) for row in own)
        found[_id(trial)].append(tuple(intervals))
    return found


def _drafts(connection: sqlite3.Connection) -> dict[str, StoredDraft]:
    return {subject: _draft(json.loads(text)) for subject, text in connection.execute(_DRAFTS)}


def _draft(contents: dict[str, Any]) -> StoredDraft:
    # Read here by hand, since the program's own reading is what is tested.
    draft = contents["draft"]
    visits = [
        tuple(_interval(*(each[name] for name in _INTERVAL_FIELDS)) for each in visit["intervals"])
        for visit in draft["since"]["visits"]
    ]
    return StoredDraft(
        label=draft["label"],
        alternative=draft["alternative"],
        escape_hatch=draft["escape_hatch"],
        note=draft["note"],
        shortlist=tuple(contents["shortlist"]),
        active_ms=_summed(visits),
    )


def _interval(
    place: str, started_ms: int, ended_ms: int, inputs: Sequence[int]
) -> AttentionInterval:
    return AttentionInterval(AttentionPlace(place), started_ms, ended_ms, tuple(inputs))


def _summed(stretches: Iterable[tuple[AttentionInterval, ...]]) -> int:
    return sum(active_ms(each, idle_after_ms=IDLE_AFTER_MS) for each in stretches)


def _id(text: str) -> str:
    """The id as the program writes it; SQLite keeps it without hyphens."""
    return str(UUID(text))
