"""Hand out grids and images to annotators, and store their drafts and answers."""

import json
import secrets
from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from labeler.core.clock import Clock, stamp
from labeler.core.crowd.blind_types import AnnotatorProgress, ClassifyTask, ContainsTask
from labeler.core.crowd.entities import ContainsState
from labeler.core.crowd.rounds import (
    AssignmentState,
    CrowdTask,
    choose_work,
)
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import RefusedError
from labeler.core.hash_order import shuffled
from labeler.core.study.entities import Role
from labeler.store.crowd.available_work import AvailableWork
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    shown_image_files,
)
from labeler.store.schema import (
    ClassifyAnswerRow,
    ClassRow,
    ContainsAnswerRow,
    CrowdAssignmentRow,
    CrowdRoundGridRow,
    CrowdRoundImageRow,
    CrowdRoundRow,
    DatasetRow,
    GridImageRow,
    GridRow,
    ImageRow,
    ParticipantRow,
)
from labeler.store.study.sessions import require_role

_ID_BYTES = 12
UNKNOWN_TASK = "This task isn't one of yours, or no longer exists. Go back to your tasks."
ALREADY_SUBMITTED = "This task is already submitted. Your first answer is stored."
ROUND_CLOSED = "The lead has closed this round, so its answers can't be changed any more."
NO_SUCH_IMAGE = "The answer selects an image that the grid doesn't have."
NO_SUCH_LABEL = "The answer ticks a label that the image isn't asked about."
NOTHING_TICKED = "Tick at least one label and mark the main one among them."


class CrowdAssignments:
    """The tasks of single annotators. No query of this class selects a target or dataset name."""

    def __init__(self, session: Session, clock: Clock) -> None:
        self._session = session
        self._clock = clock
        self._work = AvailableWork(session, clock)

    def next_contains(self, code: str) -> ContainsTask | None:
        """Return the annotator's unfinished grid, or give them the next one."""
        person, seed = self._person(code)
        row = self._open_assignment(person, CrowdTask.CONTAINS)
        if row is None:
            row = self._assign_grid(person, seed)
        return None if row is None else self._contains_task(row)

    def next_classify(self, code: str) -> ClassifyTask | None:
        """Return the annotator's unfinished image, or give them the next one."""
        person, seed = self._person(code)
        row = self._open_assignment(person, CrowdTask.CLASSIFY)
        if row is None:
            row = self._assign_image(person, seed)
        return None if row is None else self._classify_task(row)

    def hand_out(self, code: str, count: int) -> None:
        """Give the annotator up to `count` more grids and images, to work on elsewhere."""
        person, seed = self._person(code)
        for assign in (self._assign_grid, self._assign_image):
            for _ in range(count):
                if assign(person, seed) is None:
                    break

    def contains_task(self, code: str, task_id: str) -> ContainsTask:
        """Return one of the annotator's own grids."""
        return self._contains_task(self._own(code, task_id, CrowdTask.CONTAINS))

    def classify_task(self, code: str, task_id: str) -> ClassifyTask:
        """Return one of the annotator's own images."""
        return self._classify_task(self._own(code, task_id, CrowdTask.CLASSIFY))

    def submitted_tasks(self, code: str, task: CrowdTask) -> list[str]:
        """Return the tasks that the annotator can go back to, in the order they were given."""
        row = CrowdAssignmentRow
        query = (
            select(row.id)
            .join(CrowdRoundRow, CrowdRoundRow.id == row.round_id)
            .where(row.participant_id == self._person(code)[0], CrowdRoundRow.task == task)
            .where(row.state == AssignmentState.SUBMITTED, CrowdRoundRow.closed_at.is_(None))
            .order_by(row.handed_at, row.id)
        )
        return list(self._session.scalars(query))

    def files(self, code: str, task_id: str) -> dict[int, ImageFile]:
        """Return the files of a task's images by position; an image to classify has position 1."""
        row = self._own(code, task_id)
        columns = select(*IMAGE_FILE_COLUMNS).join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        if row.grid_id is None:
            found = self._session.execute(columns.where(ImageRow.id == row.image_id)).all()
            pairs: Iterable[tuple[int, Any]] = enumerate(found, 1)
        else:
            query = (
                columns.add_columns(GridImageRow.position)
                .join(GridImageRow, GridImageRow.image_id == ImageRow.id)
                .where(GridImageRow.grid_id == row.grid_id)
            )
            pairs = ((each.position, each) for each in self._session.execute(query))
        file_of = shown_image_files(self._session)
        files = {place: file_of(each) for place, each in pairs}
        return {place: file for place, file in files.items() if file is not None}

    def save_draft(self, code: str, task_id: str, draft: str) -> None:
        """Store an unfinished answer; one that arrives after the submission is dropped."""
        row = self._own(code, task_id)
        if row.state is AssignmentState.OPEN:
            row.draft = draft
            self._session.flush()

    def submit_contains(
        self, code: str, task_id: str, selected: Collection[int], *, active_ms: int, revise: bool
    ) -> None:
        """Store a selection; a submitted one is only changed with `revise`."""
        row = self._answerable(code, task_id, CrowdTask.CONTAINS, revise=revise)
        if not set(selected) <= set(self._contains_task(row).positions):
            raise RefusedError(NO_SUCH_IMAGE)
        self._store_contains(row, selected, active_ms, ContainsState.SUBMITTED)

    def return_grid(self, code: str, task_id: str, *, active_ms: int) -> None:
        """Give a grid back without an answer: it counts as not shown, and others get it."""
        row = self._answerable(code, task_id, CrowdTask.CONTAINS, revise=False)
        self._store_contains(row, (), active_ms, ContainsState.RETURNED)

    def submit_classify(
        self,
        code: str,
        task_id: str,
        labels: Collection[str],
        main: str,
        *,
        active_ms: int,
        revise: bool,
    ) -> None:
        """Store the ticked labels and the main one."""
        row = self._answerable(code, task_id, CrowdTask.CLASSIFY, revise=revise)
        if not set(labels) <= set(self._classify_task(row).labels):
            raise RefusedError(NO_SUCH_LABEL)
        if main not in labels:
            raise RefusedError(NOTHING_TICKED)
        answer = ClassifyAnswerRow
        query = (
            select(answer.revision, answer.active_ms)
            .where(answer.participant_id == row.participant_id, answer.image_id == row.image_id)
            .order_by(answer.revision.desc())
        )
        revision, earlier_ms = self._last_revision(query)
        self._session.add(
            ClassifyAnswerRow(
                participant_id=row.participant_id,
                image_id=row.image_id,
                revision=revision + 1,
                labels="|".join(sorted(labels)),
                main=main,
                active_ms=active_ms + earlier_ms,
                submitted_at=stamp(self._clock.utc()),
            )
        )
        self._finish(row, AssignmentState.SUBMITTED)

    def progress(self, code: str, task: CrowdTask) -> AnnotatorProgress:
        """Return what the annotator has done and can still do."""
        person, _seed = self._person(code)
        items = self._work.items(person, task)
        is_allowed = self._work.with_fresh_controls(person) if task is CrowdTask.CONTAINS else None
        left = sum(
            item.answers < item.wanted and (is_allowed is None or is_allowed(item.key))
            for item in items
        )
        done = self._active_times(person, task)
        has_open = self._open_assignment(person, task) is not None
        return AnnotatorProgress(
            task=task,
            done=len(done),
            left=left + has_open,
            active_ms=sum(done),
            has_open=has_open,
        )

    def _active_times(self, person: int, task: CrowdTask) -> list[int]:
        """Return the active time of each answer; that of a revision includes earlier ones."""
        if task is CrowdTask.CONTAINS:
            grid = ContainsAnswerRow
            query = (
                select(func.max(grid.active_ms))
                .where(grid.participant_id == person, grid.state == ContainsState.SUBMITTED)
                .group_by(grid.grid_id)
            )
        else:
            image = ClassifyAnswerRow
            query = (
                select(func.max(image.active_ms))
                .where(image.participant_id == person)
                .group_by(image.image_id)
            )
        return [active or 0 for active in self._session.scalars(query)]

    def _assign_grid(self, person: int, seed: int) -> CrowdAssignmentRow | None:
        grid = choose_work(
            self._work.items(person, CrowdTask.CONTAINS),
            annotator_seed=seed,
            is_allowed=self._work.with_fresh_controls(person),
        )
        if grid is None:
            return None
        round_id = self._session.get_one(CrowdRoundGridRow, grid).round_id
        return self._add(person, round_id, grid_id=grid)

    def _assign_image(self, person: int, seed: int) -> CrowdAssignmentRow | None:
        key = choose_work(self._work.items(person, CrowdTask.CLASSIFY), annotator_seed=seed)
        if key is None:
            return None
        round_id, image = key.split("/")
        return self._add(person, round_id, image_id=int(image))

    def _add(self, person: int, round_id: str, **work: Any) -> CrowdAssignmentRow:
        row = CrowdAssignmentRow(
            id=secrets.token_hex(_ID_BYTES),
            participant_id=person,
            round_id=round_id,
            handed_at=stamp(self._clock.utc()),
            draft="",
            state=AssignmentState.OPEN,
            **work,
        )
        self._session.add(row)
        self._session.flush()
        return row

    def _open_assignment(self, person: int, task: CrowdTask) -> CrowdAssignmentRow | None:
        row = CrowdAssignmentRow
        query = (
            select(row)
            .join(CrowdRoundRow, CrowdRoundRow.id == row.round_id)
            .where(row.participant_id == person, row.state == AssignmentState.OPEN)
            .where(CrowdRoundRow.task == task, CrowdRoundRow.closed_at.is_(None))
            .order_by(row.handed_at, row.id)
        )
        return self._session.scalars(query.limit(1)).first()

    def _contains_task(self, row: CrowdAssignmentRow) -> ContainsTask:
        label = self._session.scalars(
            select(ClassRow.wnid)
            .join(GridRow, GridRow.class_id == ClassRow.id)
            .where(GridRow.id == row.grid_id)
        ).one()
        image = GridImageRow
        query = select(image.position).where(image.grid_id == row.grid_id).order_by(image.position)
        return ContainsTask(
            id=row.id,
            label=label,
            positions=tuple(self._session.scalars(query)),
            draft=row.draft,
            selected=self._own_selection(row),
        )

    def _own_selection(self, row: CrowdAssignmentRow) -> frozenset[int] | None:
        answer = ContainsAnswerRow
        query = (
            select(answer.selected)
            .where(answer.participant_id == row.participant_id, answer.grid_id == row.grid_id)
            .where(answer.state == ContainsState.SUBMITTED)
            .order_by(answer.revision.desc())
        )
        selected = self._session.scalar(query.limit(1))
        if selected is None:
            return None
        return frozenset(map(int, filter(None, selected.split("|"))))

    def _classify_task(self, row: CrowdAssignmentRow) -> ClassifyTask:
        asked = self._session.get_one(CrowdRoundImageRow, (row.round_id, row.image_id))
        answer = ClassifyAnswerRow
        query = (
            select(answer.labels, answer.main)
            .where(answer.participant_id == row.participant_id, answer.image_id == row.image_id)
            .order_by(answer.revision.desc())
        )
        own = self._session.execute(query.limit(1)).first()
        return ClassifyTask(
            id=row.id,
            labels=tuple(
                shuffled(
                    asked.labels.split("|"), seed=0, purpose=row.id, key=lambda label: (label,)
                )
            ),
            shows_references=self._shows_references(row.round_id),
            draft=row.draft,
            ticked=None if own is None else frozenset(filter(None, own.labels.split("|"))),
            main="" if own is None else own.main,
        )

    def _shows_references(self, round_id: str) -> bool:
        parameters = self._session.get_one(CrowdRoundRow, round_id).parameters
        return json.loads(parameters).get("shows_references") is True

    def _store_contains(
        self,
        row: CrowdAssignmentRow,
        selected: Collection[int],
        active_ms: int,
        state: ContainsState,
    ) -> None:
        answer = ContainsAnswerRow
        query = (
            select(answer.revision, answer.active_ms)
            .where(answer.participant_id == row.participant_id, answer.grid_id == row.grid_id)
            .order_by(answer.revision.desc())
        )
        revision, earlier_ms = self._last_revision(query)
        self._session.add(
            ContainsAnswerRow(
                participant_id=row.participant_id,
                grid_id=row.grid_id,
                revision=revision + 1,
                selected="|".join(map(str, sorted(selected))),
                active_ms=active_ms + earlier_ms,
                submitted_at=stamp(self._clock.utc()),
                state=state,
            )
        )
        returned = state is ContainsState.RETURNED
        self._finish(row, AssignmentState.RETURNED if returned else AssignmentState.SUBMITTED)

    def _last_revision(self, query: Any) -> tuple[int, int]:
        """Return the last revision and its active time, which includes earlier visits."""
        found = self._session.execute(query.limit(1)).first()
        return (0, 0) if found is None else (found.revision, found.active_ms or 0)

    def _finish(self, row: CrowdAssignmentRow, state: AssignmentState) -> None:
        row.state, row.draft = state, ""
        self._session.flush()

    def _answerable(
        self, code: str, task_id: str, task: CrowdTask, *, revise: bool
    ) -> CrowdAssignmentRow:
        row = self._own(code, task_id, task)
        if self._session.get_one(CrowdRoundRow, row.round_id).closed_at is not None:
            raise RefusedError(ROUND_CLOSED)
        if row.state is not AssignmentState.OPEN and not revise:
            raise RefusedError(ALREADY_SUBMITTED)
        return row

    def _own(self, code: str, task_id: str, task: CrowdTask | None = None) -> CrowdAssignmentRow:
        """Return the assignment; another person's is as unknown as one that doesn't exist."""
        row = self._session.get(CrowdAssignmentRow, task_id)
        if row is None or row.participant_id != self._person(code)[0]:
            raise RefusedError(UNKNOWN_TASK)
        kind = CrowdTask.CLASSIFY if row.grid_id is None else CrowdTask.CONTAINS
        if task not in (None, kind):
            raise RefusedError(UNKNOWN_TASK)
        return row

    def _person(self, code: str) -> tuple[int, int]:
        """Return the annotator's id and the seed of their orders."""
        require_role(self._session, code, Role.ANNOTATOR)
        query = select(ParticipantRow.id, ParticipantRow.order_seed).where(
            ParticipantRow.code == code
        )
        number, seed = self._session.execute(query).one()
        return number, seed
