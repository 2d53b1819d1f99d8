"""Import reviews.csv: nearly a million verdicts, checked by columns."""

from collections.abc import Iterator
from itertools import repeat

from sqlalchemy import Subquery, delete, func, insert, literal, select
from sqlalchemy.orm import Session, aliased

from labeler.core.study.entities import CorrectKind, ExposureOccasion, Role, Stage, Verdict
from labeler.core.study.exchange_rows import FIRST_REVISION, Fields, are_stamps, parse_review
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.participants import add_role
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
_KINDS: dict[str, str | None] = {"": None, **{str(kind): str(kind) for kind in CorrectKind}}


def import_reviews(_store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the verdicts that the study doesn't have, and make their authors reviewers."""
    session = transaction.session
    names = load_lookups(session)
    occupied = session.scalars(select(ReviewRow.participant_id).distinct()).all()
    merge = RowMerge(session.connection(), _destination(), source=source, occupied=occupied)
    reviewers: set[str] = set()
    read = 0
    for chunk in source.chunks():
        rows = _rows(chunk, names)
        if rows is None:
            source.raise_first_fault(chunk.places[0], lambda fields: _row(fields, names))
        merge.add(rows)
        reviewers.update(chunk["reviewer"])
        read += len(chunk)
    skipped = merge.finish()
    add_role(transaction, reviewers, Role.REVIEWER)
    if skipped < read:
        _record_exposures(session)
    return FileImport(file=source.file.name, read=read, added=read - skipped, skipped=skipped)


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


def _destination() -> MergeTarget:
    return MergeTarget(
        table=table_of(ReviewRow),
        key=("participant_id", "stage", "image_id", "class_id"),
        compared={"verdict": "verdict", "kind": "kind", "at": "at"},
        rest=("revision",),
        order=("image_id",),
        # A withdrawn verdict still occupies its key.
        current=latest_reviews(withdrawn=True),
        text=lambda _column, value: "" if value is None else str(value),
    )


def latest_reviews(*, withdrawn: bool = False) -> Subquery:
    """Return the last revision of every verdict, optionally including withdrawn ones."""
    later = aliased(ReviewRow)
    superseded = select(later.revision).where(
        later.participant_id == ReviewRow.participant_id,
        later.stage == ReviewRow.stage,
        later.image_id == ReviewRow.image_id,
        later.class_id == ReviewRow.class_id,
        later.revision > ReviewRow.revision,
    )
    current = select(ReviewRow).where(~superseded.exists())
    current_reviews = current if withdrawn else current.where(~ReviewRow.withdrawn)
    return current_reviews.subquery("current_review")


def _rows(chunk: RowChunk, names: ImportLookups) -> list[Row] | None:
    """Return the chunk as table rows, or None if a value needs an exact check."""
    if not (
        _VERDICTS.issuperset(chunk["verdict"])
        and _STAGES.issuperset(chunk["stage"])
        and _KINDS.keys() >= set(chunk["kind"])
        and are_stamps(chunk["at"])
    ):
        return None
    try:
        return list(_row_tuples(chunk, names))
    except KeyError:
        return None


def _row_tuples(chunk: RowChunk, names: ImportLookups) -> Iterator[Row]:
    """Return the rows for the merge; an unknown name is a KeyError."""
    slots = names.images.slots_of(chunk["dataset"], chunk["image"])
    return zip(
        map(names.participant_ids.__getitem__, chunk["reviewer"]),
        chunk["stage"],
        map(names.images.ids.__getitem__, slots),
        map(names.classes.__getitem__, chunk["label"]),
        chunk["verdict"],
        map(_KINDS.__getitem__, chunk["kind"]),
        [at or None for at in chunk["at"]],
        repeat(FIRST_REVISION, len(chunk)),
        chunk.places,
        strict=True,
    )


def _row(fields: Fields, names: ImportLookups) -> Row:
    """Return one row in the same form, or raise an error that says what is wrong."""
    reviewer = names.participant(fields["reviewer"], column="reviewer")
    slot = names.images.slot(fields["dataset"], fields["image"])
    entry = parse_review(fields, names.classes)
    image, label = names.images.ids[slot], names.classes[entry.label]
    verdict = (entry.verdict, entry.kind, entry.at)
    return (reviewer.id, entry.stage, image, label, *verdict, FIRST_REVISION)
