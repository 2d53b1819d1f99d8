"""The interface through which evaluation and training customise the workbench."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from labeler.app.labeling.session import SessionStart
from labeler.core.labeling.answers import CommittedAnswer

if TYPE_CHECKING:
    from labeler.app.labeling.presenter import WorkbenchPresenter


class TaskFlow(ABC):
    """How one task goes from trial to trial."""

    # The task's name in sentences and in the window's saved state.
    task: ClassVar[str]
    # Whether an image is recorded as seen at its first paint, before any work on it.
    saves_first_paint: ClassVar[bool] = False
    # Whether an answer or a flag can be taken back once it is stored.
    reopens_answers: ClassVar[bool] = False

    def attach(self, presenter: "WorkbenchPresenter[Any]") -> None:
        self._presenter = presenter

    @abstractmethod
    def first_trial(self, start: SessionStart) -> str | None:
        """Return the trial to start with, or None to go to the end of the task."""

    @abstractmethod
    def answer_stored(self, answer: CommittedAnswer) -> None:
        """Continue after an answer was stored."""

    @abstractmethod
    def finish(self) -> None:
        """Go to the end of the task."""

    @abstractmethod
    def next_trial(self) -> None:
        """Go to the next trial, if possible."""

    @abstractmethod
    def back(self) -> None:
        """Go to the previous trial, if possible."""

    @abstractmethod
    def toggle_mark(self) -> None:
        """Mark the trial to return to it, or remove the mark, if possible."""

    @abstractmethod
    def remove_flag(self) -> None:
        """Remove the flag of the image, if possible."""
