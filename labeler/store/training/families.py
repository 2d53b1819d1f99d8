"""Families: named lists of classes to train on."""

from sqlalchemy import insert, or_, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.errors import RefusedError
from labeler.core.training.request import SavedFamily
from labeler.store.schema import ClassRow, FamilyClassRow, FamilyRow
from labeler.store.schema.row_ids import class_ids
from labeler.store.study.sessions import person_id

_MAX_NAME_LENGTH = 60


class Families:
    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def of(self, participant: str) -> list[SavedFamily]:
        """Return the person's own families and the shared ones, by name."""
        person = person_id(self._session, participant)
        query = select(FamilyRow).where(
            FamilyRow.removed_at.is_(None),
            or_(FamilyRow.participant_id == person, FamilyRow.shared),
        )
        rows = self._session.scalars(query.order_by(FamilyRow.name, FamilyRow.id))
        return [SavedFamily(row.name, self._classes(row.id), row.shared) for row in rows]

    def save(self, participant: str, family: SavedFamily) -> None:
        """Save the family, replacing the person's earlier one of that name."""
        _check_family(family)
        person = person_id(self._session, participant)
        indices = class_ids(self._session)
        unknown = [wnid for wnid in family.wnids if wnid not in indices]
        if unknown:
            raise RefusedError(f"'{unknown[0]}' is no class of this study: leave it out.")
        self._remove(person, family.name)
        row = FamilyRow(
            name=family.name,
            participant_id=person,
            shared=family.shared,
            saved_at=stamp(self._clock.utc()),
        )
        self._session.add(row)
        self._session.flush()
        classes = [{"family_id": row.id, "class_id": indices[wnid]} for wnid in family.wnids]
        self._session.execute(insert(FamilyClassRow), classes)

    def remove(self, participant: str, name: str) -> None:
        """Delete one of the person's own families; refused if there is none of that name."""
        if not self._remove(person_id(self._session, participant), name):
            raise RefusedError(f"You have no family called “{name}”.")

    def _remove(self, person: int, name: str) -> bool:
        query = select(FamilyRow).filter_by(participant_id=person, name=name, removed_at=None)
        rows = self._session.scalars(query).all()
        for row in rows:
            row.removed_at = stamp(self._clock.utc())
        return bool(rows)

    def _classes(self, family_id: int) -> tuple[str, ...]:
        query = (
            select(ClassRow.wnid)
            .join(FamilyClassRow, FamilyClassRow.class_id == ClassRow.id)
            .where(FamilyClassRow.family_id == family_id)
            .order_by(ClassRow.id)
        )
        return tuple(self._session.scalars(query))


def _check_family(family: SavedFamily) -> None:
    name = family.name
    if not name or name != name.strip() or not name.isprintable() or len(name) > _MAX_NAME_LENGTH:
        raise RefusedError(
            f"{name!r} can't be a family's name: give it one of up to {_MAX_NAME_LENGTH} visible "
            "characters."
        )
    if not family.wnids:
        raise RefusedError(f"The family “{name}” has no class: choose some first.")
