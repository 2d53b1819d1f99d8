"""Has the preview of a page show the section in which somebody writes."""

from PySide6.QtGui import QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser

_HEADING = "## "


class PreviewScroller:
    """Brings the section to the preview's top when the cursor enters another one."""

    def __init__(self, text: QPlainTextEdit, preview: QTextBrowser) -> None:
        self._text = text
        self._preview = preview
        self._section = ""
        text.cursorPositionChanged.connect(self.follow)

    def follow(self) -> None:
        """Look where the cursor is."""
        section = self._section_above()
        if section != self._section:
            self._section = section
            self._scroll_to(section)

    def _section_above(self) -> str:
        block = self._text.textCursor().block()
        while block.isValid() and not block.text().startswith(_HEADING):
            block = block.previous()
        return block.text().removeprefix(_HEADING).strip() if block.isValid() else ""

    def _scroll_to(self, section: str) -> None:
        place = _find_block(section, self._preview) if section else None
        bar = self._preview.verticalScrollBar()
        if place is None:
            bar.setValue(0)
        else:
            bar.setValue(bar.value() + self._preview.cursorRect(QTextCursor(place)).top() - 16)


def _find_block(words: str, preview: QTextBrowser) -> QTextBlock | None:
    block = preview.document().begin()
    while block.isValid():
        if block.text().strip() == words:
            return block
        block = block.next()
    return None
