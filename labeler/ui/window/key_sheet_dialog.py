"""The list of all keys, those of the current screen first."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from labeler.app.key_sheet import KeyGroup, KeyLine, KeySheetView
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.text.labels import label
from labeler.ui.kit.text.text_dialogs import close_button_row
from labeler.ui.window.theme import Appearance

_COLUMN_GAP = 16

FIND = "Find a key or an action"
HERE, ELSEWHERE = "On this screen", "On other screens"
NOTHING_FOUND = "No matching key or action"


class ColumnFlow(QWidget):
    """Arranges widgets of different heights in columns."""

    def __init__(self, widgets: Sequence[QWidget], *, column_width: int) -> None:
        super().__init__()
        self._widgets = widgets
        self._column_width = column_width
        for widget in widgets:
            widget.setParent(self)

    def arrange(self) -> None:
        """Lay out again after widgets were shown, hidden or changed in height."""
        shown = [widget for widget in self._widgets if not widget.isHidden()]
        count = max(1, (self.width() + _COLUMN_GAP) // (self._column_width + _COLUMN_GAP))
        width = (self.width() - (count - 1) * _COLUMN_GAP) // count
        heights = [_column_height(widget, width) for widget in shown]
        columns = balanced_columns(heights, count=count, gap=_COLUMN_GAP)
        ends = [0] * count
        for widget, height, column in zip(shown, heights, columns, strict=True):
            widget.setGeometry(column * (width + _COLUMN_GAP), ends[column], width, height)
            ends[column] += height + _COLUMN_GAP
        self.setMinimumHeight(max(0, max(ends) - _COLUMN_GAP))

    def sizeHint(self) -> QSize:
        return QSize(self._column_width, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


def balanced_columns(heights: Sequence[int], *, count: int, gap: int) -> list[int]:
    """Return the column of each height: in order, with the tallest column as short as possible."""
    low, high = max(heights, default=0), sum(heights) + gap * len(heights)
    while low < high:
        limit = (low + high) // 2
        if max(_fill_columns(heights, limit, gap), default=0) < count:
            high = limit
        else:
            low = limit + 1
    return _fill_columns(heights, low, gap)


def _fill_columns(heights: Sequence[int], limit: int, gap: int) -> list[int]:
    columns, column, used = [], 0, 0
    for height in heights:
        if used and used + gap + height > limit:
            column, used = column + 1, 0
        used += height + (gap if used else 0)
        columns.append(column)
    return columns


def _column_height(widget: QWidget, width: int) -> int:
    layout = widget.layout()
    if layout is not None and layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return widget.sizeHint().height()


_COLUMN_WIDTH = 360
_MAX_SIZE = QSize(1560, 960)
_SCREEN_MARGIN = QSize(48, 48)


class KeySheetDialog(QDialog):
    """Lists every action with its keys by where they work; typing filters the list."""

    def __init__(self, appearance: Appearance, view: KeySheetView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys")
        self.resize(_MAX_SIZE.boundedTo(parent.window().size() - _SCREEN_MARGIN))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(FIND)
        self.filter.setAccessibleName(FIND)
        self.filter.setClearButtonEnabled(True)
        self.here = _Section(appearance, HERE, view.here)
        self.elsewhere = _Section(appearance, ELSEWHERE, view.elsewhere)
        self._none = label(NOTHING_FOUND, rank="muted")
        self.filter.textChanged.connect(self.narrow)
        self._lay_out()
        self.narrow("")

    def narrow(self, text: str) -> None:
        """Show the actions whose title, place or key contains every word of the text."""
        words = text.casefold().split()
        found = [part.narrow(words) for part in (self.here, self.elsewhere)]
        self._none.setVisible(not any(found))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.filter.setFocus()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(self._header())
        layout.addWidget(self._none)
        layout.addWidget(self._parts(), stretch=1)
        layout.addLayout(close_button_row(self))

    def _header(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(24)
        head.addWidget(label("Keys", rank="title"))
        enter = label("⏎ is the Enter key, also on the number pad.", rank="muted")
        head.addWidget(enter, alignment=Qt.AlignmentFlag.AlignBottom)
        head.addStretch(1)
        self.filter.setMinimumWidth(320)
        head.addWidget(self.filter)
        return head

    def _parts(self) -> QScrollArea:
        room = QWidget()
        room.setObjectName("page_room")
        column = QVBoxLayout(room)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(32)
        column.addWidget(self.here)
        column.addWidget(self.elsewhere)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("page")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(room)
        return scroll


class _Section(QWidget):
    """A heading with its groups; hidden if nothing is found."""

    def __init__(self, appearance: Appearance, heading: str, groups: tuple[KeyGroup, ...]) -> None:
        super().__init__()
        self.groups = [_Group(appearance, group) for group in groups]
        self._flow = ColumnFlow(
            self.groups, column_width=round(_COLUMN_WIDTH * appearance.text_scale)
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label(heading, rank="heading"))
        layout.addWidget(self._flow)

    def narrow(self, words: list[str]) -> bool:
        """Show the groups that contain every word; return whether there are any."""
        found = [group.narrow(words) for group in self.groups]
        self._flow.arrange()
        self.setVisible(any(found))
        return any(found)


class _Group(QFrame):
    """The keys of one place."""

    def __init__(self, appearance: Appearance, group: KeyGroup) -> None:
        super().__init__()
        self._rows: list[tuple[str, tuple[QWidget, QWidget]]] = []
        self.setProperty("kind", "card")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 8, 16, 12)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(label(group.title, rank="heading", wrap=True), 0, 0, 1, 2)
        for row, line in enumerate(group.lines, start=1):
            self._add(appearance, row, line)

    def narrow(self, words: list[str]) -> bool:
        """Show the rows that contain every word; return whether there are any."""
        found = [all(word in text for word in words) for text, _widgets in self._rows]
        for (_text, widgets), shown in zip(self._rows, found, strict=True):
            for widget in widgets:
                widget.setVisible(shown)
        self.setVisible(any(found))
        return any(found)

    def _add(self, appearance: Appearance, row: int, line: KeyLine) -> None:
        title, caps = label(line.title, wrap=True), KeyCaps(appearance, line.keys)
        self._grid.addWidget(title, row, 0)
        self._grid.addWidget(caps, row, 1, alignment=Qt.AlignmentFlag.AlignRight)
        self._rows.append((line.found_by, (title, caps)))
