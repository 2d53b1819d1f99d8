"""The end of the task: everything is answered; go back to what was marked, or lock."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.presenters.finish import Finish, FinishStage, FinishView, MarkedTrial
from labeler.ui.look import Look
from labeler.ui.widgets.entry_button import EntryButton, Kind
from labeler.ui.widgets.icon_label import IconLabel
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.page import Page
from labeler.ui.widgets.told import Told

_WIDTH = 640
_WARNING = (
    "Once locked, your answers can't be changed any more, and you can't look at them again. "
    "Nobody can unlock them."
)
_THANKS = "Your answers are locked. Thank you."


class FinishScreen(Page):
    """Renders how far the labeler is with ending the task; no single key press can lock."""

    go_back_wanted = Signal(str)
    lock_wanted = Signal()
    home_wanted = Signal()

    def __init__(self, look: Look, presenter: Finish) -> None:
        super().__init__(look, width=_WIDTH)
        self._presenter = presenter
        self.heading = label(rank="title", wrap=True)
        self.set_aside = label(rank="muted", wrap=True)
        self.icon = IconLabel(look, "open", colour="open", size=48)
        self.told = Told(look)
        self.marked = _Marked(look, presenter.view.marked)
        self.ask = EntryButton(look, "Lock my answers…")
        self.later = EntryButton(look, "Not yet: home")
        self.lock = EntryButton(look, "Lock them for good", kind=Kind.DANGER)
        self.keep_open = EntryButton(look, "Keep them open", kind=Kind.PRIMARY)
        self.home = EntryButton(look, "Home", kind=Kind.PRIMARY)
        self._asking = self._row(self.ask, self.later)
        self._confirming = self._confirmation()
        self._lay_out()
        self._connect()
        self.render_view(presenter.view)

    def render_view(self, view: FinishView) -> None:
        locked = view.stage is FinishStage.LOCKED
        self.heading.setText(_THANKS if locked else view.heading)
        self.set_aside.setText(view.set_aside)
        self.set_aside.setVisible(bool(view.set_aside))
        name = "locked" if locked else "open"
        self.icon.set_icon(name, colour=name)
        self.marked.setVisible(bool(view.marked) and not locked)
        self._asking.setVisible(view.stage is FinishStage.OPEN)
        self._confirming.setVisible(view.stage in (FinishStage.CONFIRMING, FinishStage.LOCKING))
        self._confirming.setEnabled(view.stage is FinishStage.CONFIRMING)
        self.home.setVisible(locked)
        self.told.say(view.failure)
        self._focus(view)

    def locked(self) -> None:
        """The answers are locked now."""
        self.render_view(self._presenter.locked())

    def failed(self, sentence: str) -> None:
        """The answers could not be locked."""
        self.render_view(self._presenter.failed(sentence))

    def _focus(self, view: FinishView) -> None:
        """What comes next has the focus, and never a button that locks."""
        if view.stage is FinishStage.OPEN:
            self.rest_focus_on(self.marked.first or self.later)
        elif view.stage is FinishStage.CONFIRMING:
            self.rest_focus_on(self.keep_open)
        elif view.stage is FinishStage.LOCKED:
            self.rest_focus_on(self.home)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.icon, alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.heading)
        words.addWidget(self.set_aside)
        head.addLayout(words, stretch=1)
        self.column.addLayout(head)
        for part in (self.marked, self.told, self._asking, self._confirming):
            self.column.addWidget(part)
        self.column.addWidget(self.home, alignment=Qt.AlignmentFlag.AlignLeft)

    def _confirmation(self) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        whole = QVBoxLayout(card)
        whole.setContentsMargins(24, 16, 24, 24)
        whole.setSpacing(16)
        whole.addWidget(label("Lock all answers?", rank="heading"))
        whole.addWidget(label(_WARNING, wrap=True))
        whole.addWidget(self._row(self.keep_open, self.lock))
        return card

    def _row(self, *buttons: EntryButton) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        return made

    def _connect(self) -> None:
        self.marked.chosen.connect(self.go_back_wanted)
        self.ask.clicked.connect(lambda: self.render_view(self._presenter.ask()))
        self.keep_open.clicked.connect(lambda: self.render_view(self._presenter.keep_open()))
        self.lock.clicked.connect(self._lock)
        self.later.clicked.connect(self.home_wanted)
        self.home.clicked.connect(self.home_wanted)

    def _lock(self) -> None:
        if self._presenter.lock():
            self.render_view(self._presenter.view)
            self.lock_wanted.emit()


class _Marked(QFrame):
    """The trials that the labeler marked, by their place alone."""

    chosen = Signal(str)

    def __init__(self, look: Look, trials: tuple[MarkedTrial, ...]) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 16, 24, 16)
        whole.setSpacing(8)
        whole.addWidget(label(_counted(len(trials)), rank="heading"))
        self.buttons = [self._row(look, whole, trial) for trial in trials]

    @property
    def first(self) -> EntryButton | None:
        return self.buttons[0] if self.buttons else None

    def _row(self, look: Look, whole: QVBoxLayout, trial: MarkedTrial) -> EntryButton:
        button = EntryButton(look, "Go back")
        button.setAccessibleName(f"Go back to {trial.title.lower()}")
        button.clicked.connect(lambda: self.chosen.emit(trial.trial_id))
        row = QHBoxLayout()
        row.addWidget(label(trial.title))
        row.addStretch(1)
        row.addWidget(button)
        whole.addLayout(row)
        return button


def _counted(count: int) -> str:
    return "You marked 1 trial" if count == 1 else f"You marked {count:,} trials"
