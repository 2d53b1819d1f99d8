"""Finding a class that nobody proposed, with what adds it and what leaves."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_ADD_LABEL_KEYS = {Action.CHOOSE_CLASS: "adds it", Action.CLEAR_SEARCH: "leaves"}


class AddLabelPanel(QWidget):
    """The finder of classes below a line that says what it is here for."""

    def __init__(self, look: Appearance, keymap: Keymap, finder: QWidget) -> None:
        super().__init__()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label("Add a label", rank="heading"))
        head.addStretch()
        for action, words in _ADD_LABEL_KEYS.items():
            head.addWidget(KeyCaps(look, keymap[action].keys[:1], actions=(action,)))
            head.addWidget(label(words, rank="caption"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(head)
        whole.addWidget(finder, stretch=1)
        self.setFocusProxy(finder)
