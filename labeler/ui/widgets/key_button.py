"""A button with its key drawn on it, so that the mouse teaches the keyboard."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from labeler.app.keymap import Binding, Keymap
from labeler.ui.actions import tooltip
from labeler.ui.look import Look
from labeler.ui.widgets.key_caps import KeyCaps
from labeler.ui.widgets.labels import label


class KeyButton(QPushButton):
    """Words and key caps on one button; it never takes the focus away from the search field."""

    def __init__(
        self,
        look: Look,
        binding: Binding,
        text: str,
        *,
        checkable: bool = False,
        main: bool = False,
    ) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._words = label(text)
        self._caps = KeyCaps(look, binding.keys[:1], actions=(binding.action,))
        self._action = binding.action
        self.setCheckable(checkable)
        self.setProperty("kind", "main" if main else "key")
        self._words.setProperty("on", "main" if main else "key")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoDefault(False)
        self.setToolTip(tooltip(binding))
        self.setAccessibleName(text)
        self._lay_out()

    def set_words(self, text: str) -> None:
        self._words.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    @property
    def words(self) -> str:
        return self._words.text()

    def follow_keymap(self, keymap: Keymap) -> None:
        self.setToolTip(tooltip(keymap[self._action]))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _lay_out(self) -> None:
        row = self._row
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(8)
        for part in (self._words, self._caps):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row.addWidget(self._words, stretch=1, alignment=Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._caps, alignment=Qt.AlignmentFlag.AlignVCenter)
