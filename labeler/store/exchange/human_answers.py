"""Import humans' answers of predictions.csv, checked row by row because they are few."""

import uuid
from typing import Any

from sqlalchemy import Subquery, select
from sqlalchemy.orm import aliased

from labeler.core.clock import stamp
from labeler.core.study.entities import SessionTask
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
from labeler.store.exchange.row_merge import (
    FIRST_REVISION,
    MergeTarget,
    Row,
    RowMerge,
    table_of,
)
from labeler.store.schema import PredictionRow
from labeler.store.study_store import StudyStore, Transaction

_COMPARED = {
    "class_id": "label",
    "score": "score",
    "active_ms": "active_seconds",
    "wall_ms": "wall_seconds",
    "shown_at": "shown_at",
    "escape_hatch": "escape_hatch",
    "alternative_id": "alternative",
}


class HumanAnswerImport:
    """Imports the humans' rows of the file."""

    def __init__(
        self, store: StudyStore, transaction: Transaction, source: CsvSource, names: ImportLookups
    ) -> None:
        session = transaction.session
        self._source = source
        self._names = names
        self._now = stamp(store.clock.utc())
        self._target = self._destination()
        query = select(PredictionRow.participant_id).where(
            PredictionRow.task == SessionTask.EVALUATE
        )
        occupied = session.scalars(query.distinct()).all()
        self._merge = RowMerge(session.connection(), self._target, source=source, occupied=occupied)

    def add(self, chunk: RowChunk) -> None:
        try:
            rows = [
                (*self._row(fields), position)
                for fields, position in zip(chunk.rows(), chunk.places, strict=True)
            ]
        except InvalidValueError:
            self._source.raise_first_fault(
                chunk.places[0], lambda f: check_prediction(f, self._names)
            )
        self._merge.add(rows)

    def finish(self) -> int:
        """Write the rows and return how many answers the study already had."""
        return self._merge.finish()

    def _destination(self) -> MergeTarget:
        return MergeTarget(
            table=table_of(PredictionRow),
            key=("participant_id", "image_id"),
            compared=_COMPARED,
            rest=("id", "task", "revision", "note", "committed_at"),
            order=("participant_id", "image_id"),
            current=latest_answers(),
            text=self._text,
        )

    def _row(self, fields: Fields) -> Row:
        entry = check_prediction(fields, self._names)
        slot = self._names.images.slot(fields["dataset"], fields["image"])
        classes = self._names.classes
        return (
            self._names.participant_ids[fields["participant"]],
            self._names.images.ids[slot],
            classes[entry.label],
            entry.score,
            entry.active_ms,
            entry.wall_ms,
            entry.shown_at,
            entry.escape_hatch,
            None if entry.alternative is None else classes[entry.alternative],
            uuid.uuid4().hex,
            str(SessionTask.EVALUATE),
            FIRST_REVISION,
            "",
            self._now,
        )

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


def check_prediction(fields: Fields, names: ImportLookups) -> PredictionEntry:
    """Parse a row of the file; errors say what is invalid or unknown."""
    participant = names.participant(fields["participant"], column="participant")
    names.images.slot(fields["dataset"], fields["image"])
    return parse_prediction(fields, participant.kind, names.classes)


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
