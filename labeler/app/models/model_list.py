"""The presenter of the Models screen: list, add, score, cancel and resume models."""

from collections.abc import Callable, Mapping
from pathlib import Path

from labeler.app.models.model_finder import ModelFinder
from labeler.app.models.model_row import (
    ACTIVE_STATES,
    ListedModel,
    ModelAction,
    ModelRow,
    ModelState,
    ModelsView,
    model_row,
)
from labeler.app.models.model_scoring import ModelScoring, ModelsSnapshot
from labeler.app.models.overview import ModelRecord, unscored_model
from labeler.app.models.scoring_queue import RunSnapshot, ScoringListeners, ScoringQueue
from labeler.app.models.scoring_request import ScoringChoices
from labeler.app.models.testbed import read_testbed
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.errors import LabelerError
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import is_valid_code
from labeler.scoring.extras import NOT_INSTALLED_NOTICE

NOTHING_SCORED = "Cancelled before anything was scored."

_NOT_BEGUN = frozenset(
    {ModelState.NOT_STARTED, ModelState.INTERRUPTED, ModelState.MORE, ModelState.FAILED}
)
_ASKED_FOR = ACTIVE_STATES | {ModelState.WAITING, ModelState.FAILED}
ACCURACY_HIDDEN = "You also label in this study, so top-1 is hidden until the evaluation is locked."


class ModelList:
    """Holds the list of models, also while the lead is on other screens."""

    def __init__(
        self,
        model_scoring: ModelScoring,
        *,
        database: Runner,
        background: Runner,
        scoring: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        self._model_scoring = model_scoring
        self._database, self._background = database, background
        self._describe_error = describe_error
        listeners = ScoringListeners(
            self._began, self._went_on, self._finished, self._stopped, self._failed
        )
        self._queue = ScoringQueue(
            model_scoring.score, runner=scoring, clock=clock, listeners=listeners
        )
        self._models: dict[str, ListedModel] = {}
        self.datasets: Mapping[str, int] = {}
        self._can_score = self._may_see = True
        self.finder, self.how = ModelFinder(), ScoringChoices()
        self._show: Callable[[ModelsView], None] = _ignore_news
        self._fail: Callable[[str], None] = _ignore_news

    def listen(self, *, show: Callable[[ModelsView], None], fail: Callable[[str], None]) -> None:
        """Set the listeners; a screen that closes calls `unlisten`."""
        self._show, self._fail = show, fail

    def unlisten(self) -> None:
        self._show = self._fail = _ignore_news

    def open(self) -> None:
        """Load the study's models, and timm's models for adding some."""
        self._database.run(
            "read models",
            self._model_scoring.snapshot,
            done=self._snapshot_arrived,
            failed=lambda error: self._fail(self._describe_error(error)),
        )
        if not self.finder.entries:
            self._background.run(
                "list available models",
                self._model_scoring.catalogue,
                done=self.finder.take,
                failed=lambda _error: self.finder.take(()),  # names can be typed without a list
            )

    def close(self) -> None:
        """Stop the current scoring and clear the queue."""
        self.unlisten()
        self._queue.close()

    def view(self) -> ModelsView:
        rows = tuple(self._row(model) for model in self._models.values())
        startable = any(m.state in _NOT_BEGUN and m.record.spec for m in self._models.values())
        return ModelsView(
            datasets=tuple(self.datasets),
            rows=rows,
            notice=self._notice(),
            how=self.how.sentence,
            can_start_all=startable and self._can_score,
            can_add=self._can_score,
        )

    def words_of(self, name: str) -> tuple[str, ...]:
        """Return the log lines of the model's scoring."""
        return self._models[name].words if name in self._models else ()

    def why_not_add(self, spec: ModelSpec) -> str | None:
        """Return what is wrong with a model to be added, or an empty string."""
        if not spec.model:
            return "Enter the name of a model, like tf_efficientnet_lite0."
        if not is_valid_code(spec.name):
            return "Use a name of at most 64 characters without spaces, commas, bars or slashes."
        if spec.name in self._models:
            return f"A model named '{spec.name}' already exists. Choose another name."
        return self.finder.why_unknown(spec.model)

    def add(self, *specs: ModelSpec) -> None:
        """Add models to the list without starting them."""
        for spec in specs:
            record = unscored_model(spec, self.datasets)
            self._models[spec.name] = ListedModel(record, ModelState.NOT_STARTED)
        self._render()

    def add_testbed(self, file: Path) -> None:
        """Add those models of a testbed file that aren't in the list yet."""
        try:
            specs = read_testbed(file)
        except LabelerError as error:
            self._fail(str(error))
            return
        new = [spec for spec in specs if spec.name not in self._models]
        refusals = [f"'{file.name}', {s.name}: {why}" for s in new if (why := self.why_not_add(s))]
        if refusals:
            self._fail(refusals[0])
        else:
            self.add(*new)

    def choose_how(self, how: ScoringChoices) -> None:
        """Set the options for models that are started from now on."""
        self.how = how
        for model in self._models.values():
            if model.state not in _ASKED_FOR:
                model.state = self._state_of(model.record)
        self._render()

    def remove(self, name: str) -> None:
        """Remove a model of which nothing was scored yet."""
        if self._row(self._models[name]).can_remove:
            del self._models[name]
            self._render()

    def do(self, name: str, action: ModelAction) -> None:
        """Start, resume or cancel a model."""
        if action is ModelAction.CANCEL:
            self._cancel(name)
        else:
            self._start(name)

    def start_all(self) -> None:
        """Start every model that isn't finished, in the order of the list."""
        for name, model in self._models.items():
            if model.state in _NOT_BEGUN:
                self._start(name)

    def _start(self, name: str) -> None:
        model = self._models[name]
        if not self._can_score:
            self._fail(NOT_INSTALLED_NOTICE)
        elif self._row(model).action not in (ModelAction.CANCEL, None):
            assert model.record.spec is not None, "the button is only enabled with an action"
            model.replaced = frozenset(self._chosen if self.how.replace else ())
            model.state, model.sentence = ModelState.WAITING, ""
            model.run, model.words = RunSnapshot(), ()
            self._render()
            self._queue.add(model.record.spec, self.how)

    def _cancel(self, name: str) -> None:
        model = self._models[name]
        if self._queue.drop(name):
            model.state = self._state_of(model.record)
        elif model.state in ACTIVE_STATES:
            model.state = ModelState.STOPPING
            self._queue.stop()
        self._render()

    def _snapshot_arrived(self, facts: ModelsSnapshot) -> None:
        self.datasets = facts.overview.datasets
        self._can_score, self._may_see = facts.can_score, facts.may_see_accuracy
        if not facts.can_score:
            self.finder.miss(NOT_INSTALLED_NOTICE)
        for record in facts.overview.models:
            known = self._models.get(record.name)
            if known is None:
                self._models[record.name] = ListedModel(record, self._state_of(record))
            elif known.state not in ACTIVE_STATES:
                known.record, known.run = record, RunSnapshot(facts=known.run.facts)
                if known.state not in _ASKED_FOR:
                    known.state = self._state_of(record)
        self._render()

    def _state_of(self, record: ModelRecord) -> ModelState:
        chosen = [d for d in record.datasets if d.dataset in self._chosen]
        if record.spec is None:
            return ModelState.FINISHED
        if any(dataset.interrupted for dataset in chosen):
            return ModelState.INTERRUPTED
        if record.done and all(dataset.done >= dataset.images for dataset in chosen):
            return ModelState.FINISHED
        return ModelState.MORE if record.done else ModelState.NOT_STARTED

    def _began(self, name: str) -> None:
        self._models[name].state = ModelState.LOADING
        self._render()

    def _went_on(self, name: str) -> None:
        model, watch = self._models[name], self._queue.watch
        if watch is None or self._queue.current != name:
            return
        model.run, model.words = watch.snapshot(), watch.words()
        if model.state is not ModelState.STOPPING:
            loaded = model.run.facts is not None
            model.state = ModelState.RUNNING if loaded else ModelState.LOADING
        self._render()

    def _finished(self, name: str) -> None:
        self._models[name].settle()
        self._has_ended(name, ModelState.FINISHED, "")

    def _stopped(self, name: str) -> None:
        model = self._models[name]
        if model.record.done or model.run.scored_now:
            self._has_ended(
                name, ModelState.INTERRUPTED, "Cancelled. The images scored so far are saved."
            )
        else:
            sentence = NOTHING_SCORED
            self._has_ended(name, ModelState.NOT_STARTED, sentence)

    def _failed(self, name: str, error: Exception) -> None:
        self._has_ended(name, ModelState.FAILED, self._describe_error(error))

    def _has_ended(self, name: str, state: ModelState, sentence: str) -> None:
        model = self._models[name]
        if self._queue.watch is not None:
            model.words = self._queue.watch.words()
        model.state, model.sentence = state, sentence
        self._render()
        self.open()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """Return the chosen datasets, or all."""
        return tuple(d for d in self.datasets if not self.how.datasets or d in self.how.datasets)

    def _row(self, model: ListedModel) -> ModelRow:
        return model_row(
            model,
            self.datasets,
            chosen=self._chosen,
            may_see=self._may_see,
            again=self.how.replace,
            can_score=self._can_score,
        )

    def _notice(self) -> str:
        if not self._can_score:
            return NOT_INSTALLED_NOTICE
        return "" if self._may_see else ACCURACY_HIDDEN

    def _render(self) -> None:
        self._show(self.view())


def _ignore_news(_news: object) -> None:
    """Ignore the event: nothing listens."""
