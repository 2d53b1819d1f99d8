"""Import and export repeats.csv: labelers' answers to hidden repeats of an image."""

import uuid
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from labeler.core.study.entities import Role
from labeler.core.study.exchange_format import REVISION
from labeler.core.study.exchange_rows import (
    Fields,
    PredictionEntry,
    format_score,
    format_seconds,
    parse_asking,
)
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource
from labeler.store.exchange.human_answers import check_prediction
from labeler.store.exchange.intervals import require_human
from labeler.store.exchange.lookups import ImportLookups, evaluation_datasets, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.record_import import Cells, checked_records, import_summary
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import DatasetRow, ImageRow, ParticipantRow, RepeatedPredictionRow
from labeler.store.schema.row_ids import class_ids
from labeler.store.study_store import StudyStore, Transaction


class RepeatKey(NamedTuple):
    """The repeat that an answer is given to."""

    participant: str
    dataset: str
    image: str
    asking: str


def repeat_export_rows(session: Session, *, history: bool = False) -> Iterator[Cells]:
    """Yield the answers by person, dataset, image and asking; the last, or all with `history`."""
    for revisions in _stored(session).values():
        yield from revisions.values() if history else [revisions[max(revisions)]]


def _stored(session: Session) -> dict[RepeatKey, dict[int, Cells]]:
    """Return the cells of all answers by repeat and revision."""
    wnids = {number: wnid for wnid, number in class_ids(session).items()}
    row = RepeatedPredictionRow
    query = (
        select(row, ParticipantRow.code, DatasetRow.name, ImageRow.name)
        .join(ParticipantRow, ParticipantRow.id == row.participant_id)
        .join(ImageRow, ImageRow.id == row.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(DatasetRow.id.in_([number for number, _ in evaluation_datasets(session)]))
        .order_by(ParticipantRow.id, DatasetRow.id, ImageRow.ordinal, row.asking, row.revision)
    )
    stored: dict[RepeatKey, dict[int, Cells]] = {}
    for answer, code, dataset, image in session.execute(query):
        key = RepeatKey(code, dataset, image, str(answer.asking))
        stored.setdefault(key, {})[answer.revision] = _cells(key, _entry(answer, wnids))
    return stored


def _entry(answer: RepeatedPredictionRow, wnids: dict[int, str]) -> PredictionEntry:
    return PredictionEntry(
        1,
        wnids[answer.class_id],
        answer.score,
        answer.active_ms,
        answer.wall_ms,
        answer.shown_at,
        answer.escape_hatch,
        None if answer.alternative_id is None else wnids[answer.alternative_id],
        answer.confidence,
        answer.known_image,
        answer.note,
        answer.committed_at,
        answer.revision,
    )


def _cells(key: RepeatKey, entry: PredictionEntry) -> Cells:
    """Return an answer as it is exported."""
    return (
        key.participant,
        key.dataset,
        key.image,
        "1",
        entry.label,
        format_score(entry.score),
        format_seconds(entry.active_ms),
        format_seconds(entry.wall_ms),
        entry.shown_at or "",
        str(int(entry.escape_hatch)),
        entry.alternative or "",
        str(entry.confidence or ""),
        str(int(entry.known_image)),
        entry.note,
        entry.committed_at,
        str(entry.revision),
        key.asking,
    )


def import_repeats(_store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the answers that the study doesn't have, and make their authors labelers."""
    session = transaction.session
    names = load_lookups(session)
    records = checked_records(source, lambda fields: _check(fields, names))
    stored = _stored(session)
    new = [record for record in records if _is_new(source, record, names, stored)]
    rows = [_row(record.fields, names) for record in new]
    updated = _number_updates(new, rows, stored)
    if rows:
        session.execute(insert(RepeatedPredictionRow), rows)
    add_role(transaction, {record.fields["participant"] for record in records}, Role.LABELER)
    return import_summary(source, read=len(records), added=len(new), updated=updated)


def _number_updates(
    new: Sequence[CsvRecord],
    rows: Sequence[dict[str, Any]],
    stored: dict[RepeatKey, dict[int, Cells]],
) -> int:
    """Number the answers to repeats that the study has an answer to; return how many there are."""
    last = {key: max(revisions) for key, revisions in stored.items()}
    numbered = 0
    pairs = zip((_key(record.fields) for record in new), rows, strict=True)
    for key, row in sorted(pairs, key=lambda pair: pair[1][REVISION]):
        if key in last:
            last[key] += 1
            row[REVISION] = last[key]
            numbered += 1
    return numbered


def _check(fields: Fields, names: ImportLookups) -> PredictionEntry:
    require_human(fields["participant"], names, column="participant")
    parse_asking(fields["asking"])
    return check_prediction(fields, names)


def _is_new(
    source: CsvSource,
    record: CsvRecord,
    names: ImportLookups,
    stored: dict[RepeatKey, dict[int, Cells]],
) -> bool:
    """Return whether the study lacks the answer; one that differs is an error without updates."""
    key, entry = _key(record.fields), _check(record.fields, names)
    revisions = stored.get(key)
    if revisions is None:
        return True
    last = max(revisions)
    if source.updates:
        return not _is_known(source, record, _cells(key, entry), revisions)
    revision = entry.revision if REVISION in record.fields else last
    if revision not in revisions:
        raise source.differing(record, REVISION, str(last))
    known = dict(zip(source.file.exported, revisions[revision], strict=True))
    given = dict(zip(source.file.exported, _cells(key, entry), strict=True))
    for column, text in known.items():
        if column in record.fields and given[column] != text:
            raise source.differing(record, column, text)
    return False


def _is_known(
    source: CsvSource, record: CsvRecord, given: Cells, revisions: dict[int, Cells]
) -> bool:
    """Return whether the answer equals the last revision, or an earlier one that it may be."""
    last = max(revisions)
    reached = REVISION in record.fields and int(record.fields[REVISION] or 1) <= last
    columns = source.file.exported
    compared = [c in record.fields and c != REVISION for c in columns]
    return any(
        list(compress(given, compared)) == list(compress(stored, compared))
        for number, stored in revisions.items()
        if number == last or reached
    )


def _key(fields: Fields) -> RepeatKey:
    return RepeatKey(*(fields[column] for column in RepeatKey._fields))


def _row(fields: Fields, names: ImportLookups) -> dict[str, Any]:
    entry = _check(fields, names)
    slot = names.images.slot(fields["dataset"], fields["image"])
    return {
        "id": str(uuid.uuid4()),
        "participant_id": names.participant_ids[fields["participant"]],
        "image_id": names.images.ids[slot],
        "asking": int(fields["asking"]),
        "revision": entry.revision,
        "class_id": names.classes[entry.label],
        "score": entry.score,
        "escape_hatch": entry.escape_hatch,
        "alternative_id": None if entry.alternative is None else names.classes[entry.alternative],
        "confidence": entry.confidence,
        "known_image": entry.known_image,
        "note": entry.note,
        "active_ms": entry.active_ms,
        "wall_ms": entry.wall_ms,
        "shown_at": entry.shown_at,
        "committed_at": entry.committed_at,
    }
