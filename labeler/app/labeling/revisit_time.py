"""Time of visits to finished trials without a new answer; it counts when the answers lock.

A labeler who returns to an answered image and doesn't change it has spent time on it.
Until the lock this time is in a draft, because the answer may still change.
"""

import uuid

from labeler.app.labeling.trial_draft import draft_from_text
from labeler.app.study.settings import read_study_settings
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer, TrialFlag
from labeler.core.study.entities import SessionTask
from labeler.store.labeling.trial_flags import FlaggedTrial
from labeler.store.study_store import Transaction

_SETS_ASIDE = frozenset({TrialFlag.NOT_SHOWN, TrialFlag.INAPPROPRIATE})


def store_revisit_times(study: Transaction, participant: str, *, now: str) -> None:
    """Add the time of these visits to answered and flagged trials."""
    done = {trial.trial_id for trial in study.labeling.trials(participant) if not trial.waits}
    for trial_id in study.drafts.subjects(participant, task=SessionTask.EVALUATE):
        if trial_id in done:
            _store_look(study, participant, trial_id, now)


def _store_look(study: Transaction, participant: str, trial_id: str, now: str) -> None:
    text = study.drafts.text(participant, task=SessionTask.EVALUATE, subject=trial_id)
    visit = draft_from_text(text or "")
    if visit is None or not visit.since.visits:
        return
    stored = study.labeling.reopened(trial_id)
    if stored.label is not None:
        idle_after_ms = read_study_settings(study).idle_after_ms
        answer = _same_answer(trial_id, stored, visit, idle_after_ms=idle_after_ms, now=now)
        study.answers.commit(answer)
    else:
        study.labeling.set_aside(trial_id, _same_flag(stored, visit))


def _same_answer(
    trial_id: str, stored: AnswerDraft, visit: AnswerDraft, *, idle_after_ms: int, now: str
) -> CommittedAnswer:
    """Return the stored answer with the added time, as a new revision: rows never change."""
    assert stored.label is not None, "an answered trial has a label"
    spent = stored.earlier + visit.since
    return CommittedAnswer(
        answer_id=str(uuid.uuid4()),
        trial_id=trial_id,
        session_id=_session(visit),
        label=stored.label,
        alternative=stored.alternative,
        confidence=stored.confidence,
        note=stored.note,
        shown_at=visit.shown_at or now,
        submitted_at=now,
        active_ms=spent.active_ms(idle_after_ms=idle_after_ms),
        wall_ms=spent.wall_ms,
        visits=visit.since.visits,
    )


def _same_flag(stored: AnswerDraft, visit: AnswerDraft) -> FlaggedTrial:
    return FlaggedTrial(
        flag=min(stored.flags & _SETS_ASIDE),
        note="",
        spent=visit.since,
        shown_at=visit.shown_at,
        session_id=_session(visit),
    )


def _session(visit: AnswerDraft) -> str:
    return visit.since.visits[-1].session
