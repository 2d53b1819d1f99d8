"""A scroll area that is only as high as its contents."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

# Space next to the panel that is reserved for the scroll bar.
PANEL_MARGIN = 16


class FittedScrollArea(QScrollArea):
    """Holds a panel, whose width doesn't change when the scroll bar appears."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        room = _PanelContainer(panel)
        room.setObjectName("page_room")
        self._inside = QVBoxLayout(room)
        self._inside.setContentsMargins(0, 0, PANEL_MARGIN, 0)
        self._inside.addWidget(panel)
        # Keeps a panel that doesn't grow at the top.
        self._inside.addStretch()
        self.setWidget(room)
        room.installEventFilter(self)

    def sizeHint(self) -> QSize:
        wide = max(self.width() - PANEL_MARGIN, 0)
        return QSize(super().sizeHint().width(), _height(self._panel, wide))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        taken = self.width() - self.viewport().width()
        self._inside.setContentsMargins(0, 0, max(PANEL_MARGIN - taken, 0), 0)
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


class FittedStack(QStackedWidget):
    """Shows one of its pages, and is only as high as that page."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.currentChanged.connect(lambda _place: self.updateGeometry())

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return super().sizeHint() if shown is None else shown.sizeHint()


class _PanelContainer(QWidget):
    """The area around a panel, which forwards drops to the panel."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__()
        self._panel = panel
        self.setAcceptDrops(panel.acceptDrops())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._panel.dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._panel.dropEvent(event)


def _height(panel: QWidget, wide: int) -> int:
    layout = panel.layout()
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalHeightForWidth(wide)
    return panel.sizeHint().height()
