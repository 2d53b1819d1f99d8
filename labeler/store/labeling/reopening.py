"""Where a trial starts when the labeler comes back to it."""

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from labeler.core.labeling.answers import TrialDraft, TrialFlag
from labeler.core.labeling.blind_types import OwnAnswer
from labeler.core.study.entities import ExposureOccasion, ProblemReason
from labeler.store.labeling.marked_trials import MARKED_TRIALS_SUBJECT
from labeler.store.labeling.trial_tasks import EVALUATION
from labeler.store.labeling.trial_time import stored_time
from labeler.store.schema import (
    DraftRow,
    ExposureRow,
    NotShownRow,
    PredictionRow,
    ProblematicRow,
    TrialRow,
)


def resume_draft(
    session: Session, trial: TrialRow, last: OwnAnswer | None, *, marked: bool
) -> TrialDraft:
    """The trial's last answer and flags with all time spent so far; nothing for a new trial."""
    flags = _flags(session, trial) | ({TrialFlag.LATER} if marked else set())
    earlier = stored_time(session, trial)
    if last is None:
        return TrialDraft(flags=frozenset(flags), earlier=earlier)
    return TrialDraft(
        revision=last.revision + 1,
        label=last.label,
        escape_hatch=last.escape_hatch,
        alternative=last.alternative,
        confidence=last.confidence,
        note=last.note,
        flags=frozenset(flags),
        earlier=earlier,
    )


def find_unfinished_trial(session: Session, person: int) -> str | None:
    """The trial of the labeler's newest draft, unless an answer or a flag came after it."""
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
    """When the labeler last answered or flagged something."""
    answers = select(func.max(PredictionRow.committed_at)).where(
        PredictionRow.participant_id == person, EVALUATION.is_prediction
    )
    problems = select(func.max(ProblematicRow.at)).where(ProblematicRow.participant_id == person)
    # Asked from the few that weren't shown, not from all trials.
    own = exists().where(TrialRow.id == NotShownRow.trial_id, EVALUATION.is_trial_of(person))
    unshown = select(func.max(NotShownRow.at)).where(own)
    return max(session.scalar(query) or "" for query in (answers, problems, unshown))


def _flags(session: Session, trial: TrialRow) -> set[TrialFlag]:
    """What the labeler has said about the image so far."""
    of_labeler = {"image_id": trial.image_id, "participant_id": trial.participant_id}
    said = {
        TrialFlag.KNOWN: select(ExposureRow.id).filter_by(
            **of_labeler, occasion=ExposureOccasion.DECLARED
        ),
        TrialFlag.INAPPROPRIATE: select(ProblematicRow.id).filter_by(
            **of_labeler, reason=ProblemReason.INAPPROPRIATE, withdrawn_at=None
        ),
        TrialFlag.NOT_SHOWN: select(NotShownRow.id).filter_by(trial_id=trial.id, withdrawn_at=None),
    }
    return {flag for flag, query in said.items() if session.scalar(query.limit(1)) is not None}
