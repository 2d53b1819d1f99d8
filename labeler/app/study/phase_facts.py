"""What a person in a role can do in each phase now; if nothing, why not and when they can."""

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
    """Whether answers can't change any more.

    Imported ones count as locked, and those of models where no human is going to be asked.
    """
    if states[Phase.EVALUATE] is not PhaseState.CLOSED:
        return states[Phase.EVALUATE] is PhaseState.LOCKED
    answers = study.report_answers
    return answers.imported() or answers.has_only_model_predictions()


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
        has_started = bool(study.labeling.progress(code).answered)
    return "" if until is None or has_started else washout_summary({code: until})


NO_WAITS: Mapping[str, datetime] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase, what can be done in it now or why not, and whether this person can work in it."""

    phase: Phase
    state: PhaseState
    sentence: str
    can_work: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFacts:
    """How far the labeler who signed in is with the evaluation.

    `draft_waits` tells that an image which still needs its answer was left half done.
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
    """`own` is there for a labeler; `waits` has those whose washout keeps them from beginning."""
    state = facts.states[phase]
    waits = waits if phase is Phase.EVALUATE else NO_WAITS
    if state is PhaseState.CLOSED and role is Role.LEAD:
        return PhaseFacts(phase, state, _when_it_opens(phase, facts, waits), can_work=False)
    if state is PhaseState.CLOSED:
        return PhaseFacts(phase, state, _opens(phase, waits.get(code)), can_work=False)
    if state is PhaseState.LOCKED:
        return PhaseFacts(phase, state, "Finished: its answers are locked.", can_work=False)
    if role is not _WORKS_IN[phase]:
        sentence = f"{_open_to_others(phase, facts)} {washout_summary(waits)}".rstrip()
        return PhaseFacts(phase, state, sentence, can_work=False)
    if phase is Phase.EVALUATE and own is not None:
        return _own_evaluation(facts, code, own, until=waits.get(code))
    return PhaseFacts(phase, state, _TO_DO[phase], can_work=True)


_WORKS_IN = {
    Phase.ANNOTATE: Role.REVIEWER,
    Phase.TRAIN: Role.LABELER,
    Phase.EVALUATE: Role.LABELER,
    Phase.REVIEW: Role.REVIEWER,
}
_OPENS = {
    Phase.ANNOTATE: "The initial review opens when the lead begins it.",
    Phase.TRAIN: "Opens when the lead begins the training.",
    Phase.EVALUATE: "Opens when the lead begins the evaluation.",
    Phase.REVIEW: "The final review opens after the evaluation is locked.",
}
_TO_DO = {
    Phase.ANNOTATE: "You can judge the first candidate labels.",
    Phase.TRAIN: "You can train.",
    Phase.EVALUATE: "You can answer the images of the evaluation.",
    Phase.REVIEW: "You can judge the labels that were given.",
}
_FOR_OTHERS = {
    Phase.ANNOTATE: "The initial review is open: reviewers judge the first candidate labels now.",
    Phase.TRAIN: "Labelers train on {training_images:,} images now.",
    Phase.EVALUATE: "Labelers answer {sample_images:,} images now.",
    Phase.REVIEW: "The final review is open: reviewers judge every label that was given now.",
}
_WITHOUT_EVALUATION = (
    "The final review comes after the evaluation. Without one, as for answers from a file, it can "
    "be opened: “Set up”, step “Phases”."
)
assert set(_WORKS_IN) == set(_OPENS) == set(_TO_DO) == set(_FOR_OTHERS) == set(Phase)


def _when_it_opens(phase: Phase, facts: PhaseRuleFacts, waits: Mapping[str, datetime]) -> str:
    """For the lead alone, since what keeps a phase from opening may name other people."""
    in_the_way = refusal_to_open(phase, facts) or washout_summary(waits)
    if in_the_way:
        return in_the_way
    if phase is Phase.REVIEW and not facts.sample_images:
        return _WITHOUT_EVALUATION
    return f"The {PHASE_NAMES[phase]} can be opened: “Set up”, step “Phases”."


def _opens(phase: Phase, until: datetime | None) -> str:
    return _OPENS[phase] if until is None else washout_earliest_text(until)


def _open_to_others(phase: Phase, facts: PhaseRuleFacts) -> str:
    return _FOR_OTHERS[phase].format(
        training_images=facts.training_images, sample_images=facts.sample_images
    )


def _own_evaluation(
    facts: PhaseRuleFacts, code: str, own: OwnFacts, *, until: datetime | None
) -> PhaseFacts:
    trained = any(labeler == code for labeler, _image in facts.trained_on_sample)
    if own.locked:
        sentence = "You have finished: your answers are locked."
    elif trained:
        sentence = "You trained on pictures of this evaluation. Ask the lead for another sample."
    elif until is not None:
        sentence = washout_wait_text(until)
    elif own.answered + own.set_aside >= own.total > 0:
        sentence = "All images are done. Look back at what you like, then lock your answers."
    else:
        sentence = _TO_DO[Phase.EVALUATE]
    can_work = not (own.locked or trained or until is not None)
    return PhaseFacts(Phase.EVALUATE, PhaseState.OPEN, sentence, can_work=can_work)
