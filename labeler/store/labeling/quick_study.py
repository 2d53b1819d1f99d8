"""A labeler's quick way to the next trial, for a study on this disk: past SQLAlchemy.

Importing that takes longer than opening the window, and nobody should wait for it who only wants
to go on. So this way asks SQLite itself, and only about what is as usual: the schema is this
program's, nobody else is writing, the labeler has answered before and may go on, every trial is
there. The rules are those of the usual way, a test compares the two; wherever one isn't met the
answer is None, and the usual way does what has to be done or says why it can't. Who may begin at
all is for the usual way alone to say.
"""

import json
import sqlite3
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from labeler.core.classes import taxonomy as taxonomies
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import InputError
from labeler.core.labeling.blind_types import BlindTrial
from labeler.store.datasets.image_files import resolve_image_file
from labeler.store.engine.schema_version import SCHEMA_VERSION
from labeler.store.engine.sqlite_file import open_connection
from labeler.store.labeling import quick_queries as questions
from labeler.store.labeling.drafts import MARKED_TRIALS_SUBJECT
from labeler.store.study.folder import StudyFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickSession:
    """A session that has begun.

    `left` is the trial that was left half done, if one was, and `waits` the first that has neither
    an answer nor a flag, if one hasn't.
    """

    session_id: str
    left: BlindTrial | None
    waits: BlindTrial | None
    also_open: bool
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class QuickTrial:
    """A trial that is new but for its draft; the file goes to the decoder and no further."""

    draft: str | None
    file: ImageFile


class QuickStudy:
    """A study and a labeler who may answer its evaluation, as far as can be told quickly."""

    def __init__(self, connection: sqlite3.Connection, code: str) -> None:
        self._connection = connection
        self._code = code
        self._person: dict[str, Any] = {}
        self._total = 0
        name, taxonomy = connection.execute(questions.STUDY).fetchone()
        self.name: str = name
        self.taxonomy: Taxonomy = taxonomies.parse(
            zlib.decompress(taxonomy), file="the study's taxonomy"
        )

    def begin(self, *, program_version: str, now: str, active_since: str) -> QuickSession | None:
        """Begin a session of the evaluation, on disk when it is returned."""
        try:
            with self._writing():
                return self._begin(program_version, now=now, active_since=active_since)
        except sqlite3.Error:
            return None

    def trial(self, trial_id: str) -> QuickTrial | None:
        """The trial, if nothing has been done about it yet and something may be."""
        values = {
            "trial": uuid.UUID(trial_id).hex,
            "subject": trial_id,
            "marks": MARKED_TRIALS_SUBJECT,
        }
        try:
            found = self._connection.execute(questions.NEW_TRIAL, values).fetchone()
        except sqlite3.Error:
            return None
        if found is None:
            return None
        marks, draft, root, name, path, apply_exif, content_hash = found
        file = resolve_image_file(
            root=root, name=name, path=path, apply_exif=apply_exif, content_hash=content_hash
        )
        return None if file is None or trial_id in (marks or "") else QuickTrial(draft, file)

    def trials(self) -> tuple[BlindTrial, ...] | None:
        """All trials of the labeler who began a session here, in their order."""
        try:
            return self._blind(questions.TRIALS)
        except sqlite3.Error:
            return None

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def _begin(self, program_version: str, *, now: str, active_since: str) -> QuickSession | None:
        found = self._connection.execute(questions.LABELER, {"code": self._code}).fetchone()
        if found is None:
            return None
        number, self._total, sampled = found
        # A sample never changes once trials are made of it, and they are made of all of it.
        if self._total < sampled:
            return None
        person = self._person = {"person": number}
        ask = self._connection.execute
        also_open = ask(questions.OPEN_SESSION, {**person, "since": active_since}).fetchone()
        session_id = uuid.uuid4()
        beginning = {"session": session_id.hex, "version": program_version, "now": now}
        ask(questions.BEGIN_SESSION, {**person, **beginning})
        (settings,) = ask(questions.SETTINGS).fetchone()
        return QuickSession(
            session_id=str(session_id),
            left=self._unfinished_trial(),
            waits=next(iter(self._blind(questions.FIRST_WAITING)), None),
            also_open=also_open is not None,
            settings=json.loads(settings),
        )

    def _unfinished_trial(self) -> BlindTrial | None:
        values = {**self._person, "marks": MARKED_TRIALS_SUBJECT}
        left = self._connection.execute(questions.UNFINISHED_TRIAL, values).fetchone()
        if left is None:
            return None
        return self._blind(questions.TRIAL, trial=uuid.UUID(left[0]).hex)[0]

    def _blind(self, question: str, **values: Any) -> tuple[BlindTrial, ...]:
        ask = self._connection.execute
        rows = ask(question, {**self._person, **values}).fetchall()
        kept = ask(questions.MARKS, {**self._person, "marks": MARKED_TRIALS_SUBJECT}).fetchone()
        marks = frozenset(json.loads(kept[0])["trials"] if kept else ())
        found = ((_with_dashes(key), *rest) for key, *rest in rows)
        return tuple(
            BlindTrial(
                trial_id=trial_id,
                position=position,
                total=self._total,
                answered=bool(answered),
                flagged=bool(flagged),
                marked=trial_id in marks,
            )
            for trial_id, position, answered, flagged in found
        )


def _with_dashes(key: str) -> str:
    """An id as the program writes it; a UUID made of each would take the longest of all."""
    return f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:]}"


def quick_study(folder: StudyFolder, code: str) -> QuickStudy | None:
    """The study, if a labeler of this code can be let in quickly."""
    if folder.server.is_file():
        return None
    try:
        connection = open_connection(folder.database, patience=0)
    except sqlite3.Error:
        return None
    try:
        if connection.execute(
            questions.ADMITTED, {"code": code, "head": SCHEMA_VERSION}
        ).fetchone():
            return QuickStudy(connection, code)
    except (sqlite3.Error, zlib.error, InputError):
        # The usual way meets the same fault, and tells it.
        pass
    connection.close()
    return None
