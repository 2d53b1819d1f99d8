"""A sentence over the window, which goes on meanwhile."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget

from labeler.ui.kit.text.foot import closing_foot

_SIZE = QSize(480, 160)
_MARGIN = 24


class MessageDialog(QDialog):
    def __init__(self, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("labeler")
        self.resize(_SIZE)
        self.label = QLabel(sentence)
        self.label.setWordWrap(True)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        whole.setSpacing(_MARGIN)
        whole.addWidget(self.label)
        whole.addLayout(closing_foot(self))
