"""A sentence over the window, which goes on meanwhile."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from labeler.ui.kit.text.foot import close_button_row

_MESSAGE_SIZE = QSize(480, 160)
_MESSAGE_MARGIN = 24


class MessageDialog(QDialog):
    def __init__(self, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("labeler")
        self.resize(_MESSAGE_SIZE)
        self.label = QLabel(sentence)
        self.label.setWordWrap(True)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MESSAGE_MARGIN, _MESSAGE_MARGIN, _MESSAGE_MARGIN, _MESSAGE_MARGIN)
        whole.setSpacing(_MESSAGE_MARGIN)
        whole.addWidget(self.label)
        whole.addLayout(close_button_row(self))
