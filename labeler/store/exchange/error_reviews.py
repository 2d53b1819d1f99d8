"""Import and export error_reviews.csv: judgements of wrong predictions."""

from collections.abc import Iterator

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session, aliased

from labeler.core.review.error_reviews import ErrorCategory, ErrorSeverity, Mistake
from labeler.core.study.entities import Role
from labeler.core.study.exchange_format import REVISION
from labeler.core.study.exchange_rows import (
    Fields,
    InvalidValueError,
    parse_choice,
    parse_class,
    parse_stamp,
    quoted,
)
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.intervals import require_human
from labeler.store.exchange.lookups import ImportLookups, evaluation_datasets, load_lookups
from labeler.store.exchange.participants import add_role
from labeler.store.exchange.record_import import (
    Cells,
    checked_records,
    compare_rows,
    import_summary,
)
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import ClassRow, DatasetRow, ErrorReviewRow, ImageRow, ParticipantRow
from labeler.store.study_store import StudyStore, Transaction

_ONLY_OF_MISTAKES = {"category": ErrorCategory, "severity": ErrorSeverity}


def error_review_export_rows(session: Session) -> Iterator[Cells]:
    """Yield the last judgements by reviewer, dataset, image and label."""
    row, later = ErrorReviewRow, aliased(ErrorReviewRow)
    superseded = select(later.revision).where(
        later.participant_id == row.participant_id,
        later.image_id == row.image_id,
        later.class_id == row.class_id,
        later.revision > row.revision,
    )
    query = (
        select(ParticipantRow.code, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .add_columns(row.mistake, row.category, row.severity, row.at)
        .select_from(row)
        .join(ParticipantRow, ParticipantRow.id == row.participant_id)
        .join(ImageRow, ImageRow.id == row.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == row.class_id)
        .where(DatasetRow.id.in_([number for number, _ in evaluation_datasets(session)]))
        .where(~superseded.exists())
        .order_by(ParticipantRow.id, DatasetRow.id, ImageRow.ordinal, ClassRow.id)
    )
    for *names, mistake, category, severity, at in session.execute(query):
        yield (*names, str(mistake), category or "", severity or "", at or "")


def import_error_reviews(
    _store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the judgements that the study doesn't have, and make their authors reviewers."""
    session = transaction.session
    names = load_lookups(session)
    records = checked_records(source, lambda fields: _check(fields, names))
    stored = {row[:4]: row for row in error_review_export_rows(session)}
    new, changed = compare_rows(source, records, stored)
    last = _last_revisions(session) if changed else {}
    rows = [_row(record.fields, names) for record in (*new, *changed)]
    for row in rows:
        key = (row["participant_id"], row["image_id"], row["class_id"])
        row[REVISION] = last.get(key, 0) + 1
    if rows:
        session.execute(insert(ErrorReviewRow), rows)
    add_role(transaction, {record.fields["reviewer"] for record in records}, Role.REVIEWER)
    return import_summary(source, read=len(records), added=len(rows), updated=len(changed))


def _last_revisions(session: Session) -> dict[tuple[object, ...], int]:
    """Return the number of the last revision by reviewer, image and label."""
    row = ErrorReviewRow
    key = row.participant_id, row.image_id, row.class_id
    query = select(*key, func.max(row.revision)).group_by(*key)
    return {(person, image, label): last for person, image, label, last in session.execute(query)}


def _check(fields: Fields, names: ImportLookups) -> None:
    require_human(fields["reviewer"], names, column="reviewer")
    names.images.slot(fields["dataset"], fields["image"])
    parse_class(fields["label"], names.classes, column="label")
    mistake = parse_choice(fields["mistake"], Mistake, column="mistake")
    for column, kind in _ONLY_OF_MISTAKES.items():
        if not fields[column]:
            continue
        parse_choice(fields[column], kind, column=column)
        if mistake is not Mistake.YES:
            problem = f"{quoted(fields[column])} is given, but the mistake is '{mistake}'."
            raise InvalidValueError(column, problem)
    parse_stamp(fields["at"], column="at")


def _row(fields: Fields, names: ImportLookups) -> dict[str, object]:
    slot = names.images.slot(fields["dataset"], fields["image"])
    return {
        "participant_id": names.participant_ids[fields["reviewer"]],
        "image_id": names.images.ids[slot],
        "class_id": names.classes[fields["label"]],
        "mistake": Mistake(fields["mistake"]),
        "category": ErrorCategory(fields["category"]) if fields["category"] else None,
        "severity": ErrorSeverity(fields["severity"]) if fields["severity"] else None,
        "at": fields["at"] or None,
    }
