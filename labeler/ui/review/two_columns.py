"""Two columns with a splitter: what is judged on the left, the class on the right."""

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

_HANDLE = 16
COLUMN_GAP = 8


class TwoColumns(NamedTuple):
    across: QSplitter
    left: QVBoxLayout
    right: QVBoxLayout


def column_widget(*parts: QWidget, grows: QWidget) -> QWidget:
    """Return a widget with the parts below each other; one of them grows."""
    widget = QWidget()
    fill_column(_column_of(widget), *parts, grows=grows)
    return widget


def fill_column(layout: QVBoxLayout, *parts: QWidget, grows: QWidget) -> None:
    """Add the parts below each other; one of them grows."""
    for part in parts:
        layout.addWidget(part, stretch=1 if part is grows else 0)


def lay_out_two_columns(screen: QWidget, *, percent: int) -> TwoColumns:
    """Fill the screen; the left column has this share of the width.

    Both columns are empty: with contents, Qt would style each of them once now and again when the
    screen is added to the window.
    """
    left, right = QWidget(), QWidget()
    columns = _column_of(left), _column_of(right)
    across = two_part_splitter(Qt.Orientation.Horizontal, left, right, percent=percent)
    layout = QHBoxLayout(screen)
    layout.setContentsMargins(16, 12, 16, 12)
    layout.addWidget(across)
    return TwoColumns(across, *columns)


def _column_of(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(COLUMN_GAP)
    return layout


def two_part_splitter(
    orientation: Qt.Orientation, first: QWidget, second: QWidget, *, percent: int
) -> QSplitter:
    """Return a splitter with two parts that can't be collapsed by accident."""
    made = QSplitter(orientation)
    made.setHandleWidth(_HANDLE)
    made.setChildrenCollapsible(False)
    made.addWidget(first)
    made.addWidget(second)
    set_split(made, percent)
    return made


def set_split(parts: QSplitter, percent: int) -> None:
    """Give the first part this share of the space, now and when it grows."""
    for place, share in enumerate((percent, 100 - percent)):
        parts.setStretchFactor(place, share)
    parts.setSizes([percent * 100, (100 - percent) * 100])


def split_percent(parts: QSplitter) -> int:
    """Return the share of the first part in percent."""
    sizes = parts.sizes()
    return round(100 * sizes[0] / max(sum(sizes), 1))
