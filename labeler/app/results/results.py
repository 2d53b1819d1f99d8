"""The results as the lead looks at them: choices, a table or a figure, the images behind it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labeler.app.background_task import WatchedWork
from labeler.app.progress import Progress
from labeler.app.results.report_figures import ReportFigures
from labeler.app.results.results_images import images_view, listed
from labeler.app.results.results_view import (
    BOTH,
    FIGURE,
    TABLE,
    Group,
    Part,
    Place,
    ResultsView,
    Stage,
    choices_of,
)
from labeler.app.runner import Latest, Runner
from labeler.core.clock import Clock
from labeler.core.errors import Refused

if TYPE_CHECKING:
    from labeler.app.results.export import Shown
    from labeler.app.results.results_data import Results, ResultsDesk
    from labeler.app.results.selection import Selection
    from labeler.core.metrics.cell_source import Source
    from labeler.report.figures.figure import Drawn, Limits
    from labeler.report.table import Table

STOPPED = "The results weren't computed: it was stopped. Nothing is lost."


class ResultsPresenter:
    """Reads and computes off the window's thread, then makes whatever is asked for of that."""

    def __init__(
        self,
        desk: "Callable[[], ResultsDesk]",
        *,
        runner: Runner,
        quick: Runner,
        clock: Clock,
        told: Callable[[Exception], str],
        undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`desk` gives the study's, on the runner's thread; nothing drawn makes `quick` wait.

        `undisturbed` is entered while everything is read.
        """
        self._told, self._runner = told, runner
        self._reading: WatchedWork[Results] = WatchedWork(
            lambda progress: _read(desk, progress, undisturbed),
            runner=runner,
            clock=clock,
            show=self._progress,
            done=self._has_read,
            failed=self._has_failed,
        )
        self._counting, self._listing = Latest(quick), Latest(quick)
        # All drawing is one thread's: matplotlib's style is the whole process's.
        self._picturing, self._zooming = Latest(runner), Latest(runner)
        self._results: Results | None = None
        self._figures = ReportFigures(
            runner,
            drawn=self._has_drawn,
            finished=lambda: self._tell(drawing=False),
            failed=lambda error: self._say(told(error), failed=True),
        )
        self._view = ResultsView()
        self._hear: Callable[[ResultsView], None] = lambda _view: None

    @property
    def view(self) -> ResultsView:
        return self._view

    @property
    def results(self) -> "Results | None":
        return self._results

    def listen(self, hear: Callable[[ResultsView], None]) -> None:
        self._hear = hear
        hear(self._view)

    def leave(self) -> None:
        """Nobody looks any more: drop what is still being computed."""
        self._hear = lambda _view: None
        self._reading.cancel()
        for wish in (self._counting, self._picturing, self._zooming, self._listing):
            wish.drop()
        self._figures.leave()

    # Computing.

    def open(self) -> None:
        self._tell(stage=Stage.COMPUTING, told="")
        self._reading.start()

    def stop(self) -> None:
        """Give the computing up; it can be begun again."""
        if self._view.stage is Stage.COMPUTING:
            self._reading.cancel()
            self._tell(stage=Stage.STOPPED, sentence=STOPPED)

    def _progress(self, done: int, total: int, sentence: str) -> None:
        self._tell(sentence=f"{sentence} …", done=done, total=total)

    def _has_failed(self, error: Exception) -> None:
        self._tell(stage=Stage.REFUSED, sentence=self._told(error))

    def _has_read(self, results: "Results") -> None:
        from labeler.app.results.selection import Selection

        self._results, study = results, results.contents.numbers.study
        selection = Selection(
            datasets=results.cells.datasets,
            participants=study.participants,
            metric=results.cells.main_metric,
        )
        tables = (Place(_key(t.key, "table"), t.title, Group.TABLES) for t in results.tables)
        galleries = (
            Place(_key(g.key, "gallery"), g.title, Group.GALLERIES) for g in results.galleries
        )
        self._view = replace(
            self._view,
            stage=Stage.READY,
            sentence="",
            choices=choices_of(results),
            places=(BOTH, TABLE, FIGURE, *tables, *galleries),
            drawing=True,
        )
        self._look(selection, BOTH)
        self._figures.draw(results.figures())

    # Choosing.

    def choose(self, **changes: Any) -> None:
        """Choose other datasets, participants, subsets, another metric or convention."""
        if self._view.selection is not None:
            chosen = self._view.place if self._view.place.group is Group.CHOSEN else BOTH
            self._look(replace(self._view.selection, **changes), chosen)

    def add_subset(self, key: str) -> None:
        """Choose a further subset, such as `subtree:n02084071`."""
        results, selection = self._results, self._view.selection
        if results is None or selection is None:
            return
        try:
            results.add_subset(key)
        except Refused as error:
            self._say(self._told(error), failed=True)
            return
        self._view = replace(self._view, choices=choices_of(results))
        self.choose(subsets=tuple(dict.fromkeys((*selection.subsets, key))))

    def look_at(self, key: str) -> None:
        """Look at another table, figure or gallery."""
        place = next((place for place in self._view.places if place.key == key), None)
        if place is not None and place != self._view.place and self._view.selection is not None:
            self._look(self._view.selection, place)

    def step(self, steps: int) -> None:
        """Look at the next table or figure, or at one before."""
        places = self._view.places
        number = places.index(self._view.place) + steps
        self.look_at(places[number % len(places)].key)

    # The images behind something.

    def look_behind(self, source: "Source") -> None:
        """List the images that a cell or a mark stands for."""
        results = self._results
        if results is not None:
            self._listing.request(
                lambda _job: images_view(results, source),
                done=lambda images: self._tell(images=images),
                failed=lambda error: self._say(self._told(error), failed=True),
            )

    def close_images(self) -> None:
        """Close the list; a gallery is nothing but its list, and stays."""
        if self._view.place.group is not Group.GALLERIES:
            self._listing.drop()
            if self._view.images is not None:
                self._tell(images=None)

    # A part of the figure.

    def zoom(self, limits: "Limits", width: int) -> None:
        """Draw the part of the figure between other ends of its axes, so many pixels wide."""
        figure = self._view.figure
        if figure is None:
            return
        if limits == figure.limits:
            self._zooming.drop()
            self._tell(part=None)
            return
        self._zooming.request(
            lambda _job: figure.redraw(limits, width),
            done=lambda png: self._tell(part=Part(figure, limits, png)),
            failed=lambda error: self._say(self._told(error), failed=True),
        )

    # Writing down.

    @property
    def shown(self) -> "Shown | None":
        """What an export would write."""
        from labeler.app.results.export import Shown

        results, view = self._results, self._view
        selection = view.selection
        if results is None or selection is None or view.busy:
            return None
        return Shown(
            contents=results.contents,
            selection=selection,
            accuracies=lambda: results.accuracies(selection).values(),
            table=view.table,
            figure=None if view.picturing else view.figure,
        )

    def export(self, file: Path) -> None:
        """Write what is shown, as the file's ending says."""
        from labeler.app.results.export import write_shown

        if (shown := self.shown) is not None:
            self._write(lambda: write_shown(shown, file))

    def export_images(self, file: Path) -> None:
        """Write the list of images."""
        from labeler.app.results.export import write_images

        results, shown = self._results, self._view.images
        if results is not None and shown is not None:
            self._write(lambda: write_images(listed(results, shown), file))

    def _write(self, write: Callable[[], Path]) -> None:
        self._runner.submit(
            lambda _job: write(),
            done=lambda file: self._say(f"Wrote {file}."),
            failed=lambda error: self._say(self._told(error), failed=True),
        )

    # Making what is looked at.

    def _look(self, selection: "Selection", place: Place) -> None:
        self._listing.drop()
        self._zooming.drop()
        both = place == BOTH
        figure = self._view.figure if both and self._view.place == BOTH else None
        self._view = replace(self._view, figure=figure, part=None, picturing=both)
        self._tell(selection=selection, place=place, images=None, told="", busy=True)
        results = self._results
        if results is None:
            return
        self._counting.drop()
        self._picturing.drop()
        if place == FIGURE:
            self._make(self._picturing, lambda: results.figure(selection), self._show_figure)
        elif place == TABLE:
            self._make(self._counting, lambda: results.table(selection), self._show_table)
        elif place == BOTH:
            self._make(self._counting, lambda: results.table(selection), self._show_table)
            # The figure takes longer: it comes below a table that is there already.
            self._make(self._picturing, lambda: results.figure(selection), self._add_figure)
        elif place.group is Group.TABLES:
            self._show_table(next(t for t in results.tables if _key(t.key, "table") == place.key))
        elif place.group is Group.GALLERIES:
            gallery = next(g for g in results.galleries if _key(g.key, "gallery") == place.key)
            self._tell(busy=False, table=None, title=gallery.title, note="")
            self.look_behind(gallery.behind)
        else:
            self._show_figure(self._figures[place.key.removeprefix(_key("", "figure"))])

    def _make(self, wish: Latest, make: Callable[[], Any], show: Callable[[Any], None]) -> None:
        wish.request(
            lambda _job: make(),
            done=show,
            failed=lambda error: self._say(self._told(error), failed=True),
        )

    def _show_table(self, table: "Table") -> None:
        self._tell(busy=False, table=table, title=table.title, note=table.note)

    def _show_figure(self, drawn: "Drawn | None") -> None:
        if drawn is None:
            note = "Nobody chosen has the accuracies that it would show."
            self._tell(busy=False, table=None, figure=None, title="Nothing to draw", note=note)
        else:
            self._tell(busy=False, table=None, figure=drawn, title=drawn.title, note=drawn.words)

    def _add_figure(self, drawn: "Drawn | None") -> None:
        self._tell(figure=drawn, picturing=False)

    def _has_drawn(self, drawn: "Drawn") -> None:
        place = Place(_key(drawn.key, "figure"), drawn.title, Group.FIGURES)
        self._tell(places=(*self._view.places, place))

    def _say(self, sentence: str, *, failed: bool = False) -> None:
        self._tell(told=sentence, failed=failed, busy=False)

    def _tell(self, **changes: Any) -> None:
        self._view = replace(self._view, **changes)
        self._hear(self._view)


def _read(
    desk: "Callable[[], ResultsDesk]",
    progress: Progress,
    undisturbed: Callable[[], AbstractContextManager[None]],
) -> "Results":
    with undisturbed():
        return desk().read(progress)


def _key(key: str, kind: str) -> str:
    return f"{kind} {key}"
