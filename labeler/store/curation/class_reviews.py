"""Reviews of the classes of a revision; the last one of each reviewer counts."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.curation.entities import ClassReview, RevisionState
from labeler.core.errors import RefusedError
from labeler.store.schema import BuiltRevisionRow, ClassReviewRow, ClassRow, ParticipantRow

ALREADY_FINAL = "The revision is final, so its classes can't be reviewed any more."


class ClassReviews:
    """What reviewers say about the classes of revisions."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def last(self, dataset: str, revision: int) -> list[ClassReview]:
        """Return the last review of each reviewer and class, in class order."""
        row = ClassReviewRow
        query = (
            select(ClassRow.wnid, row.reviewed, row.needs_work, ParticipantRow.code, row.at)
            .join(ClassRow, ClassRow.id == row.class_id)
            .join(ParticipantRow, ParticipantRow.id == row.participant_id)
            .join(BuiltRevisionRow, BuiltRevisionRow.id == row.revision_id)
            .where(BuiltRevisionRow.dataset == dataset, BuiltRevisionRow.revision == revision)
            .order_by(ClassRow.id, ParticipantRow.code, row.number)
        )
        found = {
            (label, code): ClassReview(
                label=label, reviewed=reviewed, needs_work=needs_work, reviewer=code, at=at
            )
            for label, reviewed, needs_work, code, at in self._session.execute(query)
        }
        return list(found.values())

    def record(
        self,
        *,
        dataset: str,
        revision: int,
        label: str,
        reviewer: str,
        reviewed: bool,
        needs_work: bool,
    ) -> None:
        """Add a reviewer's judgement of a class."""
        row = BuiltRevisionRow
        built = self._session.scalar(
            select(row).where(row.dataset == dataset, row.revision == revision)
        )
        if built is None:
            raise RefusedError(f"'{dataset}' has no revision {revision}.")
        if built.state is RevisionState.FINAL:
            raise RefusedError(ALREADY_FINAL)
        class_id = self._session.scalar(select(ClassRow.id).where(ClassRow.wnid == label))
        person = self._session.scalar(
            select(ParticipantRow.id).where(ParticipantRow.code == reviewer)
        )
        if class_id is None or person is None:
            what = f"class '{label}'" if class_id is None else f"participant '{reviewer}'"
            raise RefusedError(f"The study has no {what}.")
        self._add(built.id, class_id, person, reviewed=reviewed, needs_work=needs_work)

    def _add(
        self, revision_id: int, class_id: int, person: int, *, reviewed: bool, needs_work: bool
    ) -> None:
        row = ClassReviewRow
        earlier = select(func.max(row.number)).where(
            row.revision_id == revision_id,
            row.class_id == class_id,
            row.participant_id == person,
        )
        self._session.add(
            row(
                revision_id=revision_id,
                class_id=class_id,
                participant_id=person,
                number=(self._session.scalar(earlier) or 0) + 1,
                reviewed=reviewed,
                needs_work=needs_work,
                at=stamp(self._clock.utc()),
            )
        )
        self._session.flush()
