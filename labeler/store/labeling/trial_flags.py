"""Flags that set a trial aside, stored with the time spent on it."""

from dataclasses import dataclass

from sqlalchemy import Select, insert, select, update
from sqlalchemy.orm import Session

from labeler.core.errors import RefusedError
from labeler.core.labeling.active_time import TimeSpent
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.entities import ExposureOccasion, ProblemReason
from labeler.store.labeling.answers import delete_draft
from labeler.store.labeling.trial_tasks import TrialTask, task_of
from labeler.store.labeling.trial_time import add_intervals, stored_time
from labeler.store.schema import ExposureRow, NotShownRow, ProblematicRow, TrialRow


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedTrial:
    """What a labeler flagged, and what came before it; `shown_at` is None if nothing was seen."""

    flag: TrialFlag
    note: str
    spent: TimeSpent
    shown_at: str | None
    session_id: str


def flag_trial(
    session: Session, trial: TrialRow, aside: FlaggedTrial, *, now: str, task: TrialTask
) -> None:
    """Store the flag, the time and the exposure; a repeated flag is stored once."""
    if aside.flag is TrialFlag.NOT_SHOWN:
        _add_not_shown(session, trial, aside.note, now)
    elif aside.flag is TrialFlag.INAPPROPRIATE:
        _add_inappropriate(session, trial, aside.note, now)
    else:
        raise RefusedError(
            "A trial is set aside when its image can't be shown or is inappropriate."
        )
    _store_time(session, trial, aside.spent)
    if aside.shown_at is not None:
        record_shown(session, trial, at=aside.shown_at, session_id=aside.session_id, task=task)
    delete_draft(session, trial.participant_id, trial.task, trial.id)


def withdraw_flags(session: Session, trial: TrialRow, *, now: str) -> None:
    """Withdraw every flag of the trial's labeler; the time stays."""
    problems = update(ProblematicRow).where(ProblematicRow.id.in_(open_flags_query(trial)))
    unshown = update(NotShownRow).where(
        NotShownRow.trial_id == trial.id, NotShownRow.withdrawn_at.is_(None)
    )
    for flags in (problems, unshown):
        session.execute(flags.values(withdrawn_at=now))


def open_flags_query(trial: TrialRow) -> Select[int]:
    """Return the query for the labeler's flags of the trial that aren't withdrawn."""
    return select(ProblematicRow.id).filter_by(
        image_id=trial.image_id,
        participant_id=trial.participant_id,
        repeated_trial_id=_repeated_trial_id(trial),
        withdrawn_at=None,
    )


def _repeated_trial_id(trial: TrialRow) -> str | None:
    return trial.id if task_of(trial).repeated else None


def _add_inappropriate(session: Session, trial: TrialRow, note: str, now: str) -> None:
    said = {
        "image_id": trial.image_id,
        "participant_id": trial.participant_id,
        "reason": ProblemReason.INAPPROPRIATE,
        "repeated_trial_id": _repeated_trial_id(trial),
        "withdrawn_at": None,
    }
    if session.scalar(select(ProblematicRow.id).filter_by(**said)) is None:
        session.execute(insert(ProblematicRow), [{**said, "note": note, "at": now}])


def _add_not_shown(session: Session, trial: TrialRow, note: str, now: str) -> None:
    said = {"trial_id": trial.id, "withdrawn_at": None}
    if session.scalar(select(NotShownRow.id).filter_by(**said)) is None:
        session.execute(insert(NotShownRow), [{**said, "note": note, "at": now}])


def _store_time(session: Session, trial: TrialRow, spent: TimeSpent) -> None:
    trial.flagged_wall_ms = stored_time(session, trial).wall_ms + spent.wall_ms
    add_intervals(session, trial.id, spent.visits)


def is_exposed(session: Session, trial: TrialRow, occasion: ExposureOccasion) -> bool:
    """Return whether the trial's labeler has seen its image on such an occasion."""
    query = select(ExposureRow.id).filter_by(
        participant_id=trial.participant_id, image_id=trial.image_id, occasion=occasion
    )
    return session.scalar(query.limit(1)) is not None


def record_shown(
    session: Session, trial: TrialRow, *, at: str, session_id: str, task: TrialTask
) -> None:
    """Record that the labeler saw the trial's image, without its label."""
    trial.shown_at = trial.shown_at or at
    if not is_exposed(session, trial, task.occasion):
        session.add(
            ExposureRow(
                participant_id=trial.participant_id,
                image_id=trial.image_id,
                occasion=task.occasion,
                session_id=session_id,
                at=at,
            )
        )
