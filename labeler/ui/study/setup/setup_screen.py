"""The Set up screen: the list of steps, and the panel of the selected step."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from labeler.app.classes.translated_names import LanguageNames
from labeler.app.confirmation import Confirmation
from labeler.app.datasets.relocation import RelocationPreview
from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.study.setup.confirmations import (
    locking_confirmation,
    opening_confirmation,
    relocation_confirmation,
    removal_confirmation,
    renaming_confirmation,
    replacement_confirmation,
)
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.steps import (
    SetupStepView,
    next_button_text,
    next_setup_step,
    setup_step_views,
    step_after,
)
from labeler.core.clock import Clock
from labeler.core.study.entities import DatasetRole
from labeler.core.study.phases import Phase
from labeler.ui.kit.charts.progress_bar import WorkProgressCard
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import aligned, hsplit, stretch, vbox
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog, ask_to_confirm
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.sharing.sharing_panel import SharingPanel
from labeler.ui.study.setup.backups_panel import BackupsPanel
from labeler.ui.study.setup.files_panel import FilesPanel
from labeler.ui.study.setup.fitted_area import PANEL_MARGIN, FittedScrollArea, FittedStack
from labeler.ui.study.setup.images_panel import ImagesPanel
from labeler.ui.study.setup.models_panel import ModelsSetupPanel
from labeler.ui.study.setup.people_panel import PeoplePanel
from labeler.ui.study.setup.phases_panel import PhasesPanel
from labeler.ui.study.setup.review_plan_panel import ReviewPlanPanel
from labeler.ui.study.setup.sample_panel import SamplePanel
from labeler.ui.study.setup.settings_panel import StudySettingsPanel
from labeler.ui.study.setup.setup_panel import SetupPanel
from labeler.ui.study.setup.step_list import SetupStepList
from labeler.ui.study.setup.training_images_panel import TrainingImagesPanel
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_STEPS_WIDTH, _PANEL_WIDTH = 320, 880
# Wider lines are hard to read.
_PANEL_MAX_WIDTH = 1080
# Progress of a preview is shown only after this delay.
_PROGRESS_DELAY_MS = 400
_NEXT_STEP_KEY = Key(("Alt",), "Right")


class SetupScreen(TitledPage):
    """Shows the state of each step, and the progress of the current task."""

    home_wanted = Signal()
    models_wanted = Signal()
    near_duplicates_wanted = Signal()
    restore_wanted = Signal(str)
    rested = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, set_up: SetupPresenter, clock: Clock
    ) -> None:
        super().__init__(appearance, keymap, title="Set up", icon="set_up")
        self._set_up = set_up
        self._step: SetupStep | None = None
        self._facts: SetupFacts | None = None
        self._views: tuple[SetupStepView, ...] = ()
        self._focus_before_task: QWidget | None = None
        self.said = ErrorBanner(appearance, BannerKind.DONE)
        self.halted = ErrorBanner(appearance, BannerKind.PAUSED)
        self.step_list = SetupStepList(appearance)
        self.steps = self.step_list.buttons
        self.phases, self.backups = (
            PhasesPanel(appearance, set_up),
            BackupsPanel(appearance, set_up, clock),
        )
        self.sample, self.models = (
            SamplePanel(appearance, set_up),
            ModelsSetupPanel(appearance, set_up, keymap),
        )
        self.settings = StudySettingsPanel(appearance, set_up)
        self.panels: dict[SetupStep, SetupPanel] = {
            SetupStep.IMAGES: ImagesPanel(appearance, set_up, DatasetRole.EVALUATION),
            SetupStep.REFERENCES: ImagesPanel(appearance, set_up, DatasetRole.REFERENCE),
            SetupStep.TRAINING: TrainingImagesPanel(appearance, set_up),
            SetupStep.PEOPLE: PeoplePanel(appearance, set_up),
            SetupStep.SETTINGS: self.settings,
            SetupStep.SAMPLE: self.sample,
            SetupStep.PHASES: self.phases,
            SetupStep.MODELS: self.models,
            SetupStep.REVIEWS: ReviewPlanPanel(appearance, set_up),
            SetupStep.KEEPING: self.backups,
            SetupStep.FILES: FilesPanel(appearance, set_up),
            SetupStep.SHARING: SharingPanel(appearance, set_up),
        }
        assert set(self.panels) == set(SetupStep)
        for panel in self.panels.values():
            # Laying out all panels is slow, so each one is placed when its step is first selected.
            panel.setParent(self)
            panel.hide()
        self.work = WorkProgressCard(appearance, "Current task")
        self.work.setAccessibleName("Current task")
        # It can take the focus so that a key typed for a field doesn't press Cancel.
        self.work.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slow_look = QTimer(self, singleShot=True, interval=_PROGRESS_DELAY_MS)
        self._slow_look.timeout.connect(self.work.show)
        self.next_button = CommandButton(
            appearance, "Next", keys=[_NEXT_STEP_KEY], kind=ButtonKind.PRIMARY
        )
        self.next_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self._stacked = FittedStack()
        self._places: dict[SetupStep, FittedScrollArea] = {}
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.SET_UP, {Action.SHOW_SET_UP: self._focus_step})
        bind_action(self, keymap[Action.SHOW_MODELS], self.models.go.click)

    def render_facts(self, facts: SetupFacts) -> None:
        first, had_focus = not self._views, self._has_focus
        self._facts, self._views = facts, setup_step_views(facts)
        self.step_list.render_views(self._views)
        for panel in self.panels.values():
            panel.render_facts(facts)
        if first:
            self.show_contents()
            # A step may have been selected by key before the facts arrived.
            self.go_to(self._step or next_setup_step(self._views))
            self._focus_step()
            return
        self._show_next_button()
        if had_focus:
            self._keep_focus()

    def go_to(self, step: SetupStep) -> None:
        """Show the step's panel."""
        self._step = step
        self.steps[step].setChecked(True)
        self._stacked.setCurrentWidget(self._place_of(step))
        self._show_next_button()

    def _place_of(self, step: SetupStep) -> FittedScrollArea:
        """Return the step's scroll area, creating it on first use."""
        if step not in self._places:
            place = self._places[step] = FittedScrollArea(self.panels[step])
            self._stacked.addWidget(place)
            self.panels[step].show()
        return self._places[step]

    @property
    def unapplied(self) -> Confirmation | None:
        """What to ask before leaving the step, or None."""
        return None if self._step is None else self.panels[self._step].unapplied

    def leave_step(self, then: Callable[[], None]) -> None:
        """Call `then`, after asking what to do with unapplied changes."""
        asked = self.unapplied
        if self._step is None or asked is None:
            then()
            return
        panel = self.panels[self._step]
        dialog = ConfirmDialog(
            self._appearance,
            self,
            asked,
            back="Stay here",
            instead="Discard",
            kind=ButtonKind.PRIMARY,
        )
        dialog.confirmed.connect(lambda: panel.apply_all(then))
        dialog.chose_instead.connect(panel.take_back)
        dialog.chose_instead.connect(then)
        dialog.open()

    def _choose(self, step: SetupStep) -> None:
        """Go to the step, and clear messages about the previous one."""
        if step is self._step or self.unapplied is None:
            self._show_done("")
            self._arrive(step)
            return
        # The previous step stays selected until the question is answered.
        assert self._step is not None, "only a step has something to apply"
        self.steps[self._step].setChecked(True)
        self.leave_step(lambda: self._arrive(step))

    def _arrive(self, step: SetupStep) -> None:
        self.go_to(step)
        self._focus_step()

    def _choose_dataset(self, step: SetupStep, dataset: str) -> None:
        """Go to the step and select the dataset to be fixed."""
        self._choose(step)
        panel = self.panels[step]
        if isinstance(panel, ImagesPanel):
            panel.select(dataset)

    def _show_next_button(self) -> None:
        """Show the button for the following step, if the current one is finished or optional."""
        if self._step is None or not self._views:
            return
        to = step_after(self._step, self._views)
        self.next_button.setVisible(to is not None and not self.panels[self._step].waits)
        if to is not None:
            done = next(view.done for view in self._views if view.step is self._step)
            self.next_button.set_words(next_button_text(self._step, to, self._views))
            # Skipping a step isn't the recommended action.
            self.next_button.set_kind(ButtonKind.PRIMARY if done else ButtonKind.PLAIN)

    def _go_to_next_step(self) -> None:
        to = step_after(self._step, self._views) if self._step is not None else None
        if to is not None and not self._set_up.is_busy:
            self._choose(to)

    def _ensure_visible(self, part: QWidget) -> None:
        area = self._stacked.currentWidget()
        if isinstance(area, QScrollArea):
            # Its position is known only after the layout was updated.
            QTimer.singleShot(0, part, lambda: area.ensureWidgetVisible(part, 0, 16))

    @property
    def _has_focus(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _keep_focus(self) -> None:
        """Focus the step's button if the focus left the screen with a deleted widget."""
        if self.isVisible() and not self._has_focus:
            self._focus_step()

    def _focus_step(self) -> None:
        if self._step is not None:
            self.steps[self._step].setFocus()

    def _show_progress(self, done: int, total: int, sentence: str) -> None:
        if self._set_up.is_previewing:
            self._show_scan_progress(done, total, sentence)
            return
        self.say("")
        self.work.show_state(done, total, sentence)
        if self._stacked.isEnabled():
            self._focus_before_task = self._stacked.focusWidget()
            # Without a focused widget no shortcut works.
            self.work.setFocus()
            self._stacked.setEnabled(False)
            self.next_button.hide()

    def _show_scan_progress(self, done: int, total: int, sentence: str) -> None:
        """Show the progress of a preview only if it is slow, so that the card doesn't flicker."""
        shown = self.work.isVisible()
        self.work.show_state(done, total, sentence)
        if not shown:
            self.work.hide()
            if not self._slow_look.isActive():
                self._slow_look.start()

    def _rest(self) -> None:
        self._slow_look.stop()
        # A preview doesn't disable the panel or move the focus.
        was_disabled = not self._stacked.isEnabled()
        self._stacked.setEnabled(True)
        # Disabling a panel moves its focus to the next widget in the window.
        at_work = self.focusWidget() in (self.work, self.work.cancel)
        if at_work or (was_disabled and not self._has_focus):
            self._restore_focus()
        self.work.hide()
        self._show_next_button()
        if was_disabled:
            # On success the form may disable the button that was pressed.
            QTimer.singleShot(0, self, self._keep_focus)
        self.rested.emit()

    def _restore_focus(self) -> None:
        """Return the focus to the widget that had it before the task."""
        part, self._focus_before_task = self._focus_before_task, None
        if part is not None and part.isVisible() and part.isEnabled():
            part.setFocus()
        else:
            self._focus_step()

    def _show_done(self, sentence: str) -> None:
        self._show_message_in(self.said, sentence)

    def _fail(self, sentence: str) -> None:
        if not self._views:
            # There is no panel yet to show it below.
            self.show_message_instead(sentence, icon="damaged")
        self._show_message_in(self.error_banner, sentence)

    def _show_cancelled(self, sentence: str) -> None:
        self._show_message_in(self.halted, sentence)

    def _show_message_in(self, place: ErrorBanner, sentence: str) -> None:
        """Show one message, and clear the others."""
        for each in (self.said, self.error_banner, self.halted):
            each.say(sentence if each is place else "")

    def _connect(self) -> None:
        self.step_list.chosen.connect(self._choose)
        for panel in self.panels.values():
            panel.waiting_changed.connect(self._show_next_button)
            panel.ensure_visible_wanted.connect(self._ensure_visible)
            panel.edited.connect(partial(self.say, ""))
            if isinstance(panel, ImagesPanel):
                panel.remove_wanted.connect(partial(self._ask_to_remove, panel))
                panel.part_found.connect(partial(self._ask_to_relocate, panel))
        self.step_list.bind(self)
        shortcut = QShortcut(QKeySequence(str(_NEXT_STEP_KEY)), self, self._go_to_next_step)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.next_button.clicked.connect(self._go_to_next_step)
        self.home.clicked.connect(self.home_wanted)
        self.models.models_wanted.connect(self.models_wanted)
        self.sample.near_duplicates_wanted.connect(self.near_duplicates_wanted)
        self.work.cancel.clicked.connect(self._set_up.cancel)
        self.phases.open_wanted.connect(self._ask_to_open)
        self.phases.lock_wanted.connect(self._ask_to_lock)
        self.sample.replace_wanted.connect(self._ask_to_replace)
        self.settings.names.replace_wanted.connect(self._ask_to_rename)
        self.backups.restore_wanted.connect(self.restore_wanted)
        self.backups.step_wanted.connect(self._choose_dataset)
        self._set_up.listen(
            show=self.render_facts,
            progress=self._show_progress,
            idle=self._rest,
            say=self._show_done,
            fail=self._fail,
            halt=self._show_cancelled,
        )

    def _ask_to_open(self, phase: Phase) -> None:
        self._confirm(
            opening_confirmation, then=lambda: self.phases.open(phase), kind=ButtonKind.PRIMARY
        )

    def _ask_to_lock(self, phase: Phase) -> None:
        self._confirm(
            lambda facts: locking_confirmation(phase, facts), then=lambda: self.phases.lock(phase)
        )

    def _ask_to_replace(self) -> None:
        self._confirm(replacement_confirmation, then=self.sample.draw_sample)

    def _ask_to_remove(self, panel: ImagesPanel, name: str) -> None:
        self._confirm(
            lambda facts: removal_confirmation(name, facts), then=lambda: panel.remove_dataset(name)
        )

    def _ask_to_relocate(
        self, panel: ImagesPanel, name: str, folder: Path, there: RelocationPreview
    ) -> None:
        self._confirm(
            lambda _facts: relocation_confirmation(name, folder, there),
            then=lambda: panel.relocate(name, folder, partly=True),
        )

    def _ask_to_rename(self, seen: tuple[LanguageNames, ...]) -> None:
        self._confirm(lambda _facts: renaming_confirmation(seen), then=self.settings.names.replace)

    def _confirm(
        self,
        asking: Callable[[SetupFacts], Confirmation],
        *,
        then: Callable[[], None],
        kind: ButtonKind = ButtonKind.DANGER,
    ) -> None:
        if self._facts is not None:
            ask_to_confirm(self._appearance, self, asking(self._facts), then=then, kind=kind)

    def _lay_out(self) -> None:
        # Messages are directly below the panel, where they are noticed and don't move it.
        foot = vbox(
            self.said,
            self.error_banner,
            self.halted,
            self.work,
            aligned(self.next_button, Qt.AlignmentFlag.AlignRight),
            spacing=16,
            margins=(0, 0, PANEL_MARGIN, 0),
        )
        right = QWidget()
        vbox(self._stacked, foot, stretch(), on=right, spacing=16, margins=(0, 8, 0, 0))
        steps = FittedScrollArea(self.step_list)
        right.setMaximumWidth(_PANEL_MAX_WIDTH)
        sizes = _STEPS_WIDTH, _PANEL_WIDTH
        splitter = hsplit(steps, _left_aligned(right), sizes=sizes, shares=(0, 1))
        self.set_contents(splitter, until_then="Loading the study…")


def _left_aligned(part: QWidget) -> QWidget:
    """Place the widget at the left of a possibly wider area."""
    area = QWidget()
    row = QHBoxLayout(area)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(part, stretch=1)
    row.addStretch()
    return area
