"""Answering the current trial: what is chosen, submitted, stored, kept and told."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from labeler.app.incidents import error_sentence
from labeler.app.labeling.answer_writer import AnswerWriter
from labeler.app.labeling.session import SessionT
from labeler.app.labeling.trial_navigator import TrialNavigator
from labeler.app.labeling.workbench_view import (
    AnswerView,
    ChosenClass,
    TrialProgressView,
    WorkbenchStage,
    WorkbenchView,
    answer_view,
)
from labeler.app.runner import Runner
from labeler.app.trial_image_loader import TrialImageLoader, TrialImageView
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import CommittedAnswer
from labeler.core.labeling.trial import Trial
from labeler.core.labeling.trial_order import TrialOrder

Pixels = TypeVar("Pixels")

RECENT_CLASSES = 9


class AnswerPresenter(ABC, Generic[Pixels, SessionT]):
    """The part of the workbench that is about one trial; where it leads to is left open.

    What the labeler means comes in as calls; views go out to a listener. Everything that waits
    for the disk is done by `database`, a runner with one thread, so that drafts, answers and what
    is read between them keep their order.
    """

    def __init__(
        self,
        *,
        session: SessionT,
        database: Runner,
        images: TrialImageLoader[Pixels],
        clock: Clock,
        name_class: Callable[[str], ChosenClass],
    ) -> None:
        self._session = session
        self._database = database
        self._clock = clock
        self._name_class = name_class
        self._show: Callable[[WorkbenchView[Pixels]], None] = lambda _view: None
        self._view: WorkbenchView[Pixels] = WorkbenchView()
        self._recent: tuple[str, ...] = ()
        self._draft_trouble = ""
        self._kept_at_ms = self._tried_at_ms = clock.monotonic_ms()
        self._walk = TrialNavigator(
            session=session,
            database=database,
            images=images,
            clock=clock,
            opened=self._opened,
            ordered=self._ordered,
            failed=self._stop,
            draft_written=self._draft_written,
        )
        self._storing = AnswerWriter(
            commit=session.commit,
            runner=database,
            clock=clock,
            stored=self._stored,
            delayed=self._delayed,
        )
        images.listen(self._image_arrived)

    @property
    def view(self) -> WorkbenchView[Pixels]:
        return self._view

    @property
    def trial(self) -> Trial | None:
        """The trial open, with what stood around it when it was left."""
        return self._walk.trial

    @property
    def order(self) -> TrialOrder:
        """The trials in the labeler's order, with what has become of each."""
        return self._walk.order

    @property
    def recent(self) -> tuple[str, ...]:
        """The classes that were answered last, the most recent first."""
        return self._recent

    def recall(self, recent: tuple[str, ...]) -> None:
        """Offer the classes that were recent when the labeler left."""
        self._recent = recent

    def listen(self, show: Callable[[WorkbenchView[Pixels]], None]) -> None:
        self._show = show

    # The answer.

    def choose(self, wnid: str) -> None:
        self._change(lambda trial: trial.choose(wnid))

    def choose_or_submit(self, wnid: str | None) -> None:
        """Choose the class in focus; where it is chosen already, submit."""
        if self.trial is not None and self.trial.is_decided_on(wnid):
            self.submit()
        elif wnid is not None:
            self.choose(wnid)

    def choose_recent(self, number: int) -> None:
        """Choose one of the recent classes, the most recent being number 1."""
        if number <= len(self._recent):
            self.choose(self._recent[number - 1])

    def toggle_escape_hatch(self) -> None:
        self._change(lambda trial: trial.toggle_escape_hatch())

    def set_confidence(self, level: int) -> None:
        """Say how sure the answer is, where the study asks for it."""
        if self._view.answer.asks_confidence:
            self._change(lambda trial: trial.set_confidence(level))

    def toggle_known(self) -> None:
        self._change(lambda trial: trial.toggle_known())

    def set_note(self, text: str) -> None:
        self._change(lambda trial: trial.set_note(text))

    def remember(self, *, shortlist: tuple[str, ...], query: str) -> None:
        """Keep what is around the answer, in case the program ends."""
        if self.trial is not None:
            self.trial.remember_tools(shortlist=shortlist, query=query)

    def submit(self) -> None:
        """Commit the answer; the next image comes when it is on disk."""
        trial = self._trial_at_work()
        if trial is None:
            return
        try:
            answer = trial.commit()
        except RefusedError as refusal:
            self._update_view(notice=str(refusal))
            return
        self._walk.submit()
        self._update_view(stage=WorkbenchStage.STORING, notice="", trouble="")
        self._storing.store(answer)

    def try_again(self) -> None:
        """Try to store the answer that couldn't be stored."""
        self._tried_at_ms = self._clock.monotonic_ms()
        self._storing.try_again()

    # Where a trial leads to.

    @abstractmethod
    def _image_arrived(self, image: TrialImageView[Pixels]) -> None:
        """An image has come, or can't."""

    @abstractmethod
    def _opened(self, message: str) -> None:
        """A trial was opened, and this is to be reported about it."""

    @abstractmethod
    def _go_on(self, following: str | None, *, notice: str = "") -> None:
        """The trial is left; this one comes next, or none, and this is to be reported with it."""

    def _stored(self, answer: CommittedAnswer) -> None:
        self._remember_recent(answer.label)
        self._walk.leave_answered(self._follow)

    def _follow(self, following: str | None, *, notice: str = "") -> None:
        # Anyone who left while an answer or a flag was on its way isn't called back.
        if self._view.stage is not WorkbenchStage.STOPPED:
            self._go_on(following, notice=notice)

    def _remember_recent(self, label: str) -> None:
        others = (wnid for wnid in self._recent if wnid != label)
        self._recent = (label, *others)[:RECENT_CLASSES]

    def _delayed(self, sentence: str) -> None:
        self._tried_at_ms = self._clock.monotonic_ms()
        if self._view.stage is not WorkbenchStage.STOPPED:
            self._update_view(stage=WorkbenchStage.NOT_STORED, trouble=sentence)

    # Keeping and telling.

    def _trial_at_work(self) -> Trial | None:
        """The trial, where the labeler can do something with it now."""
        return self.trial if self._view.stage is WorkbenchStage.TRIAL else None

    def _change(self, change: Callable[[Trial], None]) -> None:
        """Let the labeler change the answer, or say why not."""
        trial = self._trial_at_work()
        if trial is None:
            return
        try:
            change(trial)
        except RefusedError as refusal:
            self._update_view(notice=str(refusal))
            return
        self._keep()
        self._update_view(notice="")

    def _keep(self) -> None:
        self._kept_at_ms = self._clock.monotonic_ms()
        self._walk.keep()

    def _write(self, work: Callable[[], None]) -> None:
        """Have something small written; no one waits for it, but a fault is reported."""
        self._database.submit(
            lambda _job: work(),
            done=lambda _nothing: None,
            failed=lambda error: self._update_view(trouble=self._sentence(error)),
        )

    def _draft_written(self, fault: Exception | None) -> None:
        over, self._draft_trouble = self._draft_trouble, self._sentence(fault) if fault else ""
        if self._view.stage is WorkbenchStage.NOT_STORED:
            return  # that an answer waits, and where, matters more
        if self._draft_trouble or (over and self._view.trouble == over):
            self._update_view(trouble=self._draft_trouble)

    def _ordered(self) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self._update_view()

    def _stop(self, error: Exception) -> None:
        self._update_view(stage=WorkbenchStage.STOPPED, image=None, trouble=self._sentence(error))

    def _sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock)

    def _update_view(self, **changes: Any) -> None:
        """Show what has changed, together with what follows from it."""
        self._view = replace(
            self._view,
            trial=self._walk.here,
            # Between two trials it is asked for as much, so that nothing moves.
            answer=answer_view(self.trial, self._name_class)
            if self.trial
            else AnswerView(asks_confidence=self._walk.asks_confidence),
            recent=tuple(self._name_class(wnid) for wnid in self._recent),
            progress=self._progress() if self._walk.is_ordered else None,
            **changes,
        )
        self._show(self._view)

    def _progress(self) -> TrialProgressView:
        order, pace = self._walk.order, self._walk.pace
        return TrialProgressView(
            done=order.done,
            left=order.left,
            total=len(order),
            set_aside=order.set_aside,
            pace_ms=pace.mean_ms,
        )
