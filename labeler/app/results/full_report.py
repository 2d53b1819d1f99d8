"""Write the whole report from the window: folder, formats and progress."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from labeler.app.background_task import BackgroundTask
from labeler.app.results.report_data import ReportFormat, ReportRequest, WrittenReport
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.text import count_noun

NOTHING_WRITTEN = "Stopped. Nothing was written."

if TYPE_CHECKING:
    from labeler.app.results.results_data import ResultsReader


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReportView:
    """The state of the export; `written` is the folder when it is complete."""

    busy: bool = False
    sentence: str = ""
    failed: bool = False
    done: int = 0
    total: int = 0
    written: Path | None = None


class FullReport:
    """Does the same as `labeler report`; if cancelled, nothing is written."""

    def __init__(
        self,
        reader: "Callable[[], ResultsReader]",
        *,
        subsets: tuple[str, ...],
        runner: Runner,
        clock: Clock,
        describe_error: Callable[[Exception], str],
    ) -> None:
        """`subsets` are added to the report; `reader` is called on the runner's thread."""
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
        """Start writing, after checking the input; `published` are two results files."""
        given = [Path(file.strip()).expanduser() for file in published if file.strip()]
        if not folder.strip():
            self._fail("Choose a folder for the report.")
        elif not formats:
            self._fail("Select at least one format.")
        elif len(given) == 1:
            self._fail("Published results need two files. Choose the other file too, or neither.")
        elif not self._view.busy:
            request = ReportRequest(subsets=self._subsets, names=names)
            context = (given[0], given[1]) if given else None
            self._begin(Path(folder.strip()).expanduser(), formats, request, context)

    def cancel(self) -> None:
        """Cancel; files of an earlier report are unchanged."""
        if self._work is not None and self._view.busy:
            self._work.cancel()
            self._show(FullReportView(sentence=NOTHING_WRITTEN))

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
        # Without a known total, the number alone shows the progress.
        so_far = f": {done:,}" if done and not total else ""
        self._show(replace(self._view, sentence=f"{sentence}{so_far}…", done=done, total=total))

    def _finish(self, out: Path, made: WrittenReport) -> None:
        omitted = count_noun(len(made.omissions), "number")
        sentence = f"Wrote {count_noun(len(made.files), 'file')} to {out}."
        if made.omissions:
            sentence += f" {omitted} couldn't be computed; the report explains why."
        self._show(FullReportView(sentence=sentence, written=out))

    def _fail(self, sentence: str) -> None:
        self._show(FullReportView(sentence=sentence, failed=True))

    def _show(self, view: FullReportView) -> None:
        self._view = view
        self._show_view(view)
