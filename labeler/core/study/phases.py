"""The four phases of a study and the rules for opening and locking them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.study.entities import ImageKey, Stage
from labeler.core.text import join_some


class Phase(StrEnum):
    """The phases, in the order of a study."""

    ANNOTATE = "annotate"
    TRAIN = "train"
    EVALUATE = "evaluate"
    REVIEW = "review"


# Phase names for use within a sentence.
PHASE_NAMES = {
    Phase.ANNOTATE: "initial review",
    Phase.TRAIN: "training",
    Phase.EVALUATE: "evaluation",
    Phase.REVIEW: "final review",
}
assert set(PHASE_NAMES) == set(Phase), "every phase has a name"

# The phase in which each stage of the reviews takes place.
PHASE_BY_STAGE = {Stage.INITIAL: Phase.ANNOTATE, Stage.FINAL: Phase.REVIEW}
assert set(PHASE_BY_STAGE) == set(Stage), "every stage has a phase"


class PhaseState(StrEnum):
    """A phase is closed until it opens, and locked when its answers can no longer change."""

    CLOSED = "closed"
    OPEN = "open"
    LOCKED = "locked"


NO_IMAGES_TO_REVIEW = "There are no images to review. Add images to classify first."
NO_TRAINING_IMAGES = "The training pool is empty. Add images to train on first."
NO_SAMPLE = "There is no evaluation sample. Draw one first."
NO_REVIEWERS = "There are no reviewers. Add a participant with the reviewer role first."
NO_LABELERS = "There are no labelers. Add a participant with the labeler role first."
EVALUATION_NOT_LOCKED = "The final review can be opened after the evaluation is locked."
EVALUATION_IS_FINAL = (
    "The evaluation is locked, and targets may have been seen since. It can't be opened again."
)


@dataclass(frozen=True, slots=True)
class EvaluationProgress:
    """A labeler's progress in the evaluation; `set_aside` images were flagged, not answered.

    `imported` counts images answered elsewhere and read from a file, in a study without a sample.
    """

    labeler: str
    answered: int
    total: int
    set_aside: int = 0
    imported: int = 0

    @property
    def left(self) -> int:
        return self.total - self.answered - self.set_aside


@dataclass(frozen=True, slots=True)
class PhaseRuleFacts:
    """The facts that the rules depend on."""

    states: Mapping[Phase, PhaseState]
    evaluation_images: int
    training_images: int
    sample_images: int
    labelers: tuple[str, ...]
    reviewers: tuple[str, ...]
    progress: tuple[EvaluationProgress, ...]
    trained_on_sample: tuple[tuple[str, ImageKey], ...]  # labeler, image of the sample
    # How many images of the sample each labeler is asked twice.
    repeated_images: int = 0


def refusal_to_open(phase: Phase, facts: PhaseRuleFacts) -> str | None:
    """Return why the phase can't be opened and what to do, or None."""
    state = facts.states[phase]
    if state is PhaseState.OPEN:
        return f"The {PHASE_NAMES[phase]} is already open."
    if state is PhaseState.LOCKED and phase is Phase.EVALUATE:
        return EVALUATION_IS_FINAL
    return _OPENING_RULES[phase](facts)


def refusal_to_lock(phase: Phase, facts: PhaseRuleFacts, *, unfinished: bool) -> str | None:
    """Return why the phase can't be locked, or None; `unfinished` accepts unfinished labelers."""
    state = facts.states[phase]
    if state is PhaseState.LOCKED:
        return f"The {PHASE_NAMES[phase]} is already locked."
    if state is PhaseState.CLOSED:
        return f"The {PHASE_NAMES[phase]} isn't open, so there is nothing to lock."
    if phase is Phase.EVALUATE and not unfinished:
        return _unfinished(facts)
    return None


def _annotate(facts: PhaseRuleFacts) -> str | None:
    if not facts.evaluation_images:
        return NO_IMAGES_TO_REVIEW
    if not facts.reviewers:
        return NO_REVIEWERS
    return None


def _train(facts: PhaseRuleFacts) -> str | None:
    if not facts.training_images:
        return NO_TRAINING_IMAGES
    if not facts.labelers:
        return NO_LABELERS
    return None


def _evaluate(facts: PhaseRuleFacts) -> str | None:
    if not facts.sample_images:
        return NO_SAMPLE
    if not facts.labelers:
        return NO_LABELERS
    if facts.trained_on_sample:
        return (
            f"Some labelers trained on images of the sample ({_trained(facts)}), and no one may be "
            "evaluated on images they trained on. Draw another sample, or exclude these labelers."
        )
    return None


def _review(facts: PhaseRuleFacts) -> str | None:
    if facts.sample_images and facts.states[Phase.EVALUATE] is not PhaseState.LOCKED:
        return EVALUATION_NOT_LOCKED
    if not facts.evaluation_images:
        return NO_IMAGES_TO_REVIEW
    if not facts.reviewers:
        return NO_REVIEWERS
    return None


_OPENING_RULES = {
    Phase.ANNOTATE: _annotate,
    Phase.TRAIN: _train,
    Phase.EVALUATE: _evaluate,
    Phase.REVIEW: _review,
}
assert set(_OPENING_RULES) == set(Phase), "every phase has a rule"


def _trained(facts: PhaseRuleFacts) -> str:
    """Return each labeler with the first few of their images."""
    images: dict[str, list[str]] = {}
    for labeler, key in facts.trained_on_sample:
        images.setdefault(labeler, []).append(f"{key.dataset}: {key.image}")
    return "; ".join(f"{labeler}: {join_some(named)}" for labeler, named in images.items())


def _unfinished(facts: PhaseRuleFacts) -> str | None:
    unfinished = [p for p in facts.progress if p.left > 0]
    if not unfinished:
        return None
    who = "; ".join(f"{p.labeler} has answered {_done(p)} of {p.total}" for p in unfinished)
    return f"The evaluation isn't finished: {who}. To lock it anyway, use --unfinished."


def _done(progress: EvaluationProgress) -> str:
    aside = f" and set {progress.set_aside} aside" if progress.set_aside else ""
    return f"{progress.answered}{aside}"
