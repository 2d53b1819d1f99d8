"""Import and export adjudications.csv and flags.csv, row by row because they are few."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.study.entities import ProblemReason, Stage, Verdict
from labeler.core.study.exchange_format import FLAGS
from labeler.core.study.exchange_rows import (
    Fields,
    parse_choice,
    parse_class,
    parse_name,
    parse_stamp,
)
from labeler.store.exchange.csv_reader import CsvSource
from labeler.store.exchange.lookups import ImportLookups, evaluation_datasets, load_lookups
from labeler.store.exchange.record_import import (
    Cells,
    checked_records,
    compare_rows,
    import_summary,
    rows_not_stored,
)
from labeler.store.exchange.summary import FileImport
from labeler.store.schema import (
    AdjudicationRow,
    ClassRow,
    DatasetRow,
    ImageRow,
    ParticipantRow,
    ProblematicRow,
    ReviewFlagRow,
)
from labeler.store.study_store import StudyStore, Transaction


def adjudication_export_rows(session: Session) -> Iterator[Cells]:
    """Yield the group's decisions by dataset, image, label and time.

    A label whose last decision was withdrawn has none, so its earlier ones are left out.
    """
    last: dict[tuple[str, ...], bool] = {}
    rows: dict[tuple[str, ...], Cells] = {}
    for by, *names, verdict, stage, note, at, withdrawn in session.execute(_decisions(session)):
        dataset, image, label = names
        last[dataset, image, label, stage] = withdrawn
        if not withdrawn:
            rows[dataset, image, label, stage, at] = (by or "", *names, verdict, stage, note, at)
    yield from (row for key, row in rows.items() if not last[key[:4]])


def _decisions(session: Session) -> Select[*tuple[Any, ...]]:
    row = AdjudicationRow
    return (
        select(ParticipantRow.code, DatasetRow.name, ImageRow.name, ClassRow.wnid)
        .add_columns(row.verdict, row.stage, row.note, row.at, row.withdrawn)
        .select_from(row)
        .join(ImageRow, ImageRow.id == row.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ClassRow, ClassRow.id == row.class_id)
        .outerjoin(ParticipantRow, ParticipantRow.id == row.participant_id)
        .where(DatasetRow.id.in_([number for number, _ in evaluation_datasets(session)]))
        .order_by(DatasetRow.id, ImageRow.ordinal, ClassRow.id, row.stage.desc(), row.revision)
    )


def import_adjudications(
    _store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the decisions that the study doesn't have; the last of a label counts."""
    session = transaction.session
    names = load_lookups(session)
    stored: dict[Cells, Cells] = {}
    revisions: dict[Cells, tuple[int, str]] = {}
    for by, *named, verdict, stage, note, at, withdrawn in session.execute(_decisions(session)):
        pair = (*named, str(stage))
        revisions[pair] = (revisions.get(pair, (0, ""))[0] + 1, at)
        if not withdrawn:
            stored[(*pair, at)] = (by or "", *named, verdict, stage, note, at)
    records = checked_records(source, lambda fields: _check_adjudication(fields, names))
    new = rows_not_stored(source, records, stored)
    for record in sorted(new, key=lambda record: _moment(record.fields["at"])):
        fields = record.fields
        pair = tuple(fields[c] for c in ("dataset", "image", "label", "stage"))
        revision, last_at = revisions.get(pair, (0, ""))
        if last_at and _moment(fields["at"]) < _moment(last_at):
            raise source.fault(
                record.line, "at", f"the study has a later decision on this label, of {last_at}."
            )
        revisions[pair] = (revision + 1, fields["at"])
        session.execute(insert(AdjudicationRow), [_adjudication(fields, names, revision + 1)])
    return import_summary(source, read=len(records), added=len(new))


def _check_adjudication(fields: Fields, names: ImportLookups) -> None:
    if fields["by"]:
        names.participant(fields["by"], column="by")
    names.images.slot(fields["dataset"], fields["image"])
    parse_class(fields["label"], names.classes, column="label")
    parse_choice(fields["verdict"], Verdict, column="verdict")
    parse_choice(fields["stage"], Stage, column="stage")
    _check_time(fields)


def _adjudication(fields: Fields, names: ImportLookups, revision: int) -> dict[str, object]:
    return {
        "stage": Stage(fields["stage"]),
        "image_id": _image_id(fields, names),
        "class_id": names.classes[fields["label"]],
        "revision": revision,
        "verdict": Verdict(fields["verdict"]),
        "note": fields["note"],
        "participant_id": names.participant_ids.get(fields["by"]),
        "at": fields["at"],
    }


def flag_export_rows(session: Session) -> Iterator[Cells]:
    """Yield people's flags by person, dataset, image, reason and time, also withdrawn ones.

    A labeler's flag takes effect immediately, a reviewer's when a second one agrees, so they are
    in two tables. Whether an image is problematic is in datasets.csv.
    """
    rows: dict[Cells, tuple[tuple[Any, ...], Cells]] = {}
    datasets = [number for number, _ in evaluation_datasets(session)]
    for table in (ProblematicRow, ReviewFlagRow):
        query = (
            select(ParticipantRow.id, DatasetRow.id, ImageRow.ordinal, ParticipantRow.code)
            .add_columns(DatasetRow.name, ImageRow.name, table.reason)
            .add_columns(table.note, table.at, table.withdrawn_at)
            .select_from(table)
            .join(ParticipantRow, ParticipantRow.id == table.participant_id)
            .join(ImageRow, ImageRow.id == table.image_id)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .where(DatasetRow.id.in_(datasets))
        )
        for *place, code, dataset, image, reason, note, at, withdrawn_at in session.execute(query):
            row: Cells = (code, dataset, image, str(reason), note, at, withdrawn_at or "")
            rows.setdefault((*row[:4], at), ((*place, str(reason), at), row))
    yield from (row for _place, row in sorted(rows.values()))


def import_flags(_store: StudyStore, transaction: Transaction, source: CsvSource) -> FileImport:
    """Add the flags that the study doesn't have, as reviewers' flags.

    They don't make an image problematic: datasets.csv does.
    """
    session = transaction.session
    names = load_lookups(session)
    stored = {(*row[:4], row[5]): row for row in flag_export_rows(session)}
    records = checked_records(source, lambda fields: _check_flag(fields, names))
    new, changed = compare_rows(source, records, stored)
    if new:
        session.execute(insert(ReviewFlagRow), [_flag(record.fields, names) for record in new])
    if changed:
        _update_flags(transaction, [record.fields for record in changed], names, stored)
    added = len(new) + len(changed)
    return import_summary(source, read=len(records), added=added, updated=len(changed))


def _update_flags(
    transaction: Transaction,
    changed: Sequence[Fields],
    names: ImportLookups,
    stored: dict[Cells, Cells],
) -> None:
    """Change the note of flags, or withdraw them; the study's history keeps what they were."""
    before = []
    for fields in changed:
        flag = _flag(fields, names)
        same = {name: flag[name] for name in ("image_id", "participant_id", "reason", "at")}
        values = {name: flag[name] for name in ("note", "withdrawn_at")}
        for table in (ProblematicRow, ReviewFlagRow):
            transaction.session.execute(update(table).filter_by(**same).values(values))
        known = stored[tuple(fields[name] for name in FLAGS.key)]
        before.append(dict(zip(FLAGS.columns, known, strict=True)))
    transaction.audit.record("flags updated", before=before)


def _check_flag(fields: Fields, names: ImportLookups) -> None:
    names.participant(fields["participant"], column="participant")
    names.images.slot(fields["dataset"], fields["image"])
    parse_choice(fields["reason"], ProblemReason, column="reason")
    _check_time(fields)
    parse_stamp(fields["withdrawn_at"], column="withdrawn_at")


def _flag(fields: Fields, names: ImportLookups) -> dict[str, object]:
    return {
        "stage": Stage.FINAL,
        "image_id": _image_id(fields, names),
        "participant_id": names.participant_ids[fields["participant"]],
        "reason": ProblemReason(fields["reason"]),
        "note": fields["note"],
        "at": fields["at"],
        "withdrawn_at": fields["withdrawn_at"] or None,
    }


def _check_time(fields: Fields) -> None:
    parse_stamp(parse_name(fields["at"], column="at"), column="at")


def _moment(text: str) -> datetime:
    """Return the time, because its texts have different forms and can't be compared."""
    return datetime.fromisoformat(text)


def _image_id(fields: Fields, names: ImportLookups) -> int:
    return names.images.ids[names.images.slot(fields["dataset"], fields["image"])]
