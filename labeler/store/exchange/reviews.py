"""Import reviews.csv: nearly a million verdicts, checked by columns."""

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Subquery, delete, func, insert, literal, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import stamp
from labeler.core.errors import InputError
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
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.row_merge import (
    MergeTarget,
    Row,
    RowMerge,
    table_of,
)
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import ExposureRow, ReviewItemRow, ReviewRow
from labeler.store.study_store import StudyStore, Transaction

# Stage, image and class.
LabelKey = tuple[str, int, int]

_VERDICTS = frozenset(map(str, Verdict))
_STAGES = frozenset(map(str, Stage))
_ORIGINS = {"", *map(str, (ReviewOrigin.PROPOSED, ReviewOrigin.ADDED))}
_STEPS = {"": False, str(ReviewStep.BLIND): False, str(ReviewStep.DISCUSSION): True}
_COMPARED = {"verdict": "verdict", "kind": "kind", "at": "at"}
# Columns that a file may not have; they are then not compared.
_COMPARED_IF_GIVEN = {"discussed": "step", "active_ms": "active_seconds"}
_KINDS: dict[str, str | None] = {"": None, **{str(kind): str(kind) for kind in CorrectKind}}


def import_reviews(store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the verdicts that the study doesn't have, and make their authors reviewers."""
    session = transaction.session
    names = load_lookups(session)
    target = _destination(source)
    occupied = session.scalars(select(ReviewRow.participant_id).distinct()).all()
    merge = RowMerge(session.connection(), target, source=source, occupied=occupied)
    origins = AddedLabels(session, source, names)
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
    skipped = merge.finish()
    origins.finish(stamp(store.clock.utc()))
    add_role(transaction, reviewers, Role.REVIEWER)
    if skipped < read:
        _record_exposures(session)
    return FileImport(file=source.file.name, read=read, added=read - skipped, skipped=skipped)


class AddedLabels:
    """The labels that reviewers added, stored once for all verdicts on them."""

    def __init__(self, session: Session, source: CsvSource, names: ImportLookups) -> None:
        self._session = session
        self._source = source
        self._names = names
        self._given = "origin" in source.columns
        item = ReviewItemRow
        query = select(item.stage, item.image_id, item.class_id).where(item.added_by.is_not(None))
        found = session.execute(query) if self._given else ()
        self._stored = {(str(stage), image, label) for stage, image, label in found}
        self._new: dict[LabelKey, str] = {}

    def take(self, chunk: RowChunk) -> None:
        """Note the added labels of the chunk; a row that contradicts the study is an error."""
        if not self._given or not (self._stored or ReviewOrigin.ADDED in chunk["origin"]):
            return
        for position, fields in zip(chunk.places, chunk.rows(), strict=True):
            added = fields["origin"] == ReviewOrigin.ADDED
            key = self._key(fields)
            if added and key not in self._stored and key not in self._new:
                if self._is_known(key):
                    raise self._differing(position, ReviewOrigin.PROPOSED)
                self._new[key] = fields["reviewer"]
            elif not added and key in self._stored:
                raise self._differing(position, ReviewOrigin.ADDED)

    def finish(self, now: str) -> None:
        if not self._new:
            return
        self._refuse_two_origins()
        ids = self._names.participant_ids
        rows = [
            {
                "stage": Stage(stage),
                "image_id": image,
                "class_id": label,
                "added_by": ids[reviewer],
                "added_at": now,
            }
            for (stage, image, label), reviewer in self._new.items()
        ]
        self._session.execute(insert(ReviewItemRow), rows)

    def _refuse_two_origins(self) -> None:
        for line, fields in self._source.records():
            if fields["origin"] != ReviewOrigin.ADDED and self._key(fields) in self._new:
                problem = "another row says that a reviewer added this label."
                raise self._source.fault(line, "origin", problem)

    def _key(self, fields: Fields) -> LabelKey:
        slot = self._names.images.slot(fields["dataset"], fields["image"])
        return fields["stage"], self._names.images.ids[slot], self._names.classes[fields["label"]]

    def _is_known(self, key: LabelKey) -> bool:
        """Return whether the study has the label as one that was proposed."""
        stage, image, label = key
        of_label = {"stage": Stage(stage), "image_id": image, "class_id": label}
        queries = (
            select(row.class_id).filter_by(**of_label).limit(1)
            for row in (ReviewItemRow, ReviewRow)
        )
        return any(self._session.scalar(query) is not None for query in queries)

    def _differing(self, position: int, stored: ReviewOrigin) -> InputError:
        return self._source.differing(self._source.at(position), "origin", stored)


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
    return MergeTarget(
        table=table_of(ReviewRow),
        key=(*key, REVISION) if versioned else key,
        compared=_COMPARED | compared,
        rest=() if versioned else (REVISION,),
        order=("image_id",),
        # A withdrawn verdict still occupies its key.
        current=select(ReviewRow).subquery("all_reviews")
        if versioned
        else latest_reviews(withdrawn=True),
        text=_text,
    )


def _text(column: str, value: Any) -> str:
    if column == "discussed":
        return step_text(value)
    if column == "active_ms":
        return format_seconds(value)
    return "" if value is None else str(value)


def step_text(discussed: bool) -> str:
    return ReviewStep.DISCUSSION if discussed else ReviewStep.BLIND


def reviews_with_history() -> Subquery:
    """Return all revisions of the verdicts that aren't withdrawn now."""
    last = latest_reviews().c
    current = select(last.revision).where(
        last.participant_id == ReviewRow.participant_id,
        last.stage == ReviewRow.stage,
        last.image_id == ReviewRow.image_id,
        last.class_id == ReviewRow.class_id,
    )
    query = select(ReviewRow).where(~ReviewRow.withdrawn, current.exists())
    return query.subquery("review_history")


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


def _rows(chunk: RowChunk, names: ImportLookups, target: MergeTarget) -> list[Row] | None:
    """Return the chunk as table rows, or None if a value needs an exact check."""
    given = chunk.columns
    if not (
        _VERDICTS.issuperset(chunk["verdict"])
        and _STAGES.issuperset(chunk["stage"])
        and _KINDS.keys() >= set(chunk["kind"])
        and _ORIGINS.issuperset(given.get("origin", ()))
        and not any(given.get("note", ()))
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
        REVISION: (parse_revision({REVISION: text}) for text in revisions),
    }
    return zip(*(columns[name] for name in target.columns), chunk.places, strict=True)


def _check(fields: Fields, names: ImportLookups) -> None:
    """Raise an error that says what is wrong with a row."""
    names.participant(fields["reviewer"], column="reviewer")
    names.images.slot(fields["dataset"], fields["image"])
    parse_review(fields, names.classes)
