"""Notes on an image, one after the other, and a field for the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.presenters.discussion_views import NoteView
from labeler.ui.look import Look
from labeler.ui.widgets.clearing import clear
from labeler.ui.widgets.key_button import KeyButton
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.note_field import NoteField


class NoteThread(QWidget):
    """Renders the notes and passes a new one on; what is typed stays until it is stored."""

    added = Signal(str)
    left = Signal()

    def __init__(self, look: Look, keymap: Keymap) -> None:
        super().__init__()
        self.field = NoteField()
        self.field.setPlaceholderText("What decides here? Write it down for the others")
        self.add = KeyButton(look, keymap[Action.ADD_NOTE], "Add note")
        self._notes = QVBoxLayout()
        self._scroll = QScrollArea()
        self._image: int | None = None
        self._half_written: dict[int, str] = {}
        self._on_its_way: tuple[int | None, str] | None = None
        self._lay_out()
        self.add.clicked.connect(self.commit)
        self.field.left.connect(self.left)
        self.field.edited.connect(self._follow)
        self._follow("")

    def render_notes(self, image: int, notes: tuple[NoteView, ...]) -> None:
        """Show an image's notes, and what was half written on it."""
        self._change_image(image)
        clear(self._notes)
        for note in notes:
            self._notes.addWidget(_note(note))
        if not notes:
            self._notes.addWidget(label("No notes on this image yet.", rank="muted"))
        self._notes.addStretch()

    def commit(self) -> None:
        """Pass the note on, if there is one."""
        text = self.field.toPlainText()
        # A second press while the note is on its way must not add it twice.
        if text.strip() and self._on_its_way != (self._image, text):
            self._on_its_way = (self._image, text)
            self.added.emit(text)

    def has_stored(self, image: int, text: str) -> None:
        """Take a note that is on disk out of the field, but nothing that was typed since."""
        self._on_its_way = None
        if image == self._image and self.field.toPlainText() == text:
            self.field.show_text("")
            self._follow("")
        elif self._half_written.get(image) == text:
            del self._half_written[image]

    def has_failed(self) -> None:
        """The note stays in the field and can be added once more."""
        self._on_its_way = None

    def _change_image(self, image: int) -> None:
        if image == self._image:
            return
        if self._image is not None:
            self._half_written[self._image] = self.field.toPlainText()
        self._image = image
        text = self._half_written.pop(image, "")
        self.field.show_text(text)
        self._follow(text)

    def _follow(self, text: str) -> None:
        self.add.setEnabled(bool(text.strip()))

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
        self.field.setFixedHeight(self.field.sizeHint().height())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self._scroll, stretch=1)
        whole.addWidget(self.field)
        whole.addWidget(self.add, alignment=Qt.AlignmentFlag.AlignRight)


def _note(note: NoteView) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(label(f"{note.author} · {note.when}", rank="caption"))
    text = label(note.text, wrap=True)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    column.addWidget(text)
    return made
