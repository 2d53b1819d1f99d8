"""What a labeler does with one trial, whichever task it belongs to.

What a labeler's screen asks here is answered from tables that know images by number only; the
methods for the decoder look further, and their answers never become part of a view.
"""

from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Exists, Select, exists, or_, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.known_file import ImageFile
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.answers import TrialDraft
from labeler.core.labeling.blind_types import OwnAnswer
from labeler.core.labeling.core_answers import CommittedAnswer
from labeler.store.datasets.known_files import IMAGE_FILE_COLUMNS, image_file_from_row
from labeler.store.engine.compiled_statements import SessionExecutor
from labeler.store.labeling.answers import commit_answer
from labeler.store.labeling.reopening import resume_draft
from labeler.store.labeling.trial_flags import FlaggedTrial, flag_trial, withdraw_flags
from labeler.store.labeling.trial_tasks import TrialTask, task_of_trial
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    ImageRow,
    NotShownRow,
    PredictionRow,
    ProblematicRow,
    TrialRow,
)

Selected = TypeVarTuple("Selected")

IS_FLAGGED: ColumnElement[bool] = or_(
    exists()
    .where(
        ProblematicRow.participant_id == TrialRow.participant_id,
        ProblematicRow.image_id == TrialRow.image_id,
        ProblematicRow.withdrawn_at.is_(None),
    )
    .correlate(TrialRow),
    exists()
    .where(NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None))
    .correlate(TrialRow),
)


def is_answered(task: TrialTask) -> Exists:
    """Whether a trial of the task has an answer."""
    return exists().where(task.answers_trial).correlate(TrialRow)


class TaskTrials:
    """The part of a task that is about one trial: answering, setting aside, coming back."""

    def __init__(self, session: Session, clock: Clock, task: TrialTask) -> None:
        self._session = session
        self._clock = clock
        self._task = task

    def commit(self, answer: CommittedAnswer) -> int:
        """Store the answer and give its revision; committed again, it changes nothing."""
        task = task_of_trial(self._session, answer.trial_id)
        return commit_answer(SessionExecutor(self._session.connection()), answer, task)

    def answers_of(self, trial_id: str) -> OwnAnswer | None:
        """The labeler's last answer to the trial; refused once the answers are locked."""
        self._require_changeable(trial_id)
        alternative = aliased(ClassRow)
        query = (
            select(
                ClassRow.wnid,
                alternative.wnid.label("alternative"),
                PredictionRow.confidence,
                PredictionRow.note,
                PredictionRow.revision,
            )
            .select_from(TrialRow)
            .join(PredictionRow, self._task.answers_trial)
            .join(ClassRow, ClassRow.id == PredictionRow.class_id)
            .outerjoin(alternative, alternative.id == PredictionRow.alternative_id)
            .where(TrialRow.id == trial_id)
            .order_by(PredictionRow.revision.desc())
            .limit(1)
        )
        row = self._session.execute(query).one_or_none()
        if row is None:
            return None
        return OwnAnswer(
            label=row.wnid,
            alternative=row.alternative,
            confidence=row.confidence,
            note=row.note,
            revision=row.revision,
        )

    def set_aside(self, trial_id: str, aside: FlaggedTrial) -> None:
        """Flag the trial instead of answering it; its time so far is kept."""
        now = stamp(self._clock.utc())
        flag_trial(
            self._session, self._require_changeable(trial_id), aside, now=now, task=self._task
        )

    def take_back(self, trial_id: str) -> None:
        """Withdraw the labeler's flags: the trial waits again unless it is answered."""
        withdraw_flags(
            self._session, self._require_changeable(trial_id), now=stamp(self._clock.utc())
        )

    def reopened(self, trial_id: str, *, marked: bool = False) -> TrialDraft:
        """Where the trial starts: its last answer with its time, or an empty draft."""
        trial = self._require_changeable(trial_id)
        return resume_draft(self._session, trial, self.answers_of(trial_id), marked=marked)

    def image_file(self, trial_id: str) -> ImageFile:
        """The trial's image: for the decoder alone, since the path may be the target."""
        query = _join_image(select(*IMAGE_FILE_COLUMNS), trial_id)
        file = image_file_from_row(self._session.execute(query).one_or_none())
        if file is None:
            raise EnvironmentFault(
                "This trial's image has no file here: flag it and go on, and tell the lead."
            )
        return file

    def _require_changeable(self, trial_id: str) -> TrialRow:
        """The trial, while its labeler may still work on it."""
        trial = self._session.get(TrialRow, trial_id)
        if trial is None:
            raise RefusedError("The study has no such trial. Sign in again.")
        self._task.require_open(self._session)
        if trial.locked_at is not None:
            raise RefusedError(self._task.locked_message)
        return trial


def _join_image(query: Select[*Selected], trial_id: str) -> Select[*Selected]:
    """Ask something of a trial's image and its dataset."""
    return (
        query.select_from(TrialRow)
        .join(ImageRow, ImageRow.id == TrialRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(TrialRow.id == trial_id)
    )
