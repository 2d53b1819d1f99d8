"""Import and export verdicts about near-duplicates; a pair is the same the other way round."""

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.study.exchange_format import NEAR_DUPLICATES
from labeler.core.study.exchange_rows import (
    FIRST_REVISION,
    Fields,
    InvalidValueError,
    parse_choice,
    parse_name,
    parse_stamp,
    quoted,
)
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.lookups import ParticipantLookup
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import DatasetRow, ImageRow, NearDuplicateVerdictRow, ParticipantRow
from labeler.store.study_store import StudyStore, Transaction

Cells = tuple[str, ...]
Images = Mapping[tuple[str, str], int]


class _Names(NamedTuple):
    """The ids of the names in a file, of every dataset: also pools and references take part."""

    images: Images
    datasets: frozenset[str]
    participants: Mapping[str, ParticipantLookup]


def near_duplicate_export_rows(session: Session) -> Iterator[Cells]:
    """Yield the last verdict of each reviewer about each pair and metric."""
    names = {number: name for name, number in _images(session).items()}
    codes = dict(session.execute(select(ParticipantRow.id, ParticipantRow.code)).all())
    for row in _last_verdicts(session):
        first, second = sorted((names[row.image_a_id], names[row.image_b_id]))
        distance = "" if row.distance is None else repr(row.distance)
        code = codes[row.participant_id]
        yield (*first, *second, row.metric, distance, row.verdict, code, row.at)


def _last_verdicts(session: Session) -> list[NearDuplicateVerdictRow]:
    key = (
        NearDuplicateVerdictRow.image_a_id,
        NearDuplicateVerdictRow.image_b_id,
        NearDuplicateVerdictRow.metric,
        NearDuplicateVerdictRow.participant_id,
    )
    rows = session.scalars(
        select(NearDuplicateVerdictRow).order_by(*key, NearDuplicateVerdictRow.revision)
    )
    last = {(r.image_a_id, r.image_b_id, r.metric, r.participant_id): r for r in rows}
    return [row for row in last.values() if not row.withdrawn]


def import_near_duplicates(
    _store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the verdicts that the study doesn't have; one that differs is an error."""
    session = transaction.session
    names = _load_names(session)
    stored = {_key(cells): cells for cells in near_duplicate_export_rows(session)}
    lines: dict[Cells, int] = {}
    added: list[dict[str, object]] = []
    for record in source.records():
        source.check(record, lambda fields: _parse(fields, names))
        values, cells = _parse(record.fields, names)
        first = lines.setdefault(_key(cells), record.line)
        if first != record.line:
            raise source.repeated(record.line, first)
        known = stored.get(_key(cells))
        if known is None:
            added.append(values)
            continue
        for column, ours, theirs in zip(NEAR_DUPLICATES.columns, known, cells, strict=True):
            if ours != theirs:
                raise source.differing(record, column, ours)
    _insert(session, added)
    transaction.near_duplicates.recompute_sets()
    read = len(lines)
    return FileImport(
        file=NEAR_DUPLICATES.name, read=read, added=len(added), skipped=read - len(added)
    )


def _insert(session: Session, rows: list[dict[str, object]]) -> None:
    """Add verdicts as the first revision, or after a withdrawn one."""
    query = select(NearDuplicateVerdictRow)
    revisions: dict[tuple[object, ...], int] = {}
    for known in session.scalars(query):
        key = known.image_a_id, known.image_b_id, known.metric, known.participant_id
        revisions[key] = max(revisions.get(key, 0), known.revision)
    for row in rows:
        at = row["image_a_id"], row["image_b_id"], row["metric"], row["participant_id"]
        row["revision"] = revisions.get(at, FIRST_REVISION - 1) + 1
    if rows:
        session.execute(insert(NearDuplicateVerdictRow), rows)


def _key(cells: Cells) -> Cells:
    return tuple(cells[NEAR_DUPLICATES.columns.index(column)] for column in NEAR_DUPLICATES.key)


def _parse(fields: Fields, names: _Names) -> tuple[dict[str, object], Cells]:
    """Return the values of the table, and the cells as they would be exported."""
    one, other = (_parse_image(fields, side, names) for side in ("a", "b"))
    if one == other:
        raise InvalidValueError("image_b", "an image can't be a near-duplicate of itself.")
    reviewer = names.participants.get(fields["reviewer"])
    if reviewer is None:
        code = quoted(fields["reviewer"])
        raise InvalidValueError("reviewer", f"{code} is not a participant of the study.")
    at = parse_stamp(parse_name(fields["at"], column="at"), column="at")
    distance = _parse_distance(fields["distance"])
    verdict = parse_choice(fields["verdict"], PairVerdict, column="verdict")
    metric = parse_choice(fields["metric"], DuplicateMetric, column="metric")
    first, second = sorted((names.images[one], names.images[other]))
    values: dict[str, object] = {
        "image_a_id": first,
        "image_b_id": second,
        "metric": metric,
        "participant_id": reviewer.id,
        "distance": distance,
        "verdict": verdict,
        "at": at,
        "withdrawn": False,
    }
    shown = "" if distance is None else repr(distance)
    named = (*min(one, other), *max(one, other))
    return values, (*named, metric, shown, verdict, fields["reviewer"], at or "")


def _parse_image(fields: Fields, side: str, names: _Names) -> tuple[str, str]:
    dataset, image = fields[f"dataset_{side}"], fields[f"image_{side}"]
    if dataset not in names.datasets:
        problem = f"{quoted(dataset)} is not a dataset of the study."
        raise InvalidValueError(f"dataset_{side}", problem)
    if (dataset, image) not in names.images:
        problem = f"{quoted(image)} is not an image of the dataset {quoted(dataset)}."
        raise InvalidValueError(f"image_{side}", problem)
    return dataset, image


def _parse_distance(text: str) -> float | None:
    if not text:
        return None
    try:
        distance = float(text)
    except ValueError:
        distance = -1.0
    if not (isfinite(distance) and distance >= 0):
        raise InvalidValueError("distance", f"{quoted(text)} is not a distance of 0 or more.")
    return distance


def _load_names(session: Session) -> _Names:
    people = select(ParticipantRow.code, ParticipantRow.id, ParticipantRow.kind)
    return _Names(
        _images(session),
        frozenset(session.scalars(select(DatasetRow.name))),
        {code: ParticipantLookup(number, kind) for code, number, kind in session.execute(people)},
    )


def _images(session: Session) -> dict[tuple[str, str], int]:
    query = select(DatasetRow.name, ImageRow.name, ImageRow.id).join(
        DatasetRow, DatasetRow.id == ImageRow.dataset_id
    )
    return {(dataset, name): number for dataset, name, number in session.execute(query)}
