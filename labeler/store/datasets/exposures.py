"""Who has seen an image of the evaluation sample before, under this or another name."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Select, func, or_, select, text
from sqlalchemy.orm import Session, aliased

from labeler.core.datasets.washout import EarlierExposure, JudgedImage
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ExposureOccasion, ImageKey, Role, Stage
from labeler.core.study.phases import Phase
from labeler.store.schema import (
    DatasetRow,
    ExposureRow,
    ImageRow,
    NearDuplicateMemberRow,
    ParticipantRoleRow,
    ParticipantRow,
    PhaseRow,
    ReviewRow,
    SampleImageRow,
    SampleRow,
)

Selected = TypeVarTuple("Selected")

# A literal, because a partial index isn't used with a bound value.
_TRAINED = text("exposure.occasion = 'training'")
TRAINED_ON_SAMPLE = (
    "You can't be evaluated yet, because you trained on images of the evaluation. Ask the lead to "
    "draw another sample."
)


class ImageMatch(Enum):
    """Why someone who saw one image has seen another: exposure follows copies and duplicates."""

    IDENTITY = "identity"
    CONTENT = "content"
    NEAR_DUPLICATE = "near_duplicate"


_CURRENT_SAMPLE = select(SampleRow.id).where(SampleRow.retired_at.is_(None))


def sample_images_trained_on(session: Session) -> list[tuple[str, ImageKey]]:
    """Return labelers with the sampled images they trained on; for the lead."""
    found: set[tuple[str, ImageKey]] = set()
    for match in _matches(session):
        columns = select(ParticipantRow.code, DatasetRow.name, ImageRow.name)
        query = (
            _seen_in_sample(columns, ExposureOccasion.TRAINING, match=match)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ParticipantRow, ParticipantRow.id == ExposureRow.participant_id)
            .join(ParticipantRoleRow, ParticipantRoleRow.participant_id == ParticipantRow.id)
            .where(ParticipantRoleRow.role == Role.LABELER)
        )
        found |= {(code, ImageKey(data, name)) for code, data, name in session.execute(query)}
    return sorted(found)


def require_not_trained_on_sample(session: Session, person: int) -> None:
    """Refuse a labeler who trained on an image of the sample, without revealing which."""
    for match in _matches(session):
        sampled = (
            select(SampleImageRow.image_id)
            .where(SampleImageRow.sample_id.in_(_CURRENT_SAMPLE))
            .where(SampleImageRow.image_id.in_(_trained_images_query(person, match=match)))
        )
        if session.scalar(sampled.limit(1)) is not None:
            raise RefusedError(TRAINED_ON_SAMPLE)


def _trained_images_query(person: int, *, match: ImageMatch) -> Select[int]:
    """Start from what one person saw, which is little compared to the sample."""
    seen = aliased(ImageRow)
    return (
        select(ImageRow.id)
        .select_from(ExposureRow)
        .join(seen, seen.id == ExposureRow.image_id)
        .join(ImageRow, is_same_image(seen, match=match))
        .where(ExposureRow.participant_id == person, _TRAINED)
    )


def sample_images_reviewed(session: Session) -> list[EarlierExposure]:
    """Return labelers with the sampled images whose labels they judged; for the lead."""
    last: dict[tuple[str, ImageKey], str] = {}
    for match in _matches(session):
        columns = select(
            ParticipantRow.code, DatasetRow.name, ImageRow.name, func.max(ExposureRow.at)
        )
        query = (
            _seen_in_sample(columns, ExposureOccasion.REVIEW, match=match)
            .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
            .join(ParticipantRow, ParticipantRow.id == ExposureRow.participant_id)
            .join(ParticipantRoleRow, ParticipantRoleRow.participant_id == ParticipantRow.id)
            .where(ParticipantRoleRow.role == Role.LABELER)
            .group_by(ParticipantRow.code, DatasetRow.name, ImageRow.name)
        )
        for code, dataset, name, at in session.execute(query):
            key = code, ImageKey(dataset, name)
            last[key] = max(at, last.get(key, ""))
    return sorted(
        EarlierExposure(code, image, datetime.fromisoformat(at))
        for (code, image), at in last.items()
    )


def images_judged_by_labelers(session: Session) -> list[JudgedImage]:
    """Return every image whose labels a labeler judged, sampled or not; for the lead."""
    query = (
        select(
            ParticipantRow.code,
            DatasetRow.name,
            ImageRow.name,
            ImageRow.content_hash,
            func.max(ExposureRow.at),
        )
        .select_from(ExposureRow)
        .join(ImageRow, ImageRow.id == ExposureRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .join(ParticipantRow, ParticipantRow.id == ExposureRow.participant_id)
        .join(ParticipantRoleRow, ParticipantRoleRow.participant_id == ParticipantRow.id)
        .where(
            ParticipantRoleRow.role == Role.LABELER, ExposureRow.occasion == ExposureOccasion.REVIEW
        )
        .group_by(ParticipantRow.code, DatasetRow.name, ImageRow.name, ImageRow.content_hash)
    )
    return [
        JudgedImage(code, ImageKey(dataset, name), content, datetime.fromisoformat(at))
        for code, dataset, name, content, at in session.execute(query)
    ]


def _seen_in_sample(
    query: Select[*Selected], occasion: ExposureOccasion, *, match: ImageMatch
) -> Select[*Selected]:
    """Restrict a query to sampled images that someone saw on such an occasion.

    Each way of matching images is a query of its own, because no index would help a combined one.
    """
    seen = aliased(ImageRow)
    return (
        query.select_from(SampleImageRow)
        .join(SampleRow, SampleRow.id == SampleImageRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleImageRow.image_id)
        .join(seen, is_same_image(seen, match=match))
        .join(ExposureRow, ExposureRow.image_id == seen.id)
        .where(ExposureRow.occasion == occasion, SampleRow.retired_at.is_(None))
    )


def _matches(session: Session) -> list[ImageMatch]:
    """Return the ways to match images; most studies have no near-duplicates."""
    has_sets = session.scalar(select(NearDuplicateMemberRow.image_id).limit(1)) is not None
    return [match for match in ImageMatch if has_sets or match is not ImageMatch.NEAR_DUPLICATE]


def _near_duplicates_of(image: type[ImageRow]) -> Select[int]:
    """Return the images in the near-duplicate set of an image of the outer query."""
    member, other = aliased(NearDuplicateMemberRow), aliased(NearDuplicateMemberRow)
    return (
        select(other.image_id)
        .join(member, member.set_id == other.set_id)
        .where(member.image_id == image.id)
        .correlate(image)
    )


def is_same_image(seen: type[ImageRow], *, match: ImageMatch) -> ColumnElement[bool]:
    """Return whether the seen image is the same image, in one of the ways."""
    if match is ImageMatch.CONTENT:
        return seen.content_hash == ImageRow.content_hash
    if match is ImageMatch.NEAR_DUPLICATE:
        # Both ways round, so that an index helps whichever image comes first.
        return seen.id.in_(_near_duplicates_of(ImageRow)) & ImageRow.id.in_(
            _near_duplicates_of(seen)
        )
    return seen.id == ImageRow.id


_EARLIER_OCCASIONS = (ExposureOccasion.TRAINING, ExposureOccasion.REVIEW, ExposureOccasion.DECLARED)


def images_seen_before(
    session: Session, dataset: int, people: Sequence[int]
) -> set[tuple[int, int]]:
    """Return (person, image) pairs where the person saw the image before the evaluation was locked.

    Copies count as the image itself. The final review and the lead's access to results come after
    the lock.
    """
    locked_at = session.scalar(select(PhaseRow.locked_at).where(PhaseRow.phase == Phase.EVALUATE))
    seen_pairs: set[tuple[int, int]] = set()
    for match in _matches(session):
        seen = aliased(ImageRow)
        query = (
            select(ExposureRow.participant_id, ImageRow.id)
            .join(seen, seen.id == ExposureRow.image_id)
            .join(ImageRow, is_same_image(seen, match=match))
            .where(
                ImageRow.dataset_id == dataset,
                ExposureRow.participant_id.in_(people),
                ExposureRow.occasion.in_(_EARLIER_OCCASIONS),
                _before_evaluation(),
            )
            .distinct()
        )
        if locked_at is not None:
            query = query.where(ExposureRow.at < locked_at)
        seen_pairs |= {(person, image) for person, image in session.execute(query)}
    return seen_pairs


def _before_evaluation() -> ColumnElement[bool]:
    """Exclude imported verdicts except those of the first review, which is known to come before."""
    first_review = select(ReviewRow.image_id).where(
        ReviewRow.image_id == ExposureRow.image_id,
        ReviewRow.participant_id == ExposureRow.participant_id,
        ReviewRow.stage == Stage.INITIAL,
    )
    return or_(
        ExposureRow.occasion != ExposureOccasion.REVIEW,
        ExposureRow.session_id.is_not(None),
        first_review.exists(),
    )
