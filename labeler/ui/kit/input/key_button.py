"""A button that shows its key."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from labeler.app.keymap import Binding, Key, Keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.labels import label
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.theme import Appearance

_ABOVE = 4
# The space before the text, between the text and the key, and after the key.
_USUAL, _TIGHT = (12, 8, 8), (6, 4, 4)
_MANY_CAPS = 3


class KeyButton(QPushButton):
    """A button with a text and key caps; it never takes the focus from the search field."""

    def __init__(
        self,
        appearance: Appearance,
        binding: Binding,
        text: str,
        *,
        checkable: bool = False,
        main: bool = False,
        mark: QWidget | None = None,
        shown: Key | None = None,
        tight: bool = False,
    ) -> None:
        """`mark` is an icon before the text, `shown` a key to show in place of the binding's.

        `tight` is for several buttons next to each other in a narrow place.
        """
        super().__init__()
        self._mark = mark
        self._left, self._gap, self._right = _TIGHT if tight else _USUAL
        self._row = QHBoxLayout(self)
        self._words = label(text)
        self._caps = (
            KeyCaps(appearance, binding.keys[:1], actions=(binding.action,))
            if shown is None
            else KeyCaps(appearance, (shown,))
        )
        self._action = binding.action
        # In a grid of buttons, a key with three caps needs two columns.
        self.columns = 1 if len(binding.keys[0].caps) < _MANY_CAPS else 2
        self._kept: tuple[str, ...] = ()
        self.setCheckable(checkable)
        self.setProperty("kind", "main" if main else "key")
        self._words.setProperty("on", "main" if main else "key")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setToolTip(action_tooltip(binding))
        self.setAccessibleName(text)
        self._lay_out()
        # Hidden caps don't report size changes.
        appearance.changed.connect(self.updateGeometry)

    def reserve_space_for(self, *words: str) -> None:
        """Reserve the width of the widest of these texts."""
        self._kept = words
        self.updateGeometry()

    def set_words(self, text: str) -> None:
        self._words.setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    @property
    def words(self) -> str:
        return self._words.text()

    def follow_keymap(self, keymap: Keymap) -> None:
        self.setToolTip(action_tooltip(keymap[self._action]))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        caps = self._caps.sizeHint()
        wide = self._left + self._marked + self._widest + self._gap + caps.width() + self._right
        return QSize(wide, max(self._words.sizeHint().height(), caps.height()) + 2 * _ABOVE)

    def minimumSizeHint(self) -> QSize:
        """Return the size without key caps, which are left out if there is no space."""
        wide = self._left + self._marked + self._widest + self._left
        return QSize(wide, self.sizeHint().height())

    @property
    def _marked(self) -> int:
        return 0 if self._mark is None else self._mark.sizeHint().width() + self._gap

    @property
    def _widest(self) -> int:
        """Return the width of the widest text."""
        shown = self._words.sizeHint().width()
        metrics = self._words.fontMetrics()
        return max(shown, *(metrics.horizontalAdvance(text) + 1 for text in self._kept), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_caps()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._show_caps()
        return super().event(event)

    def _show_caps(self) -> None:
        """Show the key if there is space for it."""
        self._caps.setVisible(self.width() >= self.sizeHint().width())

    def _lay_out(self) -> None:
        row = self._row
        row.setContentsMargins(self._left, _ABOVE, self._right, _ABOVE)
        row.setSpacing(self._gap)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        for part in (self._mark, self._words, self._caps):
            if part is not None:
                part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        if self._mark is not None:
            row.addWidget(self._mark, alignment=Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._words, stretch=1, alignment=Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._caps, alignment=Qt.AlignmentFlag.AlignVCenter)
