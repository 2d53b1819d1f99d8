"""Import and export intervals.csv: raw attention, relative to when the image was first shown."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, insert, select
from sqlalchemy.orm import Session

from labeler.core.datasets.hidden_repeats import FIRST_ASKING
from labeler.core.study.entities import AttentionPlace, ParticipantKind, Role, SessionTask
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    parse_choice,
    parse_milliseconds,
    parse_number,
    quoted,
)
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.lookups import ImportLookups, evaluation_datasets, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.record_import import (
    Cells,
    checked_records,
    import_summary,
    rows_not_stored,
)
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import (
    DatasetRow,
    ImageRow,
    ImportedIntervalRow,
    IntervalRow,
    ParticipantRow,
    TrialRow,
)
from labeler.store.study_store import StudyStore, Transaction

_FETCH_SIZE = 10_000


class _ImagePlace(NamedTuple):
    """A person and an image, in the order of the export."""

    person: int
    dataset: int
    ordinal: int


def interval_export_rows(session: Session) -> Iterator[Cells]:
    """Yield the intervals by person, dataset, image and number.

    They are of the trials whose answers count, not of hidden repeats.
    """
    own = ((_place(rows[0]), _trial_cells(rows)) for rows in _trials(session))
    imported = ((_place(row), [_imported_cells(row)]) for row in _imported(session))
    for found in sorted((*own, *imported), key=lambda found: found[0]):
        yield from found[1]


def _place(row: Row[Any]) -> _ImagePlace:
    return _ImagePlace(row.person, row.dataset_id, row.ordinal)


def _trials(session: Session) -> Iterator[list[Row[Any]]]:
    """Yield the intervals of each trial."""
    query = (
        _named(session, select(IntervalRow.trial_id, IntervalRow.session_id))
        .add_columns(IntervalRow.number, IntervalRow.place)
        .add_columns(IntervalRow.started_ms, IntervalRow.ended_ms)
        .select_from(IntervalRow)
        .join(TrialRow, TrialRow.id == IntervalRow.trial_id)
        .join(ParticipantRow, ParticipantRow.id == TrialRow.participant_id)
        .join(ImageRow, ImageRow.id == TrialRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(TrialRow.task == SessionTask.EVALUATE, TrialRow.asking == FIRST_ASKING)
        .order_by(IntervalRow.trial_id, IntervalRow.number)
        .execution_options(yield_per=_FETCH_SIZE)
    )
    for _trial, rows in groupby(session.execute(query), key=attrgetter("trial_id")):
        yield list(rows)


def _imported(session: Session) -> Iterable[Row[Any]]:
    row = ImportedIntervalRow
    query = (
        _named(session, select(row.number, row.place, row.started_ms, row.ended_ms))
        .select_from(row)
        .join(ParticipantRow, ParticipantRow.id == row.participant_id)
        .join(ImageRow, ImageRow.id == row.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .order_by(row.participant_id, row.image_id, row.number)
    )
    return session.execute(query)


def _named(session: Session, query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Add the names of the key, of evaluation datasets only."""
    datasets = [number for number, _name in evaluation_datasets(session)]
    return query.add_columns(
        ParticipantRow.id.label("person"),
        ParticipantRow.code,
        DatasetRow.id.label("dataset_id"),
        DatasetRow.name.label("dataset"),
        ImageRow.ordinal,
        ImageRow.name.label("image"),
    ).where(DatasetRow.id.in_(datasets))


def _trial_cells(rows: list[Row[Any]]) -> list[Cells]:
    """Return the cells of a trial's intervals.

    Clocks of different sessions can't be compared: a later session starts where the one before
    ended.
    """
    cells: list[Cells] = []
    offset, end, before = 0, 0, None
    for row in rows:
        if row.session_id != before or row.started_ms - offset < end:
            offset, before = row.started_ms - end, row.session_id
        end = row.ended_ms - offset
        times = str(row.started_ms - offset), str(end)
        cells.append((row.code, row.dataset, row.image, str(row.number), str(row.place), *times))
    return cells


def _imported_cells(row: Row[Any]) -> Cells:
    times = str(row.started_ms), str(row.ended_ms)
    return (row.code, row.dataset, row.image, str(row.number), str(row.place), *times)


def import_intervals(_store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the intervals that the study doesn't have."""
    session = transaction.session
    names = load_lookups(session)
    records = checked_records(source, lambda fields: _check(fields, names))
    stored = {row[:4]: row for row in interval_export_rows(session)}
    new = rows_not_stored(source, records, stored)
    if new:
        rows = [_row(record.fields, names) for record in new]
        session.execute(insert(ImportedIntervalRow), rows)
    add_role(transaction, {record.fields["participant"] for record in records}, Role.LABELER)
    return import_summary(source, read=len(records), added=len(new))


def _check(fields: Fields, names: ImportLookups) -> None:
    require_human(fields["participant"], names, column="participant")
    names.images.slot(fields["dataset"], fields["image"])
    parse_number(fields["number"], column="number")
    parse_choice(fields["place"], AttentionPlace, column="place")
    started = parse_milliseconds(fields["started_ms"], column="started_ms")
    if parse_milliseconds(fields["ended_ms"], column="ended_ms") < started:
        problem = f"{quoted(fields['ended_ms'])} is before the interval starts."
        raise InvalidValueError("ended_ms", problem)


def require_human(code: str, names: ImportLookups, *, column: str) -> None:
    """Refuse a model where only people can be."""
    if names.participant(code, column=column).kind is not ParticipantKind.HUMAN:
        raise InvalidValueError(column, f"{quoted(code)} is a model, not a person.")


def _row(fields: Fields, names: ImportLookups) -> dict[str, object]:
    slot = names.images.slot(fields["dataset"], fields["image"])
    return {
        "participant_id": names.participant_ids[fields["participant"]],
        "image_id": names.images.ids[slot],
        "number": int(fields["number"]),
        "place": AttentionPlace(fields["place"]),
        "started_ms": int(fields["started_ms"]),
        "ended_ms": int(fields["ended_ms"]),
    }
