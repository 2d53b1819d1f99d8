"""What changed from one version to the next: each line with its sign, in words and colour."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTextBrowser

from labeler.ui.guide.page_view import MAX_TEXT_WIDTH
from labeler.ui.window.look import Appearance

if TYPE_CHECKING:
    # Nothing of the guide is imported before somebody opens it.
    from labeler.guide.diff import DiffLine

_MARGIN = 16
_NO_CHANGES = "The text stayed as it was."


class DiffView(QTextBrowser):
    """Added lines have a plus, removed ones a minus and a line through them."""

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._lines: tuple[DiffLine, ...] = ()
        self.setObjectName("guide")
        self.setOpenLinks(False)
        self.setAccessibleName("What changed")
        self.document().setDocumentMargin(_MARGIN)
        look.changed.connect(self._write)

    def show_lines(self, lines: "tuple[DiffLine, ...]") -> None:
        self._lines = lines
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._write()

    def _write(self) -> None:
        rows = "".join(map(self._row, self._lines)) or f"<tr><td>{_NO_CHANGES}</td></tr>"
        wide = min(self.viewport().width() - 2 * _MARGIN, MAX_TEXT_WIDTH)
        self.setHtml(f'<table width="{wide}" cellspacing="0" cellpadding="2">{rows}</table>')

    def _row(self, line: "DiffLine") -> str:
        from labeler.guide.diff import LineChange

        text = escape(line.text) or "&nbsp;"
        match line.line:
            case LineChange.ADDED:
                colour, sign, shown = "open", "+", f"<b>{text}</b>"
            case LineChange.REMOVED:
                colour, sign, shown = "fault", "−", f"<s>{text}</s>"
            case LineChange.LEFT_OUT:
                colour, sign, shown = "muted", "", "…"
            case LineChange.SAME:
                colour, sign, shown = "muted", "", text
        style = f"color: {self._look.colour(colour).name()}"
        return (
            f'<tr><td width="16" style="{style}">{sign}</td><td style="{style}">{shown}</td></tr>'
        )
