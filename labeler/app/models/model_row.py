"""The rows of the Models screen, from stored predictions and the current run."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from labeler.app.models.overview import DatasetRecord, ModelRecord
from labeler.app.models.scoring_queue import RunSnapshot
from labeler.app.time_text import format_time_left


class ModelState(StrEnum):
    """The state of a model's scoring."""

    WAITING = "waiting"
    LOADING = "loading"
    RUNNING = "running"
    STOPPING = "stopping"
    INTERRUPTED = "interrupted"
    MORE = "more to score"
    FAILED = "failed"
    FINISHED = "finished"
    NOT_STARTED = "not started"


ACTIVE_STATES = frozenset({ModelState.LOADING, ModelState.RUNNING, ModelState.STOPPING})


class ModelAction(StrEnum):
    """What the main button does with the selected model."""

    START = "Start"
    RESUME = "Resume"
    CANCEL = "Cancel"
    RETRY = "Try again"
    AGAIN = "Score again"


MODEL_ACTIONS: Mapping[ModelState, ModelAction | None] = {
    ModelState.NOT_STARTED: ModelAction.START,
    ModelState.WAITING: ModelAction.CANCEL,
    ModelState.LOADING: ModelAction.CANCEL,
    ModelState.RUNNING: ModelAction.CANCEL,
    ModelState.STOPPING: None,
    ModelState.INTERRUPTED: ModelAction.RESUME,
    ModelState.MORE: ModelAction.START,
    ModelState.FAILED: ModelAction.RETRY,
    ModelState.FINISHED: None,
}
assert set(MODEL_ACTIONS) == set(ModelState), "every state has an action or None"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model in the table; `top1` has a text for each dataset, empty without a value."""

    name: str
    weights: str
    device: str
    state: ModelState
    done: int
    total: int
    progress: str
    rate: str
    top1: tuple[str, ...]
    sentence: str
    action: ModelAction | None
    can_remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsView:
    """The whole screen; `log` belongs to the selected model, `notice` to all models."""

    datasets: tuple[str, ...]
    rows: tuple[ModelRow, ...]
    notice: str
    how: str
    can_start_all: bool
    can_add: bool


# With fewer images an estimate would be misleading.
_RATE_SAMPLE_IMAGES = 32
_REMOVABLE = frozenset({ModelState.NOT_STARTED, ModelState.FAILED})


@dataclass(slots=True)
class ListedModel:
    """A model in the table: its stored predictions and its runs in this window."""

    record: ModelRecord
    state: ModelState
    run: RunSnapshot = field(default_factory=RunSnapshot)
    sentence: str = ""
    words: tuple[str, ...] = ()
    replaced: frozenset[str] = frozenset()  # datasets that the run scores from the start

    def done_in(self, dataset: str) -> int:
        stored = self.stored_in(dataset)
        return self.run.done.get(dataset, stored.done if stored is not None else 0)

    def stored_in(self, dataset: str) -> DatasetRecord | None:
        """Return the stored predictions that aren't being replaced by the current run."""
        if self.state in ACTIVE_STATES and dataset in self.replaced:
            return None
        return next((d for d in self.record.datasets if d.dataset == dataset), None)

    def counts_in(self, dataset: str) -> tuple[int, int]:
        """Return the number of images with a prediction, and of correct ones."""
        stored = self.stored_in(dataset)
        answered = self.run.answered.get(dataset, 0) + (stored.answered if stored else 0)
        return answered, self.run.right.get(dataset, 0) + (stored.right if stored else 0)

    def settle(self) -> None:
        """Count the results of a finished run as stored until they are loaded again."""
        datasets = tuple(map(self._settled, self.record.datasets))
        self.record = replace(self.record, datasets=datasets)
        self.run = RunSnapshot(facts=self.run.facts)

    def _settled(self, record: DatasetRecord) -> DatasetRecord:
        if record.dataset not in self.run.done:
            return record
        answered, right = self.counts_in(record.dataset)
        done = self.run.done[record.dataset]
        return replace(record, done=done, answered=answered, right=right, interrupted=False)


def model_row(
    model: ListedModel,
    datasets: Mapping[str, int],
    *,
    chosen: Collection[str],
    may_see: bool,
    again: bool,
    can_score: bool,
) -> ModelRow:
    """Return the model as the table shows it; totals count the chosen datasets.

    `again` offers to score a finished model again, if scoring is possible.
    """
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
        action=_action(model, again=again) if can_score else None,
        can_remove=model.state in _REMOVABLE and not any(map(model.done_in, datasets)),
    )


def _action(model: ListedModel, *, again: bool) -> ModelAction | None:
    if model.record.spec is None:
        return None
    if model.state is ModelState.FINISHED and again:
        return ModelAction.AGAIN
    return MODEL_ACTIONS[model.state]


def _progress(model: ListedModel, done: int, total: int) -> str:
    counted = f"{done:,} of {total:,}"
    rate = model.run.rate
    if model.state not in ACTIVE_STATES or model.run.scored_now < _RATE_SAMPLE_IMAGES or not rate:
        return counted
    return f"{counted} · {format_time_left(round(1000 * (total - done) / rate))}"


def _top1(model: ListedModel, dataset: str) -> str:
    """Return the top-1 accuracy of the stored and the new predictions."""
    answered, right = model.counts_in(dataset)
    return f"{right / answered:.1%}" if answered else ""
