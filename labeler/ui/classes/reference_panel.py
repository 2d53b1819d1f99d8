"""The reference panel: the images of the selected class, or a sentence instead."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QToolButton, QWidget

from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import LoadedSheet, ReferencesState, ReferencesView
from labeler.app.keymap import Action, Keymap
from labeler.ui.classes.reference_grid import ReferenceGrid, load_originals
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.actions import action_tooltip
from labeler.ui.window.theme import Appearance

# Most sheets arrive sooner, and a message that flashes is distracting.
REFERENCES_LOADING_DELAY_MS = 150
_SIZE_BUTTON = 30
NO_CLASS_SELECTED = "Select a class to see its reference images."
NO_PICTURES = (
    "There are no reference images on this computer. Names, descriptions, look-alikes and the "
    "guide help to find a class."
)
LOADING_REFERENCES = "Loading reference images…"


class ReferencePanel(QWidget):
    """Renders the references of one class at a time."""

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        *,
        originals: OriginalLoader[QImage] | None = None,
        has_pictures: bool = True,
    ) -> None:
        super().__init__()
        self._invitation = NO_CLASS_SELECTED if has_pictures else NO_PICTURES
        self.grid = ReferenceGrid(appearance)
        # The count and the size; a screen may place it elsewhere.
        self.head = QWidget()
        self._wnid = ""
        self.message = EmptyState(appearance)
        self._heading = ElidedLabel(rank="caption", mode=Qt.TextElideMode.ElideNone)
        self._heading.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.grid)
        self._stack.addWidget(self.message)
        self._slow = QTimer(self, singleShot=True, interval=REFERENCES_LOADING_DELAY_MS)
        self._slow.timeout.connect(self._say_loading)
        if originals is not None:
            load_originals(originals, self.grid, wnid=lambda: self._wnid)
        self._lay_out(keymap)

    def render_references(self, view: ReferencesView[QImage], *, name: str) -> None:
        """Show the view; `name` is the class's, for screen readers."""
        self._slow.stop()
        same_class, self._wnid = view.wnid == self._wnid, view.wnid
        self.grid.setAccessibleName(f"Reference images of {name}")
        if view.loaded is not None:
            self._show_images(len(view.loaded.tiles))
            self._show_sheet(view.loaded, same_class=same_class)
        elif view.state is ReferencesState.LOADING:
            self.grid.clear_tiles()
            self._slow.start()
        else:
            self._say(view)

    def clear(self) -> None:
        """Show that no class is selected."""
        self._slow.stop()
        self._say_sentence(self._invitation, "pictures")

    def _lay_out(self, keymap: Keymap) -> None:
        top = hbox(grow(self._heading), on=self.head)
        for text, action, steps in (
            ("−", Action.SMALLER_TILES, -1),
            ("+", Action.LARGER_TILES, 1),
        ):
            top.addWidget(self._size_button(keymap, text=text, action=action, steps=steps))
        vbox(self.head, grow(self._stack), on=self, spacing=4)

    def _size_button(self, keymap: Keymap, *, text: str, action: Action, steps: int) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setFixedWidth(_SIZE_BUTTON)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(action_tooltip(keymap[action]))
        button.setAccessibleName(keymap[action].title)
        button.clicked.connect(lambda: self.grid.resize_tiles(steps))
        return button

    def _show_images(self, count: int) -> None:
        self._stack.setCurrentWidget(self.grid)
        self._heading.setText(_counted(count))

    def _show_sheet(self, loaded: LoadedSheet[QImage], *, same_class: bool) -> None:
        # With another tile size, the current image stays the same.
        resized = loaded.slot != self.grid.slot and len(loaded.tiles) == len(self.grid.tiles)
        if same_class and resized:
            self.grid.exchange_tiles(loaded)
        else:
            self.grid.show_tiles(loaded)

    def _say(self, view: ReferencesView[QImage]) -> None:
        damaged = view.state is ReferencesState.DAMAGED
        icon, colour = ("damaged", "fault") if damaged else ("pictures", "muted")
        self._say_sentence(view.sentence, icon, colour)

    def _say_loading(self) -> None:
        self._say_sentence(LOADING_REFERENCES, "waiting")

    def _say_sentence(self, sentence: str, icon: str, colour: str = "muted") -> None:
        # The images of the class before must not be enlarged or described.
        self.grid.clear_tiles()
        self._heading.setText("")
        self.message.say(sentence, icon=icon, colour=colour)
        self._stack.setCurrentWidget(self.message)


def _counted(count: int) -> str:
    return "1 image" if count == 1 else f"{count} images"
