"""A field for a file path, with a button to browse."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.window.theme import Appearance


class FileField(QWidget):
    """A path can be typed or browsed; `name` says what the file is."""

    def __init__(
        self, appearance: Appearance, keymap: Keymap, action: Action, *, name: str
    ) -> None:
        super().__init__()
        self._name = name
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.browse = KeyButton(appearance, keymap[action], "Browse…")
        self.browse.setAccessibleName(f"Browse: {name}")
        self.browse.clicked.connect(self._browse)
        hbox(grow(self.field), self.browse, on=self)

    @property
    def place(self) -> str | None:
        return self.field.text().strip() or None

    def _browse(self) -> None:
        asked = open_file_dialog(self, self._name)
        asked.fileSelected.connect(self.field.setText)
        asked.open()


def open_file_dialog(parent: QWidget, title: str, *, names: str = "") -> QFileDialog:
    """Open a dialog for one existing file; `names` is a Qt name filter."""
    asked = QFileDialog(parent, title)
    asked.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    asked.setFileMode(QFileDialog.FileMode.ExistingFile)
    if names:
        asked.setNameFilter(names)
    return asked
