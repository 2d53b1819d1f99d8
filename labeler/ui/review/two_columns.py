"""Two columns with a splitter: what is judged on the left, the class on the right."""

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from labeler.ui.kit.layout.boxes import hbox, hsplit, vbox, vsplit


class TwoColumns(NamedTuple):
    across: QSplitter
    left: QVBoxLayout
    right: QVBoxLayout


def column_widget(*parts: QWidget, grows: QWidget) -> QWidget:
    """Return a widget with the parts below each other; one of them grows."""
    widget = QWidget()
    fill_column(vbox(on=widget), *parts, grows=grows)
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
    columns = vbox(on=left), vbox(on=right)
    across = two_part_splitter(Qt.Orientation.Horizontal, left, right, percent=percent)
    hbox(across, on=screen, margins=(16, 12, 16, 12))
    return TwoColumns(across, *columns)


def two_part_splitter(
    orientation: Qt.Orientation, first: QWidget, second: QWidget, *, percent: int
) -> QSplitter:
    """Return a splitter with two parts that can't be collapsed by accident."""
    split = hsplit if orientation is Qt.Orientation.Horizontal else vsplit
    rest = 100 - percent
    return split(first, second, sizes=(percent * 100, rest * 100), shares=(percent, rest))


def set_split(parts: QSplitter, percent: int) -> None:
    """Give the first part this share of the space, now and when it grows."""
    for place, share in enumerate((percent, 100 - percent)):
        parts.setStretchFactor(place, share)
    parts.setSizes([percent * 100, (100 - percent) * 100])


def split_percent(parts: QSplitter) -> int:
    """Return the share of the first part in percent."""
    sizes = parts.sizes()
    return round(100 * sizes[0] / max(sum(sizes), 1))
