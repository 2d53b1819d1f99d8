"""The end of the task: go back to any answer, or lock them all."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Key, Keymap, Scope
from labeler.app.labeling.finish import FinishPresenter, FinishStage, FinishView, TrialLink
from labeler.app.tile_loader import TileLoader
from labeler.core.text import count_noun
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.flow_layout import FlowLayout
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.actions import bind_action, bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 760
_PICTURE_SIDE = 64
_WARNING = (
    "Once locked, your answers can't be changed any more, and you can't look at them again. This "
    "can't be undone."
)
_THANKS = "Your answers are locked. Thank you."


class FinishScreen(Page):
    """Shows the end of the task; locking needs more than one key press."""

    go_back_wanted = Signal(str)
    look_through_wanted = Signal()
    my_answers_wanted = Signal()
    lock_wanted = Signal()
    home_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: FinishPresenter,
        *,
        pictures: TileLoader[QImage] | None = None,
    ) -> None:
        """`pictures` loads the pictures of marked and flagged images."""
        super().__init__(appearance, width=_WIDTH)
        self._pictures = pictures
        self._keymap = keymap
        self._presenter = presenter
        self.heading = label(rank="title", wrap=True)
        self.unanswered = label(rank="muted", wrap=True)
        self.time = label(rank="muted")
        self.icon = IconLabel(appearance, "open", colour="open", size=48)
        self.error_banner = ErrorBanner(appearance)
        self.marked = _TrialButtons(appearance, "You marked", presenter.view.marked)
        self.flagged = _TrialButtons(appearance, "You flagged", presenter.view.flagged)
        self.my_answers = self._button(
            "My answers", Action.SHOW_MY_ANSWERS, kind=ButtonKind.PRIMARY
        )
        self.look_through = self._button("One by one", Action.PREVIOUS_TRIAL)
        self.ask = self._button("Lock my answers…", Action.ASK_TO_LOCK)
        self.later = self._button("Not now", Action.GO_HOME)
        self.keep_open = self._button("Keep open", Action.KEEP_OPEN, kind=ButtonKind.PRIMARY)
        self.lock = self._button("Lock permanently", Action.LOCK_ANSWERS, kind=ButtonKind.DANGER)
        self.home = CommandButton(
            appearance, "Home", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self._next = _FixedSizeStack(
            self._row(self.my_answers, self.look_through, self.ask, self.later),
            self._confirmation(),
            self._row(self.home),
        )
        self._lay_out()
        self._connect()
        self._bind()
        self.render_view(presenter.view)
        self._load_pictures()

    def set_time(self, active_ms: int) -> None:
        """Show the labeler's active time."""
        self.time.setText(self._presenter.set_time(active_ms).time)

    def _load_pictures(self) -> None:
        if self._pictures is not None:
            self._pictures.size_to(round(_PICTURE_SIDE * self.devicePixelRatioF()))
            self._pictures.listen(self._show_picture)
            self._pictures.request((*self.marked.pictures, *self.flagged.pictures))

    def _show_picture(self, trial_id: str) -> None:
        picture = None if self._pictures is None else self._pictures.get(trial_id)
        for listed in (self.marked, self.flagged):
            shown = listed.pictures.get(trial_id)
            if shown is not None and picture is not None:
                shown.setPixmap(QPixmap.fromImage(picture))

    def render_view(self, view: FinishView) -> None:
        locked = view.stage is FinishStage.LOCKED
        self.heading.setText(_THANKS if locked else view.heading)
        self.unanswered.setText(view.unanswered)
        self.unanswered.setVisible(bool(view.unanswered))
        self.time.setText(view.time)
        name = "locked" if locked else "open"
        self.icon.set_icon(name, colour=name)
        for listed in (self.marked, self.flagged):
            listed.setVisible(bool(listed.buttons) and not locked)
        self._next.setCurrentIndex(_SHOWN[view.stage])
        self._next.setEnabled(view.stage is not FinishStage.LOCKING)
        self.error_banner.say(view.failure)
        self._focus(view)

    def locked(self) -> None:
        """Show that the answers are locked."""
        self.render_view(self._presenter.locked())

    def failed(self, sentence: str) -> None:
        """Show why the answers could not be locked."""
        self.render_view(self._presenter.failed(sentence))

    def _focus(self, view: FinishView) -> None:
        """Focus the next step, but never a button that locks."""
        if view.stage is FinishStage.OPEN:
            self.set_initial_focus(self.marked.first or self.later)
        elif view.stage is FinishStage.CONFIRMING:
            self.set_initial_focus(self.keep_open)
        elif view.stage is FinishStage.LOCKED:
            self.set_initial_focus(self.home)

    def _button(
        self, text: str, action: Action, *, kind: ButtonKind = ButtonKind.PLAIN
    ) -> CommandButton:
        keys = self._keymap[action].keys[:1]
        return CommandButton(self._appearance, text, keys=keys, actions=[action], kind=kind)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.icon, alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.heading)
        words.addWidget(self.time)
        words.addWidget(self.unanswered)
        head.addLayout(words, stretch=1)
        self.column.addLayout(head)
        for part in (self.marked, self.flagged, self.error_banner, self._next):
            self.column.addWidget(part)

    def _confirmation(self) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(24, 16, 24, 24)
        layout.setSpacing(16)
        layout.addWidget(label("Lock all answers?", rank="heading"))
        layout.addWidget(label(_WARNING, wrap=True))
        layout.addWidget(self._row(self.keep_open, self.lock))
        return card

    def _row(self, *buttons: CommandButton) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        return made

    def _connect(self) -> None:
        for listed in (self.marked, self.flagged):
            listed.chosen.connect(self.go_back_wanted)
        self.my_answers.clicked.connect(self.my_answers_wanted)
        self.look_through.clicked.connect(self.look_through_wanted)
        self.ask.clicked.connect(lambda: self.render_view(self._presenter.ask()))
        self.keep_open.clicked.connect(lambda: self.render_view(self._presenter.keep_open()))
        self.lock.clicked.connect(self._lock)
        self.later.clicked.connect(self.home_wanted)
        self.home.clicked.connect(self.home_wanted)

    def _bind(self) -> None:
        keys = {
            Action.SHOW_MY_ANSWERS: lambda: _click_if_visible(self.my_answers),
            Action.ASK_TO_LOCK: lambda: _click_if_visible(self.ask),
            Action.LOCK_ANSWERS: lambda: _click_if_visible(self.lock),
            Action.KEEP_OPEN: lambda: _click_if_visible(self.keep_open),
        }
        back = self._keymap[Action.PREVIOUS_TRIAL]
        bound = [
            *bind_scope(self, self._keymap, Scope.FINISH, keys).values(),
            bind_action(self, back, lambda: _click_if_visible(self.look_through)),
        ]
        for action in bound:
            # A key held down since the last trial has no effect here.
            action.setAutoRepeat(False)

    def _lock(self) -> None:
        if self._presenter.lock():
            self.render_view(self._presenter.view)
            self.lock_wanted.emit()


_SHOWN = {
    FinishStage.OPEN: 0,
    FinishStage.CONFIRMING: 1,
    FinishStage.LOCKING: 1,
    FinishStage.LOCKED: 2,
}
assert set(_SHOWN) == set(FinishStage), "every stage has its part"


class _FixedSizeStack(QStackedWidget):
    """Shows one part at a time at the size of the largest, so that nothing else moves."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        for part in parts:
            room = QWidget()
            column = QVBoxLayout(room)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(part)
            column.addStretch(1)
            self.addWidget(room)


class _TrialButtons(QFrame):
    """Buttons for marked or flagged trials, labelled by position alone."""

    chosen = Signal(str)

    def __init__(
        self, appearance: Appearance, action_text: str, trials: tuple[TrialLink, ...]
    ) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(label(f"{action_text} {count_noun(len(trials), 'image')}", rank="heading"))
        room = QWidget()
        flow = FlowLayout(room, spacing=8)
        self.pictures: dict[str, QLabel] = {}
        self.buttons = [self._button(appearance, trial) for trial in trials]
        for button in self.buttons:
            flow.addWidget(button)
        layout.addWidget(room)

    @property
    def first(self) -> CommandButton | None:
        return self.buttons[0] if self.buttons else None

    def _button(self, appearance: Appearance, trial: TrialLink) -> CommandButton:
        button = CommandButton(appearance, trial.title)
        button.setAccessibleName(f"Go back to {trial.title.lower()}")
        button.clicked.connect(lambda: self.chosen.emit(trial.trial_id))
        picture = QLabel()
        picture.setFixedSize(_PICTURE_SIDE, _PICTURE_SIDE)
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = button.layout()
        assert isinstance(row, QHBoxLayout), "the words of a button are in a row"
        row.insertWidget(0, picture)
        self.pictures[trial.trial_id] = picture
        return button


def _click_if_visible(button: CommandButton) -> None:
    """Click the button, unless it is hidden."""
    if button.isVisible():
        button.click()
