"""The lead's form for a search: what there is, an estimate, and the search with its progress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from labeler.app.background_task import BackgroundTask, TaskStopped
from labeler.app.curation.duplicate_limits import current_limits, limit_text, read_limits
from labeler.app.curation.duplicate_overview import DuplicateOverview, read_duplicate_overview
from labeler.app.curation.duplicate_search import (
    SearchOptions,
    SearchReport,
    search_near_duplicates,
)
from labeler.app.curation.duplicate_views import METRIC_NAMES, format_distance
from labeler.app.curation.search_estimate import SearchEstimate, estimate_search
from labeler.app.runner import Runner
from labeler.app.time_text import format_duration
from labeler.core.clock import Clock
from labeler.core.curation.duplicate_sets import LARGE_SET
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.core.study.entities import ParticipantKind
from labeler.core.text import count_noun
from labeler.scoring.extras import are_extras_installed
from labeler.store.study_store import StudyStore

NOT_SEARCHED_YET = "Nothing was searched yet."
STOPPED = "Stopped. The next search continues from here."


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFormView:
    """What was found so far, what can be searched, and how far a search is."""

    loading: bool = True
    rows: tuple[tuple[str, ...], ...] = ()
    sentences: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    # What the fields begin with; empty for a limit that will be measured.
    limits: Mapping[DuplicateMetric, str] = field(default_factory=dict)
    can_compute_features: bool = False
    open_pairs: int = 0
    estimate: str = ""
    running: bool = False
    done: int = 0
    total: int = 0
    progress: str = ""
    notice: str = ""
    trouble: str = ""


SEARCH_COLUMNS = ("Metric", "Limit", "Pairs", "To review", "Recall", "State")


@dataclass(frozen=True, slots=True)
class _Facts:
    overview: DuplicateOverview
    models: tuple[str, ...]
    limits: Mapping[DuplicateMetric, str]


class SearchForm:
    """Reads, estimates and searches; a search that is stopped can be continued."""

    def __init__(
        self,
        store: StudyStore,
        *,
        database: Runner,
        background: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        self._store = store
        self._database, self._background, self._clock = database, background, clock
        self._describe_error = describe_error
        self._listener: Callable[[SearchFormView], None] = lambda _view: None
        self._state: dict[str, object] = {}
        self._task: BackgroundTask[SearchReport] | None = None
        self.view = SearchFormView()

    def listen(self, listener: Callable[[SearchFormView], None]) -> None:
        self._listener = listener

    def refresh(self) -> None:
        """Read what was searched and found."""
        self._database.run(
            "read near-duplicate searches", self._read, done=self._render, failed=self._fail
        )

    def estimate(self, metrics: tuple[DuplicateMetric, ...]) -> None:
        """Say how much work the search would be."""
        options = SearchOptions(metrics=metrics)
        self._show(estimate="Estimating…", trouble="")
        self._background.run(
            "estimate near-duplicate search",
            lambda: estimate_search(self._store, options),
            done=lambda found: self._show(estimate=estimate_text(found)),
            failed=self._fail,
        )

    def search(
        self,
        metrics: tuple[DuplicateMetric, ...],
        model: str = "",
        limits: Mapping[DuplicateMetric, str] | None = None,
    ) -> None:
        """Start a search within the limits that were typed, or continue one."""
        if self.view.running:
            return
        try:
            wanted = read_limits(limits or {})
        except RefusedError as error:
            self._show(trouble=self._describe_error(error), notice="")
            return
        spec = ModelSpec(model=model, name=model) if model else None
        options = SearchOptions(metrics=metrics, model=spec, limits=wanted)
        self._task = BackgroundTask(
            "search near-duplicates",
            lambda progress: search_near_duplicates(self._store, options, progress=progress),
            runner=self._background,
            clock=self._clock,
            show=lambda done, total, words: self._show(done=done, total=total, progress=words),
            done=self._finish,
            failed=self._stopped,
        )
        self._show(running=True, trouble="", notice="")
        self._task.start()

    def stop(self) -> None:
        """Stop after the current block, which is stored."""
        if self._task is not None:
            self._task.stop()

    def close(self) -> None:
        """Stop and show nothing more."""
        self._listener = lambda _view: None
        if self._task is not None:
            self._task.cancel()

    def _read(self) -> _Facts:
        with self._store.read() as study:
            people = study.participants.all()
            limits = {m: limit_text(m, limit) for m, limit in current_limits(study).items()}
            models = tuple(p.code for p in people if p.kind is ParticipantKind.MODEL)
        return _Facts(read_duplicate_overview(self._store), models, limits)

    def _render(self, facts: _Facts) -> None:
        overview = facts.overview
        self._show(
            loading=False,
            rows=tuple(_metric_row(overview)),
            sentences=tuple(_sentences(overview)),
            models=facts.models,
            limits=facts.limits,
            can_compute_features=are_extras_installed(),
            open_pairs=sum(state.open_pairs for state in overview.metrics),
        )

    def _finish(self, report: SearchReport) -> None:
        unread = len(report.unread)
        left = f" {count_noun(unread, 'image')} can't be read." if unread else ""
        compared = count_noun(report.compared, "image")
        self._show(running=False, notice=f"Searched the neighbours of {compared}.{left}")
        self.refresh()

    def _stopped(self, error: Exception) -> None:
        if isinstance(error, TaskStopped):
            self._show(running=False, notice=STOPPED)
        else:
            self._show(running=False, trouble=self._describe_error(error))
        self.refresh()

    def _fail(self, error: Exception) -> None:
        self._show(loading=False, estimate="", trouble=self._describe_error(error))

    def _show(self, **changes: object) -> None:
        self._state.update(changes)
        self.view = SearchFormView(**self._state)  # type: ignore[arg-type]
        self._listener(self.view)


def _metric_row(overview: DuplicateOverview) -> list[tuple[str, ...]]:
    return [
        (
            METRIC_NAMES[state.record.metric],
            format_distance(state.record.metric, state.record.limit),
            f"{state.pairs:,}",
            f"{state.open_pairs:,}",
            "" if state.record.recall is None else f"{state.record.recall:.1%}",
            "searched" if state.record.finished_at else "not finished",
        )
        for state in overview.metrics
    ]


def _sentences(overview: DuplicateOverview) -> list[str]:
    if not overview.metrics:
        return [NOT_SEARCHED_YET]
    found = [f"{count_noun(overview.sets, 'set')} of near-duplicates so far."]
    if overview.large_sets:
        large = count_noun(len(overview.large_sets), "set has", "sets have")
        found.append(f"{large} more than {LARGE_SET} images. Check whether to split them.")
    return [*found, *overview.sample]


def estimate_text(found: SearchEstimate) -> str:
    """Return the work of a search in a sentence or two."""
    pairs = sum(found.pairs.values())
    read = ""
    if found.to_read:
        gigabytes = found.disk_bytes / 1e9
        read = (
            f" {count_noun(found.to_read, 'image')} must be read first and "
            f"take {gigabytes:.1f} GB in the study's folder."
        )
    return (
        f"{count_noun(found.searched, 'image')} against {count_noun(found.images, 'image')}: "
        f"{count_noun(pairs, 'pair')}, {format_duration(round(found.total_seconds * 1000))}.{read}"
    )
