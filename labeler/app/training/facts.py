"""What the page before a training tells, gathered from the study."""

from dataclasses import dataclass

from labeler.app.training.grounds import read_training_material
from labeler.app.training.selection import TrainingMaterial
from labeler.core.training.request import TrainingRequest
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True)
class UnfinishedTraining:
    """A training that waits to be gone on with."""

    request: TrainingRequest
    done: int
    total: int

    @property
    def waits(self) -> bool:
        """Whether an image of it is still to be answered."""
        return self.done < self.total


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """What can be trained on, and what waits."""

    grounds: TrainingMaterial
    open: UnfinishedTraining | None


def training_facts(
    store: StudyStore, participant: str, *, guide_pairs: frozenset[tuple[str, str]]
) -> TrainingFacts:
    """Everything the page shows; refused where the training isn't open to this person."""
    with store.read() as study:
        study.training.require_open(participant)
        grounds = read_training_material(
            study,
            participant,
            taxonomy=store.taxonomy,
            guide_pairs=guide_pairs,
            now=store.clock.utc(),
        )
        return TrainingFacts(grounds, open_training(study, participant))


def open_training(study: Transaction, participant: str) -> UnfinishedTraining | None:
    """The training that the labeler left, if it wasn't ended."""
    found = study.training.current(participant)
    if found is None:
        return None
    trials = study.training.trials(found.training_id)
    done = sum(not trial.waits for trial in trials)
    return UnfinishedTraining(found.request, done, len(trials))
