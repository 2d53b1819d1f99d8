"""The phases open and lock under rules, each with its sentence."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from labeler.core.study.entities import ImageKey
from labeler.core.study.phases import (
    EVALUATION_IS_FINAL,
    EVALUATION_NOT_LOCKED,
    NO_IMAGES_TO_REVIEW,
    NO_LABELERS,
    NO_REVIEWERS,
    NO_SAMPLE,
    NO_TRAINING_IMAGES,
    PHASE_NAMES,
    EvaluationProgress,
    Phase,
    PhaseRuleFacts,
    PhaseState,
    refusal_to_lock,
    refusal_to_open,
)

CLOSED, OPEN, LOCKED = PhaseState.CLOSED, PhaseState.OPEN, PhaseState.LOCKED

IMAGE = ImageKey("val", "1.JPEG")
READY = PhaseRuleFacts(
    states=dict.fromkeys(Phase, CLOSED),
    evaluation_images=10,
    training_images=10,
    sample_images=4,
    labelers=("A", "B"),
    reviewers=("R",),
    progress=(EvaluationProgress("A", 4, 4), EvaluationProgress("B", 4, 4)),
    trained_on_sample=(),
)
EMPTY = replace(
    READY,
    evaluation_images=0,
    training_images=0,
    sample_images=0,
    labelers=(),
    reviewers=(),
    progress=(),
)


def in_state(phase: Phase, state: PhaseState, facts: PhaseRuleFacts = READY) -> PhaseRuleFacts:
    return replace(facts, states={**facts.states, phase: state})


@pytest.mark.parametrize("phase", [Phase.ANNOTATE, Phase.TRAIN, Phase.EVALUATE])
def test_the_first_three_phases_open_when_everything_is_there(phase: Phase) -> None:
    assert refusal_to_open(phase, READY) is None


@pytest.mark.parametrize(
    ("phase", "lacking", "sentence"),
    [
        (Phase.ANNOTATE, {"evaluation_images": 0}, NO_IMAGES_TO_REVIEW),
        (Phase.ANNOTATE, {"reviewers": ()}, NO_REVIEWERS),
        (Phase.TRAIN, {"training_images": 0}, NO_TRAINING_IMAGES),
        (Phase.TRAIN, {"labelers": ()}, NO_LABELERS),
        (Phase.EVALUATE, {"sample_images": 0}, NO_SAMPLE),
        (Phase.EVALUATE, {"labelers": ()}, NO_LABELERS),
        (
            Phase.EVALUATE,
            {"trained_on_sample": tuple(("B", ImageKey("val", f"{n}.JPEG")) for n in range(6))},
            "of the sample (B: val: 0.JPEG; val: 1.JPEG; val: 2.JPEG; val: 3.JPEG; val: 4.JPEG "
            "and 1 more)",
        ),
    ],
)
def test_a_phase_that_lacks_something_says_what(
    phase: Phase, lacking: dict[str, object], sentence: str
) -> None:
    reason = refusal_to_open(phase, replace(READY, **lacking))  # type: ignore[arg-type]

    assert reason is not None
    assert sentence in reason


@pytest.mark.parametrize("phase", Phase)
def test_an_empty_study_opens_nothing(phase: Phase) -> None:
    assert refusal_to_open(phase, EMPTY) is not None


@pytest.mark.parametrize("phase", Phase)
def test_an_open_phase_is_not_opened_twice(phase: Phase) -> None:
    reason = refusal_to_open(phase, in_state(phase, OPEN))

    assert reason == f"The {PHASE_NAMES[phase]} is already open."


def test_a_locked_evaluation_never_opens_again() -> None:
    reason = refusal_to_open(Phase.EVALUATE, in_state(Phase.EVALUATE, LOCKED))

    assert reason == EVALUATION_IS_FINAL


@pytest.mark.parametrize("phase", [Phase.ANNOTATE, Phase.TRAIN])
def test_other_locked_phases_may_continue(phase: Phase) -> None:
    assert refusal_to_open(phase, in_state(phase, LOCKED)) is None


@pytest.mark.parametrize("state", [CLOSED, OPEN])
def test_the_review_waits_for_the_evaluation_to_be_locked(state: PhaseState) -> None:
    reason = refusal_to_open(Phase.REVIEW, in_state(Phase.EVALUATE, state))

    assert reason == EVALUATION_NOT_LOCKED


def test_the_review_opens_after_the_evaluation_or_where_there_never_was_one() -> None:
    assert refusal_to_open(Phase.REVIEW, in_state(Phase.EVALUATE, LOCKED)) is None
    assert refusal_to_open(Phase.REVIEW, replace(READY, sample_images=0)) is None


@pytest.mark.parametrize(
    ("lacking", "sentence"),
    [
        ({"evaluation_images": 0}, NO_IMAGES_TO_REVIEW),
        ({"reviewers": ()}, NO_REVIEWERS),
    ],
)
def test_the_review_needs_images_and_reviewers(lacking: dict[str, object], sentence: str) -> None:
    facts = replace(in_state(Phase.EVALUATE, LOCKED), **lacking)  # type: ignore[arg-type]
    reason = refusal_to_open(Phase.REVIEW, facts)

    assert reason is not None
    assert sentence in reason


@pytest.mark.parametrize("phase", Phase)
def test_only_an_open_phase_can_be_locked(phase: Phase) -> None:
    closed = refusal_to_lock(phase, READY, unfinished=True)
    locked = refusal_to_lock(phase, in_state(phase, LOCKED), unfinished=True)

    assert closed == f"The {PHASE_NAMES[phase]} isn't open, so there is nothing to lock."
    assert locked == f"The {PHASE_NAMES[phase]} is already locked."
    assert refusal_to_lock(phase, in_state(phase, OPEN), unfinished=False) is None


def test_locking_an_unfinished_evaluation_names_who_is_not_done() -> None:
    progress = (
        EvaluationProgress("A", 4, 4),
        EvaluationProgress("B", 1, 4),
        EvaluationProgress("C", 0, 4),
    )
    facts = in_state(Phase.EVALUATE, OPEN, replace(READY, progress=progress))

    reason = refusal_to_lock(Phase.EVALUATE, facts, unfinished=False)
    assert reason is not None
    assert "B has answered 1 of 4; C has answered 0 of 4." in reason
    assert "A has" not in reason
    assert "--unfinished" in reason
    assert refusal_to_lock(Phase.EVALUATE, facts, unfinished=True) is None


class PhasesUnderRules(RuleBasedStateMachine):
    """A lead who tries everything in any order, obeying only the refusals."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = EMPTY
        self.evaluation_was_locked = False

    @rule(images=st.integers(0, 3))
    def add_images(self, images: int) -> None:
        self.facts = replace(self.facts, evaluation_images=self.facts.evaluation_images + images)

    @rule(images=st.integers(0, 3))
    def fill_the_pool(self, images: int) -> None:
        self.facts = replace(self.facts, training_images=images)

    @rule(people=st.sets(st.sampled_from("ABC")))
    def choose_labelers(self, people: set[str]) -> None:
        self.facts = replace(self.facts, labelers=tuple(sorted(people)))

    @rule(people=st.sets(st.sampled_from("RS")))
    def choose_reviewers(self, people: set[str]) -> None:
        self.facts = replace(self.facts, reviewers=tuple(sorted(people)))

    @precondition(lambda self: self.facts.states[Phase.EVALUATE] is CLOSED)
    @rule(images=st.integers(1, 4))
    def draw_a_sample(self, images: int) -> None:
        self.facts = replace(self.facts, sample_images=images, trained_on_sample=())

    @precondition(lambda self: self.facts.states[Phase.EVALUATE] is CLOSED)
    @rule(count=st.integers(1, 4))
    def train_on_the_sample(self, count: int) -> None:
        self.facts = replace(self.facts, trained_on_sample=(("A", IMAGE),) * count)

    @rule(answered=st.integers(0, 4))
    def answer(self, answered: int) -> None:
        self.facts = replace(self.facts, progress=(EvaluationProgress("A", answered, 4),))

    @rule(phase=st.sampled_from(Phase))
    def open(self, phase: Phase) -> None:
        if refusal_to_open(phase, self.facts) is not None:
            return
        if phase is Phase.EVALUATE:
            assert not self.evaluation_was_locked
            assert self.facts.sample_images
            assert not self.facts.trained_on_sample
        if phase is Phase.REVIEW and self.facts.sample_images:
            assert self.evaluation_was_locked
        self.facts = in_state(phase, OPEN, self.facts)

    @rule(phase=st.sampled_from(Phase), unfinished=st.booleans())
    def lock(self, phase: Phase, unfinished: bool) -> None:
        if refusal_to_lock(phase, self.facts, unfinished=unfinished) is not None:
            return
        if phase is Phase.EVALUATE:
            assert unfinished or all(p.answered == p.total for p in self.facts.progress)
            self.evaluation_was_locked = True
        self.facts = in_state(phase, LOCKED, self.facts)

    @invariant()
    def a_locked_evaluation_stays_locked(self) -> None:
        if self.evaluation_was_locked:
            assert self.facts.states[Phase.EVALUATE] is LOCKED


TestPhasesUnderRules = PhasesUnderRules.TestCase
