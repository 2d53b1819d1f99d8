"""The contains task: select the images of a grid that contain a class."""

from collections.abc import Callable
from typing import Any

from labeler.app.crowd.annotator_session import ContainsQuestion, TestResult
from labeler.app.crowd.task_presenter import Loaded, TaskPresenter
from labeler.core.crowd.rounds import CrowdTask

Selection = frozenset[int]


class ContainsPresenter(TaskPresenter[ContainsQuestion, Selection]):
    """Takes an annotator through grids; the state is the set of selected positions."""

    task = CrowdTask.CONTAINS
    _after_test: Callable[[], None] | None = None

    def only_test(self, passed: Callable[[], None]) -> None:
        """Call back after a passed test instead of going on with grids."""
        self._after_test = passed

    def toggle(self, position: int) -> None:
        """Select an image, or take the selection back."""
        if self.question is not None and position in self.question.task.positions:
            self.change(self.state ^ {position})

    @property
    def needs_confirmation(self) -> bool:
        """Whether nothing is selected, so that submitting has to be confirmed."""
        return self.question is not None and not self.busy and not self.state

    def submit(self, *, confirmed: bool = False) -> None:
        """Store the selection; an empty one only when it is confirmed."""
        if self.busy or self.question is None or (not self.state and not confirmed):
            return
        selected, active_ms, revise = self.state, self.timer.active_ms, self.revises
        if self.question.is_test:
            self._submit_test(selected)
            return
        task_id = self.task_id
        self.store(
            lambda: self.session.submit_contains(
                task_id, selected, active_ms=active_ms, revise=revise
            )
        )

    def return_grid(self) -> None:
        """Give the grid back without an answer."""
        if self.busy or self.question is None or self.revises or self.question.is_test:
            return
        task_id, active_ms = self.task_id, self.timer.active_ms
        self.store(lambda: self.session.return_grid(task_id, active_ms=active_ms))

    def _submit_test(self, selected: Selection) -> None:
        self.busy = True
        self._changed()

        after, task_id = self._after_test, self.task_id

        def work() -> tuple[TestResult, Loaded[ContainsQuestion] | None]:
            result = self.session.submit_test(task_id, selected)
            return result, None if result.passed and after is not None else self.load_next()

        def done(found: tuple[TestResult, Loaded[ContainsQuestion] | None]) -> None:
            result, loaded = found
            if loaded is None and after is not None:
                after()
            else:
                self._show(loaded, result.sentence)

        self._runner.run("mark crowd test", work, done=done, failed=self._not_stored)

    @property
    def task_id(self) -> str:
        return "" if self.question is None else self.question.task.id

    def empty_state(self) -> Selection:
        return frozenset()

    def next_question(self) -> ContainsQuestion | None:
        return self.session.next_contains()

    def question_of(self, task_id: str) -> ContainsQuestion:
        return self.session.contains(task_id)

    def opened(self, question: ContainsQuestion) -> tuple[Selection, str, bool]:
        own = question.task.selected
        return own or frozenset(), question.task.draft, own is not None

    def to_json(self, state: Selection) -> list[int]:
        return sorted(state)

    def from_json(self, value: Any) -> Selection:
        return frozenset(value)
