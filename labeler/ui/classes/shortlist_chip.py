"""A class on the shortlist: a chip that leads to it, and a cross that takes it off."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton

from labeler.app.classes.class_view import ClassLink

_MIN_WIDTH, _AROUND_TEXT, _REMOVE_WIDTH = 40, 14, 22


class ElidedNameButton(QToolButton):
    """A class's name, cut where there is no room and whole in its tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_name(self, name: str) -> None:
        self._name = name
        self.setToolTip(name)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        # Text is set in fractions of a pixel, and a whole one less than it needs would cut it.
        wide = self.fontMetrics().horizontalAdvance(self._name) + 1 + _AROUND_TEXT
        return QSize(wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - _AROUND_TEXT
        right = Qt.TextElideMode.ElideRight
        self.setText(self.fontMetrics().elidedText(self._name, right, room))


class ShortlistChip(QFrame):
    """Says which class was chosen or is to go."""

    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._wnid = ""
        self.name = ElidedNameButton()
        self.cross = QToolButton()
        self.cross.setText("✕")
        self.cross.setFixedWidth(_REMOVE_WIDTH)
        self.setProperty("kind", "shortlisted")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.name.clicked.connect(lambda: self.chosen.emit(self._wnid))
        self.cross.clicked.connect(lambda: self.removed.emit(self._wnid))
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(0)
        row.addWidget(self.name, stretch=1)
        row.addWidget(self.cross)

    def show_class(self, link: ClassLink) -> None:
        self._wnid = link.wnid
        self.name.show_name(link.name)
        self.name.setAccessibleName(f"On the shortlist: {link.name}")
        self.cross.setToolTip(f"Take {link.name} off the shortlist")
        self.cross.setAccessibleName(f"Take {link.name} off the shortlist")
