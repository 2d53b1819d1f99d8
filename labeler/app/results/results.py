"""The presenter of the lead's results: choices, a table or figure, and its images."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labeler.app.background_task import BackgroundTask
from labeler.app.results.export import ShownResult, result_as_pandas, write_images, write_result
from labeler.app.results.report_figures import ReportFigures
from labeler.app.results.results_images import image_export_rows, result_images_view
from labeler.app.results.results_view import (
    CHOSEN_FIGURE,
    CHOSEN_TABLE,
    CHOSEN_TABLE_AND_FIGURE,
    FigureDetail,
    ResultsEntry,
    ResultsSection,
    ResultsStage,
    ResultsView,
    in_reading_order,
    results_options,
)
from labeler.app.results.selection import Selection
from labeler.app.runner import LatestRequest, Runner
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.metrics.cell_source import CellSource
from labeler.report.sections import section_of
from labeler.report.table import ReportTable

if TYPE_CHECKING:
    from labeler.app.results.results_data import ResultsReader, StudyResults
    from labeler.report.figures.figure import AxesLimits, RenderedFigure

COPIED = "Copied as Python code that makes a pandas DataFrame."
COMPUTATION_STOPPED = "The computation was stopped. Nothing was changed."


class ResultsPresenter:
    """Reads and computes in the background, then builds tables and figures on request."""

    def __init__(
        self,
        reader: "Callable[[], ResultsReader]",
        *,
        runner: Runner,
        quick: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        """`reader` opens the results on the runner's thread; drawing never blocks `quick`."""
        self._describe_error, self._runner = describe_error, runner
        self._reading: BackgroundTask[StudyResults] = BackgroundTask(
            "read results",
            lambda progress: reader().read(progress),
            runner=runner,
            clock=clock,
            show=self._progress,
            done=self._has_read,
            failed=self._has_failed,
        )
        self._counting, self._listing = LatestRequest(quick), LatestRequest(quick)
        # All drawing is on one thread, because matplotlib's style is global.
        self._picturing, self._zooming = LatestRequest(runner), LatestRequest(runner)
        self._results: StudyResults | None = None
        self._figures = ReportFigures(
            runner,
            drawn=self._has_drawn,
            finished=lambda: self._update_view(drawing=False),
            failed=lambda error: self._say(describe_error(error), failed=True),
        )
        self._view = ResultsView()
        self._show_view: Callable[[ResultsView], None] = lambda _view: None

    @property
    def view(self) -> ResultsView:
        return self._view

    @property
    def results(self) -> "StudyResults | None":
        return self._results

    def listen(self, show: Callable[[ResultsView], None]) -> None:
        self._show_view = show
        show(self._view)

    def leave(self) -> None:
        """Drop everything that is still being computed."""
        self._show_view = lambda _view: None
        self._reading.cancel()
        for request in (self._counting, self._picturing, self._zooming, self._listing):
            request.drop()
        self._figures.leave()

    # Computing.

    def open(self) -> None:
        self._update_view(stage=ResultsStage.COMPUTING, message="")
        self._reading.start()

    def stop(self) -> None:
        """Stop the computation; it can be started again."""
        if self._view.stage is ResultsStage.COMPUTING:
            self._reading.cancel()
            self._update_view(stage=ResultsStage.STOPPED, sentence=COMPUTATION_STOPPED)

    def _progress(self, done: int, total: int, sentence: str) -> None:
        self._update_view(sentence=f"{sentence}…", done=done, total=total)

    def _has_failed(self, error: Exception) -> None:
        self._update_view(stage=ResultsStage.REFUSED, sentence=self._describe_error(error))

    def _has_read(self, results: "StudyResults") -> None:
        self._results, study = results, results.contents.numbers.study
        selection = Selection(
            datasets=results.cells.datasets,
            participants=study.participants,
            metric=results.cells.main_metric,
        )
        tables = (
            ResultsEntry(
                _key(t.key, "table"),
                t.title,
                ResultsSection.TABLES,
                section_of(table=t.key).title,
            )
            for t in results.tables
        )
        galleries = (
            ResultsEntry(
                _key(g.key, "gallery"), g.title, ResultsSection.GALLERIES, section_of().title
            )
            for g in results.galleries
        )
        self._view = replace(
            self._view,
            stage=ResultsStage.READY,
            sentence="",
            choices=results_options(results),
            places=in_reading_order(
                (CHOSEN_TABLE_AND_FIGURE, CHOSEN_TABLE, CHOSEN_FIGURE, *tables, *galleries)
            ),
            drawing=True,
        )
        self._show_entry(selection, CHOSEN_TABLE_AND_FIGURE)
        self._figures.draw(results.figures())

    # Choosing.

    def choose(self, **changes: Any) -> None:
        """Change the datasets, participants, subsets, metric or convention."""
        if self._view.selection is not None:
            chosen = (
                self._view.place
                if self._view.place.group is ResultsSection.CHOSEN
                else CHOSEN_TABLE_AND_FIGURE
            )
            self._show_entry(replace(self._view.selection, **changes), chosen)

    def add_subset(self, key: str) -> None:
        """Add a subset such as `subtree:n02084071`."""
        results, selection = self._results, self._view.selection
        if results is None or selection is None:
            return
        try:
            results.add_subset(key)
        except RefusedError as error:
            self._say(self._describe_error(error), failed=True)
            return
        self._view = replace(self._view, choices=results_options(results))
        self.choose(subsets=tuple(dict.fromkeys((*selection.subsets, key))))

    def look_at(self, key: str) -> None:
        """Show another table, figure or gallery."""
        place = next((place for place in self._view.places if place.key == key), None)
        if place is not None and place != self._view.place and self._view.selection is not None:
            self._show_entry(self._view.selection, place)

    def step(self, steps: int) -> None:
        """Show the next or a previous table or figure."""
        places = self._view.places
        number = places.index(self._view.place) + steps
        self.look_at(places[number % len(places)].key)

    # The images of a cell or mark.

    def show_source_images(self, source: CellSource) -> None:
        """List the images that a cell or mark represents."""
        results = self._results
        if results is not None:
            self._listing.run(
                "list images of result",
                lambda: result_images_view(results, source),
                done=lambda images: self._update_view(images=images),
                failed=lambda error: self._say(self._describe_error(error), failed=True),
            )

    def close_images(self) -> None:
        """Close the list of images; a gallery consists only of its list, which stays."""
        if self._view.place.group is not ResultsSection.GALLERIES:
            self._listing.drop()
            if self._view.images is not None:
                self._update_view(images=None)

    # A part of the figure.

    def zoom(self, limits: "AxesLimits", width: int) -> None:
        """Draw a part of the figure at a width in pixels."""
        figure = self._view.figure
        if figure is None:
            return
        if limits == figure.limits:
            self._zooming.drop()
            self._update_view(part=None)
            return
        self._zooming.run(
            "redraw figure detail",
            lambda: figure.redraw(limits, width),
            done=lambda png: self._update_view(part=FigureDetail(figure, limits, png)),
            failed=lambda error: self._say(self._describe_error(error), failed=True),
        )

    # Writing down.

    @property
    def shown(self) -> ShownResult | None:
        """What an export would write, or None."""
        results, view = self._results, self._view
        selection = view.selection
        if results is None or selection is None or view.busy:
            return None
        return ShownResult(
            contents=results.contents,
            selection=selection,
            accuracies=lambda: results.accuracies(selection).values(),
            table=view.table,
            figure=None if view.picturing else view.figure,
        )

    def copy_as_pandas(self, *, figure: bool) -> str:
        """Return code that makes a DataFrame of the table, or of the figure if it is meant."""
        shown = self.shown
        code = "" if shown is None else result_as_pandas(shown, figure=figure)
        if code:
            self._say(COPIED)
        return code

    def export(self, file: Path) -> None:
        """Write what is shown, in the format of the file's extension."""
        if (shown := self.shown) is not None:
            self._write(lambda: write_result(shown, file))

    def export_images(self, file: Path) -> None:
        """Write the list of images."""
        results, shown = self._results, self._view.images
        if results is not None and shown is not None:
            self._write(lambda: write_images(image_export_rows(results, shown), file))

    def _write(self, write: Callable[[], Path]) -> None:
        self._runner.run(
            "export result",
            write,
            done=lambda file: self._say(f"Saved to {file}."),
            failed=lambda error: self._say(self._describe_error(error), failed=True),
        )

    # Building what is shown.

    def _show_entry(self, selection: Selection, place: ResultsEntry) -> None:
        self._listing.drop()
        self._zooming.drop()
        both = place == CHOSEN_TABLE_AND_FIGURE
        figure = self._view.figure if both and self._view.place == CHOSEN_TABLE_AND_FIGURE else None
        self._view = replace(self._view, figure=figure, part=None, picturing=both)
        self._update_view(selection=selection, place=place, images=None, message="", busy=True)
        results = self._results
        if results is None:
            return
        self._counting.drop()
        self._picturing.drop()
        if place == CHOSEN_FIGURE:
            self._make(self._picturing, lambda: results.figure(selection), self._show_figure)
        elif place == CHOSEN_TABLE:
            self._make(self._counting, lambda: results.table(selection), self._show_table)
        elif place == CHOSEN_TABLE_AND_FIGURE:
            self._make(self._counting, lambda: results.table(selection), self._show_table)
            # The figure takes longer and is added below the table.
            self._make(self._picturing, lambda: results.figure(selection), self._add_figure)
        elif place.group is ResultsSection.TABLES:
            self._show_table(next(t for t in results.tables if _key(t.key, "table") == place.key))
        elif place.group is ResultsSection.GALLERIES:
            gallery = next(g for g in results.galleries if _key(g.key, "gallery") == place.key)
            self._update_view(busy=False, table=None, title=gallery.title, note="")
            self.show_source_images(gallery.source)
        else:
            self._show_figure(self._figures[place.key.removeprefix(_key("", "figure"))])

    def _make(
        self, request: LatestRequest, make: Callable[[], Any], show: Callable[[Any], None]
    ) -> None:
        request.run(
            "compute result",
            make,
            done=show,
            failed=lambda error: self._say(self._describe_error(error), failed=True),
        )

    def _show_table(self, table: ReportTable) -> None:
        self._update_view(busy=False, table=table, title=table.title, note=table.note)

    def _show_figure(self, drawn: "RenderedFigure | None") -> None:
        if drawn is None:
            note = "None of the selected participants has the required accuracies."
            self._update_view(
                busy=False, table=None, figure=None, title="Nothing to draw", note=note
            )
        else:
            self._update_view(
                busy=False, table=None, figure=drawn, title=drawn.title, note=drawn.words
            )

    def _add_figure(self, drawn: "RenderedFigure | None") -> None:
        self._update_view(figure=drawn, picturing=False)

    def _has_drawn(self, drawn: "RenderedFigure") -> None:
        place = ResultsEntry(
            _key(drawn.key, "figure"),
            drawn.title,
            ResultsSection.FIGURES,
            section_of(figure=drawn.key).title,
        )
        self._update_view(places=in_reading_order((*self._view.places, place)))

    def _say(self, sentence: str, *, failed: bool = False) -> None:
        self._update_view(message=sentence, failed=failed, busy=False)

    def _update_view(self, **changes: Any) -> None:
        self._view = replace(self._view, **changes)
        self._show_view(self._view)


def _key(key: str, kind: str) -> str:
    return f"{kind} {key}"
