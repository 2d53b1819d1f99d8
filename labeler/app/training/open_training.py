"""The question whether a training that waits is to end, since another is to begin."""

from dataclasses import dataclass

from labeler.app.training.facts import UnfinishedTraining
from labeler.app.training.progress_text import capitalise_first
from labeler.app.training.training_title import training_title
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.request import TrainingRequest


@dataclass(frozen=True, slots=True)
class ReplaceTrainingView:
    """What waits, what ending it would mean, and what would begin instead."""

    heading: str
    waits: str
    ending: str


def replace_training_view(
    waiting: UnfinishedTraining, wanted: TrainingRequest, *, taxonomy: Taxonomy
) -> ReplaceTrainingView:
    title, new = (capitalise_first(training_title(r, taxonomy)) for r in (waiting.request, wanted))
    left = waiting.total - waiting.done
    counts = ", and what you answered counts" if waiting.done else ""
    images = "image stays" if left == 1 else "images stay"
    return ReplaceTrainingView(
        heading="Another training waits",
        waits=f"{title}: {waiting.done:,} of {waiting.total:,} images done.",
        ending=f"To begin “{new}”, it has to end: {left:,} {images} unanswered{counts}.",
    )
