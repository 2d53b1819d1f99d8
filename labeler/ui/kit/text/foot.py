"""The foot of a dialog that is only read: one button, which closes it."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton


def close_button_row(dialog: QDialog) -> QHBoxLayout:
    """A row with the button at its right end; Esc does the same."""
    button = QPushButton("Close")
    button.setDefault(True)
    button.clicked.connect(dialog.reject)
    row = QHBoxLayout()
    row.addStretch()
    row.addWidget(button)
    return row
