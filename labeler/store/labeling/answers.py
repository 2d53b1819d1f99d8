"""Labelers' answers: each with its intervals and exposures, stored whole or not at all."""

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.study.entities import ExposureOccasion
from labeler.core.study.phases import PhaseState
from labeler.store.labeling.trial_tasks import TASKS, TrialTask
from labeler.store.labeling.trial_time import add_intervals
from labeler.store.schema import (
    ClassRow,
    DraftRow,
    ExposureRow,
    ImageRow,
    NotShownRow,
    PhaseRow,
    PredictionRow,
    SessionRow,
    TrialRow,
)

NO_SUCH_TRIAL = "The study has no such trial. Sign in again."
_OTHER_TRIAL = "This answer is stored for another trial already. Answer this one again."
_NO_CLASS = "'{wnid}' is no class of this study. Choose one of its classes."


class Answers:
    """Answers to the trials of every task; rows are only appended."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def commit(self, answer: CommittedAnswer) -> int:
        """Store the answer as the trial's next revision and return the revision.

        An answer that is stored already keeps its revision.
        """
        trial = self._session.get(TrialRow, answer.trial_id)
        if trial is None:
            raise RefusedError(NO_SUCH_TRIAL)
        stored = self._session.get(PredictionRow, answer.answer_id)
        if stored is not None:
            return _stored_revision(stored, trial)
        task = TASKS[trial.task]
        self._require_open(trial, task, session_id=answer.session_id)
        return self._add(answer, trial, task)

    def _add(self, answer: CommittedAnswer, trial: TrialRow, task: TrialTask) -> int:
        prediction = self._prediction(answer, trial, task)
        self._session.add(prediction)
        add_intervals(self._session, trial.id, answer.visits)
        self._add_exposures(answer, trial, task)
        trial.shown_at = trial.shown_at or answer.shown_at
        if task.reveals:
            trial.locked_at = answer.submitted_at
        self._withdraw_not_shown(answer)
        delete_draft(self._session, trial)
        return prediction.revision

    def _require_open(self, trial: TrialRow, task: TrialTask, *, session_id: str) -> None:
        if trial.locked_at is not None:
            raise RefusedError(task.final)
        phase = self._session.get(PhaseRow, task.phase)
        if phase is None or phase.state is not PhaseState.OPEN:
            raise RefusedError(task.not_open_message)
        session = self._session.get(SessionRow, session_id)
        owner = None if session is None else (session.participant_id, session.task)
        if owner != (trial.participant_id, task.task):
            raise RefusedError(task.wrong_session_message)

    def _prediction(
        self, answer: CommittedAnswer, trial: TrialRow, task: TrialTask
    ) -> PredictionRow:
        return PredictionRow(
            id=answer.answer_id,
            trial_id=trial.id,
            participant_id=trial.participant_id,
            task=task.task,
            image_id=trial.image_id,
            revision=self._last_revision(trial, task) + 1,
            class_id=self._class_id(answer.label),
            escape_hatch=answer.escape_hatch,
            alternative_id=self._class_id(answer.alternative),
            confidence=answer.confidence,
            note=answer.note,
            active_ms=answer.active_ms,
            wall_ms=answer.wall_ms,
            shown_at=answer.shown_at,
            committed_at=answer.submitted_at,
        )

    def _last_revision(self, trial: TrialRow, task: TrialTask) -> int:
        query = select(func.max(PredictionRow.revision)).join(TrialRow, task.answers_trial)
        return self._session.scalar(query.where(TrialRow.id == trial.id)) or 0

    def _class_id(self, wnid: str | None) -> int | None:
        if wnid is None:
            return None
        found = self._session.scalar(select(ClassRow.id).where(ClassRow.wnid == wnid))
        if found is None:
            raise RefusedError(_NO_CLASS.format(wnid=wnid))
        return found

    def _add_exposures(self, answer: CommittedAnswer, trial: TrialRow, task: TrialTask) -> None:
        """Record that the labeler saw the image, and once that they knew it before.

        Where the class is revealed after the answer, each time counts, else only the first.
        """
        if task.reveals or not is_exposed(self._session, trial, task.occasion):
            target = self._target_id(trial) if task.reveals else None
            self._session.add(_exposure(answer, trial, task.occasion, class_id=target))
        declared = ExposureOccasion.DECLARED
        if answer.knows_image and not is_exposed(self._session, trial, declared):
            self._session.add(_exposure(answer, trial, declared))

    def _target_id(self, trial: TrialRow) -> int | None:
        """Return the image's target; only for a task that reveals it."""
        return self._session.scalar(select(ImageRow.target_id).where(ImageRow.id == trial.image_id))

    def _withdraw_not_shown(self, answer: CommittedAnswer) -> None:
        flags = update(NotShownRow).where(
            NotShownRow.trial_id == answer.trial_id, NotShownRow.withdrawn_at.is_(None)
        )
        self._session.execute(flags.values(withdrawn_at=answer.submitted_at))


def is_exposed(session: Session, trial: TrialRow, occasion: ExposureOccasion) -> bool:
    """Whether the trial's labeler has seen its image on such an occasion."""
    query = select(ExposureRow.id).filter_by(
        participant_id=trial.participant_id, image_id=trial.image_id, occasion=occasion
    )
    return session.scalar(query.limit(1)) is not None


def delete_draft(session: Session, trial: TrialRow) -> None:
    """Delete the labeler's draft of the trial, if there is one."""
    session.execute(
        delete(DraftRow).filter_by(
            participant_id=trial.participant_id, task=trial.task, subject=trial.id
        )
    )


def _stored_revision(stored: PredictionRow, trial: TrialRow) -> int:
    if stored.trial_id != trial.id:
        raise RefusedError(_OTHER_TRIAL)
    return stored.revision


def _exposure(
    answer: CommittedAnswer,
    trial: TrialRow,
    occasion: ExposureOccasion,
    *,
    class_id: int | None = None,
) -> ExposureRow:
    return ExposureRow(
        participant_id=trial.participant_id,
        image_id=trial.image_id,
        occasion=occasion,
        class_id=class_id,
        session_id=answer.session_id,
        at=answer.submitted_at,
    )
