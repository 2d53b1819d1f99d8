"""What contains and classify screens share: load, save drafts, submit, go back."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.task_timer import TaskTimer
from labeler.app.draft_writer import DraftWriter
from labeler.app.runner import Runner
from labeler.core.clock import Clock
from labeler.core.crowd.blind_types import AnnotatorProgress
from labeler.core.crowd.rounds import CrowdTask

Question = TypeVar("Question")
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Loaded(Generic[Question]):
    """A question, or None when nothing is left, with the annotator's progress."""

    question: Question | None
    progress: AnnotatorProgress


class TaskPresenter(ABC, Generic[Question, State]):
    """Takes an annotator through the tasks of one kind.

    An answer is stored before the next task is shown. While one is being stored, input is ignored.
    """

    task: CrowdTask

    def __init__(
        self,
        *,
        session: AnnotatorSession,
        runner: Runner,
        clock: Clock,
        idle_after_ms: int,
        describe: Callable[[Exception], str],
    ) -> None:
        self.session = session
        self.timer = TaskTimer(clock, idle_after_ms=idle_after_ms)
        self._runner, self._describe = runner, describe
        self._drafts = DraftWriter[str](
            keep=session.save_draft, runner=runner, notify=self._draft_saved
        )
        self._changed: Callable[[], None] = lambda: None
        self.question: Question | None = None
        self.progress: AnnotatorProgress | None = None
        self.state: State = self.empty_state()
        self._undo: list[State] = []
        self.revises = False
        self.busy = True
        self.saved = True
        self.message = ""

    def listen(self, changed: Callable[[], None]) -> None:
        """Set the callback for every change."""
        self._changed = changed

    def start(self) -> None:
        """Load the unfinished task, or the next one."""
        self._load(self.load_next)

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and not self.busy

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to do."""
        return not self.busy and self.question is None

    def undo(self) -> None:
        """Take the last change of the answer back."""
        if self.can_undo:
            self.state = self._undo.pop()
            self._keep_draft()

    def back(self) -> None:
        """Show the submitted task before this one, to look at it or correct it."""
        if not self.busy:
            current = self.task_id or None
            self._load(lambda: self._load_before(current))

    def forward(self) -> None:
        """Leave a submitted task for the next open one, without a change."""
        if not self.busy and self.revises:
            self._load(self.load_next)

    def leave(self, then: Callable[[], None]) -> None:
        """Keep the unfinished answer with its time, then go on."""
        if self.question is not None and not self.busy and not self.revises:
            self._drafts.put(self.task_id, self._draft())
        self._drafts.finish()
        self._changed = lambda: None
        self._runner.run("leave crowd task", lambda: None, done=lambda _n: then(), failed=_ignore)

    def change(self, state: State) -> None:
        """Change the answer; the change can be undone and survives the program."""
        if self.busy or self.question is None or state == self.state:
            return
        self._undo.append(self.state)
        self.state = state
        self._keep_draft()

    def store(self, write: Callable[[], object], then: str = "") -> None:
        """Store an answer and load the next task; `then` is shown with it."""
        self.busy, self.saved = True, False
        self._drafts.forget(self.task_id)
        self._changed()

        def work() -> Loaded[Question]:
            write()
            return self.load_next()

        self._runner.run(
            "store crowd answer",
            work,
            done=lambda loaded: self._show(loaded, then),
            failed=self._not_stored,
        )

    def say(self, message: str) -> None:
        self.message = message
        self._changed()

    # What a kind of task defines.

    @property
    @abstractmethod
    def task_id(self) -> str: ...

    @abstractmethod
    def empty_state(self) -> State: ...

    @abstractmethod
    def next_question(self) -> Question | None: ...

    @abstractmethod
    def question_of(self, task_id: str) -> Question: ...

    @abstractmethod
    def opened(self, question: Question) -> tuple[State, str, bool]:
        """Return the stored answer, the draft, and whether the task is submitted."""

    @abstractmethod
    def to_json(self, state: State) -> Any: ...

    @abstractmethod
    def from_json(self, value: Any) -> State: ...

    # Loading.

    def load_next(self) -> Loaded[Question]:
        question = self.next_question()
        return Loaded(question, self.session.home().progress[self.task])

    def _load_before(self, current: str | None) -> Loaded[Question] | None:
        found = self.session.before(self.task, current)
        if found is None:
            return None
        return Loaded(self.question_of(found), self.session.home().progress[self.task])

    def _load(self, work: Callable[[], Loaded[Question] | None]) -> None:
        if self.question is not None and not self.revises and self._undo:
            self._drafts.put(self.task_id, self._draft())
        self.busy = True
        self._changed()
        self._runner.run("load crowd task", work, done=self._show, failed=self._not_stored)

    def _show(self, loaded: Loaded[Question] | None, message: str = "") -> None:
        self.busy, self.saved, self.message = False, True, message
        if loaded is not None:
            self.question, self.progress = loaded.question, loaded.progress
            self._undo = []
            self._open()
        self._changed()

    def _open(self) -> None:
        self.state, self.revises = self.empty_state(), False
        if self.question is None:
            return
        self.state, draft, self.revises = self.opened(self.question)
        self.timer.begin(self.task_id, earlier_ms=self._take_draft(draft) if draft else 0)

    def _take_draft(self, draft: str) -> int:
        """Continue with a draft and return its active time; a damaged one is left out."""
        try:
            kept = json.loads(draft)
            state = self.from_json(kept["answer"])
            undo = [self.from_json(each) for each in kept["undo"]]
            earlier = int(kept["active_ms"])
        except (KeyError, TypeError, ValueError):
            return 0
        self.state, self._undo = state, undo
        return earlier

    def _not_stored(self, error: Exception) -> None:
        self.busy, self.saved = False, False
        self.message = self._describe(error)
        self._changed()

    # Drafts.

    def _keep_draft(self) -> None:
        if not self.revises:
            self.saved = False
            self._drafts.put(self.task_id, self._draft())
        self._changed()

    def _draft(self) -> str:
        return json.dumps(
            {
                "answer": self.to_json(self.state),
                "undo": [self.to_json(each) for each in self._undo],
                "active_ms": self.timer.active_ms,
            }
        )

    def _draft_saved(self, fault: Exception | None) -> None:
        self.saved = fault is None and not self._drafts.waits
        if fault is not None:
            self.message = self._describe(fault)
        self._changed()


def _ignore(_error: Exception) -> None:
    """Leaving doesn't fail because a draft couldn't be saved."""
