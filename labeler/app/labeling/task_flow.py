"""What a task does in its own way at the workbench; evaluation and training implement it."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from labeler.app.labeling.session import SessionStart
from labeler.core.labeling.answers import CommittedAnswer

if TYPE_CHECKING:
    from labeler.app.labeling.presenter import WorkbenchPresenter


class TaskFlow(ABC):
    """What one task does in its own way with the trials of a workbench."""

    # The task's name in sentences and in the window's saved state.
    task: ClassVar[str]
    # Whether an image is recorded as seen at its first paint, before any work on it.
    saves_first_paint: ClassVar[bool] = False

    def attach(self, presenter: "WorkbenchPresenter[Any]") -> None:
        self._presenter = presenter

    @abstractmethod
    def first_trial(self, start: SessionStart) -> str | None:
        """Return the trial to begin with; None leads to the end of the task."""

    @abstractmethod
    def answer_stored(self, answer: CommittedAnswer) -> None:
        """Continue after an answer that is on disk."""

    @abstractmethod
    def finish(self) -> None:
        """Go to the end of the task."""

    @abstractmethod
    def next_trial(self) -> None:
        """Go to the trial after this one, where that is possible."""

    @abstractmethod
    def back(self) -> None:
        """Return to the trial before this one, where that is possible."""

    @abstractmethod
    def toggle_mark(self) -> None:
        """Mark the trial to come back to it, or no longer, where that is possible."""

    @abstractmethod
    def remove_flag(self) -> None:
        """Let a flagged image wait for an answer again, where that is possible."""
