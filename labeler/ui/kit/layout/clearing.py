"""Emptying a layout before it is filled anew."""

from PySide6.QtWidgets import QLayout


def clear_layout(layout: QLayout) -> None:
    """Take everything out of the layout; its widgets go for good."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
