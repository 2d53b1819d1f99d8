"""Read annotators' answers from a crowd service or from the pages' files, all or nothing."""

import csv
import hashlib
import hmac
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labeler.app.crowd.task_export import task_token
from labeler.core.clock import stamp
from labeler.core.crowd.entities import ContainsState
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.errors import InputError
from labeler.core.input_files import require_regular_file
from labeler.core.study.entities import ImageKey, Participant, ParticipantKind, Role
from labeler.store.crowd.imported_answers import ImportedClassify, ImportedContains
from labeler.store.study_store import StudyStore, Transaction

_REQUIRED = ("WorkerId", "AssignmentStatus", "Answer.task")
_STATUSES = {
    "Submitted": ContainsState.SUBMITTED,
    "Approved": ContainsState.SUBMITTED,
    "Rejected": ContainsState.REJECTED,
}
# How a service writes the time of submission.
_SERVICE_TIME = "%a %b %d %H:%M:%S %z %Y"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerImport:
    """How many answers and annotators were new, and how many answers were known already.

    `rejected` classify-answers were left out; rejected contains-answers are stored as such.
    """

    answers: int
    known: int
    annotators: int
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class _Entry:
    """An answer as a file has it, with its line (0 for JSON) and the names of its columns."""

    line: int
    values: Mapping[str, Any]
    prefix: str = ""

    def text(self, name: str) -> str:
        value = self.values.get(self.prefix + name)
        return "" if value is None else str(value)

    @property
    def revises(self) -> bool:
        """Whether the annotator went back to correct an earlier answer; only our pages say so."""
        return self.values.get("revise") is True


@dataclass(frozen=True, slots=True)
class _Tasks:
    """What the tokens stand for."""

    grids: Mapping[str, str]
    positions: Mapping[str, Mapping[str, int]]
    images: Mapping[str, tuple[ImageKey, tuple[str, ...]]]


def import_answers(store: StudyStore, file: Path) -> AnswerImport:
    """Import a file; if anything in it is wrong, nothing is imported."""
    entries = list(_entries(file))
    with store.write() as study:
        secret = study.crowd_links.study_secret()
        tasks = _known_tasks(study, secret)
        reader = _Reader(file, secret, tasks)
        given = [reader.read(entry) for entry in entries]
        answers = [answer for answer in given if answer is not None]
        annotators = _add_annotators(study, {answer.participant for answer in answers})
        added = sum(study.crowd_imports.add(answer, file=file) for answer in answers)
        study.audit.record("crowd answers imported", answers=added, annotators=annotators)
    return AnswerImport(
        answers=added,
        known=len(answers) - added,
        annotators=annotators,
        rejected=len(given) - len(answers),
    )


def worker_code(secret: bytes, worker: str) -> str:
    """Return the code of a service's worker, from which the id can't be found."""
    return "w" + hmac.new(secret, f"worker\0{worker}".encode(), hashlib.sha256).hexdigest()[:12]


class _Reader:
    """Reads entries one by one, and refuses a second answer to a task by the same person."""

    def __init__(self, file: Path, secret: bytes, tasks: _Tasks) -> None:
        self._file, self._secret, self._tasks = file, secret, tasks
        self._seen: set[tuple[str, str]] = set()

    def read(self, entry: _Entry) -> ImportedContains | ImportedClassify | None:
        """Return the answer, or None for a rejected one that has no state to store."""
        token, worker = entry.text("task"), str(entry.values.get("WorkerId") or "")
        if not worker:
            raise self._error(entry, "WorkerId", "the worker is missing")
        code = worker_code(self._secret, worker)
        if (code, token) in self._seen and not entry.revises:
            raise self._error(entry, "task", f"the worker answers the task '{token}' twice")
        self._seen.add((code, token))
        if token in self._tasks.grids:
            return self._contains(entry, code, token)
        if token in self._tasks.images:
            return self._classify(entry, code, token)
        raise self._error(entry, "task", f"the study has no task '{token}'")

    def _contains(self, entry: _Entry, code: str, token: str) -> ImportedContains:
        if entry.prefix + "selected" not in entry.values:
            raise self._error(entry, "selected", "the selection is missing")
        return ImportedContains(
            participant=code,
            grid=self._tasks.grids[token],
            selected=self._positions(entry, token),
            active_ms=self._active_ms(entry),
            submitted_at=self._time(entry),
            state=self._state(entry),
            revises=entry.revises,
        )

    def _positions(self, entry: _Entry, token: str) -> frozenset[int]:
        given = entry.values[entry.prefix + "selected"]
        parts = given if isinstance(given, list) else str(given or "").split("|")
        known, found = self._tasks.positions[token], set()
        numbered = {str(place): place for place in known.values()}
        for part in filter(None, map(str, parts)):
            place = known.get(part) or numbered.get(part)
            if place is None:
                raise self._error(entry, "selected", f"the grid has no image '{part}'")
            found.add(place)
        return frozenset(found)

    def _classify(self, entry: _Entry, code: str, token: str) -> ImportedClassify | None:
        if self._state(entry) is not ContainsState.SUBMITTED:
            return None
        image, asked = self._tasks.images[token]
        given = entry.values.get(entry.prefix + "labels")
        parts = given if isinstance(given, list) else str(given or "").split("|")
        labels = frozenset(filter(None, map(str, parts)))
        main = entry.text("main")
        if not labels:
            raise self._error(entry, "labels", "no label is ticked")
        unknown = sorted(labels - set(asked))
        if unknown:
            raise self._error(entry, "labels", f"the image isn't asked about '{unknown[0]}'")
        if main not in labels:
            raise self._error(entry, "main", f"the main label '{main}' isn't ticked")
        return ImportedClassify(
            participant=code,
            image=image,
            labels=labels,
            main=main,
            active_ms=self._active_ms(entry),
            submitted_at=self._time(entry),
            revises=entry.revises,
        )

    def _active_ms(self, entry: _Entry) -> int | None:
        name = "active_ms" if entry.text("active_ms") else "active_seconds"
        text = entry.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 <= value < 1e12:
            raise self._error(entry, name, f"'{text}' isn't a time")
        return round(value if name == "active_ms" else value * 1000)

    def _time(self, entry: _Entry) -> str:
        text = entry.text("submitted_at") or str(entry.values.get("SubmitTime") or "")
        for read in (datetime.fromisoformat, _service_time):
            try:
                found = read(text)
            except ValueError:
                continue
            return stamp(found if found.tzinfo else found.replace(tzinfo=UTC))
        raise self._error(entry, "submitted_at", f"'{text}' isn't a time in UTC")

    def _state(self, entry: _Entry) -> ContainsState:
        if entry.text("state") == ContainsState.RETURNED:
            return ContainsState.RETURNED
        status = str(entry.values.get("AssignmentStatus") or "Submitted")
        if status not in _STATUSES:
            raise self._error(entry, "AssignmentStatus", f"'{status}' isn't a known status")
        return _STATUSES[status]

    def _error(self, entry: _Entry, column: str, problem: str) -> InputError:
        name = column if column in ("WorkerId", "AssignmentStatus") else entry.prefix + column
        sentence = f"{problem[:1].upper()}{problem[1:]}. Nothing was imported."
        return InputError(sentence, file=self._file, line=entry.line, column=name)


def _service_time(text: str) -> datetime:
    """Read a service's time; Python knows no names of American time zones."""
    for zone, offset in (("PST", "-0800"), ("PDT", "-0700")):
        text = text.replace(zone, offset)
    return datetime.strptime(text, _SERVICE_TIME).astimezone(UTC)


def _entries(file: Path) -> Iterator[_Entry]:
    require_regular_file(file)
    try:
        content = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("The file can't be read as UTF-8 text.", file=file) from error
    if content.lstrip()[:1] in ("{", "["):
        yield from _json_entries(content, file)
    else:
        yield from _csv_entries(io.StringIO(content, newline=""), file)


def _json_entries(content: str, file: Path) -> Iterator[_Entry]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"Not valid JSON: {error}.", file=file) from error
    for page in found if isinstance(found, list) else [found]:
        answers = page.get("answers") if isinstance(page, dict) else None
        if not isinstance(answers, list) or not all(isinstance(one, dict) for one in answers):
            raise InputError("The file has no list of answers.", file=file)
        for number, answer in enumerate(answers, 1):
            yield _Entry(number, {**answer, "WorkerId": page.get("worker")})


def _csv_entries(lines: Iterable[str], file: Path) -> Iterator[_Entry]:
    reader = csv.DictReader(lines)
    try:
        missing = [name for name in _REQUIRED if name not in (reader.fieldnames or ())]
        if missing:
            raise InputError(f"The column '{missing[0]}' is missing.", file=file, line=1)
        for row in reader:
            # A shorter row, as in a file that was cut off, would read as an empty selection.
            if None in row or None in row.values():
                problem = "The row hasn't as many cells as the first. Nothing was imported."
                raise InputError(problem, file=file, line=reader.line_num)
            yield _Entry(reader.line_num, row, "Answer.")
    except csv.Error as error:
        raise InputError(f"Not valid CSV: {error}.", file=file, line=reader.line_num) from error


def _known_tasks(study: Transaction, secret: bytes) -> _Tasks:
    grids = study.crowd.grids()
    images: dict[str, tuple[ImageKey, tuple[str, ...]]] = {}
    for each in study.crowd_rounds.all():
        if each.task is CrowdTask.CLASSIFY:
            for image, labels in study.crowd_rounds.image_labels(each.id).items():
                images[task_token(secret, "classify", image.dataset, image.image)] = image, labels
    tokens = {task_token(secret, "grid", grid): grid for grid in grids}
    return _Tasks(
        grids=tokens,
        positions={
            token: {
                task_token(secret, "image", grid, str(place)): place for place in grids[grid].images
            }
            for token, grid in tokens.items()
        },
        images=images,
    )


def _add_annotators(study: Transaction, codes: Iterable[str]) -> int:
    added = 0
    for code in sorted(codes):
        if study.participants.find(code) is None:
            study.participants.add(
                Participant(
                    code, ParticipantKind.HUMAN, "crowd service", frozenset({Role.ANNOTATOR})
                )
            )
            added += 1
    return added
