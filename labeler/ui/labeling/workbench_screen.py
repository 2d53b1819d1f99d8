"""The labeling workbench: the image and the answer, and docks with the class tools."""

from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.labeling.presenter import WorkbenchPresenter
from labeler.app.labeling.task_flow import TaskFlow
from labeler.app.labeling.workbench_view import WorkbenchStage, WorkbenchView
from labeler.core.labeling.answers import Question, TrialFlag
from labeler.core.labeling.attention_recorder import HEARTBEAT_MS
from labeler.core.study.entities import CONFIDENCE_LEVELS, AttentionPlace
from labeler.ui.classes.class_tools import ClassTools
from labeler.ui.kit.charts.task_progress import TaskProgressBar
from labeler.ui.kit.input.attention_watcher import AttentionWatcher
from labeler.ui.kit.input.search_field import typed_text
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.pictures.image_pyramid import ImagePyramid
from labeler.ui.kit.pictures.image_view import ImageView, image_view_keys
from labeler.ui.labeling.answer_bar import CONFIDENCE_ACTIONS, AnswerBar
from labeler.ui.labeling.layout_menu import LayoutButton, LayoutPreset
from labeler.ui.labeling.workbench_docks import WorkbenchDocks
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_FLAG_TEXTS = {
    TrialFlag.NOT_SHOWN: "The image can't be seen properly",
    TrialFlag.INAPPROPRIATE: "The image is inappropriate",
}


class FlagMenu(QMenu):
    """A menu of reasons to flag an image, which can also remove the flag."""

    flagged = Signal(TrialFlag)
    taken_back = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.reasons = {flag: self._reason(flag, words) for flag, words in _FLAG_TEXTS.items()}
        self.take_back = self.addAction("Remove the flag", self.taken_back.emit)

    def offer(self, above: QWidget, *, flags: frozenset[TrialFlag]) -> None:
        """Open above a button with the first reason focused; `flags` are the current ones."""
        for flag, action in self.reasons.items():
            action.setChecked(flag in flags)
        self.take_back.setVisible(bool(flags))
        self.popup(above.mapToGlobal(QPoint(0, -self.sizeHint().height())))
        self.setActiveAction(self.actions()[0])

    def _reason(self, flag: TrialFlag, words: str) -> QAction:
        action = self.addAction(words, lambda: self.flagged.emit(flag))
        action.setCheckable(True)
        return action


_SUBMIT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
PAUSED_MESSAGE = "Paused. The image is covered, and the clock is stopped."

_RECENT = (
    Action.RECENT_1,
    Action.RECENT_2,
    Action.RECENT_3,
    Action.RECENT_4,
    Action.RECENT_5,
    Action.RECENT_6,
    Action.RECENT_7,
    Action.RECENT_8,
    Action.RECENT_9,
)

_LEVELS = tuple(str(level) for level in range(1, CONFIDENCE_LEVELS + 1))

_STAGES_BETWEEN_TRIALS = (
    WorkbenchStage.OPENING,
    WorkbenchStage.STORING,
    WorkbenchStage.FEEDBACK,
    WorkbenchStage.FINISHED,
)
# Nothing that is work is possible during a pause, because its time doesn't count. The submit
# key is bound but does nothing; unbound, it would press the focused button and end the pause.
_ACTIONS_WHILE_PAUSED = (Action.PAUSE, Action.SUBMIT, Action.TOGGLE_CLOCK)


class WorkbenchScreen(QMainWindow):
    """Shows the workbench, and calls the presenter and the flow of its task.

    It is a QMainWindow inside the window, since only a QMainWindow has docks.
    """

    stage_changed = Signal(WorkbenchStage)
    clock_toggled = Signal()
    hints_toggled = Signal()
    layout_chosen = Signal(LayoutPreset)

    def __init__(
        self,
        *,
        appearance: Appearance,
        keymap: Keymap,
        workbench: WorkbenchPresenter[ImagePyramid],
        flow: TaskFlow,
        tools: ClassTools,
    ) -> None:
        super().__init__(None, Qt.WindowType.Widget)
        self._workbench = workbench
        self._flow = flow
        self._tools = tools
        self._view: WorkbenchView[ImagePyramid] = workbench.view
        self._clock_shown = False
        self.image = ImageView(appearance, keymap)
        self.strip = TaskProgressBar(keymap)
        self.layout_button = LayoutButton(appearance, keymap)
        self.answer = self._answer_bar(appearance, keymap)
        self._lay_out()
        self.docks = WorkbenchDocks(self, tools)
        self.flags = FlagMenu(self)
        self._watcher = self._watch()
        self._heart = QTimer(self, interval=HEARTBEAT_MS)
        self._connect()
        self._bind(keymap)
        workbench.listen(self.render_view)

    def start(self) -> None:
        """Start the session and watch attention."""
        self._watcher.start()
        self._heart.start()
        self._workbench.begin()

    def stop(self) -> None:
        """Stop watching; the current trial has been left."""
        self._watcher.stop()
        self._heart.stop()
        self.docks.stop()
        self._tools.close()

    def show_clock(self, shown: bool) -> None:
        self._clock_shown = shown
        self._beat_clock()

    def show_pace(self, shown: bool) -> None:
        self.strip.set_pace_shown(shown)
        self.strip.render_progress(self._view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.docks.keep_share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Forward typed text to the search, even before the search field exists."""
        text = typed_text(event)
        at_work = self._view.stage is WorkbenchStage.TRIAL
        if text and at_work:
            self._tools.type_on(text)
        elif at_work and self.docks.is_class_hidden and event.key() in _SUBMIT_KEYS:
            # Without a search field, its key that chooses and submits has only one meaning.
            if not event.isAutoRepeat():
                self._submit()
        else:
            super().keyPressEvent(event)

    def render_view(self, view: WorkbenchView[ImagePyramid]) -> None:
        """Show the trial, its answer and the progress."""
        before, self._view = self._view, view
        self._render_trial(before, view)
        self._render_image(before, view)
        self._render_pause(
            before.stage is WorkbenchStage.PAUSED, view.stage is WorkbenchStage.PAUSED
        )
        self.answer.render_answer(view)
        for action in self._confidence:
            action.setVisible(Question.CONFIDENCE in view.answer.questions)
        if view.answer.needs_alternative and not before.answer.needs_alternative:
            self._tools.show_results()
        elif _is_hatch_withdrawn(before, view) and view.answer.label is not None:
            self._tools.show_chosen(view.answer.label.wnid)
        self._tools.mark_chosen(view.answer.label.wnid if view.answer.label else None)
        self.strip.render_progress(view)
        if view.stage is not before.stage:
            self._tools.set_choosing_enabled(view.stage is WorkbenchStage.TRIAL)
            self.stage_changed.emit(view.stage)

    def _render_trial(
        self, before: WorkbenchView[ImagePyramid], view: WorkbenchView[ImagePyramid]
    ) -> None:
        """Restore the class tools to the trial's saved state when it opens."""
        trial = self._workbench.trial
        if view.stage is WorkbenchStage.OPENING or trial is None:
            if before.stage is not view.stage or before.trial != view.trial:
                self._tools.reset()
        elif view.stage is WorkbenchStage.TRIAL and _is_new_trial(before, view):
            draft = trial.draft()
            self._tools.reset(query=draft.query, shortlist=draft.shortlist, show=draft.label)
            self._watcher.start()
            self._take_focus()

    def _take_focus(self) -> None:
        """Focus the search field, or this screen where there is none."""
        if self._tools.can_search and not self.docks.is_class_hidden:
            self._tools.focus_search()
        else:
            self.setFocus()

    def _render_image(
        self, before: WorkbenchView[ImagePyramid], view: WorkbenchView[ImagePyramid]
    ) -> None:
        if view.stage is WorkbenchStage.PAUSED:
            self.image.cover(PAUSED_MESSAGE)
            self._tools.set_subject(None)
        elif before.stage is WorkbenchStage.PAUSED:
            self.image.uncover()
            self._tools.set_subject(view.image.pixels.fitted if view.image else None)
            self._take_focus()
        if view.image is before.image and view.problem == before.problem:
            return
        covered = view.stage is WorkbenchStage.PAUSED
        if view.image is not None:
            self.image.show_image(view.image)
            self._tools.set_subject(None if covered else view.image.pixels.fitted)
        elif view.problem and view.stage is WorkbenchStage.TRIAL:
            self.image.say(view.problem)
        else:
            self.image.clear()
            self._tools.set_subject(None)

    def _render_pause(self, before: bool, paused: bool) -> None:
        if paused is before:
            return
        self.docks.cover(paused)
        for action in self.actions():
            action.setEnabled(not paused or action.data() in _ACTIONS_WHILE_PAUSED)

    # Building.

    def _answer_bar(self, appearance: Appearance, keymap: Keymap) -> AnswerBar:
        return AnswerBar(appearance, keymap)

    def _below_image(self) -> QWidget:
        """Build the part below the image."""
        return self.answer

    def _lay_out(self) -> None:
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(8, 8, 0, 8)
        column.setSpacing(8)
        column.addLayout(hbox(grow(self.strip), self.layout_button))
        column.addWidget(self.image, stretch=1)
        column.addWidget(self._below_image())
        self.setCentralWidget(centre)

    def _watch(self) -> AttentionWatcher:
        return AttentionWatcher(
            self,
            places=lambda: {self.image: AttentionPlace.IMAGE, **self._tools.places()},
            attend=self._workbench.attend,
            turn_away=self._workbench.turn_away,
            input_made=self._workbench.input,
        )

    def _connect(self) -> None:
        self.image.painted.connect(self._workbench.painted)
        self.image.painted.connect(lambda _trial: self._watcher.watch_inputs())
        self.image.painted.connect(lambda _trial: self.docks.fill())
        self.image.resume_wanted.connect(self._workbench.pause_or_resume)
        self.image.typed.connect(self._tools.type_on)
        self.image.left.connect(self._take_focus)
        self.layout_button.chosen.connect(self.use_layout)
        self.layout_button.hints_toggled.connect(self.hints_toggled)
        self.answer.pressed.connect(self._press)
        self.answer.noted.connect(self._workbench.set_note)
        self.answer.note_left.connect(self._leave_note)
        self.flags.flagged.connect(self._workbench.flag)
        self.flags.taken_back.connect(self._flow.remove_flag)
        self.answer.recent.chosen.connect(self._tools.choose)
        self._tools.set_typing_filter(self._answer_by_digit)
        self._tools.entered.connect(self._workbench.choose_or_submit)
        self._tools.chosen.connect(self._workbench.choose)
        self._tools.changed.connect(self._remember)
        self._heart.timeout.connect(self._beat)

    def _bind(self, keymap: Keymap) -> None:
        handlers = self._handlers()
        bound = bind_scope(self, keymap, Scope.EVALUATE, handlers)
        recent: Handlers = {
            action: partial(self._choose_recent, slot) for slot, action in enumerate(_RECENT)
        }
        self._confidence = [bound[action] for action in CONFIDENCE_ACTIONS]
        bound |= bind_scope(self, keymap, Scope.RECENT, recent)
        for action in bound.values():
            # A key that is held down must not answer the next image too.
            action.setAutoRepeat(False)
        bind_scope(self, keymap, Scope.VIEW, image_view_keys(self.image))
        self._tools.bind_keys(self, keymap)

    def _handlers(self) -> Handlers:
        bench, flow = self._workbench, self._flow
        confidence = {
            action: partial(bench.set_confidence, number)
            for number, action in enumerate(CONFIDENCE_ACTIONS, start=1)
        }
        return {
            Action.SUBMIT: self._submit,
            Action.ESCAPE_HATCH: bench.toggle_escape_hatch,
            Action.EDIT_NOTE: self.answer.edit_note,
            Action.KNOW_IMAGE: bench.toggle_known,
            Action.MARK_TRIAL: flow.toggle_mark,
            Action.FLAG_IMAGE: self._offer_flags,
            Action.PREVIOUS_TRIAL: flow.back,
            Action.NEXT_TRIAL: flow.next_trial,
            Action.PAUSE: bench.pause_or_resume,
            Action.UNDO_ACT: self._undo,
            Action.NEXT_LAYOUT: lambda: self.use_layout(self.docks.preset.following),
            Action.TOGGLE_KEY_HINTS: self.hints_toggled.emit,
            Action.TOGGLE_CLOCK: self.clock_toggled.emit,
            **confidence,
        }

    # Doing.

    def _press(self, action: Action) -> None:
        self._handlers()[action]()
        paused = self._view.stage is WorkbenchStage.PAUSED
        if action not in (Action.EDIT_NOTE, Action.FLAG_IMAGE) and not paused:
            self._take_focus()

    def use_layout(self, preset: LayoutPreset) -> None:
        """Divide the window in another way, which is remembered."""
        self.show_layout(preset)
        self.layout_chosen.emit(preset)
        self._take_focus()

    def show_layout(self, preset: LayoutPreset) -> None:
        self.docks.use_preset(preset)
        self.layout_button.show_preset(preset)

    def _undo(self) -> None:
        """Take back the last act, and show the class that is the answer then."""
        before = self._view.answer.label
        self._workbench.history.undo()
        after = self._view.answer.label
        if after == before or self._view.stage is not WorkbenchStage.TRIAL:
            return
        if after is None:
            self._tools.show_results()
        else:
            self._tools.show_class(after.wnid)

    def _choose_recent(self, slot: int) -> None:
        recent = self._view.recent
        if slot < len(recent) and self._view.stage is WorkbenchStage.TRIAL:
            self._tools.choose(recent[slot].wnid)

    def _answer_by_digit(self, text: str) -> bool:
        """Submit with a confidence if the digit can't be the start of a search."""
        answer = self._view.answer
        asked = self._view.can_submit and Question.CONFIDENCE in answer.questions
        if not asked or text not in _LEVELS or not self._tools.awaits_query:
            return False
        self._workbench.submit_with_confidence(_LEVELS.index(text) + 1)
        return True

    def _submit(self) -> None:
        if self._view.stage is WorkbenchStage.NOT_STORED:
            self._workbench.try_again()
        else:
            self._workbench.submit()

    def _offer_flags(self) -> None:
        if self._view.stage is WorkbenchStage.TRIAL:
            self.flags.offer(self.answer.flag, flags=self._view.flags)

    def _leave_note(self) -> None:
        self._take_focus()
        self.answer.close_note()

    def _remember(self) -> None:
        self._workbench.remember(shortlist=self._tools.shortlisted, query=self._tools.query)

    def _beat(self) -> None:
        self._workbench.tick()
        self._beat_clock()

    def _beat_clock(self) -> None:
        self.strip.show_clock(self._workbench.clock() if self._clock_shown else None)


def _is_hatch_withdrawn(
    before: WorkbenchView[ImagePyramid], view: WorkbenchView[ImagePyramid]
) -> bool:
    """Return whether an escape hatch was withdrawn before the intended subject was named."""
    same = before.trial is not None and before.trial == view.trial
    return same and before.answer.needs_alternative and not view.answer.escape_hatch


def _is_new_trial(before: WorkbenchView[ImagePyramid], view: WorkbenchView[ImagePyramid]) -> bool:
    """Return whether the trial was just opened; a prefetched one opens in a single step."""
    if before.stage in _STAGES_BETWEEN_TRIALS or before.trial is None or view.trial is None:
        return before.stage is not WorkbenchStage.PAUSED
    return before.trial.trial_id != view.trial.trial_id
