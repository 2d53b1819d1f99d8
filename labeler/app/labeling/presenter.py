"""The labeling workbench without its widgets: one timed trial after another.

The presenter is composed of three parts: the trial with the answer in progress
(`core.labeling.trial`), the navigator that opens and leaves trials (`trial_navigator`), and the
writer that stores an answer (`answer_writer`). Differences between
evaluation and training are in a `TaskFlow`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from labeler.app.incidents import error_sentence
from labeler.app.labeling.answer_writer import AnswerWriter
from labeler.app.labeling.session import BaseLabelingSession, SessionStart
from labeler.app.labeling.task_flow import TaskFlow
from labeler.app.labeling.trial_navigator import TrialNavigator
from labeler.app.labeling.undo import Act, ActKind, UndoHistory
from labeler.app.labeling.workbench_view import (
    FLAG_TITLES,
    AnswerView,
    ChosenClass,
    ClockView,
    WorkbenchStage,
    WorkbenchView,
    answer_view,
    progress_view,
)
from labeler.app.runner import Runner, ignore
from labeler.app.study.window_session import READ_ONLY
from labeler.app.trial_image_loader import TrialImageLoader, TrialImageView
from labeler.core.clock import Clock
from labeler.core.errors import RefusedError
from labeler.core.labeling.answers import AnswerDraft, CommittedAnswer, Question, TrialFlag
from labeler.core.labeling.recent_classes import RecentClasses, recent_classes
from labeler.core.labeling.trial import Trial
from labeler.core.study.entities import AttentionPlace

Pixels = TypeVar("Pixels")

# Gets what to do when the person takes over, and when they only look.
AskAboutWindow = Callable[[Callable[[], None], Callable[[], None]], None]

RESUMED = "You were here last time. Your answer and your time so far are kept."
TORN_ANSWER = "An answer that was being saved when the program ended can't be read. Tell the lead."
FLAGGED = "Image {position:,} is flagged: {reason}."


class WorkbenchPresenter(Generic[Pixels]):
    """A labeler's session on a task.

    Actions of the labeler are method calls; views go to one listener. Everything that
    waits for the disk runs on `database`, a runner with one thread, so that drafts, answers and
    reads keep their order.
    """

    def __init__(
        self,
        *,
        session: BaseLabelingSession,
        flow: TaskFlow,
        database: Runner,
        images: TrialImageLoader[Pixels],
        clock: Clock,
        name_class: Callable[[str], ChosenClass],
    ) -> None:
        self._session = session
        self._flow = flow
        self._database = database
        self._clock = clock
        self._name_class = name_class
        self._show: Callable[[WorkbenchView[Pixels]], None] = lambda _view: None
        self._view: WorkbenchView[Pixels] = WorkbenchView()
        self._recent = RecentClasses()
        self.history = UndoHistory(self)
        self._draft_problem = ""
        self._resumes = False
        self._ask_about_window: AskAboutWindow | None = None
        self.trials = TrialNavigator(
            session=session,
            database=database,
            images=images,
            clock=clock,
            opened=self._opened,
            ordered=self._ordered,
            failed=self.stop,
            draft_written=self._draft_written,
        )
        self._writer = AnswerWriter(
            answers=session.answers,
            runner=database,
            clock=clock,
            stored=self._stored,
            delayed=self._delayed,
            lost=self._lost,
        )
        images.listen(self._image_arrived)
        flow.attach(self)

    @property
    def view(self) -> WorkbenchView[Pixels]:
        return self._view

    @property
    def flow(self) -> TaskFlow:
        """How the task goes from trial to trial."""
        return self._flow

    @property
    def trial(self) -> Trial | None:
        """The open trial."""
        return self.trials.trial

    @property
    def trial_at_work(self) -> Trial | None:
        """The open trial, if the labeler can work on it."""
        return self.trial if self._view.stage is WorkbenchStage.TRIAL else None

    def listen(self, show: Callable[[WorkbenchView[Pixels]], None]) -> None:
        self._show = show

    def ask_about_other_window(self, ask: "AskAboutWindow") -> None:
        """Set the question for when the labeler has the task open in another window."""
        self._ask_about_window = ask

    # The session.

    def begin(self) -> None:
        """Start the session."""
        self._database.run(
            "begin session", self._session.begin, done=self._session_started, failed=self.stop
        )

    def leave(self, then: Callable[[], None] = lambda: None) -> None:
        """End the session; the open trial is saved as a draft."""
        self.put_away()
        # Callbacks of finished writes no longer arrive, so everything is submitted now.
        self.trials.finish()
        self.update_view(stage=WorkbenchStage.STOPPED, image=None, notice="", problem="")
        self._database.run(
            "end session",
            self._session.end,
            done=lambda _nothing: then(),
            # Answers and drafts are stored already; the session has no end time, as after a crash.
            failed=lambda _error: then(),
        )

    # The answer.

    def choose(self, wnid: str) -> None:
        self._change(lambda trial: trial.choose(wnid))

    def choose_or_submit(self, wnid: str | None) -> None:
        """Choose the current class; if it is already chosen, submit."""
        feedback = self._view.stage is WorkbenchStage.FEEDBACK
        if feedback or (self.trial is not None and self.trial.is_decided_on(wnid)):
            self.submit()
        elif wnid is not None:
            self.choose(wnid)

    def toggle_escape_hatch(self) -> None:
        self._change(Trial.toggle_escape_hatch)

    def set_confidence(self, level: int) -> None:
        """Set the confidence of the answer, if the study asks for it."""
        if Question.CONFIDENCE in self._view.answer.questions:
            self._change(lambda trial: trial.set_confidence(level))

    def submit_with_confidence(self, level: int) -> None:
        """Set the confidence and submit."""
        if self._view.answer.confidence != level:
            self.set_confidence(level)
        self.submit()

    def toggle_known(self) -> None:
        self._change(Trial.toggle_known)

    def set_note(self, text: str) -> None:
        self._change(lambda trial: trial.set_note(text), kind=ActKind.NOTE)

    def restore_answer(self, before: AnswerDraft, *, notice: str) -> None:
        """Make the answer in progress what it was before, and say so."""
        self._change(lambda trial: trial.restore(before))
        self.update_view(notice=notice)

    def remember(self, *, shortlist: tuple[str, ...], query: str) -> None:
        """Save the state of the class tools with the trial."""
        if self.trial is not None:
            self.trial.remember_tools(shortlist=shortlist, query=query)

    def submit(self) -> None:
        """Commit the answer; the next image opens when it is stored. After feedback, continue."""
        if self._view.stage is WorkbenchStage.FEEDBACK:
            self._flow.next_trial()
            return
        trial = self.trial_at_work
        if trial is None or self._is_read_only():
            return
        try:
            answer = trial.commit()
        except RefusedError as refusal:
            self.update_view(notice=str(refusal))
            return
        self.trials.discard_draft()
        self.update_view(stage=WorkbenchStage.STORING, notice="", problem="")
        self._writer.store(answer)

    def try_again(self) -> None:
        """Try to store the answer that couldn't be stored."""
        self._writer.try_again()

    def flag(self, reason: TrialFlag) -> None:
        """Flag the image, and continue when that is stored; works without an image too."""
        trial = self.trial_at_work
        if trial is None or self._is_read_only():
            return
        trial_id, draft = trial.trial_id, trial.draft()
        self.trials.discard_draft()
        self.update_view(stage=WorkbenchStage.STORING, notice="", problem="")
        self._database.run(
            "flag trial",
            lambda: self._session.flag(
                trial_id, reason, note=draft.note, spent=draft.since, shown_at=draft.shown_at
            ),
            done=lambda _nothing: self._flag_stored(reason),
            failed=self._flag_failed,
        )

    def pause_or_resume(self) -> None:
        """Cover the image and stop the clock, or resume."""
        if self.trial is None:
            return
        if self._view.stage is WorkbenchStage.TRIAL:
            self.trial.pause()
            self.trials.keep()
            self.update_view(stage=WorkbenchStage.PAUSED, notice="")
        elif self._view.stage is WorkbenchStage.PAUSED:
            self.trial.resume()
            self.update_view(stage=WorkbenchStage.TRIAL, notice="")

    # What the screen reports.

    def painted(self, trial_id: str) -> None:
        """Start the clock: the trial's image is on the screen."""
        if self.trial is None or self.trial.trial_id != trial_id:
            return
        first = not self.trial.is_shown
        self.trial.shown()
        if first and self.trial.is_shown and self._flow.saves_first_paint:
            self.trials.keep()
        self.trials.fetch_ahead()

    def attend(self, place: AttentionPlace) -> None:
        if self.trial is not None:
            self.trial.attend(place)

    def turn_away(self) -> None:
        """Another application, or a dialog that isn't work, is in front."""
        if self.trial is not None:
            self.trial.leave()

    def input(self) -> None:
        if self.trial is not None:
            self.trial.input()

    def tick(self) -> None:
        """Called every second: save the time so far when due, and retry failed writes."""
        if self.trial is not None:
            self.trial.tick()
        if self._view.stage is WorkbenchStage.TRIAL:
            self.trials.keep_when_due()
        elif self._view.stage is WorkbenchStage.NOT_STORED:
            self._writer.try_when_due()

    def clock(self) -> ClockView:
        """Return the active time on this trial and in this session."""
        trial, before = self.trial, self.trials.pace.active_ms
        return ClockView(
            trial_ms=trial.active_ms if trial else 0,
            session_ms=before + (trial.visit_ms if trial else 0),
        )

    # For the flow: from trial to trial.

    def advance(self, following: str | None, *, notice: str = "") -> None:
        """Open the next trial, or finish; does nothing after the labeler has left."""
        if self._view.stage is WorkbenchStage.STOPPED:
            return
        if following is None:
            self._flow.finish()
        else:
            self.open(following, notice=notice)

    def open(self, trial_id: str, *, notice: str = "") -> None:
        self._view = replace(
            self._view, stage=WorkbenchStage.OPENING, image=None, notice=notice, problem=""
        )
        self.trials.open(trial_id)
        self.update_view()

    def put_away(self) -> None:
        """Leave the trial, as answered if there is feedback on it, else as a draft.

        A trial whose answer is being stored stays open.
        """
        if self._view.stage is WorkbenchStage.FEEDBACK and self.trial is not None:
            self.trials.leave_answered(lambda _following: None)
        elif self._view.stage is not WorkbenchStage.STORING and not self._writer.waits:
            self.trials.put_aside()

    def write(self, work: Callable[[], None]) -> None:
        """Write in the background; only errors are reported."""
        self._database.run(
            "save mark",
            work,
            failed=lambda error: self.update_view(problem=self.sentence(error)),
        )

    def stop(self, error: Exception) -> None:
        """End the session because of an error."""
        self.update_view(stage=WorkbenchStage.STOPPED, image=None, problem=self.sentence(error))

    def sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock)

    def update_view(self, **changes: Any) -> None:
        """Update the view with these fields and those that depend on them."""
        self._view = replace(
            self._view,
            trial=self.trials.here,
            # Between two trials the confidence row stays, so that nothing moves.
            answer=answer_view(self.trial, self._name_class)
            if self.trial
            else AnswerView(questions=self.trials.questions),
            recent=tuple(self._name_class(wnid) for wnid in self._recent.slots),
            progress=progress_view(self.trials.order, self.trials.pace)
            if self.trials.is_ordered
            else None,
            **changes,
        )
        self._show(self._view)

    # What the parts report.

    def _is_read_only(self) -> bool:
        """Whether nothing can be changed here; say so."""
        if self._session.is_read_only:
            self.update_view(notice=READ_ONLY)
        return self._session.is_read_only

    def _session_started(self, start: SessionStart) -> None:
        if start.also_open and self._ask_about_window is not None:
            self._ask_about_window(
                lambda: self._choose_window(start, self._session.take_over),
                lambda: self._choose_window(start, self._session.become_read_only),
            )
        else:
            self._begin_work(start)

    def _choose_window(self, start: SessionStart, choice: Callable[[], None]) -> None:
        self._database.run(
            "choose window",
            choice,
            done=lambda _nothing: self._begin_work(start),
            failed=self.stop,
        )

    def _begin_work(self, start: SessionStart) -> None:
        self.trials.begin(start)
        fault = _replay_fault(start)
        self._resumes = start.resumed and not fault
        notice = READ_ONLY if self._session.is_read_only else ""
        self.advance(self._flow.first_trial(start), notice=fault or notice)

    def _opened(self, message: str) -> None:
        resumes, self._resumes = self._resumes, False
        if resumes and self.trial is not None and self.trial.holds_answer:
            message = message or RESUMED
        self.update_view(stage=WorkbenchStage.TRIAL, notice=message or self._view.notice)
        self.history.opened()

    def _ordered(self) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self.update_view()
            self._read_recent()

    def _read_recent(self) -> None:
        self._database.run(
            "read recent classes",
            self._session.labels,
            done=self._recall,
            # Only a shortcut is missing then.
            failed=ignore,
            urgent=False,
        )

    def _recall(self, labels: tuple[str, ...]) -> None:
        """Fill the slots of recent classes as the labeler left them."""
        self._recent = recent_classes(labels)
        if self._view.stage is not WorkbenchStage.STOPPED:
            self.update_view()

    def _image_arrived(self, image: TrialImageView[Pixels]) -> None:
        if self.trial is None or image.trial_id != self.trial.trial_id:
            return
        if image.sentence:
            self.update_view(image=None, problem=image.sentence)
            self.trials.fetch_ahead()
        else:
            self.update_view(image=image.image)

    def _stored(self, answer: CommittedAnswer) -> None:
        self._recent = self._recent.used(answer.label)
        if self._flow.reopens_answers:
            before = self.trial.submitted if self.trial is not None else None
            self.history.record_answer(answer.trial_id, before=before)
        else:
            self.history.clear()
        self._flow.answer_stored(answer)

    def _delayed(self, sentence: str) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self.update_view(stage=WorkbenchStage.NOT_STORED, problem=sentence)

    def _lost(self, sentence: str) -> None:
        self.update_view(stage=WorkbenchStage.STOPPED, image=None, problem=sentence)

    def _flag_stored(self, reason: TrialFlag) -> None:
        here = self.trials.here
        position = here.position if here else 0
        if here is not None and self.trial is not None and self._flow.reopens_answers:
            self.history.record_flag(here.trial_id, before=self.trial.draft())
        notice = FLAGGED.format(position=position, reason=FLAG_TITLES[reason])
        self.trials.leave_flagged(lambda following: self.advance(following, notice=notice))

    def _flag_failed(self, error: Exception) -> None:
        if self._view.stage is not WorkbenchStage.STOPPED:
            self.update_view(stage=WorkbenchStage.TRIAL, problem=self.sentence(error))

    def _draft_written(self, fault: Exception | None) -> None:
        over, self._draft_problem = self._draft_problem, self.sentence(fault) if fault else ""
        if self._view.stage is WorkbenchStage.NOT_STORED:
            return  # that an answer waits, and where, matters more
        if self._draft_problem or (over and self._view.problem == over):
            self.update_view(problem=self._draft_problem)

    def _change(self, change: Callable[[Trial], None], *, kind: ActKind = ActKind.EDIT) -> None:
        """Change the answer, or show why that isn't possible."""
        if self._is_read_only():
            return
        trial = self.trial_at_work
        if trial is None:
            return
        before = trial.draft()
        try:
            change(trial)
        except RefusedError as refusal:
            self.update_view(notice=str(refusal))
            return
        if trial.draft().said != before.said:
            self.history.record(Act(kind, trial.trial_id, before))
        self.trials.keep()
        self.update_view(notice="")


def _replay_fault(start: SessionStart) -> str:
    """Return what went wrong with journaled answers; empty if nothing did."""
    if start.replayed.refused:
        return start.replayed.refused[0][1]
    return TORN_ANSWER if start.replayed.torn_lines else ""
