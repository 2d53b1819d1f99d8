"""Opening and locking the phases, with everyone's progress."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from labeler.app.study.home_cards import PHASE_STATE_NAMES
from labeler.app.study.labeler_rows import LabelerRow
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.people import progress_rows
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.study.phases import PHASE_NAMES, Phase, PhaseState
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.text.labels import label
from labeler.ui.study.labeler_table import LabelerTable
from labeler.ui.study.setup.setup_panel import SetupPanel, push_button
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Open a phase so that people can work in it. Lock it when its answers should no longer change."
)
_PURPOSES = {
    Phase.ANNOTATE: "Optional initial review. Reviewers judge the targets and the models' labels.",
    Phase.TRAIN: "Optional. Labelers practise, with feedback after each answer.",
    Phase.EVALUATE: "Labelers classify the sample. Opening it freezes the guide, the written rules "
    "for telling classes apart.",
    Phase.REVIEW: "Final review. Reviewers judge every label that was given, blind.",
}
assert set(_PURPOSES) == set(Phase)
CAN_OPEN = "You can open it now."
CAN_REOPEN = "You can open it again."


class PhasesPanel(SetupPanel):
    """A card for each phase with its actions, or why they are unavailable."""

    open_wanted = Signal(Phase)
    lock_wanted = Signal(Phase)

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__(appearance, set_up, title="Phases", about=_ABOUT)
        self.cards = {phase: _PhaseCard(phase) for phase in Phase}
        for phase, shown in self.cards.items():
            shown.open.clicked.connect(
                lambda _checked=False, wanted=phase: self._request_open(wanted)
            )
            shown.lock.clicked.connect(
                lambda _checked=False, wanted=phase: self.lock_wanted.emit(wanted)
            )
            self.column.addWidget(shown)

    def render_facts(self, facts: SetupFacts) -> None:
        for phase, shown in self.cards.items():
            shown.render_state(
                facts.study.states[phase],
                to_open=facts.to_open[phase],
                to_lock=facts.to_lock[phase],
            )
            shown.render_progress(progress_rows(phase, facts))

    def _request_open(self, phase: Phase) -> None:
        """Open the phase; only the evaluation needs a confirmation."""
        if phase is Phase.EVALUATE:
            self.open_wanted.emit(phase)
        else:
            self.open(phase)

    def open(self, phase: Phase) -> None:
        """Open the phase, after the confirmation if it needs one."""
        self._set_up.do(lambda _progress: self._set_up.study_setup.open_phase(phase))

    def lock(self, phase: Phase) -> None:
        """Lock the phase, after the confirmation."""
        self._set_up.do(lambda _progress: self._set_up.study_setup.lock_phase(phase))


class _PhaseCard(QFrame):
    def __init__(self, phase: Phase) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.word = label(rank="muted")
        self.sentence = label(rank="muted", wrap=True)
        # Only opening the evaluation needs a confirmation.
        open_text = "Open…" if phase is Phase.EVALUATE else "Open"
        self.open = push_button(open_text, f"Open the {PHASE_NAMES[phase]}")
        self.lock = push_button("Lock…", f"Lock the {PHASE_NAMES[phase]}")
        self._about = _PURPOSES[phase]
        self._is_used = False
        self._progress = QVBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(4)
        title = hbox(label(phase.capitalize(), rank="heading"), self.word, stretch(), spacing=12)
        words.addLayout(title)
        words.addWidget(self.sentence)
        row = hbox(grow(words), self.open, self.lock, spacing=16)
        vbox(row, self._progress, on=self, spacing=12, margins=(16, 12, 16, 12))

    def render_progress(self, rows: tuple[LabelerRow, ...]) -> None:
        """Show everyone's progress once the phase has been opened."""
        clear_layout(self._progress)
        if rows and self._is_used:
            self._progress.addWidget(LabelerTable(rows, heading=""))

    def render_state(self, state: PhaseState, *, to_open: str | None, to_lock: str | None) -> None:
        self._is_used = state is not PhaseState.CLOSED
        self.word.setText(PHASE_STATE_NAMES[state])
        rule = {
            PhaseState.CLOSED: to_open or CAN_OPEN,
            PhaseState.OPEN: "",
            PhaseState.LOCKED: to_open or CAN_REOPEN,
        }[state]
        self.sentence.setText(f"{self._about} {rule}".rstrip())
        # A permanently locked phase has no Open button.
        permanently = state is PhaseState.LOCKED and to_open is not None
        self.open.setVisible(state is not PhaseState.OPEN and not permanently)
        self.open.setEnabled(to_open is None)
        self.lock.setVisible(state is PhaseState.OPEN)
        self.lock.setEnabled(to_lock is None)
