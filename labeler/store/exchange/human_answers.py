"""Import humans' answers of predictions.csv, checked row by row because they are few."""

import uuid
from typing import Any

from sqlalchemy import ColumnElement, Subquery, and_, exists, insert, or_, select
from sqlalchemy.orm import Session, aliased

from labeler.core.errors import InputError
from labeler.core.study.entities import ExposureOccasion, SessionTask
from labeler.core.study.exchange_format import REVISION
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    PredictionEntry,
    format_score,
    format_seconds,
    parse_prediction,
)
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.lookups import ImportLookups
from labeler.store.exchange.row_merge import MergeCounts, MergeTarget, Row, RowMerge, table_of
from labeler.store.schema import ExposureRow, PredictionRow
from labeler.store.study_store import Transaction

# Columns of the table with their names in the file.
_COMPARED = {
    "class_id": "label",
    "score": "score",
    "active_ms": "active_seconds",
    "wall_ms": "wall_seconds",
    "shown_at": "shown_at",
    "escape_hatch": "escape_hatch",
    "alternative_id": "alternative",
}
# The same for columns that a file may not have; they are then not compared.
_COMPARED_IF_GIVEN = {
    "confidence": "confidence",
    "note": "note",
    "committed_at": "committed_at",
}
_KNOWN_IMAGE = "known_image"

# The person, the image, and the revision, or in an update when the answer was given.
AnswerKey = tuple[int, int, int | str]


class HumanAnswerImport:
    """Imports the humans' rows of the file."""

    def __init__(self, transaction: Transaction, source: CsvSource, names: ImportLookups) -> None:
        self._session = transaction.session
        self._source = source
        self._names = names
        self._target = self._destination()
        query = select(PredictionRow.participant_id).where(
            PredictionRow.task == SessionTask.EVALUATE
        )
        occupied = self._session.scalars(query.distinct()).all()
        self._merge = RowMerge(
            self._session.connection(), self._target, source=source, occupied=occupied
        )
        self._known = KnownImages(self._session, source)

    def add(self, chunk: RowChunk) -> None:
        try:
            rows = [
                (*self._row(fields, position), position)
                for fields, position in zip(chunk.rows(), chunk.places, strict=True)
            ]
        except InvalidValueError:
            self._source.raise_first_fault(
                chunk.places[0], lambda f: check_prediction(f, self._names)
            )
        self._merge.add(rows)

    def finish(self) -> MergeCounts:
        """Write the rows and return how many answers the study already had."""
        counts = self._merge.finish()
        self._known.finish()
        return counts

    def _destination(self) -> MergeTarget:
        given = self._source.columns
        compared = {c: name for c, name in _COMPARED_IF_GIVEN.items() if name in given}
        key: tuple[str, ...] = ("participant_id", "image_id")
        written = ("id", "task", *(c for c in _COMPARED_IF_GIVEN if c not in compared))
        versioned = REVISION in given
        revisions = evaluation_answers()
        return MergeTarget(
            table=table_of(PredictionRow),
            key=(*key, REVISION) if versioned else key,
            compared=_COMPARED | compared,
            rest=written if versioned else (*written, REVISION),
            order=key,
            current=revisions if versioned else latest_answers(),
            text=self._text,
            revisions=revisions,
        )

    def _row(self, fields: Fields, position: int) -> Row:
        entry = check_prediction(fields, self._names)
        slot = self._names.images.slot(fields["dataset"], fields["image"])
        classes = self._names.classes
        person, image = (
            self._names.participant_ids[fields["participant"]],
            self._names.images.ids[slot],
        )
        values = {
            "participant_id": person,
            "image_id": image,
            "class_id": classes[entry.label],
            "score": entry.score,
            "active_ms": entry.active_ms,
            "wall_ms": entry.wall_ms,
            "shown_at": entry.shown_at,
            "escape_hatch": entry.escape_hatch,
            "alternative_id": None if entry.alternative is None else classes[entry.alternative],
            "confidence": entry.confidence,
            "note": entry.note,
            "committed_at": entry.committed_at,
            "id": uuid.uuid4().hex,
            "task": str(SessionTask.EVALUATE),
            REVISION: entry.revision,
        }
        key = person, image, entry.revision
        self._known.add(key, entry.committed_at, is_known=entry.known_image, position=position)
        return tuple(values[column] for column in self._target.columns)

    def _text(self, column: str, value: Any) -> str:
        if value is None:
            return ""
        if column in ("class_id", "alternative_id"):
            return self._names.wnid(value)
        if column in ("active_ms", "wall_ms"):
            return format_seconds(value)
        if column == "escape_hatch":
            return str(int(value))
        return format_score(value) if column == "score" else str(value)


class KnownImages:
    """The images that people said to know, stored as exposures and not with their answers."""

    def __init__(self, session: Session, source: CsvSource) -> None:
        self._session = session
        self._source = source
        self._stored: dict[AnswerKey, bool] = {}
        if _KNOWN_IMAGE in source.columns:
            answer = evaluation_answers().c
            which = answer.committed_at if source.updates else answer.revision
            query = select(answer.participant_id, answer.image_id, which)
            rows = session.execute(query.add_columns(said_to_be_known(answer)))
            self._stored = {(p, i, which): known for p, i, which, known in rows}
        self._exposures: list[dict[str, object]] = []

    def add(self, key: AnswerKey, at: str, *, is_known: bool, position: int) -> None:
        person, image, _revision = key
        if self._source.updates:
            key = person, image, at
        stored = self._stored.get(key)
        if is_known and (stored is None or (self._source.updates and not stored)):
            said = {"participant_id": person, "image_id": image, "at": at}
            self._exposures.append({**said, "occasion": ExposureOccasion.DECLARED})
        elif stored is not None and stored != is_known:
            raise self._differing(position, stored)

    def finish(self) -> None:
        if self._exposures:
            self._session.execute(insert(ExposureRow), self._exposures)

    def _differing(self, position: int, stored: bool) -> InputError:
        return self._source.differing(self._source.at(position), _KNOWN_IMAGE, str(int(stored)))


def said_to_be_known(answer: Any) -> ColumnElement[bool]:
    """Return whether the labeler said with this answer, or before, that they knew the image.

    An imported exposure has no session, and is of one answer only. Others without a session come
    from the lead's access to results.
    """
    in_session = and_(ExposureRow.session_id.is_not(None), ExposureRow.at <= answer.committed_at)
    return exists().where(
        ExposureRow.participant_id == answer.participant_id,
        ExposureRow.image_id == answer.image_id,
        ExposureRow.occasion == ExposureOccasion.DECLARED,
        or_(in_session, ExposureRow.at == answer.committed_at),
    )


def check_prediction(fields: Fields, names: ImportLookups) -> PredictionEntry:
    """Parse a row of the file; errors say what is invalid or unknown."""
    participant = names.participant(fields["participant"], column="participant")
    names.images.slot(fields["dataset"], fields["image"])
    return parse_prediction(fields, participant.kind, names.classes)


def evaluation_answers() -> Subquery:
    """Return all revisions of all evaluation answers."""
    query = select(PredictionRow).where(PredictionRow.task == SessionTask.EVALUATE)
    return query.subquery("evaluation_prediction")


def latest_answers() -> Subquery:
    """Return the last revision of every evaluation answer."""
    later = aliased(PredictionRow)
    superseded = select(later.id).where(
        later.task == SessionTask.EVALUATE,
        later.participant_id == PredictionRow.participant_id,
        later.image_id == PredictionRow.image_id,
        later.revision > PredictionRow.revision,
    )
    return (
        select(PredictionRow)
        .where(PredictionRow.task == SessionTask.EVALUATE, ~superseded.exists())
        .subquery("current_prediction")
    )
