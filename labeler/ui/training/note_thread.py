"""The notes on an image, and a field for the next one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.training.discussion import NoteView
from labeler.ui.kit.input.form_fields import NoteField
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import aligned, grow, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance


class NoteThread(QWidget):
    """Shows the notes, and emits what is typed and when to add it."""

    edited = Signal(str)
    added = Signal()
    left = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.field = NoteField()
        self.field.setPlaceholderText("Which feature decides? Write it down for the others")
        self.add = KeyButton(appearance, keymap[Action.ADD_NOTE], "Add note")
        self._notes = QVBoxLayout()
        self._scroll = QScrollArea()
        self._lay_out()
        self.add.clicked.connect(self.added)
        self.field.left.connect(self.left)
        self.field.edited.connect(self._edit)
        # Notes are laid out after they are added; then the newest one is scrolled into view.
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(lambda _least, most: bar.setValue(most))

    def render_notes(self, notes: tuple[NoteView, ...], *, note_draft: str) -> None:
        """Show an image's notes and the note draft."""
        self.field.show_text(note_draft)
        self.add.setEnabled(bool(note_draft.strip()))
        clear_layout(self._notes)
        for note in notes:
            self._notes.addWidget(_note(note))
        if not notes:
            self._notes.addWidget(label("No notes on this image yet.", rank="muted"))
        self._notes.addStretch()

    def _edit(self, text: str) -> None:
        self.add.setEnabled(bool(text.strip()))
        self.edited.emit(text)

    def _lay_out(self) -> None:
        inside = QWidget()
        self._notes.setContentsMargins(0, 0, 0, 0)
        self._notes.setSpacing(8)
        inside.setLayout(self._notes)
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setObjectName("notes")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("Notes on this image")
        # The height follows the font size.
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        vbox(
            grow(self._scroll), self.field, aligned(self.add, Qt.AlignmentFlag.AlignRight), on=self
        )


def _note(note: NoteView) -> QWidget:
    made = QWidget()
    column = vbox(label(f"{note.author} · {note.when}", rank="caption"), on=made, spacing=0)
    text = label(note.text, wrap=True)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(text)
    return made
