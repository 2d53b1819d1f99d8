"""A card of the home screen: state, numbers, one sentence, and the way in."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from labeler.app.key_names import Key
from labeler.app.study.home import HomeCardView
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_MIN_HEIGHT = 144


class HomeCard(QFrame):
    """Shows a card; its state by word, shape and colour together."""

    entered = Signal()

    def __init__(self, look: Appearance, view: HomeCardView, *, is_main: bool) -> None:
        super().__init__()
        self._look = look
        self._view = view
        self._word = label(view.word)
        self.button = self._button(is_main) if view.button else None
        self.setProperty("kind", "card")
        self.setMinimumHeight(_MIN_HEIGHT)
        self.setAccessibleName(f"{view.title}: {view.word}")
        self.setAccessibleDescription(f"{view.number} {view.counted} {view.sentence}".strip())
        self._lay_out()
        look.changed.connect(self._recolour)
        self._recolour()

    def _button(self, is_main: bool) -> CommandButton:
        kind = ButtonKind.PRIMARY if is_main else ButtonKind.PLAIN
        made = _EntryCommandButton(
            self._look, self._view.button, keys=[Key((), "Return")], kind=kind
        )
        made.setAccessibleName(f"{self._view.button}: {self._view.title}")
        made.clicked.connect(self.entered)
        return made

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 12, 16, 16)
        whole.setSpacing(8)
        whole.addLayout(self._header())
        if self._view.number:
            whole.addLayout(self._numbers())
        if self._view.total:
            line = ProgressBar(self._look, "Done")
            line.show_part(self._view.done, self._view.total)
            whole.addWidget(line)
        if self._view.facts:
            whole.addWidget(label(" · ".join(self._view.facts), wrap=True))
        whole.addWidget(label(self._view.sentence, rank="muted", wrap=True))
        whole.addStretch()
        if self.button is not None:
            whole.addWidget(self.button)

    def _header(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label(self._view.title, rank="heading"))
        head.addStretch()
        state = self._view.state
        head.addWidget(IconLabel(self._look, state, colour=state, size=16))
        head.addWidget(self._word)
        return head

    def _numbers(self) -> QHBoxLayout:
        numbers = QHBoxLayout()
        numbers.setSpacing(8)
        numbers.addWidget(label(self._view.number, rank="title"))
        numbers.addWidget(label(self._view.counted, rank="muted"))
        numbers.addStretch()
        return numbers

    def _recolour(self) -> None:
        colour = self._look.theme.colours[self._view.state]
        self._word.setStyleSheet(f"color: {colour}; font-weight: 600;")


class _EntryCommandButton(CommandButton):
    """Shows its key while it has the focus: of several buttons, Enter presses that one alone."""

    def __init__(
        self, look: Appearance, text: str, *, keys: Sequence[Key], kind: ButtonKind
    ) -> None:
        super().__init__(look, text, keys=keys, kind=kind)
        self.show_keys(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.show_keys(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_keys(False)
