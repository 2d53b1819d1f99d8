"""A page with one centred column."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from labeler.ui.window.theme import Appearance


class Page(QScrollArea):
    """A column of limited width that scrolls if the window is too small."""

    def __init__(self, appearance: Appearance, *, width: int) -> None:
        """`width` is the width of the column at the default text size."""
        super().__init__()
        self._appearance = appearance
        self._width = width
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setObjectName("page_room")
        self._middle = QWidget()
        self.column = QVBoxLayout(self._middle)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(24)
        upright = QVBoxLayout()
        upright.addStretch(2)
        upright.addWidget(self._middle)
        upright.addStretch(3)
        across = QHBoxLayout(inner)
        across.setContentsMargins(32, 24, 32, 24)
        across.addStretch(1)
        across.addLayout(upright, stretch=100)
        across.addStretch(1)
        self.setWidget(inner)
        self._focused: QWidget | None = None
        self._band: QWidget | None = None
        appearance.changed.connect(self._fit)
        self._fit()

    def add_band(self, band: QWidget) -> None:
        """Show a widget over the full width above the page, where it doesn't scroll."""
        band.setParent(self)
        self._band = band
        self.setViewportMargins(0, band.minimumHeight(), 0, 0)

    def set_initial_focus(self, widget: QWidget) -> None:
        """Give the widget the focus and scroll to it, now or when the page is on the screen."""
        self._focused = widget
        self._focus_in_view(widget)

    def showEvent(self, event: QShowEvent) -> None:
        # A widget loses the focus when its page is moved into the window.
        super().showEvent(event)
        if self._focused is not None:
            self._focus_in_view(self._focused)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._band is not None:
            self._band.setGeometry(0, 0, self.width(), self._band.minimumHeight())

    def _focus_in_view(self, widget: QWidget) -> None:
        widget.setFocus()
        # Its place is known when the page has been laid out.
        QTimer.singleShot(0, widget, lambda: self.ensureWidgetVisible(widget))

    def _fit(self) -> None:
        self._middle.setMaximumWidth(round(self._width * self._appearance.text_scale))
