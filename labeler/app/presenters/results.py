"""The results as the lead looks at them: filters, a table or a figure, the images behind a row."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.runner import Job, Latest, Runner
from labeler.core.metrics.vocabulary import Convention, Metric

if TYPE_CHECKING:
    from labeler.app.report.desk import Results, ResultsDesk
    from labeler.report.table import Table

METRICS = {
    Metric.MULTI_LABEL: "Multi-label",
    Metric.TOP1: "Top-1",
    Metric.TOP5: "Top-5",
    Metric.MULTI_LABEL_IMPUTED: "Multi-label, hatches imputed",
}
assert set(METRICS) == set(Metric), "every metric has its words"
CONVENTIONS = {
    Convention.POOLED: "Only correct counts, pooled",
    Convention.UNCLEAR_COUNTS: "Unclear counts too, pooled",
    Convention.PER_CLASS: "Only correct counts, per class",
    Convention.PER_CLASS_UNCLEAR_COUNTS: "Unclear counts too, per class",
}
assert set(CONVENTIONS) == set(Convention), "every convention has its words"
CHOSEN = "Accuracy as chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What the first table is about."""

    subset: str = "all"
    metric: Metric = Metric.MULTI_LABEL
    convention: Convention = Convention.POOLED


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsView:
    """`places` are what can be looked at; of `table` and `figure` one is there once all is read."""

    sentence: str = ""
    told: str = ""
    ready: bool = False
    busy: bool = True
    filters: Filters = Filters()
    subsets: tuple[tuple[str, str], ...] = ()
    places: tuple[str, ...] = ()
    place: int = 0
    title: str = ""
    note: str = ""
    table: "Table | None" = None
    figure: bytes | None = None
    images: "Table | None" = None


class ResultsPresenter:
    """Reads the results off the window's thread, then answers from memory."""

    def __init__(
        self,
        desk: "Callable[[], ResultsDesk]",
        *,
        runner: Runner,
        told: Callable[[Exception], str],
    ) -> None:
        """`desk` gives the study's, on the runner's thread."""
        self._desk, self._told = desk, told
        self._latest = Latest(runner)
        self._runner = runner
        self._extra: tuple[str, ...] = ()
        self._results: Results | None = None
        self._view = ResultsView(sentence="The results are being computed …")
        self._hear: Callable[[ResultsView], None] = lambda _view: None

    def listen(self, hear: Callable[[ResultsView], None]) -> None:
        self._hear = hear
        hear(self._view)

    def leave(self) -> None:
        """Nobody looks any more: drop what is still being computed."""
        self._hear = lambda _view: None
        self._latest.drop()

    def open(self) -> None:
        self._read(self._extra)

    def choose(self, filters: Filters) -> None:
        """Look at another subset, metric or convention."""
        self._show(replace(self._view, filters=filters, place=0, told=""))

    def look_at(self, place: int) -> None:
        """Look at another table or figure."""
        if self._results is not None and 0 <= place < len(self._view.places):
            self._show(replace(self._view, place=place, told=""))

    def look_behind(self, participant: str) -> None:
        """List the images behind the participant's accuracy as chosen."""
        from labeler.app.report.desk import images_behind

        results = self._results
        if results is None or self._view.place or self._view.table is None:
            return
        codes = {results.cells.called(c): c for c in results.contents.numbers.study.participants}
        if participant in codes:
            filters = self._view.filters
            images = images_behind(
                results,
                participant=codes[participant],
                subset=filters.subset,
                metric=filters.metric,
            )
            self._tell(replace(self._view, images=images))

    def add_subset(self, key: str) -> None:
        """Compute a further subset, such as `subtree:n02084071`."""
        wanted = key.strip()
        if wanted and wanted not in self._extra:
            self._read((*self._extra, wanted), then=wanted)

    def export(self, folder: Path) -> None:
        """Write the whole report to the folder."""
        extra = self._extra
        self._tell(
            replace(self._view, busy=True, told=f"The report is being written to {folder} …")
        )
        self._runner.submit(
            lambda _job: self._desk().export(folder, extra),
            done=lambda made: self._say(f"Wrote {len(made.files):,} files to {folder}."),
            failed=lambda error: self._say(self._told(error)),
        )

    def _read(self, extra: tuple[str, ...], then: str | None = None) -> None:
        self._tell(replace(self._view, busy=True, told=""))

        def work(_job: Job) -> "Results":
            return self._desk().read(extra)

        self._latest.request(
            work, done=lambda results: self._has_read(results, extra, then), failed=self._has_failed
        )

    def _has_read(self, results: "Results", extra: tuple[str, ...], then: str | None) -> None:
        self._results, self._extra = results, extra
        filters = self._view.filters
        if not self._view.ready:
            filters = replace(filters, metric=results.cells.main_metric)
        if then is not None:
            filters = replace(filters, subset=then)
        places = (CHOSEN, *(t.title for t in results.tables), *(f.title for f in results.figures))
        subsets = tuple((s.key, s.title) for s in results.contents.numbers.subsets)
        view = replace(self._view, sentence="", ready=True, busy=False, filters=filters)
        self._show(replace(view, subsets=subsets, places=places, place=0))

    def _has_failed(self, error: Exception) -> None:
        if self._results is None:
            self._tell(replace(self._view, sentence=self._told(error), busy=False))
        else:
            self._say(self._told(error))

    def _say(self, sentence: str) -> None:
        self._tell(replace(self._view, busy=False, told=sentence))

    def _show(self, view: ResultsView) -> None:
        """Put in what stands at the view's place."""
        results = self._results
        if results is None:
            return
        view = replace(view, images=None, table=None, figure=None)
        number = view.place - 1
        if number < 0:
            table = _chosen(results, view.filters)
        elif number < len(results.tables):
            table = results.tables[number]
        else:
            drawn = results.figures[number - len(results.tables)]
            self._tell(replace(view, figure=drawn.png, title=drawn.title, note=drawn.words))
            return
        self._tell(replace(view, table=table, title=table.title, note=table.note))

    def _tell(self, view: ResultsView) -> None:
        self._view = view
        self._hear(view)


def _chosen(results: "Results", filters: Filters) -> "Table":
    """Everybody's accuracy by the filters, dataset by dataset."""
    from labeler.report.table import Column, Table, text_column, with_interval

    cells, rows = results.cells, []
    for code in cells.numbers.study.participants:
        key = filters.subset, filters.metric
        found = [
            cells.accuracy.get((code, dataset, *key))
            if filters.convention is Convention.POOLED
            else cells.other.get((code, dataset, *key, filters.convention))
            for dataset in cells.datasets
        ]
        if any(found):
            told = [
                "–" if row is None else with_interval(row.accuracy, row.ci_low, row.ci_high)
                for row in found
            ]
            totals = [str(row.total) if row is not None else "–" for row in found]
            pairs = [cell for pair in zip(told, totals, strict=True) for cell in pair]
            rows.append((cells.called(code), str(cells.called.kind(code)), *pairs))
    names = [title for dataset in cells.datasets for title in (f"{dataset}, %", "of")]
    return Table(
        key="chosen",
        title=f"{METRICS[filters.metric]} accuracy, {cells.titles[filters.subset].lower()}",
        note="Choose a row for the images behind it; a head sorts."
        if rows
        else "Nobody has an accuracy by these filters: the metric, the way of counting and the "
        "subset don't go together here.",
        columns=(text_column("Participant"), text_column("Kind"), *map(Column, names)),
        rows=tuple(rows),
    )
