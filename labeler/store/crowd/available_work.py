"""Which grids and images an annotator may be given, and how many answers each still needs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.crowd.entities import GridRole
from labeler.core.crowd.rounds import RESERVED_HOURS, AssignmentState, CrowdTask, WorkItem
from labeler.store.crowd.rounds import submitted_to
from labeler.store.schema import (
    ClassifyAnswerRow,
    ContainsAnswerRow,
    CrowdAssignmentRow,
    CrowdQualificationImageRow,
    CrowdRoundGridRow,
    CrowdRoundImageRow,
    CrowdRoundRow,
    GridImageRow,
    GridRow,
)


class AvailableWork:
    """The work of all open rounds, as one annotator may get it."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock

    def items(self, person: int, task: CrowdTask) -> list[WorkItem]:
        """Return what the person was never given, with the answers that each has or expects."""
        return self._grids(person) if task is CrowdTask.CONTAINS else self._images(person)

    def _grids(self, person: int) -> list[WorkItem]:
        grid = CrowdRoundGridRow.grid_id
        mine = select(CrowdAssignmentRow.grid_id).where(
            CrowdAssignmentRow.participant_id == person, CrowdAssignmentRow.grid_id.is_not(None)
        )
        answered = select(ContainsAnswerRow.grid_id).where(
            ContainsAnswerRow.participant_id == person
        )
        query = (
            select(grid, CrowdRoundRow.answers)
            .join(CrowdRoundRow, CrowdRoundRow.id == CrowdRoundGridRow.round_id)
            .join(GridRow, GridRow.id == grid)
            .where(CrowdRoundRow.closed_at.is_(None), GridRow.barred.is_(False))
            .where(grid.not_in(mine), grid.not_in(answered))
        )
        counts = self._counts(
            select(grid, func.count()).join(ContainsAnswerRow, submitted_to(grid)).group_by(grid),
            self._reserved(CrowdAssignmentRow.grid_id),
        )
        return [
            WorkItem(key, counts.get(key, 0), wanted)
            for key, wanted in self._session.execute(query)
        ]

    def _images(self, person: int) -> list[WorkItem]:
        image = CrowdRoundImageRow.image_id
        mine = select(CrowdAssignmentRow.image_id).where(
            CrowdAssignmentRow.participant_id == person, CrowdAssignmentRow.image_id.is_not(None)
        )
        answered = select(ClassifyAnswerRow.image_id).where(
            ClassifyAnswerRow.participant_id == person
        )
        query = (
            select(CrowdRoundImageRow.round_id, image, CrowdRoundRow.answers)
            .join(CrowdRoundRow, CrowdRoundRow.id == CrowdRoundImageRow.round_id)
            .where(CrowdRoundRow.closed_at.is_(None))
            .where(image.not_in(mine), image.not_in(answered))
        )
        given = select(
            ClassifyAnswerRow.image_id, func.count(func.distinct(ClassifyAnswerRow.participant_id))
        ).group_by(ClassifyAnswerRow.image_id)
        counts = self._counts(given, self._reserved(CrowdAssignmentRow.image_id))
        return [
            WorkItem(f"{round_id}/{number}", counts.get(number, 0), wanted)
            for round_id, number, wanted in self._session.execute(query)
        ]

    def _counts(self, *queries: Any) -> dict[Any, int]:
        counts: dict[Any, int] = {}
        for query in queries:
            for key, count in self._session.execute(query):
                counts[key] = counts.get(key, 0) + count
        return counts

    def _reserved(self, key: Any) -> Any:
        """Return the query for how many annotators are working on each grid or image."""
        since = self._clock.utc() - timedelta(hours=RESERVED_HOURS)
        row = CrowdAssignmentRow
        return (
            select(key, func.count())
            .where(key.is_not(None), row.state == AssignmentState.OPEN)
            .where(row.handed_at >= stamp(since))
            .group_by(key)
        )

    def with_fresh_controls(self, person: int) -> Callable[[str], bool]:
        """Return the test whether a grid has no control that the annotator has met."""
        met = self.met_controls(person)
        query = select(GridImageRow.grid_id, GridImageRow.image_id).where(
            GridImageRow.role != GridRole.CANDIDATE
        )
        known = {grid for grid, image in self._session.execute(query) if image in met}
        return lambda grid: grid not in known

    def met_controls(self, person: int) -> set[int]:
        """Return the controls that the annotator has seen, in grids and in qualifications."""
        grids = select(CrowdAssignmentRow.grid_id).where(
            CrowdAssignmentRow.participant_id == person, CrowdAssignmentRow.grid_id.is_not(None)
        )
        answered = select(ContainsAnswerRow.grid_id).where(
            ContainsAnswerRow.participant_id == person
        )
        image = GridImageRow
        seen = select(image.image_id).where(
            image.role != GridRole.CANDIDATE,
            or_(image.grid_id.in_(grids), image.grid_id.in_(answered)),
        )
        tested = select(CrowdQualificationImageRow.image_id).where(
            CrowdQualificationImageRow.participant_id == person
        )
        return {*self._session.scalars(seen), *self._session.scalars(tested)}
