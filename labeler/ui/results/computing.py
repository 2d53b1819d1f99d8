"""A state in which something is computed: how far it is, and a way to stop or to begin again."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.text.icon_label import IconLabel
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_WIDTH = 336


class ComputationStatus(QFrame):
    """Renders one of three states: under way, stopped, or refused with a reason."""

    stop_wanted = Signal()
    again_wanted = Signal()

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._icon = IconLabel(look, "waiting", colour="muted", size=40)
        self.sentence = label(rank="muted", wrap=True)
        self.line = ProgressBar(look, "The results")
        stop = Action.CLOSE_IMAGES
        self.stop = CommandButton(look, "Stop", keys=keymap[stop].keys[:1], actions=[stop])
        self.again = CommandButton(look, "Compute again")
        self.stop.clicked.connect(self.stop_wanted)
        self.again.clicked.connect(self.again_wanted)
        self._lay_out()
        self.stop.hide()
        self.again.hide()

    def show_state(self, sentence: str, *, icon: str, under_way: bool, can_begin: bool) -> None:
        self._icon.set_icon(icon, colour="muted")
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        # A layout that centres a wrapped label gives it the height of too few lines.
        self.sentence.ensurePolished()
        self.sentence.setMinimumHeight(max(0, self.sentence.heightForWidth(_WIDTH)))
        self.line.setVisible(under_way)
        for button, wanted in ((self.stop, under_way), (self.again, can_begin)):
            appears = wanted and button.isHidden()
            button.setVisible(wanted)
            if appears:
                button.setFocus()

    def _lay_out(self) -> None:
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setFixedWidth(_WIDTH)
        self.line.setFixedWidth(_WIDTH)
        whole = QVBoxLayout(self)
        whole.setSpacing(16)
        whole.addStretch()
        for part in (self._icon, self.sentence, self.line, self.stop, self.again):
            whole.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        whole.addStretch()
