"""What a labeler does with one trial of any task.

What a labeler's screen asks here is answered from tables that know images by number only; the
methods for the decoder look further, and their answers never become part of a view.
"""

from dataclasses import replace
from typing import Any, TypeVarTuple

from sqlalchemy import ColumnElement, Exists, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from labeler.core.clock import Clock, stamp
from labeler.core.datasets.image_file import ImageFile
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import ExposureOccasion, ProblemReason
from labeler.store.datasets.image_files import (
    IMAGE_FILE_COLUMNS,
    shown_image_files,
)
from labeler.store.labeling.answers import NO_SUCH_TRIAL
from labeler.store.labeling.drafts import MARKED_TRIALS_SUBJECT
from labeler.store.labeling.trial_flags import (
    FlaggedTrial,
    flag_trial,
    is_exposed,
    open_flags_query,
    withdraw_flags,
)
from labeler.store.labeling.trial_tasks import (
    EVALUATION,
    REPEATED_EVALUATION,
    AnswerTable,
    TrialTask,
    task_of,
)
from labeler.store.labeling.trial_time import stored_time
from labeler.store.schema import (
    ClassRow,
    DatasetRow,
    DraftRow,
    ImageRow,
    NotShownRow,
    ParticipantRow,
    PredictionRow,
    ProblematicRow,
    RepeatedPredictionRow,
    TrialRow,
)


def find_unfinished_trial(session: Session, person: int) -> str | None:
    """Return the trial of the labeler's newest draft, unless an answer or flag came later."""
    drafts = select(DraftRow.subject, DraftRow.updated_at).where(
        DraftRow.participant_id == person,
        DraftRow.task == EVALUATION.task,
        DraftRow.subject != MARKED_TRIALS_SUBJECT,
    )
    newest = session.execute(drafts.order_by(DraftRow.updated_at.desc()).limit(1)).one_or_none()
    if newest is None or newest.updated_at < _last_activity(session, person):
        return None
    return newest.subject if session.get(TrialRow, newest.subject) is not None else None


def _last_activity(session: Session, person: int) -> str:
    """Return when the labeler last answered or flagged something."""
    answers = select(func.max(PredictionRow.committed_at)).where(
        PredictionRow.participant_id == person, EVALUATION.is_prediction
    )
    repeated = select(func.max(RepeatedPredictionRow.committed_at)).where(
        RepeatedPredictionRow.participant_id == person
    )
    problems = select(func.max(ProblematicRow.at)).where(ProblematicRow.participant_id == person)
    # Asked from the few that weren't shown, not from all trials.
    own = exists().where(TrialRow.id == NotShownRow.trial_id, EVALUATION.is_trial_of(person))
    unshown = select(func.max(NotShownRow.at)).where(own)
    return max(session.scalar(query) or "" for query in (answers, repeated, problems, unshown))


Selected = TypeVarTuple("Selected")

IS_FLAGGED: ColumnElement[bool] = or_(
    exists()
    .where(
        ProblematicRow.participant_id == TrialRow.participant_id,
        ProblematicRow.image_id == TrialRow.image_id,
        ProblematicRow.withdrawn_at.is_(None),
        # A flag on an image doesn't show at its hidden repeat, nor the other way round.
        or_(
            ProblematicRow.repeated_trial_id == TrialRow.id,
            and_(EVALUATION.is_asked, ProblematicRow.repeated_trial_id.is_(None)),
        ),
    )
    .correlate(TrialRow),
    exists()
    .where(NotShownRow.trial_id == TrialRow.id, NotShownRow.withdrawn_at.is_(None))
    .correlate(TrialRow),
)


def is_answered(task: TrialTask) -> ColumnElement[bool]:
    """Return the condition that a trial of the task has an answer."""
    answered = _has_answer(task)
    return or_(answered, _has_answer(REPEATED_EVALUATION)) if task is EVALUATION else answered


def _has_answer(task: TrialTask) -> Exists:
    return exists().where(task.answers_trial).correlate(TrialRow)


class TaskTrials:
    """The part of a task that is about one trial: answering, flagging, returning."""

    def __init__(self, session: Session, clock: Clock, task: TrialTask) -> None:
        self._session = session
        self._clock = clock
        self._task = task

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

    def labels(self, participant: str) -> tuple[str, ...]:
        """Return the classes of a labeler's answers in the task, in the order of the answers."""
        answers = [
            _labels_query(table, participant) for table in (PredictionRow, RepeatedPredictionRow)
        ]
        answers[0] = answers[0].where(self._task.is_prediction)
        of_task = answers if self._task is EVALUATION else answers[:1]
        rows = sorted((at, wnid) for query in of_task for at, wnid in self._session.execute(query))
        return tuple(wnid for _at, wnid in rows)

    def reopened(self, trial_id: str) -> AnswerDraft:
        """Return the draft of the trial's last answer with its time, or an empty one.

        Refused once the answers are locked.
        """
        trial = self._require_changeable(trial_id)
        draft = AnswerDraft(flags=self._flags(trial), earlier=stored_time(self._session, trial))
        last = self._session.execute(_last_answer_query(trial)).one_or_none()
        if last is None:
            return draft
        return replace(
            draft,
            revision=last.revision + 1,
            label=last.wnid,
            escape_hatch=last.alternative is not None,
            alternative=last.alternative,
            confidence=last.confidence,
            note=last.note,
        )

    def _flags(self, trial: TrialRow) -> frozenset[TrialFlag]:
        """Return the labeler's flags so far."""
        inappropriate = open_flags_query(trial).where(
            ProblematicRow.reason == ProblemReason.INAPPROPRIATE
        )
        not_shown = select(NotShownRow.id).filter_by(trial_id=trial.id, withdrawn_at=None)
        said = {
            TrialFlag.KNOWN: self._is_known(trial),
            TrialFlag.INAPPROPRIATE: self._session.scalar(inappropriate.limit(1)) is not None,
            TrialFlag.NOT_SHOWN: self._session.scalar(not_shown.limit(1)) is not None,
        }
        return frozenset(flag for flag, is_said in said.items() if is_said)

    def _is_known(self, trial: TrialRow) -> bool:
        """Return whether the labeler said at this trial that they know the image."""
        if not task_of(trial).repeated:
            return is_exposed(self._session, trial, ExposureOccasion.DECLARED)
        answers = select(RepeatedPredictionRow.known_image).filter_by(trial_id=trial.id)
        newest = answers.order_by(RepeatedPredictionRow.revision.desc()).limit(1)
        return bool(self._session.scalar(newest))

    def image_file(self, trial_id: str) -> ImageFile:
        """Return the trial's image file, for the decoder only: the path may contain the target."""
        query = _join_image(select(*IMAGE_FILE_COLUMNS), trial_id)
        row = self._session.execute(query).one_or_none()
        file = shown_image_files(self._session)(row)
        if file is None:
            raise EnvironmentFault(
                "This trial's image has no file here: flag it and go on, and tell the lead."
            )
        return file

    def _require_changeable(self, trial_id: str) -> TrialRow:
        """Return the trial; refused unless its labeler may still work on it."""
        trial = self._session.get(TrialRow, trial_id)
        if trial is None:
            raise RefusedError(NO_SUCH_TRIAL)
        self._task.require_open(self._session)
        if trial.locked_at is not None:
            raise RefusedError(self._task.locked_message)
        return trial


def _labels_query(answers: AnswerTable, participant: str) -> Select[str, str]:
    return (
        select(answers.committed_at, ClassRow.wnid)
        .select_from(answers)
        .join(ClassRow, ClassRow.id == answers.class_id)
        .join(ParticipantRow, ParticipantRow.id == answers.participant_id)
        .where(ParticipantRow.code == participant)
    )


def _last_answer_query(trial: TrialRow) -> Select[*tuple[Any, ...]]:
    """Return the query for the newest answer to the trial, and to no other of the same image."""
    task, alternative = task_of(trial), aliased(ClassRow)
    answer = task.answers
    return (
        select(
            ClassRow.wnid,
            alternative.wnid.label("alternative"),
            answer.confidence,
            answer.note,
            answer.revision,
        )
        .select_from(TrialRow)
        .join(answer, task.answers_trial)
        .join(ClassRow, ClassRow.id == answer.class_id)
        .outerjoin(alternative, alternative.id == answer.alternative_id)
        .where(TrialRow.id == trial.id)
        .order_by(answer.revision.desc())
        .limit(1)
    )


def _join_image(query: Select[*Selected], trial_id: str) -> Select[*Selected]:
    """Join a trial's image and dataset to a query."""
    return (
        query.select_from(TrialRow)
        .join(ImageRow, ImageRow.id == TrialRow.image_id)
        .join(DatasetRow, DatasetRow.id == ImageRow.dataset_id)
        .where(TrialRow.id == trial_id)
    )
