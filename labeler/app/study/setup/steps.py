"""The steps from an empty study to a running evaluation, and the state of each."""

from dataclasses import dataclass

from labeler.app.study.setup.datasets import dataset_problem
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup_step import SetupStep
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.core.text import count_noun

# The steps that lead to an evaluation; the others can be done later or at any time.
REQUIRED_STEPS = (
    SetupStep.IMAGES,
    SetupStep.REFERENCES,
    SetupStep.TRAINING,
    SetupStep.PEOPLE,
    SetupStep.SETTINGS,
    SetupStep.SAMPLE,
    SetupStep.PHASES,
)
# The number of letters that fit below a step's title after a word or two.
_FITS = 26
# A study can do without these.
_OPTIONAL = (SetupStep.REFERENCES, SetupStep.TRAINING)
_ROLES = {
    SetupStep.IMAGES: DatasetRole.EVALUATION,
    SetupStep.REFERENCES: DatasetRole.REFERENCE,
    SetupStep.TRAINING: DatasetRole.TRAINING,
}


@dataclass(frozen=True, slots=True)
class SetupStepView:
    """A step with the text below its title; steps that are tools are never `done` or next.

    A step that `warns` has something unfinished or missing, even if it is done otherwise.
    """

    step: SetupStep
    sentence: str
    done: bool
    is_next: bool = False
    warns: bool = False

    @property
    def optional(self) -> bool:
        return self.step in _OPTIONAL


def setup_step_views(facts: SetupFacts) -> tuple[SetupStepView, ...]:
    texts = {
        SetupStep.IMAGES: _datasets(facts, DatasetRole.EVALUATION, "none yet"),
        SetupStep.REFERENCES: _datasets(facts, DatasetRole.REFERENCE, "none yet"),
        SetupStep.TRAINING: _training(facts),
        SetupStep.PEOPLE: _people(facts),
        SetupStep.SETTINGS: _settings(facts),
        SetupStep.SAMPLE: _sample(facts),
        SetupStep.PHASES: _phases(facts),
        SetupStep.MODELS: _models(facts),
        SetupStep.REVIEWS: _reviews(facts),
        SetupStep.KEEPING: _backups(facts),
        SetupStep.FILES: ("import and export", False),
        SetupStep.SHARING: ("bundles and results", False),
    }
    waiting = next((s for s in REQUIRED_STEPS if s not in _OPTIONAL and not texts[s][1]), None)
    warned = {step: dataset_problem(facts, role) for step, role in _ROLES.items()}
    return tuple(
        SetupStepView(
            step,
            warned.get(step) or texts[step][0],
            done=texts[step][1],
            is_next=step is waiting,
            warns=bool(warned.get(step)),
        )
        for step in SetupStep
    )


def next_setup_step(views: tuple[SetupStepView, ...]) -> SetupStep:
    """Return the first step with a warning, else the first one needed, else the phases."""
    needed = (view.step for view in views if view.is_next)
    return next((view.step for view in views if view.warns), next(needed, SetupStep.PHASES))


def step_after(step: SetupStep, views: tuple[SetupStepView, ...]) -> SetupStep | None:
    """Return the step that follows, or None if this one is unfinished or the last."""
    by_step = {view.step: view for view in views}
    if step not in REQUIRED_STEPS or step is REQUIRED_STEPS[-1]:
        return None
    passable = by_step[step].done or by_step[step].optional
    return REQUIRED_STEPS[REQUIRED_STEPS.index(step) + 1] if passable else None


def next_button_text(step: SetupStep, to: SetupStep, views: tuple[SetupStepView, ...]) -> str:
    """Return the text of the button that leads to another step."""
    by_step = {view.step: view for view in views}
    if not by_step[step].done:
        return f"Skip to: {to}{_marked(by_step[to])}"
    return f"Next: {to}{'' if by_step[to].done else _marked(by_step[to])}"


def _marked(view: SetupStepView) -> str:
    return " (optional)" if view.optional else ""


def _datasets(facts: SetupFacts, role: DatasetRole, none: str) -> tuple[str, bool]:
    found = [dataset for dataset in facts.datasets if dataset.role is role]
    if not found:
        return none, False
    images = count_noun(sum(dataset.images for dataset in found), "image")
    named = found[0].name if len(found) == 1 else f"{len(found)} datasets"
    return f"{images} in {named}", any(dataset.complete for dataset in found)


def _training(facts: SetupFacts) -> tuple[str, bool]:
    images = facts.study.training_images
    return (count_noun(images, "image"), True) if images else ("none yet", False)


def _people(facts: SetupFacts) -> tuple[str, bool]:
    labelers = sum(Role.LABELER in person.roles for person in facts.people)
    reviewers = sum(Role.REVIEWER in person.roles for person in facts.people)
    if not labelers:
        return "no labeler yet", False
    return f"{count_noun(labelers, 'labeler')}, {count_noun(reviewers, 'reviewer')}", True


def _settings(facts: SetupFacts) -> tuple[str, bool]:
    return f"confidence {'on' if facts.settings.asks_confidence else 'off'}", True


def _models(facts: SetupFacts) -> tuple[str, bool]:
    return (count_noun(len(facts.models), "model"), True) if facts.models else ("none yet", False)


def _reviews(facts: SetupFacts) -> tuple[str, bool]:
    if not facts.plans:
        return "none yet", False
    planned = (f"{stage} {size.pairs:,}" for stage, size in facts.plans.items())
    return f"labels: {', '.join(planned)}", True


def _sample(facts: SetupFacts) -> tuple[str, bool]:
    sample = facts.sample
    return ("not drawn", False) if sample is None else (count_noun(sample.images, "image"), True)


def _phases(facts: SetupFacts) -> tuple[str, bool]:
    states = facts.study.states
    opened = [PHASE_NAMES[phase] for phase in Phase if states[phase] is PhaseState.OPEN]
    has_started = states[Phase.EVALUATE] is not PhaseState.CLOSED
    if opened:
        named = ", ".join(opened)
        text = f"open: {named}" if len(named) <= _FITS else f"{len(opened)} phases open"
        return text, has_started
    return ("none open", has_started)


def _backups(facts: SetupFacts) -> tuple[str, bool]:
    if not facts.backs_up:
        return "made by the server", True
    if not facts.backups:
        return "none yet", False
    return count_noun(len(facts.backups), "backup"), True
