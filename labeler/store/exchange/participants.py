"""Import participants.csv, and assign the roles that other files imply."""

from collections.abc import Iterable

from labeler.core.hash_order import derived_seed
from labeler.core.study.entities import Participant, ParticipantKind, Role
from labeler.core.study.exchange_rows import ParticipantEntry, parse_participant
from labeler.store.exchange.csv_reader import CsvRecord, CsvSource
from labeler.store.exchange.summary import FileImport
from labeler.store.study_store import StudyStore, Transaction


def import_participants(
    store: StudyStore, transaction: Transaction, source: CsvSource
) -> FileImport:
    """Add the participants that the study doesn't have."""
    study_seed = store.identity.seed
    stored = {participant.code: participant for participant in transaction.participants.all()}
    lines: dict[str, int] = {}
    skipped = 0
    for record in source.records():
        source.check(record, parse_participant)
        entry = parse_participant(record.fields)
        first = lines.setdefault(entry.code, record.line)
        if first != record.line:
            raise source.repeated(record.line, first)
        if entry.code in stored:
            _compare(transaction, source, record, stored[entry.code])
            skipped += 1
        else:
            transaction.participants.add(_participant(entry, study_seed), name=entry.name)
    name, read = source.file.name, len(lines)
    return FileImport(file=name, read=read, added=read - skipped, skipped=skipped)


def _participant(entry: ParticipantEntry, study_seed: int) -> Participant:
    return Participant(
        code=entry.code,
        kind=entry.kind,
        description=entry.description,
        order_seed=derived_seed(study_seed, "order", entry.code),
    )


def _compare(
    transaction: Transaction, source: CsvSource, record: CsvRecord, stored: Participant
) -> None:
    known = {"kind": str(stored.kind), "description": stored.description}
    if "name" in record.fields:
        known["name"] = transaction.participants.name_of(stored.code) or ""
    for column, text in known.items():
        if record.fields[column] != text:
            raise source.differing(record, column, text)


def add_role(transaction: Transaction, codes: Iterable[str], role: Role) -> None:
    """Give people a role that their rows imply; models have none."""
    selected = set(codes)
    for participant in transaction.participants.all():
        human = participant.kind is ParticipantKind.HUMAN
        if human and participant.code in selected and role not in participant.roles:
            transaction.participants.set_roles(participant.code, participant.roles | {role})
