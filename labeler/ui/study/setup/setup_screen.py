"""Setting the study up: the steps on the left, the chosen one's panel beside them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from labeler.app.classes.translated_names import NamesIn
from labeler.app.datasets.relocation import FilesThere
from labeler.app.key_names import Key
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.study.setup.confirmations import (
    Question,
    before_locking,
    before_opening,
    before_relocating,
    before_removing,
    before_renaming,
    before_replacing,
)
from labeler.app.study.setup.facts import SetUpFacts
from labeler.app.study.setup.setup import SetUp
from labeler.app.study.setup.steps import (
    Step,
    StepView,
    following,
    next_step,
    onward_words,
    step_views,
)
from labeler.core.clock import Clock
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase
from labeler.ui.kit.charts.work_strip import WorkStrip
from labeler.ui.kit.input.command_button import EntryButton, Kind
from labeler.ui.kit.layout.titled_page import LookingBackPage, side_by_side
from labeler.ui.kit.text.error_banner import Told
from labeler.ui.study.setup.asking import confirm
from labeler.ui.study.setup.backups_panel import KeepingPanel
from labeler.ui.study.setup.confirm_dialog import ConfirmDialog
from labeler.ui.study.setup.files_panel import FilesPanel
from labeler.ui.study.setup.fitted_area import EDGE, FittedArea, FittedStack
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.models_panel import ModelsPanel
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.phases_panel import PhasesPanel
from labeler.ui.study.setup.review_plan_panel import ReviewsPanel
from labeler.ui.study.setup.sample_panel import SamplePanel
from labeler.ui.study.setup.settings_panel import SettingsPanel
from labeler.ui.study.setup.setup_panel import SetUpPanel
from labeler.ui.study.setup.step_list import StepList
from labeler.ui.study.setup.training_images_panel import TrainingPanel
from labeler.ui.window.actions import bind, bind_one
from labeler.ui.window.look import Look

_STEPS_WIDTH, _PANEL_WIDTH = 320, 880
# Wider lines can't be read, and wider fields say nothing about what belongs into them.
_PANEL_AT_MOST = 1080
# How long a look may take before it is worth telling how far it is.
_SLOW_MS = 400
_ONWARD = Key(("Alt",), "Right")


class SetUpScreen(LookingBackPage):
    """Renders how far each step is, and keeps one piece of work in sight at a time."""

    home_wanted = Signal()
    models_wanted = Signal()
    restore_wanted = Signal(str)
    rested = Signal()

    def __init__(self, look: Look, keymap: Keymap, set_up: SetUp, clock: Clock) -> None:
        super().__init__(look, keymap, title="Set up", icon="set_up")
        self._set_up = set_up
        self._step: Step | None = None
        self._facts: SetUpFacts | None = None
        self._views: tuple[StepView, ...] = ()
        self._hand_was_at: QWidget | None = None
        self.said = Told(look, icon="right", colour="open")
        self.halted = Told(look, icon="pause", colour="locked")
        self.step_list = StepList(look)
        self.steps = self.step_list.buttons
        self.phases, self.keeping = PhasesPanel(look, set_up), KeepingPanel(look, set_up, clock)
        self.sample, self.models = SamplePanel(look, set_up), ModelsPanel(look, set_up, keymap)
        self.settings = SettingsPanel(look, set_up)
        self.panels: dict[Step, SetUpPanel] = {
            Step.IMAGES: ImagesPanel(look, set_up, DatasetRole.EVALUATION),
            Step.REFERENCES: ImagesPanel(look, set_up, DatasetRole.REFERENCE),
            Step.TRAINING: TrainingPanel(look, set_up),
            Step.PEOPLE: PeoplePanel(look, set_up),
            Step.SETTINGS: self.settings,
            Step.SAMPLE: self.sample,
            Step.PHASES: self.phases,
            Step.MODELS: self.models,
            Step.REVIEWS: ReviewsPanel(look, set_up),
            Step.KEEPING: self.keeping,
            Step.FILES: FilesPanel(look, set_up),
        }
        assert set(self.panels) == set(Step)
        for panel in self.panels.values():
            # Placing all of them would hold the window up: each waits until its step is chosen.
            panel.setParent(self)
            panel.hide()
        self.work = WorkStrip(look, "Work under way")
        self.work.setAccessibleName("Work under way")
        # It can have the keyboard without doing anything: a key typed for a field cancels nothing.
        self.work.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slow_look = QTimer(self, singleShot=True, interval=_SLOW_MS)
        self._slow_look.timeout.connect(self.work.show)
        self.onward = EntryButton(look, "Next", keys=[_ONWARD], kind=Kind.PRIMARY)
        self.onward.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.home = self.add_way("Home", Action.GO_HOME)
        self._stacked = FittedStack()
        self._places: dict[Step, FittedArea] = {}
        self._lay_out()
        self._connect()
        bind(self, keymap, Scope.SET_UP, {Action.SHOW_SET_UP: self._focus_step})
        bind_one(self, keymap[Action.SHOW_MODELS], self.models.go.click)

    def render_facts(self, facts: SetUpFacts) -> None:
        first, had_focus = not self._views, self._has_focus
        self._facts, self._views = facts, step_views(facts)
        self.step_list.render_views(self._views)
        for panel in self.panels.values():
            panel.render_facts(facts)
        if first:
            self.show_contents()
            # Somebody may have pressed a step's key before anything was known of it.
            self.go_to(self._step or next_step(self._views))
            self._focus_step()
            return
        self._show_onward()
        if had_focus:
            self._keep_focus()

    def go_to(self, step: Step) -> None:
        """Show the step's panel."""
        self._step = step
        self.steps[step].setChecked(True)
        self._stacked.setCurrentWidget(self._place_of(step))
        self._show_onward()

    def _place_of(self, step: Step) -> FittedArea:
        """Where the step's panel stands; it is put there when somebody first wants to see it."""
        if step not in self._places:
            place = self._places[step] = FittedArea(self.panels[step])
            self._stacked.addWidget(place)
            self.panels[step].show()
        return self._places[step]

    @property
    def unapplied(self) -> Question | None:
        """What to ask whoever leaves the step now."""
        return None if self._step is None else self.panels[self._step].unapplied

    def leave_step(self, then: Callable[[], None]) -> None:
        """Go on to what comes then, once whoever changed something has said what becomes of it."""
        asked = self.unapplied
        if self._step is None or asked is None:
            then()
            return
        panel = self.panels[self._step]
        dialog = ConfirmDialog(
            self._look,
            self,
            heading=asked.heading,
            words=asked.words,
            deed=asked.deed,
            back="Stay here",
            instead="Leave it as it was",
            kind=Kind.PRIMARY,
        )
        dialog.confirmed.connect(lambda: panel.apply_all(then))
        dialog.chose_instead.connect(panel.take_back)
        dialog.chose_instead.connect(then)
        dialog.open()

    def _choose(self, step: Step) -> None:
        """Go there; what was said of another step is read by now."""
        if step is self._step or self.unapplied is None:
            self._tell("")
            self._arrive(step)
            return
        # Whoever is asked is still where they were.
        assert self._step is not None, "only a step has something to apply"
        self.steps[self._step].setChecked(True)
        self.leave_step(lambda: self._arrive(step))

    def _arrive(self, step: Step) -> None:
        self.go_to(step)
        self._focus_step()

    def _choose_dataset(self, step: Step, dataset: str) -> None:
        """Go where something is mended, to the dataset that it is about."""
        self._choose(step)
        panel = self.panels[step]
        if isinstance(panel, ImagesPanel):
            panel.select(dataset)

    def _show_onward(self) -> None:
        """Offer the step that follows, once the chosen one lets the lead go on."""
        if self._step is None or not self._views:
            return
        to = following(self._step, self._views)
        self.onward.setVisible(to is not None and not self.panels[self._step].waits)
        if to is not None:
            done = next(view.done for view in self._views if view.step is self._step)
            self.onward.set_words(onward_words(self._step, to, self._views))
            # Nobody is invited to leave out a step: what it asks for matters more.
            self.onward.set_kind(Kind.PRIMARY if done else Kind.PLAIN)

    def _go_onward(self) -> None:
        to = following(self._step, self._views) if self._step is not None else None
        if to is not None and not self._set_up.is_busy:
            self._choose(to)

    def _bring_into_sight(self, part: QWidget) -> None:
        area = self._stacked.currentWidget()
        if isinstance(area, QScrollArea):
            # Its place is known when the layout has made room for it.
            QTimer.singleShot(0, part, lambda: area.ensureWidgetVisible(part, 0, 16))

    @property
    def _has_focus(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _keep_focus(self) -> None:
        """What had the focus may be gone: then it went to whatever comes next in the window."""
        if self.isVisible() and not self._has_focus:
            self._focus_step()

    def _focus_step(self) -> None:
        if self._step is not None:
            self.steps[self._step].setFocus()

    def _show_progress(self, done: int, total: int, sentence: str) -> None:
        if self._set_up.is_looking:
            self._show_look(done, total, sentence)
            return
        self.say("")
        self.work.show_state(done, total, sentence)
        if self._stacked.isEnabled():
            self._hand_was_at = self._stacked.focusWidget()
            # Something must have the focus, or no key works.
            self.work.setFocus()
            self._stacked.setEnabled(False)
            self.onward.hide()

    def _show_look(self, done: int, total: int, sentence: str) -> None:
        """A look holds nobody up, and a short one isn't worth a strip that comes and goes."""
        shown = self.work.isVisible()
        self.work.show_state(done, total, sentence)
        if not shown:
            self.work.hide()
            if not self._slow_look.isActive():
                self._slow_look.start()

    def _rest(self) -> None:
        self._slow_look.stop()
        # A look leaves the panel as it is, and whoever went elsewhere meanwhile stays there.
        held_up = not self._stacked.isEnabled()
        self._stacked.setEnabled(True)
        # A panel that is disabled hands the focus on to whatever comes next in the window.
        at_work = self.focusWidget() in (self.work, self.work.cancel)
        if at_work or (held_up and not self._has_focus):
            self._give_focus_back()
        self.work.hide()
        self._show_onward()
        if held_up:
            # The form that is told of its success may disable what has been pressed.
            QTimer.singleShot(0, self, self._keep_focus)
        self.rested.emit()

    def _give_focus_back(self) -> None:
        """Whoever was refused goes on where they were, and need not go there anew."""
        part, self._hand_was_at = self._hand_was_at, None
        if part is not None and part.isVisible() and part.isEnabled():
            part.setFocus()
        else:
            self._focus_step()

    def _tell(self, sentence: str) -> None:
        self._tell_in(self.said, sentence)

    def _fail(self, sentence: str) -> None:
        if not self._views:
            # There is nothing yet below which it could stand.
            self.say_instead(sentence, icon="damaged")
        self._tell_in(self.told, sentence)

    def _tell_halt(self, sentence: str) -> None:
        self._tell_in(self.halted, sentence)

    def _tell_in(self, place: Told, sentence: str) -> None:
        """One thing is told at a time."""
        for each in (self.said, self.told, self.halted):
            each.say(sentence if each is place else "")

    def _connect(self) -> None:
        self.step_list.chosen.connect(self._choose)
        for panel in self.panels.values():
            panel.waiting_changed.connect(self._show_onward)
            panel.in_sight_wanted.connect(self._bring_into_sight)
            panel.edited.connect(partial(self.say, ""))
            if isinstance(panel, ImagesPanel):
                panel.remove_wanted.connect(partial(self._ask_to_remove, panel))
                panel.part_found.connect(partial(self._ask_to_relocate, panel))
        self.step_list.bind(self)
        onward = QShortcut(QKeySequence(str(_ONWARD)), self, self._go_onward)
        onward.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.onward.clicked.connect(self._go_onward)
        self.home.clicked.connect(self.home_wanted)
        self.models.models_wanted.connect(self.models_wanted)
        self.work.cancel.clicked.connect(self._set_up.cancel)
        self.phases.open_wanted.connect(self._ask_to_open)
        self.phases.lock_wanted.connect(self._ask_to_lock)
        self.sample.replace_wanted.connect(self._ask_to_replace)
        self.settings.names.replace_wanted.connect(self._ask_to_rename)
        self.keeping.restore_wanted.connect(self.restore_wanted)
        self.keeping.step_wanted.connect(self._choose_dataset)
        self._set_up.listen(
            show=self.render_facts,
            progress=self._show_progress,
            idle=self._rest,
            say=self._tell,
            fail=self._fail,
            halt=self._tell_halt,
        )

    def _ask_to_open(self, phase: Phase) -> None:
        self._confirm(before_opening, then=lambda: self.phases.open(phase), kind=Kind.PRIMARY)

    def _ask_to_lock(self, phase: Phase) -> None:
        self._confirm(
            lambda facts: before_locking(phase, facts), then=lambda: self.phases.lock(phase)
        )

    def _ask_to_replace(self) -> None:
        self._confirm(before_replacing, then=self.sample.draw_sample)

    def _ask_to_remove(self, panel: ImagesPanel, name: str) -> None:
        self._confirm(
            lambda facts: before_removing(name, facts), then=lambda: panel.remove_dataset(name)
        )

    def _ask_to_relocate(
        self, panel: ImagesPanel, name: str, folder: Path, there: FilesThere
    ) -> None:
        self._confirm(
            lambda _facts: before_relocating(name, folder, there),
            then=lambda: panel.relocate(name, folder, partly=True),
        )

    def _ask_to_rename(self, seen: tuple[NamesIn, ...]) -> None:
        self._confirm(lambda _facts: before_renaming(seen), then=self.settings.names.replace)

    def _confirm(
        self,
        asking: Callable[[SetUpFacts], Question],
        *,
        then: Callable[[], None],
        kind: Kind = Kind.DANGER,
    ) -> None:
        if self._facts is not None:
            confirm(self._look, self, asking(self._facts), then=then, kind=kind)

    def _lay_out(self) -> None:
        # What came of a press stands below the panel, so that the panel stays where it is; and as
        # near to it as may be, so that it is seen.
        foot = QVBoxLayout()
        foot.setContentsMargins(0, 0, EDGE, 0)
        foot.setSpacing(16)
        for told in (self.said, self.told, self.halted, self.work):
            foot.addWidget(told)
        foot.addWidget(self.onward, alignment=Qt.AlignmentFlag.AlignRight)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 8, 0, 0)
        beside.setSpacing(16)
        beside.addWidget(self._stacked)
        beside.addLayout(foot)
        beside.addStretch()
        steps = FittedArea(self.step_list)
        right.setMaximumWidth(_PANEL_AT_MOST)
        sizes = _STEPS_WIDTH, _PANEL_WIDTH
        whole = side_by_side(steps, _at_the_left(right), sizes=sizes, grow=(0, 1))
        self.set_contents(whole, until_then="Looking how far the study is …")


def _at_the_left(part: QWidget) -> QWidget:
    """The part in a room that may be wider than it."""
    room = QWidget()
    row = QHBoxLayout(room)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(part, stretch=1)
    row.addStretch()
    return room
