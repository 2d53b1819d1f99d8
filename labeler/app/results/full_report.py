"""Writing the whole report from the window: where to, as what, how far it is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.background_task import BackgroundTask
from labeler.app.results.report_data import ReportFormat, ReportRequest, WrittenReport
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.text import count_noun

if TYPE_CHECKING:
    from labeler.app.results.results_data import ResultsReader


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReportView:
    """`written` is the folder once everything is in it."""

    busy: bool = False
    sentence: str = ""
    failed: bool = False
    done: int = 0
    total: int = 0
    written: Path | None = None


class FullReport:
    """Does what `labeler report` does; given up, it has written nothing."""

    def __init__(
        self,
        reader: "Callable[[], ResultsReader]",
        *,
        subsets: tuple[str, ...],
        runner: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        """`subsets` are added to the report; `reader` opens the results, on the runner."""
        self._reader, self._subsets = reader, subsets
        self._runner, self._clock, self._describe_error = runner, clock, describe_error
        self._work: BackgroundTask[WrittenReport] | None = None
        self._view = FullReportView()
        self._show_view: Callable[[FullReportView], None] = lambda _view: None

    def listen(self, show: Callable[[FullReportView], None]) -> None:
        self._show_view = show
        show(self._view)

    def start(
        self,
        folder: str,
        formats: frozenset[ReportFormat],
        *,
        names: bool = False,
        published: tuple[str, str] = ("", ""),
    ) -> None:
        """Begin, once it is known where to and as what; `published` are two results files."""
        given = [Path(file.strip()).expanduser() for file in published if file.strip()]
        if not folder.strip():
            self._fail("Say which folder to write to.")
        elif not formats:
            self._fail("Tick at least one format.")
        elif len(given) == 1:
            self._fail("Published results take two files: choose the other one too, or neither.")
        elif not self._view.busy:
            request = ReportRequest(subsets=self._subsets, names=names)
            context = (given[0], given[1]) if given else None
            self._begin(Path(folder.strip()).expanduser(), formats, request, context)

    def cancel(self) -> None:
        """Give it up; files of an earlier report stay as they are."""
        if self._work is not None and self._view.busy:
            self._work.cancel()
            self._show(FullReportView(sentence="Stopped. Nothing was written."))

    def leave(self) -> None:
        self.cancel()
        self._show_view = lambda _view: None

    def _begin(
        self,
        out: Path,
        formats: frozenset[ReportFormat],
        request: ReportRequest,
        context: tuple[Path, Path] | None,
    ) -> None:
        self._work = BackgroundTask(
            "write report",
            lambda progress: self._reader().write_report(
                out, formats, request, progress, context=context
            ),
            runner=self._runner,
            clock=self._clock,
            show=self._progress,
            done=lambda made: self._finish(out, made),
            failed=lambda error: self._fail(self._describe_error(error)),
        )
        self._show(FullReportView(busy=True))
        self._work.start()

    def _progress(self, done: int, total: int, sentence: str) -> None:
        # Where no one knows of how many, the number alone says that it goes on.
        so_far = f": {done:,}" if done and not total else ""
        self._show(replace(self._view, sentence=f"{sentence}{so_far} …", done=done, total=total))

    def _finish(self, out: Path, made: WrittenReport) -> None:
        left = f" {count_noun(len(made.omissions), 'number')} can't be given; the report says why."
        said = f"Wrote {count_noun(len(made.files), 'file')} to {out}."
        said += left if made.omissions else ""
        self._show(FullReportView(sentence=said, written=out))

    def _fail(self, sentence: str) -> None:
        self._show(FullReportView(sentence=sentence, failed=True))

    def _show(self, view: FullReportView) -> None:
        self._view = view
        self._show_view(view)
