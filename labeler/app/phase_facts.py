"""What a person in a role can do in each phase now; if nothing, why not and when they can."""

from dataclasses import dataclass

from labeler.core.phases import Phase, PhaseState, StudyFacts, refusal_to_open
from labeler.core.study import Role


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase, what can be done in it now or why not, and whether this person can work in it."""

    phase: Phase
    state: PhaseState
    sentence: str
    can_work: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFacts:
    """How far the labeler who signed in is with the evaluation."""

    answered: int
    set_aside: int
    total: int
    active_ms: int
    draft_waits: bool
    locked: bool


def phase_facts(
    phase: Phase, facts: StudyFacts, *, code: str, role: Role, own: OwnFacts | None
) -> PhaseFacts:
    """`own` is there for a labeler."""
    state = facts.states[phase]
    if state is PhaseState.CLOSED:
        return PhaseFacts(phase, state, _when_it_opens(phase, facts, role), can_work=False)
    if state is PhaseState.LOCKED:
        return PhaseFacts(phase, state, "Finished: its answers are locked.", can_work=False)
    if role is not _WORKS_IN[phase]:
        return PhaseFacts(phase, state, _open_to_others(phase, facts), can_work=False)
    if phase is Phase.EVALUATE and own is not None:
        return _own_evaluation(state, facts, code, own)
    return PhaseFacts(phase, state, _TO_DO[phase], can_work=True)


_WORKS_IN = {
    Phase.ANNOTATE: Role.REVIEWER,
    Phase.TRAIN: Role.LABELER,
    Phase.EVALUATE: Role.LABELER,
    Phase.REVIEW: Role.REVIEWER,
}
_OPENS = {
    Phase.ANNOTATE: "Opens when the lead begins it.",
    Phase.TRAIN: "Opens when the lead begins the training.",
    Phase.EVALUATE: "Opens when the lead begins the evaluation.",
    Phase.REVIEW: "Opens after the evaluation is locked.",
}
_TO_DO = {
    Phase.ANNOTATE: "You can judge the first candidate labels.",
    Phase.TRAIN: "You can train.",
    Phase.EVALUATE: "You can answer the images of the evaluation.",
    Phase.REVIEW: "You can judge the labels that were given.",
}
_FOR_OTHERS = {
    Phase.ANNOTATE: "Reviewers judge the first candidate labels now.",
    Phase.TRAIN: "Labelers train on {training_images:,} images now.",
    Phase.EVALUATE: "Labelers answer {sample_images:,} images now.",
    Phase.REVIEW: "Reviewers judge every label that was given now.",
}
assert set(_WORKS_IN) == set(_OPENS) == set(_TO_DO) == set(_FOR_OTHERS) == set(Phase)


def _when_it_opens(phase: Phase, facts: StudyFacts, role: Role) -> str:
    # What keeps a phase from opening may name other people, which only the lead may read.
    if role is Role.LEAD:
        return refusal_to_open(phase, facts) or "Can be opened: “Set up”, step “Phases”."
    return _OPENS[phase]


def _open_to_others(phase: Phase, facts: StudyFacts) -> str:
    return _FOR_OTHERS[phase].format(
        training_images=facts.training_images, sample_images=facts.sample_images
    )


def _own_evaluation(state: PhaseState, facts: StudyFacts, code: str, own: OwnFacts) -> PhaseFacts:
    trained = any(labeler == code for labeler, _image in facts.trained_on_sample)
    if own.locked:
        sentence = "You have finished: your answers are locked."
    elif trained:
        sentence = "You trained on pictures of this evaluation. Ask the lead for another sample."
    elif own.answered + own.set_aside >= own.total > 0:
        sentence = "All images are done. Look back at what you like, then lock your answers."
    else:
        sentence = _TO_DO[Phase.EVALUATE]
    return PhaseFacts(Phase.EVALUATE, state, sentence, can_work=not (own.locked or trained))
