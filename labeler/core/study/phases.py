"""The four phases of a study and the rules by which they advance."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.study.entities import ImageKey
from labeler.core.text import join_some


class Phase(StrEnum):
    """The phases, in the order in which a study goes through them."""

    ANNOTATE = "annotate"
    TRAIN = "train"
    EVALUATE = "evaluate"
    REVIEW = "review"


# What a phase is called within a sentence.
PHASE_NAMES = {
    Phase.ANNOTATE: "initial review",
    Phase.TRAIN: "training",
    Phase.EVALUATE: "evaluation",
    Phase.REVIEW: "final review",
}
assert set(PHASE_NAMES) == set(Phase), "every phase has its words"


class PhaseState(StrEnum):
    """A phase is closed until it opens, and locked when its answers may no longer change."""

    CLOSED = "closed"
    OPEN = "open"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class EvaluationProgress:
    """How far one labeler is with the evaluation; `set_aside` is flagged instead of answered.

    `imported` counts images answered elsewhere, of which a file told, in a study without a sample.
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
    """What the rules look at."""

    states: Mapping[Phase, PhaseState]
    evaluation_images: int
    training_images: int
    sample_images: int
    labelers: tuple[str, ...]
    reviewers: tuple[str, ...]
    progress: tuple[EvaluationProgress, ...]
    trained_on_sample: tuple[tuple[str, ImageKey], ...]  # labeler, image of the sample


def refusal_to_open(phase: Phase, facts: PhaseRuleFacts) -> str | None:
    """Why the phase can't be opened now, with what to do; None when it can."""
    state = facts.states[phase]
    if state is PhaseState.OPEN:
        return f"The {PHASE_NAMES[phase]} is open already."
    if state is PhaseState.LOCKED and phase is Phase.EVALUATE:
        return (
            "The evaluation is locked, and its targets may have been seen since: it can't be "
            "opened again."
        )
    return _MAY_OPEN[phase](facts)


def refusal_to_lock(phase: Phase, facts: PhaseRuleFacts, *, unfinished: bool) -> str | None:
    """Why the phase can't be locked now; `unfinished` accepts labelers who aren't done."""
    state = facts.states[phase]
    if state is PhaseState.LOCKED:
        return f"The {PHASE_NAMES[phase]} is locked already."
    if state is PhaseState.CLOSED:
        return f"The {PHASE_NAMES[phase]} isn't open, so there is nothing to lock."
    if phase is Phase.EVALUATE and not unfinished:
        return _unfinished(facts)
    return None


def _annotate(facts: PhaseRuleFacts) -> str | None:
    if not facts.evaluation_images:
        return "There is no image to annotate: add images to classify first."
    if not facts.reviewers:
        return "Nobody can annotate: add a participant with the role reviewer first."
    return None


def _train(facts: PhaseRuleFacts) -> str | None:
    if not facts.training_images:
        return "The training pool is empty: add images to train on first."
    if not facts.labelers:
        return "Nobody can train: add a participant with the role labeler first."
    return None


def _evaluate(facts: PhaseRuleFacts) -> str | None:
    if not facts.sample_images:
        return "There is no evaluation sample: draw one first."
    if not facts.labelers:
        return "Nobody can be evaluated: add a participant with the role labeler first."
    if facts.trained_on_sample:
        return (
            "Nobody may be evaluated on an image they trained on, and some trained on images of "
            f"the sample ({_trained(facts)}). Draw another sample, or leave those labelers out."
        )
    return None


def _review(facts: PhaseRuleFacts) -> str | None:
    if facts.sample_images and facts.states[Phase.EVALUATE] is not PhaseState.LOCKED:
        return "The final review opens after the evaluation is locked."
    if not facts.evaluation_images:
        return "There is no image to review: add images to classify first."
    if not facts.reviewers:
        return "Nobody can review: add a participant with the role reviewer first."
    return None


_MAY_OPEN = {
    Phase.ANNOTATE: _annotate,
    Phase.TRAIN: _train,
    Phase.EVALUATE: _evaluate,
    Phase.REVIEW: _review,
}
assert set(_MAY_OPEN) == set(Phase), "every phase has its rule"


def _trained(facts: PhaseRuleFacts) -> str:
    """Each labeler with the images, of which a few are named."""
    images: dict[str, list[str]] = {}
    for labeler, key in facts.trained_on_sample:
        images.setdefault(labeler, []).append(f"{key.dataset}: {key.image}")
    return "; ".join(f"{labeler}: {join_some(named)}" for labeler, named in images.items())


def _unfinished(facts: PhaseRuleFacts) -> str | None:
    waiting = [p for p in facts.progress if p.left > 0]
    if not waiting:
        return None
    who = "; ".join(f"{p.labeler} has answered {_done(p)} of {p.total}" for p in waiting)
    return f"The evaluation isn't finished: {who}. To lock it all the same, say --unfinished."


def _done(progress: EvaluationProgress) -> str:
    aside = f" and set {progress.set_aside} aside" if progress.set_aside else ""
    return f"{progress.answered}{aside}"
