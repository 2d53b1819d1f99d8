"""Setting the study up: the steps on the left, the chosen one's panel beside them."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.key_names import Key
from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.presenters.set_up import SetUp
from labeler.app.presenters.set_up_steps import Step, StepView, next_step, step_views
from labeler.app.setting_up.facts import SetUpFacts
from labeler.core.clock import Clock
from labeler.core.phases import Phase
from labeler.core.study import DatasetRole
from labeler.ui.actions import bind
from labeler.ui.look import Look
from labeler.ui.set_up.files import FilesPanel
from labeler.ui.set_up.images import ImagesPanel, TrainingPanel
from labeler.ui.set_up.keeping import KeepingPanel
from labeler.ui.set_up.panel import SetUpPanel
from labeler.ui.set_up.people import PeoplePanel
from labeler.ui.set_up.phases import PhasesPanel
from labeler.ui.set_up.sample import SamplePanel
from labeler.ui.widgets.icon_label import IconLabel
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.looking_back_page import LookingBackPage, side_by_side
from labeler.ui.widgets.told import Told
from labeler.ui.widgets.work_strip import WorkStrip

_STEPS_WIDTH, _PANEL_WIDTH = 320, 880
_LOCKING = (
    "Nobody can answer or change an answer in this phase afterwards, and it can't be undone. A "
    "backup of the study as it is now is made first."
)
_RESTORING = (
    "The study goes back to how it was then; what came later is kept beside the backups, and "
    "counts no more. The study is closed and opened again."
)


class SetUpScreen(LookingBackPage):
    """Renders how far each step is, and keeps one piece of work in sight at a time."""

    home_wanted = Signal()
    restore_wanted = Signal(str)

    def __init__(self, look: Look, keymap: Keymap, set_up: SetUp, clock: Clock) -> None:
        super().__init__(look, keymap, title="Set up", icon="settings")
        self._set_up = set_up
        self._step: Step | None = None
        self.said = Told(look, icon="right", colour="open")
        self.steps = {step: _StepButton(look, n, step) for n, step in enumerate(Step, start=1)}
        self.phases, self.keeping = PhasesPanel(look, set_up), KeepingPanel(look, set_up, clock)
        self.panels: dict[Step, SetUpPanel] = {
            Step.IMAGES: ImagesPanel(look, set_up, DatasetRole.EVALUATION),
            Step.REFERENCES: ImagesPanel(look, set_up, DatasetRole.REFERENCE),
            Step.TRAINING: TrainingPanel(look, set_up),
            Step.PEOPLE: PeoplePanel(look, set_up),
            Step.SAMPLE: SamplePanel(look, set_up),
            Step.PHASES: self.phases,
            Step.KEEPING: self.keeping,
            Step.FILES: FilesPanel(look, set_up),
        }
        assert set(self.panels) == set(Step)
        self.work = WorkStrip(look, "Work under way")
        self.home = self.add_way("Home", Action.GO_HOME)
        self._stacked = QStackedWidget()
        self._lay_out()
        self._connect()
        bind(self, keymap, Scope.SET_UP, {Action.SHOW_SET_UP: self._focus_step})

    def render_facts(self, facts: SetUpFacts) -> None:
        views = step_views(facts)
        for view in views:
            self.steps[view.step].render_view(view)
        for panel in self.panels.values():
            panel.render_facts(facts)
        if self._step is None:
            self.show_contents()
            self.go_to(next_step(views))
            self._focus_step()

    def go_to(self, step: Step) -> None:
        """Show the step's panel."""
        self._step = step
        self.steps[step].setChecked(True)
        self._stacked.setCurrentIndex(list(self.panels).index(step))

    def _choose(self, step: Step) -> None:
        """Go there; what was said of another step is read by now."""
        self._tell("")
        self.go_to(step)
        self._focus_step()

    def _focus_step(self) -> None:
        if self._step is not None:
            self.steps[self._step].setFocus()

    def _show_progress(self, done: int, total: int, sentence: str) -> None:
        self.say("")
        self.work.show_state(done, total, sentence)
        if self._stacked.isEnabled():
            # Something must have the focus, or no key works.
            self.work.cancel.setFocus()
            self._stacked.setEnabled(False)

    def _rest(self) -> None:
        self._stacked.setEnabled(True)
        if self.work.cancel.hasFocus():
            self._focus_step()
        self.work.hide()

    def _tell(self, sentence: str) -> None:
        self.say("")
        self.said.say(sentence)

    def _fail(self, sentence: str) -> None:
        self.said.say("")
        self.say(sentence)

    def _connect(self) -> None:
        for step, chosen in self.steps.items():
            chosen.clicked.connect(lambda _checked=False, to=step: self._choose(to))
            shortcut = QShortcut(QKeySequence(str(chosen.key)), self, chosen.click)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.home.clicked.connect(self.home_wanted)
        self.work.cancel.clicked.connect(self._set_up.cancel)
        self.phases.lock_wanted.connect(self._ask_to_lock)
        self.keeping.restore_wanted.connect(self._ask_to_restore)
        self._set_up.listen(
            show=self.render_facts,
            progress=self._show_progress,
            idle=self._rest,
            say=self._tell,
            fail=self._fail,
        )

    def _ask_to_lock(self, phase: Phase) -> None:
        self._confirm(
            heading=f"Lock the phase {phase}?",
            words=_LOCKING,
            deed="Lock it for good",
            then=lambda: self.phases.lock(phase),
        )

    def _ask_to_restore(self, name: str) -> None:
        self._confirm(
            heading=f"Put {name} back?",
            words=_RESTORING,
            deed="Put it back",
            then=lambda: self.restore_wanted.emit(name),
        )

    def _confirm(self, *, heading: str, words: str, deed: str, then: Callable[[], None]) -> None:
        from labeler.ui.dialogs.confirming import ConfirmDialog

        dialog = ConfirmDialog(self._look, self, heading=heading, words=words, deed=deed)
        dialog.confirmed.connect(then)
        dialog.open()

    def _lay_out(self) -> None:
        self.below_head.addWidget(self.said)
        steps = QWidget()
        column = QVBoxLayout(steps)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        for each in self.steps.values():
            column.addWidget(each)
        column.addStretch()
        for panel in self.panels.values():
            self._stacked.addWidget(_scrolled(panel))
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 8, 0, 0)
        beside.setSpacing(16)
        beside.addWidget(self._stacked, stretch=1)
        beside.addWidget(self.work)
        whole = side_by_side(steps, right, sizes=(_STEPS_WIDTH, _PANEL_WIDTH), grows=1)
        self.set_contents(whole, until_then="Looking how far the study is …")


class _StepButton(QPushButton):
    """A step with how far it is; its number is its key."""

    def __init__(self, look: Look, number: int, step: Step) -> None:
        super().__init__()
        self.key = Key(("Alt",), str(number))
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.setProperty("kind", "role")
        self.setAccessibleName(step.value)
        self._mark = IconLabel(look, "unchosen", colour="strong_line", size=16)
        self._sentence = label(rank="caption", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(step.value, rank="number"))
        words.addWidget(self._sentence)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(12)
        row.addWidget(self._mark)
        row.addLayout(words, stretch=1)
        row.addWidget(KeyCaps(look, [self.key]))
        self.setMinimumHeight(56)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def render_view(self, view: StepView) -> None:
        self._sentence.setText(view.sentence)
        self.setAccessibleDescription(view.sentence)
        name, colour = ("right", "open") if view.done else ("unchosen", "strong_line")
        self._mark.set_icon(name, colour=colour)


def _scrolled(panel: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setObjectName("page")
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    room = QWidget()
    room.setObjectName("page_room")
    inside = QVBoxLayout(room)
    inside.setContentsMargins(0, 0, 12, 0)
    inside.addWidget(panel)
    # A panel that doesn't grow stays at the top.
    inside.addStretch()
    area.setWidget(room)
    return area
