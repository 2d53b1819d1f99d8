"""The phases: opening and locking them, and who is how far."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from labeler.app.presenters.home import STATE_WORDS, LabelerRow
from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.core.phases import Phase, PhaseState
from labeler.ui.look import Look
from labeler.ui.set_up.panel import SetUpPanel, button
from labeler.ui.widgets.clearing import clear
from labeler.ui.widgets.labeler_table import LabelerTable
from labeler.ui.widgets.labels import label

_ABOUT = "What can be worked at now. Locking is for good: what was answered can't change any more."
_WORDS = {
    Phase.ANNOTATE: "Reviewers judge the models' labels before the evaluation.",
    Phase.TRAIN: "Labelers practise, with the answers told.",
    Phase.EVALUATE: "Labelers classify the sample. The guide is frozen when it opens.",
    Phase.REVIEW: "Reviewers judge every label that was given, blind.",
}
assert set(_WORDS) == set(Phase)


class PhasesPanel(SetUpPanel):
    """A card for each phase with what can be done to it, and why not."""

    lock_wanted = Signal(Phase)

    def __init__(self, look: Look, set_up: SetUp) -> None:
        super().__init__(look, set_up, title="Phases", about=_ABOUT)
        self.cards = {phase: _PhaseCard(phase) for phase in Phase}
        self._below = QVBoxLayout()
        for phase, shown in self.cards.items():
            shown.open.clicked.connect(lambda _checked=False, wanted=phase: self._open(wanted))
            shown.lock.clicked.connect(
                lambda _checked=False, wanted=phase: self.lock_wanted.emit(wanted)
            )
            self.column.addWidget(shown)
        self.column.addLayout(self._below)

    def render_facts(self, facts: SetUpFacts) -> None:
        for phase, shown in self.cards.items():
            shown.render_state(
                facts.study.states[phase],
                to_open=facts.to_open[phase],
                to_lock=facts.to_lock[phase],
            )
        clear(self._below)
        rows = tuple(
            LabelerRow(
                code=one.labeler,
                done=one.answered + one.set_aside,
                total=one.total,
                progress=f"{one.answered:,} of {one.total:,}",
                state="" if one.left else "finished",
            )
            for one in facts.study.progress
        )
        if rows:
            self._below.addWidget(LabelerTable(self._look, rows))

    def _open(self, phase: Phase) -> None:
        self._set_up.do(lambda _progress: self._set_up.desk.open_phase(phase))

    def lock(self, phase: Phase) -> None:
        """Lock it; whoever pressed the button was asked."""
        self._set_up.do(lambda _progress: self._set_up.desk.lock_phase(phase))


class _PhaseCard(QFrame):
    def __init__(self, phase: Phase) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.word = label(rank="number")
        self.sentence = label(rank="muted", wrap=True)
        self.open = button("Open", f"Open the phase {phase}")
        self.lock = button("Lock…", f"Lock the phase {phase}")
        self._about = _WORDS[phase]
        words = QVBoxLayout()
        words.setSpacing(4)
        title = QHBoxLayout()
        title.addWidget(label(phase.capitalize(), rank="heading"))
        title.addWidget(self.word)
        title.addStretch()
        words.addLayout(title)
        words.addWidget(self.sentence)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(16)
        row.addLayout(words, stretch=1)
        row.addWidget(self.open)
        row.addWidget(self.lock)

    def render_state(self, state: PhaseState, *, to_open: str | None, to_lock: str | None) -> None:
        self.word.setText(STATE_WORDS[state])
        refused = to_open if state is PhaseState.CLOSED else None
        self.sentence.setText(f"{self._about} {refused}" if refused else self._about)
        self.open.setVisible(state is not PhaseState.OPEN)
        self.open.setEnabled(to_open is None)
        self.lock.setVisible(state is PhaseState.OPEN)
        self.lock.setEnabled(to_lock is None)
