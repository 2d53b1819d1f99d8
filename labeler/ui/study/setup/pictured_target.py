"""One of the pictures that are looked at before their folder is added."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labeler.ui.kit.text.labels import label


class TargetPreview(QWidget):
    """A picture with its target below it."""

    def __init__(self, target: str, jpeg: bytes) -> None:
        super().__init__()
        picture = label()
        pixmap = QPixmap()
        pixmap.loadFromData(jpeg)
        picture.setPixmap(pixmap.scaledToHeight(96, Qt.TransformationMode.SmoothTransformation))
        picture.setAccessibleName(target)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(picture)
        column.addWidget(label(target, rank="caption"))
