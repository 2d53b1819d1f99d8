"""A page's Markdown in colours: its front matter, headings, tables and links."""

import re

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from labeler.ui.window.look import Appearance

_FRONT_MATTER_FENCE = "+++"
_IN_FRONT_MATTER, _AFTER_FRONT_MATTER = 1, 2
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|\|")


class PageHighlighter(QSyntaxHighlighter):
    """Colours each line by itself; only the front matter reaches over several."""

    def __init__(self, document: QTextDocument, look: Appearance) -> None:
        super().__init__(document)
        self._look = look

    def highlightBlock(self, text: str) -> None:
        before = self.previousBlockState()
        is_fence = text.rstrip() == _FRONT_MATTER_FENCE
        if before == _IN_FRONT_MATTER or (before == -1 and is_fence):
            self.setFormat(0, len(text), self._format("muted"))
            self.setCurrentBlockState(
                _AFTER_FRONT_MATTER if before == _IN_FRONT_MATTER and is_fence else _IN_FRONT_MATTER
            )
            return
        self.setCurrentBlockState(_AFTER_FRONT_MATTER)
        if text.startswith("#"):
            self.setFormat(0, len(text), self._format("text", strong=True))
        for found in _LINK.finditer(text):
            colour = "strong_line" if found[0] == "|" else "accent"
            self.setFormat(found.start(), len(found[0]), self._format(colour))

    def _format(self, colour: str, *, strong: bool = False) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self._look.colour(colour))
        if strong:
            made.setFontWeight(QFont.Weight.DemiBold)
        return made
