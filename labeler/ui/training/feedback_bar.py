"""The strip below the image after an answer in a training: right or wrong, and what it was."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.training.feedback_views import FeedbackView
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.kit.text.elided_path import ElidedPath
from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_ICON = 40


class FeedbackBar(QWidget):
    """Renders feedback by word, shape and colour together, and offers the ways onwards."""

    next_wanted = Signal()
    pressed = Signal(Action)

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self._look = look
        self._colour = "open"
        self._icon = IconLabel(look, "right", colour="open", size=_ICON)
        self.word = label(rank="heading")
        self.heading = ElidedLabel(rank="heading")
        self._path = ElidedPath(rank="caption")
        self.told = label(rank="muted", wrap=True)
        self.onwards = self._onwards(keymap)
        self.write_down = self._button(keymap, Action.WRITE_DOWN, "Write this down")
        self.guide = self._button(keymap, Action.SHOW_GUIDE, "Guide")
        self.end = self._button(keymap, Action.END_TRAINING, "End training")
        self._lay_out()
        look.changed.connect(self._recolour)

    def render_feedback(self, view: FeedbackView) -> None:
        """Tell what the image shows."""
        name, self._colour = ("right", "open") if view.right else ("wrong", "fault")
        self._icon.set_icon(name, colour=self._colour)
        self.word.setText(f"{view.word}:")
        self.heading.setText(view.heading)
        self._path.setText(view.path)
        self.told.setText(view.told)
        self.write_down.setEnabled(not view.right)
        self._recolour()
        self._announce(view)

    def _announce(self, view: FeedbackView) -> None:
        sentence = f"{view.word}: {view.heading}. {view.told}".strip()
        self.setAccessibleName(sentence)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _recolour(self) -> None:
        self.word.setStyleSheet(f"color: {self._look.theme.colours[self._colour]};")

    def _onwards(self, keymap: Keymap) -> CommandButton:
        # The key that chose and submitted the answer goes on too.
        keys = keymap[Action.CHOOSE_CLASS].keys[:1]
        made = CommandButton(
            self._look, "Next", keys=keys, actions=[Action.CHOOSE_CLASS], kind=ButtonKind.PRIMARY
        )
        made.clicked.connect(self.next_wanted)
        return made

    def _button(self, keymap: Keymap, action: Action, text: str) -> KeyButton:
        made = KeyButton(self._look, keymap[action], text)
        made.clicked.connect(lambda _checked=False: self.pressed.emit(action))
        return made

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(self.word)
        first.addWidget(self.heading, stretch=1)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(first)
        words.addWidget(self._path)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, stretch=1)
        top.addWidget(self.onwards, alignment=Qt.AlignmentFlag.AlignVCenter)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.write_down, self.guide, self.end):
            foot.addWidget(button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(top)
        whole.addWidget(self.told)
        whole.addStretch(1)
        whole.addLayout(foot)
