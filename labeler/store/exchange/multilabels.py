"""Import multilabels.csv: the resolved states of labels, without reviews."""

from collections.abc import Iterator
from itertools import repeat

from sqlalchemy import select

from labeler.core.study.entities import Verdict
from labeler.core.study.exchange_rows import Fields, parse_multilabel
from labeler.store.exchange.csv_reader import CsvSource, RowChunk
from labeler.store.exchange.lookups import ImportLookups, load_lookups
from labeler.store.exchange.row_merge import MergeTarget, Row, RowMerge, table_of
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import MultilabelRow
from labeler.store.schema.review import IMPORTED_RULE
from labeler.store.study_store import StudyStore, Transaction

_STATES = frozenset(map(str, Verdict))


def import_multilabels(
    _store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the states that the study doesn't have."""
    session = transaction.session
    names = load_lookups(session)
    occupied = session.scalars(select(MultilabelRow.image_id).distinct()).all()
    merge = RowMerge(session.connection(), _destination(), source=source, occupied=occupied)
    read = 0
    for chunk in source.chunks():
        rows = _rows(chunk, names)
        if rows is None:
            source.raise_first_fault(chunk.places[0], lambda fields: _row(fields, names))
        merge.add(rows)
        read += len(chunk)
    skipped = merge.finish().skipped
    return FileImport(file=source.file.name, read=read, added=read - skipped, skipped=skipped)


def _destination() -> MergeTarget:
    return MergeTarget(
        table=table_of(MultilabelRow),
        key=("image_id", "class_id"),
        compared={"state": "state"},
        rest=("rule",),
        order=("image_id", "class_id"),
        current=select(MultilabelRow).subquery("current_multilabel"),
        text=lambda _column, value: str(value),
    )


def _rows(chunk: RowChunk, names: ImportLookups) -> list[Row] | None:
    """Return the chunk as table rows, or None if a value needs an exact check."""
    if not _STATES.issuperset(chunk["state"]):
        return None
    try:
        return list(_row_tuples(chunk, names))
    except KeyError:
        return None


def _row_tuples(chunk: RowChunk, names: ImportLookups) -> Iterator[Row]:
    slots = names.images.slots_of(chunk["dataset"], chunk["image"])
    return zip(
        map(names.images.ids.__getitem__, slots),
        map(names.classes.__getitem__, chunk["label"]),
        chunk["state"],
        repeat(IMPORTED_RULE, len(chunk)),
        chunk.places,
        strict=True,
    )


def _row(fields: Fields, names: ImportLookups) -> Row:
    """Return one row in the same form, or raise an error that says what is wrong."""
    slot = names.images.slot(fields["dataset"], fields["image"])
    entry = parse_multilabel(fields, names.classes)
    return (names.images.ids[slot], names.classes[entry.label], entry.state, IMPORTED_RULE)
