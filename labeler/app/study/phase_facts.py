"""What a person can do in each phase, given their role, or why they can't yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from labeler.app.study.settings import read_study_settings
from labeler.core.datasets.washout import (
    washout_earliest_text,
    washout_ends,
    washout_refusal,
    washout_summary,
    washout_wait_text,
)
from labeler.core.study.entities import Role
from labeler.core.study.phases import (
    PHASE_NAMES,
    Phase,
    PhaseRuleFacts,
    PhaseState,
    refusal_to_open,
)
from labeler.store.study_store import StudyStore, Transaction


def evaluation_locked(study: Transaction, states: Mapping[Phase, PhaseState]) -> bool:
    """Whether the answers are final.

    Imported answers count as locked, and so do a study's answers if all come from models.
    """
    if states[Phase.EVALUATE] is not PhaseState.CLOSED:
        return states[Phase.EVALUATE] is PhaseState.LOCKED
    answers = study.report_answers
    return answers.imported() or answers.has_only_model_predictions()


def phase_opening_refusal(
    study: Transaction, phase: Phase, facts: PhaseRuleFacts, *, now: datetime
) -> str | None:
    """Return why the phase can't be opened now, washout included, or None if it can."""
    reason = refusal_to_open(phase, facts)
    days = read_study_settings(study).washout_days
    if reason is not None or phase is not Phase.EVALUATE or not days:
        return reason
    return washout_refusal(study.samples.reviewed(), days=days, now=now)


def washout_waits(study: Transaction, *, now: datetime) -> dict[str, datetime]:
    """Return the labelers who have to wait, each with the end of their wait."""
    days = read_study_settings(study).washout_days
    # Skipped without a washout: the query is slow in a large study.
    return washout_ends(study.samples.reviewed(), days=days, now=now) if days else {}


def washout_sentence(store: StudyStore, code: str) -> str:
    """Say until when a labeler has to wait; empty if they have started or may start."""
    with store.read() as study:
        until = washout_waits(study, now=store.clock.utc()).get(code)
        has_started = bool(study.labeling.progress(code).answered)
    return "" if until is None or has_started else washout_summary({code: until})


NO_WAITS: Mapping[str, datetime] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase, what can be done in it or why not, and whether this person can work in it."""

    phase: Phase
    state: PhaseState
    sentence: str
    can_work: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFacts:
    """The evaluation progress of the labeler who signed in.

    `draft_waits` is true if an unanswered image was left half done.
    """

    answered: int
    set_aside: int
    total: int
    active_ms: int
    draft_waits: bool
    locked: bool


def phase_facts(
    phase: Phase,
    facts: PhaseRuleFacts,
    *,
    code: str,
    role: Role,
    own: OwnFacts | None,
    waits: Mapping[str, datetime] = NO_WAITS,
) -> PhaseFacts:
    """Describe the phase; `own` is set for a labeler, `waits` lists the pending washouts."""
    state = facts.states[phase]
    waits = waits if phase is Phase.EVALUATE else NO_WAITS
    if state is PhaseState.CLOSED and role is Role.LEAD:
        return PhaseFacts(phase, state, _when_it_opens(phase, facts, waits), can_work=False)
    if state is PhaseState.CLOSED:
        return PhaseFacts(phase, state, _opens(phase, waits.get(code)), can_work=False)
    if state is PhaseState.LOCKED:
        return PhaseFacts(phase, state, PHASE_LOCKED, can_work=False)
    if role is not _WORKS_IN[phase]:
        sentence = f"{_open_to_others(phase, facts)} {washout_summary(waits)}".rstrip()
        return PhaseFacts(phase, state, sentence, can_work=False)
    if phase is Phase.EVALUATE and own is not None:
        return _own_evaluation(facts, code, own, until=waits.get(code))
    return PhaseFacts(phase, state, CAN_WORK[phase], can_work=True)


_WORKS_IN = {
    Phase.ANNOTATE: Role.REVIEWER,
    Phase.TRAIN: Role.LABELER,
    Phase.EVALUATE: Role.LABELER,
    Phase.REVIEW: Role.REVIEWER,
}
PHASE_LOCKED = "Finished. Its answers are locked."
EVALUATION_NOT_OPEN = "The evaluation isn't open for you."
OPENS_LATER = {
    Phase.ANNOTATE: "Opens when the lead starts the initial review.",
    Phase.TRAIN: "Opens when the lead starts the training.",
    Phase.EVALUATE: "Opens when the lead starts the evaluation.",
    Phase.REVIEW: "The final review opens after the evaluation is locked.",
}
CAN_WORK = {
    Phase.ANNOTATE: "You can judge the first candidate labels.",
    Phase.TRAIN: "You can train, with feedback after each answer.",
    Phase.EVALUATE: "You can classify the images of the evaluation.",
    Phase.REVIEW: "You can judge the labels that were given.",
}
OPEN_TO_OTHERS = {
    Phase.ANNOTATE: "The initial review is open. Reviewers are judging candidate labels.",
    Phase.TRAIN: "Labelers are training on {training_images:,} images.",
    Phase.EVALUATE: "Labelers are classifying {sample_images:,} images.",
    Phase.REVIEW: "The final review is open. Reviewers are judging every label that was given.",
}
REVIEW_WITHOUT_EVALUATION = (
    "The final review follows the evaluation. If all answers come from files, you can open it "
    "without one in Set up, step “Phases”."
)
OWN_ANSWERS_LOCKED = "You have finished. Your answers are locked."
TRAINED_ON_SAMPLE = "You trained on images of this evaluation. Ask the lead to draw another sample."
ALL_ANSWERED = "All images are done. Go back to any you like, then lock your answers."
assert set(_WORKS_IN) == set(OPENS_LATER) == set(CAN_WORK) == set(OPEN_TO_OTHERS) == set(Phase)


def can_be_opened_text(phase: Phase) -> str:
    return f"You can open the {PHASE_NAMES[phase]} in Set up, step “Phases”."


def _when_it_opens(phase: Phase, facts: PhaseRuleFacts, waits: Mapping[str, datetime]) -> str:
    """Only for the lead: the reason why a phase can't open may name other people."""
    obstacle = refusal_to_open(phase, facts) or washout_summary(waits)
    if obstacle:
        return obstacle
    if phase is Phase.REVIEW and not facts.sample_images:
        return REVIEW_WITHOUT_EVALUATION
    return can_be_opened_text(phase)


def _opens(phase: Phase, until: datetime | None) -> str:
    return OPENS_LATER[phase] if until is None else washout_earliest_text(until)


def _open_to_others(phase: Phase, facts: PhaseRuleFacts) -> str:
    return OPEN_TO_OTHERS[phase].format(
        training_images=facts.training_images, sample_images=facts.sample_images
    )


def _own_evaluation(
    facts: PhaseRuleFacts, code: str, own: OwnFacts, *, until: datetime | None
) -> PhaseFacts:
    trained = any(labeler == code for labeler, _image in facts.trained_on_sample)
    if own.locked:
        sentence = OWN_ANSWERS_LOCKED
    elif trained:
        sentence = TRAINED_ON_SAMPLE
    elif until is not None:
        sentence = washout_wait_text(until)
    elif own.answered + own.set_aside >= own.total > 0:
        sentence = ALL_ANSWERED
    else:
        sentence = CAN_WORK[Phase.EVALUATE]
    can_work = not (own.locked or trained or until is not None)
    return PhaseFacts(Phase.EVALUATE, PhaseState.OPEN, sentence, can_work=can_work)
