"""Draw the report's figures one by one, after more urgent work."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from labeler.app.runner import JobHandle, Runner

if TYPE_CHECKING:
    from labeler.report.figures.figure import RenderedFigure


class ReportFigures:
    """Draws on the runner and reports each figure, and when all are done."""

    def __init__(
        self,
        runner: Runner,
        *,
        drawn: "Callable[[RenderedFigure], None]",
        finished: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._runner = runner
        self._drawn, self._finished, self._failed = drawn, finished, failed
        self._ticket: JobHandle | None = None
        self._by_key: dict[str, RenderedFigure] = {}

    def __getitem__(self, key: str) -> "RenderedFigure":
        return self._by_key[key]

    def draw(self, drawing: "Iterator[RenderedFigure]") -> None:
        """Draw the next figure as a separate job, so that other jobs can run in between."""
        self._ticket = self._runner.run(
            "draw report figure",
            lambda: next(drawing, None),
            done=lambda figure: self._has_drawn(figure, drawing),
            failed=self._failed,
            urgent=False,
        )

    def leave(self) -> None:
        """Stop drawing."""
        if self._ticket is not None:
            self._ticket.cancel()

    def _has_drawn(
        self, figure: "RenderedFigure | None", drawing: "Iterator[RenderedFigure]"
    ) -> None:
        if figure is None:
            self._finished()
            return
        self._by_key[figure.key] = figure
        self._drawn(figure)
        self.draw(drawing)
