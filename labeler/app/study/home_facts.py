"""Reads from the study what the home screen shows to the person who signed in."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from labeler.app.curation.class_review_session import ClassReviewProgress, class_review_progress
from labeler.app.datasets.relocation import missing_folder
from labeler.app.study.last_check import LastCheck, last_check
from labeler.app.study.phase_facts import (
    OwnFacts,
    PhaseFacts,
    evaluation_locked,
    phase_facts,
    washout_waits,
)
from labeler.app.study.settings import read_study_settings
from labeler.app.training.facts import OwnTraining, own_training
from labeler.core.crowd.blind_types import AnnotatorProgress
from labeler.core.crowd.rounds import CrowdTask
from labeler.core.study.entities import Role
from labeler.core.study.phases import PHASE_BY_STAGE, Phase, PhaseRuleFacts, PhaseState
from labeler.store.study.backups import backups, uncopied_to
from labeler.store.study_store import StudyStore, Transaction

__all__ = ["HomeFacts", "LabelerProgress", "OwnFacts", "PhaseFacts", "home_facts"]

# How many days the chart of a labeler's answers covers.
DAYS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelerProgress:
    """A labeler's progress for the lead: counts, never answers.

    `waits` is the end of a washout before which they can't start; `lately` counts the answers of
    the last week.
    """

    code: str
    answered: int
    set_aside: int
    total: int
    locked: bool
    imported: int = 0
    waits: datetime | None = None
    active_ms: int = 0
    lately: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerWork:
    """How many of their labels a reviewer has judged in a review that is open, for the lead."""

    code: str
    phase: Phase | None
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyHealth:
    """What may endanger the study's data: backups that aren't copied, a disk that fills up, …

    `missing` are the datasets whose folder isn't there; `checked` is the last check of everything.
    """

    uncopied_to: str = ""
    free_bytes: int | None = None
    missing: tuple[str, ...] = ()
    checked: LastCheck | None = None


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """How many of their labels a reviewer has judged."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFacts:
    """`own`, `training` and `days` are a labeler's, `reviews` a reviewer's.

    `labelers`, `reviewers`, `last_seen` and `health` are for a lead.

    `results_open` is true only for a lead, once the answers are final; imported answers are.
    `backs_up` is false for a study on a server, which makes its own backups, and for a bundle.
    """

    study_name: str
    code: str
    role: Role
    phases: tuple[PhaseFacts, ...]
    own: OwnFacts | None = None
    training: OwnTraining | None = None
    days: Mapping[date, int] = field(default_factory=dict)
    labelers: tuple[LabelerProgress, ...] = ()
    reviewers: tuple[ReviewerWork, ...] = ()
    last_seen: Mapping[str, datetime] = field(default_factory=dict)
    health: StudyHealth = StudyHealth()
    reviews: Mapping[Phase, ReviewFacts] = field(default_factory=dict)
    results_open: bool = False
    backs_up: bool = True
    is_bundle: bool = False
    last_backup_at: datetime | None = None
    # An annotator's progress in each task.
    crowd: tuple[AnnotatorProgress, ...] = ()
    has_pools: bool = False  # for a lead: there are candidate pools
    class_reviews: ClassReviewProgress | None = None  # for a reviewer: a revision to review
    has_crowd: bool = False  # for a lead: there are annotators or crowd rounds
    has_near_duplicates: bool = False  # for a lead: a search was begun


def home_facts(store: StudyStore, code: str, role: Role) -> HomeFacts:
    """Read everything the home screen shows, without any target or accuracy."""
    now = store.clock.utc()
    with store.read() as study:
        # Only the lead may see other people's progress.
        facts = study.phases.facts(progress=role is Role.LEAD)
        own = _own(study, code, facts) if role is Role.LABELER else None
        training = own_training(study, code, now=now) if own is not None else None
        waits = {} if role in (Role.REVIEWER, Role.ANNOTATOR) else washout_waits(study, now=now)
        is_lead = role is Role.LEAD
        labelers = _with_pace(study, facts, waits=waits, now=now) if is_lead else ()
        reviewers = _reviewers_progress(study, facts) if is_lead else ()
        last_seen = study.activity.last_seen() if is_lead else {}
        since = now - timedelta(days=DAYS_SHOWN)
        days = study.activity.answers_by_day(code, since=since) if own is not None else {}
        results_open = role is Role.LEAD and evaluation_locked(study, facts.states)
        reviews = _reviews(study, code, facts) if role is Role.REVIEWER else {}
        is_annotator = role is Role.ANNOTATOR
        has_crowd = is_lead and bool(
            study.participants.with_role(Role.ANNOTATOR) or study.crowd_rounds.all()
        )
        has_pools = is_lead and (has_crowd or bool(study.pools.names()))
        class_reviews = class_review_progress(study) if role is Role.REVIEWER else None
        has_near_duplicates = is_lead and bool(study.duplicate_searches.records())
        crowd = (
            tuple(study.crowd_assignments.progress(code, task) for task in CrowdTask)
            if is_annotator
            else ()
        )
    # A closed evaluation opens for everyone at the same time.
    is_closed = facts.states[Phase.EVALUATE] is PhaseState.CLOSED
    started = set() if is_closed else _started_codes(code, own, labelers)
    waiting = {one: until for one, until in waits.items() if one not in started}
    return HomeFacts(
        study_name=store.identity.name,
        code=code,
        role=role,
        phases=tuple(
            phase_facts(phase, facts, code=code, role=role, own=own, waits=waiting)
            for phase in Phase
        ),
        own=own,
        training=training,
        days=days,
        labelers=labelers,
        reviewers=reviewers,
        last_seen=last_seen,
        health=_health(store) if is_lead else StudyHealth(),
        reviews=reviews,
        results_open=results_open,
        crowd=crowd,
        has_crowd=has_crowd,
        has_pools=has_pools,
        class_reviews=class_reviews,
        has_near_duplicates=has_near_duplicates,
        backs_up=store.database.is_backed_up,
        is_bundle=store.database.is_encrypted,
        last_backup_at=next((backup.made_at for backup in backups(store.folder)), None),
    )


def _with_pace(
    study: Transaction,
    facts: PhaseRuleFacts,
    *,
    waits: Mapping[str, datetime],
    now: datetime,
) -> tuple[LabelerProgress, ...]:
    """Return the labelers' progress with their active time and the answers of the last week."""
    idle_after_ms = read_study_settings(study).idle_after_ms
    since = now - timedelta(days=7)
    return tuple(
        replace(
            labeler,
            active_ms=study.labeling.active_ms(labeler.code, idle_after_ms=idle_after_ms),
            lately=sum(study.activity.answers_by_day(labeler.code, since=since).values()),
        )
        for labeler in labelers_progress(study, facts, waits=waits)
    )


def _reviewers_progress(study: Transaction, facts: PhaseRuleFacts) -> tuple[ReviewerWork, ...]:
    """Return every reviewer's progress in the latest review that has started."""
    started = [
        (stage, phase)
        for stage, phase in PHASE_BY_STAGE.items()
        if facts.states[phase] is not PhaseState.CLOSED
    ]
    if not started:
        return tuple(
            ReviewerWork(code=code, phase=None, done=0, total=0) for code in facts.reviewers
        )
    stage, phase = started[-1]
    counts = {code: study.review.reviewing.progress(code, stage) for code in facts.reviewers}
    return tuple(
        ReviewerWork(code=code, phase=phase, done=done, total=total)
        for code, (done, total) in counts.items()
    )


def _health(store: StudyStore) -> StudyHealth:
    uncopied = uncopied_to(store.folder) if store.database.is_sqlite else None
    try:
        free = shutil.disk_usage(store.folder.path).free
    except OSError:
        free = None
    with store.read() as study:
        datasets = study.datasets.all()
    return StudyHealth(
        uncopied_to=str(uncopied or ""),
        free_bytes=free,
        missing=tuple(each.name for each in datasets if missing_folder(each) is not None),
        checked=last_check(store.folder),
    )


def _started_codes(
    code: str, own: OwnFacts | None, labelers: tuple[LabelerProgress, ...]
) -> set[str]:
    """Return who is known to have answered: a washout only applies to those who haven't."""
    started = {labeler.code for labeler in labelers if labeler.answered}
    return started | ({code} if own is not None and own.answered else set())


def _own(study: Transaction, code: str, facts: PhaseRuleFacts) -> OwnFacts:
    progress = study.labeling.progress(code)
    idle_after_ms = read_study_settings(study).idle_after_ms
    locked = study.labeling.is_locked(code)
    return OwnFacts(
        answered=progress.answered,
        set_aside=progress.set_aside,
        # The trials are created when the labeler first starts.
        total=progress.total or facts.sample_images + facts.repeated_images,
        active_ms=study.labeling.active_ms(code, idle_after_ms=idle_after_ms),
        draft_waits=not locked and _draft_waits(study, code),
        locked=locked,
    )


def _draft_waits(study: Transaction, code: str) -> bool:
    """Whether the unfinished trial has no answer yet: it may be one that was reopened."""
    left = study.labeling.unfinished_trial(code)
    return left is not None and study.labeling.trial(code, left).waits


def labelers_progress(
    study: Transaction, facts: PhaseRuleFacts, *, waits: Mapping[str, datetime]
) -> tuple[LabelerProgress, ...]:
    """Return each labeler's progress for the lead; `waits` lists the pending washouts."""
    return tuple(
        LabelerProgress(
            code=progress.labeler,
            answered=progress.answered,
            set_aside=progress.set_aside,
            total=progress.total,
            locked=study.labeling.is_locked(progress.labeler),
            imported=progress.imported,
            waits=None if progress.answered else waits.get(progress.labeler),
        )
        for progress in facts.progress
    )


def _reviews(study: Transaction, code: str, facts: PhaseRuleFacts) -> dict[Phase, ReviewFacts]:
    """Return the reviewer's progress in each review that has started."""

    return {
        phase: ReviewFacts(*study.review.reviewing.progress(code, stage))
        for stage, phase in PHASE_BY_STAGE.items()
        if facts.states[phase] is not PhaseState.CLOSED
    }
