"""What changed from one version to the next: each line with its sign, in words and colour."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTextBrowser

from labeler.ui.guide.page_view import WIDEST
from labeler.ui.window.look import Look

if TYPE_CHECKING:
    # Nothing of the guide is imported before somebody opens it.
    from labeler.guide.diff import ChangedLine

_MARGIN = 16
_NOTHING = "The text stayed as it was."


class ChangedLines(QTextBrowser):
    """Added lines have a plus, removed ones a minus and a line through them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._lines: tuple[ChangedLine, ...] = ()
        self.setObjectName("guide")
        self.setOpenLinks(False)
        self.setAccessibleName("What changed")
        self.document().setDocumentMargin(_MARGIN)
        look.changed.connect(self._write)

    def show_lines(self, lines: "tuple[ChangedLine, ...]") -> None:
        self._lines = lines
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._write()

    def _write(self) -> None:
        rows = "".join(map(self._row, self._lines)) or f"<tr><td>{_NOTHING}</td></tr>"
        wide = min(self.viewport().width() - 2 * _MARGIN, WIDEST)
        self.setHtml(f'<table width="{wide}" cellspacing="0" cellpadding="2">{rows}</table>')

    def _row(self, line: "ChangedLine") -> str:
        from labeler.guide.diff import Line

        text = escape(line.text) or "&nbsp;"
        match line.line:
            case Line.ADDED:
                colour, sign, shown = "open", "+", f"<b>{text}</b>"
            case Line.REMOVED:
                colour, sign, shown = "fault", "−", f"<s>{text}</s>"
            case Line.LEFT_OUT:
                colour, sign, shown = "muted", "", "…"
            case Line.SAME:
                colour, sign, shown = "muted", "", text
        style = f"color: {self._look.colour(colour).name()}"
        return (
            f'<tr><td width="16" style="{style}">{sign}</td><td style="{style}">{shown}</td></tr>'
        )
