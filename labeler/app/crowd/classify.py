"""The classify task: tick the labels that name objects in an image, and mark the main one."""

from dataclasses import dataclass
from typing import Any

from labeler.app.crowd.annotator_session import ClassifyQuestion
from labeler.app.crowd.task_presenter import TaskPresenter
from labeler.core.crowd.rounds import CrowdTask

TICK_FIRST = "Tick at least one label."
MARK_MAIN = "Mark the main one of the ticked labels."


@dataclass(frozen=True, slots=True)
class Ticks:
    """The ticked labels and the main one, which is one of them or empty."""

    labels: frozenset[str] = frozenset()
    main: str = ""

    def toggled(self, label: str) -> "Ticks":
        labels = self.labels ^ {label}
        return Ticks(labels, self.main if self.main in labels else "")

    def with_main(self, label: str) -> "Ticks":
        """Mark a label as the main one, which also ticks it."""
        return Ticks(self.labels | {label}, label)

    @property
    def missing(self) -> str:
        """What the answer still needs, in a sentence; empty if it is complete."""
        if not self.labels:
            return TICK_FIRST
        return "" if self.main else MARK_MAIN


class ClassifyPresenter(TaskPresenter[ClassifyQuestion, Ticks]):
    """Takes an annotator through images."""

    task = CrowdTask.CLASSIFY

    def toggle(self, number: int) -> None:
        """Tick the label with this number, from 0, or take the tick back."""
        if (label := self._label(number)) is not None:
            self.change(self.state.toggled(label))

    def make_main(self, number: int) -> None:
        if (label := self._label(number)) is not None:
            self.change(self.state.with_main(label))

    def submit(self) -> None:
        if self.busy or self.question is None:
            return
        if self.state.missing:
            self.say(self.state.missing)
            return
        ticks, task_id = self.state, self.task_id
        active_ms, revise = self.timer.active_ms, self.revises
        self.store(
            lambda: self.session.submit_classify(
                task_id, ticks.labels, ticks.main, active_ms=active_ms, revise=revise
            )
        )

    def _label(self, number: int) -> str | None:
        labels = () if self.question is None else self.question.task.labels
        return labels[number] if 0 <= number < len(labels) else None

    @property
    def task_id(self) -> str:
        return "" if self.question is None else self.question.task.id

    def empty_state(self) -> Ticks:
        return Ticks()

    def next_question(self) -> ClassifyQuestion | None:
        return self.session.next_classify()

    def question_of(self, task_id: str) -> ClassifyQuestion:
        return self.session.classify(task_id)

    def opened(self, question: ClassifyQuestion) -> tuple[Ticks, str, bool]:
        task = question.task
        if task.ticked is None:
            return Ticks(), task.draft, False
        return Ticks(task.ticked, task.main), task.draft, True

    def to_json(self, state: Ticks) -> dict[str, Any]:
        return {"labels": sorted(state.labels), "main": state.main}

    def from_json(self, value: Any) -> Ticks:
        return Ticks(frozenset(value["labels"]), value["main"])
