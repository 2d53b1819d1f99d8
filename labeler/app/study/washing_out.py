"""Whom a washout keeps from being evaluated now."""

from datetime import datetime

from labeler.app.study.settings import read_study_settings
from labeler.core.datasets.washout import washout_ends, washout_refusal, washout_summary
from labeler.core.study.phases import Phase, PhaseRuleFacts, refusal_to_open
from labeler.store.study_store import StudyStore, Transaction


def phase_opening_refusal(
    study: Transaction, phase: Phase, facts: PhaseRuleFacts, *, now: datetime
) -> str | None:
    """Why the phase can't be opened now, be it for a washout; None when it can."""
    reason = refusal_to_open(phase, facts)
    days = read_study_settings(study).washout_days
    if reason is not None or phase is not Phase.EVALUATE or not days:
        return reason
    return washout_refusal(study.samples.reviewed(), days=days, now=now)


def washout_waits(study: Transaction, *, now: datetime) -> dict[str, datetime]:
    """The labelers who have to wait, each with the moment until when."""
    days = read_study_settings(study).washout_days
    # Without a washout nothing is asked, which takes long in a large study.
    return washout_ends(study.samples.reviewed(), days=days, now=now) if days else {}


def washout_sentence(store: StudyStore, code: str) -> str:
    """Until when a labeler has to wait; no sentence for who has begun, or may."""
    with store.read() as study:
        until = washout_waits(study, now=store.clock.utc()).get(code)
        has_begun = bool(study.labeling.progress(code).answered)
    return "" if until is None or has_begun else washout_summary({code: until})
