"""Rows, columns and splitters in one call: Qt's layouts with the program's spacing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

SPACING = 8
_NO_ALIGNMENT = Qt.AlignmentFlag(0)
_Box = TypeVar("_Box", bound=QBoxLayout)


@dataclass(frozen=True, slots=True)
class BoxItem:
    """An item of a box layout with a stretch factor, an alignment or a gap."""

    part: QWidget | QLayout | None = None
    stretch: int = 0
    alignment: Qt.AlignmentFlag = _NO_ALIGNMENT
    gap: int | None = None


BoxPart = QWidget | QLayout | BoxItem


def grow(part: QWidget | QLayout, stretch: int = 1) -> BoxItem:
    """Return an item that takes the remaining space."""
    return BoxItem(part, stretch=stretch)


def aligned(part: QWidget, alignment: Qt.AlignmentFlag) -> BoxItem:
    """Return an item that is aligned and keeps its size."""
    return BoxItem(part, alignment=alignment)


def stretch(factor: int = 0) -> BoxItem:
    """Return a stretch."""
    return BoxItem(stretch=factor)


def gap(pixels: int) -> BoxItem:
    """Return a gap of fixed size."""
    return BoxItem(gap=pixels)


def hbox(
    *parts: BoxPart,
    on: QWidget | None = None,
    spacing: int = SPACING,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> QHBoxLayout:
    """Lay out parts from left to right, in the widget `on` if given."""
    return _filled(QHBoxLayout(), parts, on, spacing, margins)


def vbox(
    *parts: BoxPart,
    on: QWidget | None = None,
    spacing: int = SPACING,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> QVBoxLayout:
    """Lay out parts from top to bottom, in the widget `on` if given."""
    return _filled(QVBoxLayout(), parts, on, spacing, margins)


def _filled(
    box: _Box,
    parts: tuple[BoxPart, ...],
    on: QWidget | None,
    spacing: int,
    margins: tuple[int, int, int, int],
) -> _Box:
    if on is not None:
        # Set before the parts are added, so that they are never top-level windows.
        on.setLayout(box)
    box.setSpacing(spacing)
    box.setContentsMargins(*margins)
    for part in parts:
        _add(box, part if isinstance(part, BoxItem) else BoxItem(part))
    return box


def _add(box: QBoxLayout, item: BoxItem) -> None:
    if isinstance(item.part, QWidget):
        box.addWidget(item.part, item.stretch, item.alignment)
    elif item.part is not None:
        box.addLayout(item.part, item.stretch)
    elif item.gap is not None:
        box.addSpacing(item.gap)
    else:
        box.addStretch(item.stretch)


_HANDLE = 16


def hsplit(
    *parts: QWidget, sizes: Sequence[int] = (), shares: Sequence[int] = (), handle: int = _HANDLE
) -> QSplitter:
    """Return a horizontal splitter; `shares` are the stretch factors."""
    return _split(Qt.Orientation.Horizontal, parts, sizes, shares, handle)


def vsplit(
    *parts: QWidget, sizes: Sequence[int] = (), shares: Sequence[int] = (), handle: int = _HANDLE
) -> QSplitter:
    """Return a vertical splitter; `shares` are the stretch factors."""
    return _split(Qt.Orientation.Vertical, parts, sizes, shares, handle)


def _split(
    orientation: Qt.Orientation,
    parts: Sequence[QWidget],
    sizes: Sequence[int],
    shares: Sequence[int],
    handle: int,
) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(handle)
    # No part can be closed by accident.
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for number, share in enumerate(shares):
        splitter.setStretchFactor(number, share)
    if sizes:
        splitter.setSizes(list(sizes))
    return splitter
