"""What the Models screen shows: a row for each model, and what can be done with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ModelState(StrEnum):
    """How far a model is."""

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
    """What the main button does with the chosen model."""

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
assert set(MODEL_ACTIONS) == set(ModelState), "every state has its deed, or none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """One model in the table; `top1` has a text for each dataset, empty while there is none."""

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
    deed: ModelAction | None
    can_remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsView:
    """The whole screen; `log` belongs to the chosen model, `notice` to all of them."""

    datasets: tuple[str, ...]
    rows: tuple[ModelRow, ...]
    notice: str
    how: str
    can_start_all: bool
    can_add: bool
