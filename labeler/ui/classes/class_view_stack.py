"""The stack of views of a class: references, neighbourhood, or comparison."""

from collections.abc import Callable, Mapping
from enum import Enum

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.layout.button_grid import ButtonGrid
from labeler.ui.window.theme import Appearance


class ClassViewMode(Enum):
    """The three view modes."""

    REFERENCES = "references"
    NEIGHBOURHOOD = "neighbourhood"
    COMPARISON = "comparison"


_BUTTONS = {
    ClassViewMode.REFERENCES: (Action.TO_REFERENCES, "References"),
    ClassViewMode.NEIGHBOURHOOD: (Action.SHOW_NEIGHBOURHOOD, "Nearby"),
    ClassViewMode.COMPARISON: (Action.COMPARE, "Compare"),
}
# The header's share of the row; without a header the remaining space stays empty.
_HEADER_STRETCH = 1000
assert set(_BUTTONS) == set(ClassViewMode), "every view mode has a button"


class ClassViewStack(QWidget):
    """Shows one of its views at a time, with a button for each on top."""

    mode_wanted = Signal(ClassViewMode)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        views: Mapping[ClassViewMode, Callable[[], QWidget]],
        *,
        head: QWidget,
    ) -> None:
        """A view is created when first shown; `head` is placed next to the references' button."""
        super().__init__()
        self._views = views
        self._head = head
        self.mode = ClassViewMode.REFERENCES
        self._stack = StackedPages()
        self._group = QButtonGroup(self)
        self._buttons: dict[ClassViewMode, KeyButton] = {}
        row = QHBoxLayout()
        row.setSpacing(8)
        for mode, (action, text) in _BUTTONS.items():
            button = KeyButton(appearance, keymap[action], text, checkable=True)
            button.clicked.connect(lambda _checked=False, s=mode: self.mode_wanted.emit(s))
            self._group.addButton(button)
            self._buttons[mode] = button
        row.addWidget(ButtonGrid(appearance, tuple(self._buttons.values()), rows=1))
        row.addWidget(head, stretch=_HEADER_STRETCH)
        row.addStretch(1)
        vbox(row, grow(self._stack), on=self)
        self.show_mode(ClassViewMode.REFERENCES)

    @property
    def current(self) -> QWidget:
        return self._views[self.mode]()

    def show_mode(self, mode: ClassViewMode) -> None:
        self.mode = mode
        if self._stack.indexOf(self.current) < 0:
            self._stack.addWidget(self.current)
        self._stack.setCurrentWidget(self.current)
        self._buttons[mode].setChecked(True)
        self._head.setVisible(mode is ClassViewMode.REFERENCES)


class StackedPages(QStackedWidget):
    """Uses the size hint of its first page for all pages, so that switching moves nothing.

    Qt would use the largest page's, even while it is hidden.
    """

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        for page in pages:
            self.addWidget(page)

    def sizeHint(self) -> QSize:
        first = self.widget(0)
        return first.sizeHint() if first else QSize()

    def minimumSizeHint(self) -> QSize:
        first = self.widget(0)
        return first.minimumSizeHint() if first else QSize()
