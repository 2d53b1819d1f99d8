"""The labeling workbench: a labeler's way through the evaluation, one timed trial at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from labeler.app.labeling.kept_trial import KeptTrial
from labeler.app.presenters.answer_storing import AnswerStoring, sentence_for
from labeler.app.presenters.draft_keeping import DraftKeeping
from labeler.app.presenters.open_trial import OpenTrial
from labeler.app.presenters.pace import Pace
from labeler.app.presenters.trial_images import TrialImages, TrialImageView
from labeler.app.presenters.trial_starts import TrialStarts
from labeler.app.presenters.workbench_desk import Desk
from labeler.app.presenters.workbench_views import (
    AnswerView,
    ChosenClass,
    ClockView,
    ProgressView,
    Stage,
    WorkbenchView,
)
from labeler.app.runner import Runner
from labeler.core.answers import CommittedAnswer
from labeler.core.clock import Clock
from labeler.core.errors import Refused
from labeler.core.study import Attention
from labeler.core.trial_order import TrialOrder
from labeler.core.trial_record import TrialFlag

if TYPE_CHECKING:
    from labeler.app.labeling.starting import Begun

Pixels = TypeVar("Pixels")

RECENT_CLASSES = 9
FETCHED_AHEAD = 3
KEPT_EVERY_MS = 5_000
TRIED_EVERY_MS = 5_000

_ANSWER_FIRST = "Answer this image first. You can mark it to come back to it."
_FIRST_TRIAL = "This is the first image."
_LAST_TRIAL = "This is the last image."
_RESUMED = "You were here when the program ended. Your answer and your time so far are kept."
_ALSO_OPEN = "Another window works on this evaluation with your code, or did until a moment ago."


class Workbench(Generic[Pixels]):
    """Holds the open trial; what the labeler means comes in as calls, views go out to a listener.

    Everything that waits for the disk is done by `database`, a runner with one thread, so that
    drafts, answers and what is read between them keep their order.
    """

    def __init__(
        self,
        *,
        desk: Desk,
        database: Runner,
        images: TrialImages[Pixels],
        clock: Clock,
        name_class: Callable[[str], ChosenClass],
    ) -> None:
        self._desk = desk
        self._database = database
        self._images = images
        self._clock = clock
        self._name_class = name_class
        self._show: Callable[[WorkbenchView[Pixels]], None] = lambda _view: None
        self._view: WorkbenchView[Pixels] = WorkbenchView()
        self._begun: Begun | None = None
        self._order = TrialOrder(())
        self._open_id: str | None = None
        self._open: OpenTrial | None = None
        self._recent: tuple[str, ...] = ()
        self._pace = Pace()
        self._draft_trouble = ""
        self._starts = TrialStarts(desk=desk, runner=database, failed=self._stop)
        self._kept_at_ms = self._tried_at_ms = clock.monotonic_ms()
        self._drafts = DraftKeeping(keep=desk.keep, runner=database, told=self._draft_written)
        self._storing = AnswerStoring(
            commit=desk.commit,
            runner=database,
            clock=clock,
            stored=self._stored,
            delayed=self._delayed,
        )
        images.listen(self._image_came)

    @property
    def view(self) -> WorkbenchView[Pixels]:
        return self._view

    @property
    def open_trial(self) -> OpenTrial | None:
        """The trial at hand, with what stood around it when it was left."""
        return self._open

    def listen(self, show: Callable[[WorkbenchView[Pixels]], None]) -> None:
        self._show = show

    # The session.

    def begin(self) -> None:
        """Sit down at the task."""
        self._database.submit(
            lambda _job: self._desk.begin(), done=self._has_begun, failed=self._stop
        )

    def leave(self, then: Callable[[], None] = lambda: None) -> None:
        """End the session; the open trial is kept as it is."""
        self._put_aside()
        self._tell(stage=Stage.STOPPED, image=None, notice="", trouble="")
        self._database.submit(
            lambda _job: self._desk.end(),
            done=lambda _nothing: then(),
            # What counts is kept already; the session stays without an end, as after a crash.
            failed=lambda _error: then(),
        )

    def lock(self) -> None:
        """Lock the answers for good."""
        self._database.submit(
            lambda _job: self._desk.lock(),
            done=lambda _nothing: self._tell(stage=Stage.LOCKED, notice="", trouble=""),
            failed=lambda error: self._tell(trouble=self._sentence(error)),
        )

    # The answer.

    def choose(self, wnid: str) -> None:
        self._change(lambda trial: trial.choose(wnid))

    def choose_or_submit(self, wnid: str | None) -> None:
        """Choose the class in focus; where it is chosen already, submit."""
        trial = self._open
        if trial is None or self._view.stage is not Stage.TRIAL:
            return
        if trial.is_decided_on(wnid):
            self.submit()
        elif wnid is not None:
            self.choose(wnid)

    def choose_recent(self, number: int) -> None:
        """Choose one of the recent classes, the most recent being number 1."""
        if number <= len(self._view.recent):
            self.choose(self._view.recent[number - 1].wnid)

    def toggle_escape_hatch(self) -> None:
        self._change(lambda trial: trial.toggle_escape_hatch())

    def set_confidence(self, level: int) -> None:
        self._change(lambda trial: trial.set_confidence(level))

    def toggle_known(self) -> None:
        self._change(lambda trial: trial.toggle_known())

    def set_note(self, text: str) -> None:
        self._change(lambda trial: trial.timing.set_note(text))

    def remember(self, *, shortlist: tuple[str, ...], query: str) -> None:
        """Keep what stands around the answer, in case the program ends."""
        if self._open is not None:
            self._open.shortlist, self._open.query = shortlist, query

    def submit(self) -> None:
        """Commit the answer; the next image comes when it is on disk."""
        if self._open is None or self._view.stage is not Stage.TRIAL:
            return
        try:
            answer = self._open.submit()
        except Refused as refusal:
            self._tell(notice=str(refusal))
            return
        self._drafts.forget(answer.trial_id)
        self._tell(stage=Stage.STORING, notice="", trouble="")
        self._storing.store(answer)

    def try_again(self) -> None:
        """Try to store the answer that couldn't be stored."""
        self._tried_at_ms = self._clock.monotonic_ms()
        self._storing.try_again()

    # The trial.

    def toggle_mark(self) -> None:
        """Mark the trial to come back to it at the end, or no longer."""
        trial_id = self._open_id
        if trial_id is None or self._view.stage is not Stage.TRIAL:
            return
        marked = not self._order[trial_id].marked
        self._order.mark(trial_id, marked=marked)
        self._tell(notice="")
        self._write(lambda: self._desk.mark(trial_id, marked=marked))

    def flag(self, reason: TrialFlag) -> None:
        """Set the image aside and go on; possible too when it can't be shown."""
        trial = self._open
        if trial is None or self._view.stage is not Stage.TRIAL:
            return
        draft = trial.draft
        self._forget(trial.trial_id)
        self._write(
            lambda: self._desk.flag(
                trial.trial_id, reason, note=draft.note, spent=draft.since, shown_at=draft.shown_at
            )
        )
        self._pace.visited(trial.visit_ms)
        self._order.flagged(trial.trial_id)
        self._go_on(trial.trial_id)

    def back(self) -> None:
        """Return to the trial before."""
        self._step(self._order.before, _FIRST_TRIAL)

    def onwards(self) -> None:
        """Go to the trial after, unless this one still waits for its answer."""
        waits = self._open_id is not None and self._order[self._open_id].waits
        self._step(self._order.after, _ANSWER_FIRST if waits else _LAST_TRIAL)

    def go_to(self, trial_id: str) -> None:
        """Return to a trial from the end of the task."""
        self._put_aside()
        self._start_on(trial_id)

    def finish(self) -> None:
        """Go to the end of the task, when nothing waits any more."""
        if self._order.left == 0:
            self._put_aside()
            self._tell(stage=Stage.FINISHED, image=None, notice="", trouble="")

    def pause_or_resume(self) -> None:
        """Cover the image and stop the clock, or go on."""
        if self._open is None:
            return
        if self._view.stage is Stage.TRIAL:
            self._open.timing.pause()
            self._keep()
            self._tell(stage=Stage.PAUSED, notice="")
        elif self._view.stage is Stage.PAUSED:
            self._open.timing.resume()
            self._tell(stage=Stage.TRIAL, notice="")

    # What the screen reports.

    def painted(self, trial_id: str) -> None:
        """The trial's image is on the screen: its clock starts."""
        if self._open is not None and self._open.trial_id == trial_id:
            self._open.timing.shown()

    def attend(self, place: Attention) -> None:
        if self._open is not None:
            self._open.timing.attend(place)

    def turn_away(self) -> None:
        """Another application, or a dialog that isn't work, is in front."""
        if self._open is not None:
            self._open.timing.leave()

    def input(self) -> None:
        if self._open is not None:
            self._open.timing.input()

    def tick(self) -> None:
        """A second has passed: keep the time so far now and then, and try what failed again."""
        now = self._clock.monotonic_ms()
        if self._open is not None:
            self._open.timing.tick()
        if self._view.stage is Stage.TRIAL and now - self._kept_at_ms >= KEPT_EVERY_MS:
            self._keep()
        if self._view.stage is Stage.NOT_STORED and now - self._tried_at_ms >= TRIED_EVERY_MS:
            self.try_again()

    def clock(self) -> ClockView:
        """Active time on this trial and in this session."""
        here = self._open
        visit = here.visit_ms if here else 0
        return ClockView(
            trial_ms=here.active_ms if here else 0, session_ms=self._pace.active_ms + visit
        )

    # Going from trial to trial.

    def _has_begun(self, begun: "Begun") -> None:
        self._begun = begun
        self._order = TrialOrder(begun.trials)
        notice = _RESUMED if begun.resumed else _ALSO_OPEN if begun.also_open else ""
        if begun.first is None:
            self.finish()
        else:
            self._start_on(begun.first, notice=notice)

    def _start_on(self, trial_id: str, *, notice: str = "") -> None:
        """Ask for all that the trial needs; it can be answered when its image is painted."""
        self._open_id, self._open = trial_id, None
        self._tell(stage=Stage.OPENING, image=None, notice=notice, trouble="")
        self._starts.get(trial_id, lambda kept, told: self._started(trial_id, kept, told))

    def _started(self, trial_id: str, kept: KeptTrial, told: str) -> None:
        assert self._begun is not None, "a trial belongs to a session"
        self._open = OpenTrial(
            trial_id,
            kept,
            clock=self._clock,
            session=self._begun.session_id,
            idle_after_ms=self._begun.idle_after_ms,
            asks_confidence=self._begun.asks_confidence,
        )
        self._tell(stage=Stage.TRIAL, notice=told or self._view.notice)
        self._images.show(trial_id)
        ahead = self._order.waiting(trial_id, count=FETCHED_AHEAD)
        self._images.prefetch(ahead)
        self._starts.prefetch(ahead)

    def _image_came(self, image: TrialImageView[Pixels]) -> None:
        if self._open is None or image.trial_id != self._open_id:
            return
        if image.sentence:
            self._tell(image=None, trouble=image.sentence)
        else:
            self._tell(image=image.image)

    def _stored(self, answer: CommittedAnswer) -> None:
        assert self._open is not None, "an answer belongs to the open trial"
        self._pace.submitted(self._open.visit_ms)
        self._order.answered(answer.trial_id)
        self._forget(answer.trial_id)
        others = (wnid for wnid in self._recent if wnid != answer.label)
        self._recent = (answer.label, *others)[:RECENT_CLASSES]
        self._go_on(answer.trial_id)

    def _delayed(self, sentence: str) -> None:
        self._tried_at_ms = self._clock.monotonic_ms()
        self._tell(stage=Stage.NOT_STORED, trouble=sentence)

    def _go_on(self, trial_id: str) -> None:
        self._open = None
        following = self._order.next_waiting(trial_id)
        if following is None:
            self._open_id = None
            self.finish()
        else:
            self._start_on(following)

    def _step(self, direction: Callable[[str], str | None], at_the_end: str) -> None:
        if self._open_id is None or self._view.stage is not Stage.TRIAL:
            return
        goal = direction(self._open_id)
        if goal is None:
            self._tell(notice=at_the_end)
        else:
            self._put_aside()
            self._start_on(goal)

    def _put_aside(self) -> None:
        """Leave the open trial as it is, to be found so again."""
        trial, self._open, self._open_id = self._open, None, None
        if trial is None or self._storing.waits:
            return
        self._pace.visited(trial.visit_ms)
        if trial.is_touched:
            self._drafts.put(trial.trial_id, trial.kept())
            self._starts.put(trial.trial_id, trial.kept())

    def _forget(self, trial_id: str) -> None:
        self._drafts.forget(trial_id)
        self._starts.forget(trial_id)

    # Telling and keeping.

    def _change(self, change: Callable[[OpenTrial], None]) -> None:
        """Let the labeler change the answer, or say why not."""
        if self._open is None or self._view.stage is not Stage.TRIAL:
            return
        try:
            change(self._open)
        except Refused as refusal:
            self._tell(notice=str(refusal))
            return
        self._keep()
        self._tell(notice="")

    def _keep(self) -> None:
        if self._open is not None and self._open.is_touched:
            self._kept_at_ms = self._clock.monotonic_ms()
            self._drafts.put(self._open.trial_id, self._open.kept())

    def _write(self, work: Callable[[], None]) -> None:
        """Have something small written; a fault is told, and nothing waits for it."""
        self._database.submit(
            lambda _job: work(),
            done=lambda _nothing: None,
            failed=lambda error: self._tell(trouble=self._sentence(error)),
        )

    def _draft_written(self, fault: Exception | None) -> None:
        if fault is not None:
            self._draft_trouble = self._sentence(fault)
            self._tell(trouble=self._draft_trouble)
        elif self._draft_trouble:
            over, self._draft_trouble = self._draft_trouble, ""
            if self._view.trouble == over:
                self._tell(trouble="")

    def _stop(self, error: Exception) -> None:
        self._open = self._open_id = None
        self._tell(stage=Stage.STOPPED, image=None, trouble=self._sentence(error))

    def _sentence(self, error: Exception) -> str:
        return sentence_for(error, clock=self._clock)

    def _tell(self, **changes: Any) -> None:
        """Show what has changed, together with what follows from it."""
        trial_id = self._open_id
        follows = {
            "trial": None if trial_id is None else self._order[trial_id],
            "answer": self._open.view(self._name_class) if self._open else AnswerView(),
            "progress": self._progress(),
            "recent": tuple(self._name_class(wnid) for wnid in self._recent),
            "marked": self._order.marked,
        }
        self._view = replace(self._view, **follows, **changes)
        self._show(self._view)

    def _progress(self) -> ProgressView:
        return ProgressView(
            done=self._order.done,
            left=self._order.left,
            total=len(self._order),
            set_aside=self._order.set_aside,
            answered_now=self._pace.answered,
            pace_ms=self._pace.mean_ms,
        )
