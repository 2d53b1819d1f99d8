"""The rows of the Models screen, made from what the study has and what a run tells."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from labeler.app.presenters.models_views import AT_WORK, DEEDS, ModelRow, ModelState
from labeler.app.presenters.scoring_watch import RunSnapshot
from labeler.app.scoring.overview import ModelRecord
from labeler.app.spoken_time import left

# Before so many images an estimate is worse than none.
_TELLING_IMAGES = 32
_REMOVABLE = frozenset({ModelState.NOT_STARTED, ModelState.FAILED})


@dataclass(slots=True)
class ListedModel:
    """A model in the table: what the study has of it, and what happened to it here."""

    record: ModelRecord
    state: ModelState
    run: RunSnapshot = field(default_factory=RunSnapshot)
    sentence: str = ""
    words: tuple[str, ...] = ()

    def done_in(self, dataset: str) -> int:
        stored = next((d.done for d in self.record.datasets if d.dataset == dataset), 0)
        return self.run.done.get(dataset, stored)


def model_row(
    model: ListedModel, datasets: Mapping[str, int], *, chosen: Collection[str], may_see: bool
) -> ModelRow:
    """The model as the table shows it; what counts as all of it are the chosen datasets."""
    total = sum(datasets[name] for name in chosen)
    done = min(sum(map(model.done_in, chosen)), total)
    facts = model.run.facts
    return ModelRow(
        name=model.record.name,
        weights=facts.weights if facts is not None else model.record.weights,
        device=facts.device if facts is not None else model.record.device,
        state=model.state,
        done=done,
        total=total,
        progress=_progress(model, done, total),
        rate=f"{model.run.rate:.1f}" if model.run.rate else "",
        top1=tuple(_top1(model, dataset) if may_see else "" for dataset in datasets),
        sentence=model.sentence,
        deed=DEEDS[model.state] if model.record.spec is not None else None,
        can_remove=model.state in _REMOVABLE and not any(map(model.done_in, datasets)),
    )


def _progress(model: ListedModel, done: int, total: int) -> str:
    counted = f"{done:,} of {total:,}"
    rate = model.run.rate
    if model.state not in AT_WORK or model.run.scored_now < _TELLING_IMAGES or not rate:
        return counted
    return f"{counted} · {left(round(1000 * (total - done) / rate))}"


def _top1(model: ListedModel, dataset: str) -> str:
    """How often the first label is the target: of what is stored, and of what came out now."""
    stored = next((d for d in model.record.datasets if d.dataset == dataset), None)
    answered = model.run.answered.get(dataset, 0) + (stored.answered if stored else 0)
    right = model.run.right.get(dataset, 0) + (stored.right if stored else 0)
    return f"{right / answered:.1%}" if answered else ""
