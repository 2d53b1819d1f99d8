"""Who has trained on a picture of the evaluation sample, under its name there or another."""

from typing import TypeVarTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from labeler.core.errors import Refused
from labeler.core.study import ImageKey, Occasion, Role
from labeler.store.schema import (
    DatasetRow,
    ExposureRow,
    ImageRow,
    ParticipantRoleRow,
    ParticipantRow,
    SampleImageRow,
    SampleRow,
)

Selected = TypeVarTuple("Selected")


def trained_on(session: Session) -> list[tuple[str, ImageKey]]:
    """Labelers and the images of the sample that they trained on, for the lead."""
    found: set[tuple[str, ImageKey]] = set()
    for by_content in (False, True):
        asked = select(ParticipantRow.code, DatasetRow.name, ImageRow.name)
        query = (
            _trained_on_sample(asked, by_content=by_content)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ParticipantRow, ParticipantRow.id == ExposureRow.participant_id)
            .join(ParticipantRoleRow, ParticipantRoleRow.participant_id == ParticipantRow.id)
            .where(ParticipantRoleRow.role == Role.LABELER)
        )
        found |= {(code, ImageKey(data, name)) for code, data, name in session.execute(query)}
    return sorted(found)


def require_untrained(session: Session, person: int) -> None:
    """Refuse a labeler who trained on a picture of the sample, without telling which."""
    for by_content in (False, True):
        query = _trained_on_sample(select(ImageRow.id), by_content=by_content)
        if session.scalar(query.where(ExposureRow.participant_id == person).limit(1)) is not None:
            raise Refused(
                "You can't be evaluated yet: you trained on pictures that the evaluation would "
                "show you. Ask the lead, who can draw another sample."
            )


def _trained_on_sample(query: Select[*Selected], *, by_content: bool) -> Select[*Selected]:
    """Ask something of the sample's images that somebody trained on.

    By content, an image counts too when what was trained on is a copy of it. The two ways are
    asked apart, since together no index would help.
    """
    seen = aliased(ImageRow)
    same = seen.content_hash == ImageRow.content_hash if by_content else seen.id == ImageRow.id
    return (
        query.select_from(SampleImageRow)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
        .join(seen, same)
        .join(ExposureRow, ExposureRow.image_id == seen.id)
        .where(ExposureRow.occasion == Occasion.TRAINING, SampleRow.retired_at.is_(None))
    )
