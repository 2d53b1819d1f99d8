"""Import reviews.csv: nearly a million verdicts, checked by columns."""

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import delete, func, insert, literal, select
from sqlalchemy.orm import Session

from labeler.core.clock import stamp
from labeler.core.study.entities import CorrectKind, ExposureOccasion, Role, Stage, Verdict
from labeler.core.study.exchange_format import REVISION
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    ReviewOrigin,
    ReviewStep,
    are_stamps,
    format_seconds,
    parse_review,
    parse_revision,
    parse_seconds,
)
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.label_origins import ImportedOrigins
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.record_import import import_summary
from labeler.store.exchange.review_queries import latest_reviews
from labeler.store.exchange.row_merge import (
    MergeTarget,
    Row,
    RowMerge,
    table_of,
)
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import ExposureRow, ReviewRow
from labeler.store.study_store import StudyStore, Transaction

_VERDICTS = frozenset(map(str, Verdict))
_STAGES = frozenset(map(str, Stage))
_ORIGINS = {"", *map(str, ReviewOrigin)}
_STEPS = {"": False, str(ReviewStep.BLIND): False, str(ReviewStep.DISCUSSION): True}
_COMPARED = {"verdict": "verdict", "kind": "kind", "at": "at"}
# Columns that a file may not have; they are then not compared.
_COMPARED_IF_GIVEN = {"discussed": "step", "active_ms": "active_seconds", "note": "note"}
_KINDS: dict[str, str | None] = {"": None, **{str(kind): str(kind) for kind in CorrectKind}}


def import_reviews(store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the verdicts that the study doesn't have, and make their authors reviewers."""
    session = transaction.session
    names = load_lookups(session)
    target = _destination(source)
    occupied = session.scalars(select(ReviewRow.participant_id).distinct()).all()
    merge = RowMerge(session.connection(), target, source=source, occupied=occupied)
    origins = ImportedOrigins(session, source, names)
    reviewers: set[str] = set()
    read = 0
    for chunk in source.chunks():
        rows = _rows(chunk, names, target)
        if rows is None:
            source.raise_first_fault(chunk.places[0], lambda fields: _check(fields, names))
        origins.take(chunk)
        merge.add(rows)
        reviewers.update(chunk["reviewer"])
        read += len(chunk)
    skipped, updated = merge.finish()
    origins.finish(stamp(store.clock.utc()))
    add_role(transaction, reviewers, Role.REVIEWER)
    if skipped < read:
        _record_exposures(session)
    return import_summary(source, read=read, added=read - skipped, updated=updated)


def _record_exposures(session: Session) -> None:
    """Record when each person last judged each image elsewhere, replacing earlier records."""
    elsewhere = {"occasion": ExposureOccasion.REVIEW, "session_id": None}
    session.execute(delete(ExposureRow).filter_by(**elsewhere))
    seen = (
        select(
            ReviewRow.participant_id,
            ReviewRow.image_id,
            literal(ExposureOccasion.REVIEW.value),
            func.max(ReviewRow.at),
        )
        .where(ReviewRow.session_id.is_(None), ReviewRow.at.is_not(None))
        .group_by(ReviewRow.image_id, ReviewRow.participant_id)
    )
    columns = ["participant_id", "image_id", "occasion", "at"]
    session.execute(insert(ExposureRow).from_select(columns, seen))


def _destination(source: CsvSource) -> MergeTarget:
    given = source.columns
    compared = {c: name for c, name in _COMPARED_IF_GIVEN.items() if name in given}
    key: tuple[str, ...] = ("participant_id", "stage", "image_id", "class_id")
    versioned = REVISION in given
    revisions = select(ReviewRow).subquery("all_reviews")
    return MergeTarget(
        table=table_of(ReviewRow),
        key=(*key, REVISION) if versioned else key,
        compared=_COMPARED | compared,
        rest=() if versioned else (REVISION,),
        order=("image_id",),
        # A withdrawn verdict still occupies its key.
        current=revisions if versioned else latest_reviews(withdrawn=True),
        text=_text,
        revisions=revisions,
    )


def _text(column: str, value: Any) -> str:
    if column == "discussed":
        return step_text(value)
    if column == "active_ms":
        return format_seconds(value)
    return "" if value is None else str(value)


def step_text(discussed: bool) -> str:
    return ReviewStep.DISCUSSION if discussed else ReviewStep.BLIND


def _rows(chunk: RowChunk, names: ImportLookups, target: MergeTarget) -> list[Row] | None:
    """Return the chunk as table rows, or None if a value needs an exact check."""
    given = chunk.columns
    if not (
        _VERDICTS.issuperset(chunk["verdict"])
        and _STAGES.issuperset(chunk["stage"])
        and _KINDS.keys() >= set(chunk["kind"])
        and _ORIGINS.issuperset(given.get("origin", ()))
        and are_stamps(chunk["at"])
    ):
        return None
    try:
        return list(_row_tuples(chunk, names, target))
    except (KeyError, InvalidValueError):
        return None


def _row_tuples(chunk: RowChunk, names: ImportLookups, target: MergeTarget) -> Iterator[Row]:
    """Return the rows for the merge; an unknown name is a KeyError."""
    slots = names.images.slots_of(chunk["dataset"], chunk["image"])
    count = len(chunk)
    revisions = chunk.columns.get(REVISION, ("",) * count)
    seconds = chunk.columns.get("active_seconds", ())
    columns: dict[str, Iterable[object]] = {
        "participant_id": map(names.participant_ids.__getitem__, chunk["reviewer"]),
        "stage": chunk["stage"],
        "image_id": map(names.images.ids.__getitem__, slots),
        "class_id": map(names.classes.__getitem__, chunk["label"]),
        "verdict": chunk["verdict"],
        "kind": map(_KINDS.__getitem__, chunk["kind"]),
        "at": [at or None for at in chunk["at"]],
        "discussed": map(_STEPS.__getitem__, chunk.columns.get("step", ())),
        "active_ms": (parse_seconds(text, column="active_seconds") for text in seconds),
        "note": chunk.columns.get("note", ()),
        REVISION: (parse_revision({REVISION: text}) for text in revisions),
    }
    return zip(*(columns[name] for name in target.columns), chunk.places, strict=True)


def _check(fields: Fields, names: ImportLookups) -> None:
    """Raise an error that says what is wrong with a row."""
    names.participant(fields["reviewer"], column="reviewer")
    names.images.slot(fields["dataset"], fields["image"])
    parse_review(fields, names.classes)
