"""What in a study refers to a participant, and so keeps them there."""

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session

from labeler.store.schema import ParticipantRow
from labeler.store.schema.base import Base

_PARTICIPANT_TABLES = ("participant_role", "person")


def participant_foreign_keys() -> list[tuple[str, ColumnElement[int]]]:
    """Every table with a column that refers to a participant, but for their roles and name."""
    return [
        (table.name, key.parent)
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name == "participant" and table.name not in _PARTICIPANT_TABLES
    ]


def tables_using_participant(session: Session, code: str) -> list[str]:
    """The tables with a row that refers to this participant."""
    themselves = select(ParticipantRow.id).where(ParticipantRow.code == code)
    return [
        table
        for table, column in participant_foreign_keys()
        if session.scalar(select(exists().where(column.in_(themselves))))
    ]
