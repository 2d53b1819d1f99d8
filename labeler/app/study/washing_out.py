"""Whom a washout keeps from being evaluated now."""

from datetime import datetime

from labeler.app.study.settings import settings_in
from labeler.core.datasets.washout import told_waits, washing_out, washout_refusal
from labeler.core.study.phases import Phase, StudyFacts, refusal_to_open
from labeler.store.study_store import StudyStore, Transaction


def why_not_open(
    study: Transaction, phase: Phase, facts: StudyFacts, *, now: datetime
) -> str | None:
    """Why the phase can't be opened now, be it for a washout; None when it can."""
    reason = refusal_to_open(phase, facts)
    days = settings_in(study).washout_days
    if reason is not None or phase is not Phase.EVALUATE or not days:
        return reason
    return washout_refusal(study.samples.reviewed(), days=days, now=now)


def waits_in(study: Transaction, *, now: datetime) -> dict[str, datetime]:
    """The labelers who have to wait, each with the moment until when."""
    days = settings_in(study).washout_days
    # Without a washout nothing is asked, which takes long in a large study.
    return washing_out(study.samples.reviewed(), days=days, now=now) if days else {}


def told_wait(store: StudyStore, code: str) -> str:
    """Until when a labeler has to wait; no sentence for who has begun, or may."""
    with store.read() as study:
        until = waits_in(study, now=store.clock.utc()).get(code)
        has_begun = bool(study.labeling.progress(code).answered)
    return "" if until is None or has_begun else told_waits({code: until})
