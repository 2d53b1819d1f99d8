"""Non-modal dialogs that show text."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from labeler.ui.kit.layout.boxes import grow, vbox
from labeler.ui.kit.text.labels import label


def close_button_row(dialog: QDialog) -> QHBoxLayout:
    """Return a row with the button at its right end; Esc does the same."""
    button = QPushButton("Close")
    button.setDefault(True)
    button.clicked.connect(dialog.reject)
    row = QHBoxLayout()
    row.addStretch()
    row.addWidget(button)
    return row


_LIST_SIZE = QSize(720, 480)
_LIST_MARGIN = 24


class TextListDialog(QDialog):
    """A heading and lines of text that can be selected and copied."""

    def __init__(self, parent: QWidget, *, heading: str, about: str, text: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(heading)
        self.resize(_LIST_SIZE)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(heading)
        self.text.setTabChangesFocus(True)
        self.copy = QPushButton("&Copy all")
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        foot = close_button_row(self)
        foot.insertWidget(0, self.copy)
        vbox(
            label(heading, rank="title"),
            label(about, rank="muted", wrap=True),
            grow(self.text),
            foot,
            on=self,
            spacing=16,
            margins=(_LIST_MARGIN, _LIST_MARGIN, _LIST_MARGIN, _LIST_MARGIN),
        )


_MESSAGE_WIDTH = 480
_MESSAGE_MARGIN = 24


class MessageDialog(QDialog):
    """A message as high as its text, which can be selected and copied."""

    def __init__(self, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("labeler")
        self.label = QLabel(sentence)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = vbox(
            self.label,
            close_button_row(self),
            on=self,
            spacing=_MESSAGE_MARGIN,
            margins=(_MESSAGE_MARGIN, _MESSAGE_MARGIN, _MESSAGE_MARGIN, _MESSAGE_MARGIN),
        )
        self.label.ensurePolished()  # its font decides the height
        self.resize(_MESSAGE_WIDTH, column.totalHeightForWidth(_MESSAGE_WIDTH))
