"""Fields of the dialogs that create or join a study."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton

from labeler.ui.kit.layout.boxes import grow, hbox


def text_field(name: str, text: str = "", *, secret: bool = False) -> QLineEdit:
    """Return a field with a name for screen readers."""
    field = QLineEdit(text)
    field.setAccessibleName(name)
    if secret:
        field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def field_with_button(field: QLineEdit, name: str, pressed: Callable[[], None]) -> QHBoxLayout:
    """Lay out a field with a button to browse for its value."""
    browse = QPushButton("Browse…")
    browse.setAutoDefault(False)
    browse.setAccessibleName(name)
    browse.clicked.connect(pressed)
    return hbox(grow(field), browse)
