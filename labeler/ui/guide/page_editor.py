"""The text of a guide page being written: numbered lines, the current one shown, faults marked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from labeler.ui.guide.line_numbers import LineNumbers, NumberedTextEdit
from labeler.ui.guide.page_colours import PageHighlighter
from labeler.ui.window.look import Appearance
from labeler.ui.window.theme import TypeSize

if TYPE_CHECKING:
    # Nothing of the guide is imported before somebody opens it.
    from labeler.guide.page_text import TextPosition

_FENCE = "+++"


class PageTextEdit(NumberedTextEdit):
    """A text with undo; `written` tells what a person wrote, not what the program put there."""

    written = Signal(str)

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self.marks: dict[int, str] = {}
        self._numbers = LineNumbers(look, self)
        self._colours = PageHighlighter(self.document(), look)
        self.setObjectName("page_text")
        self.setAccessibleName("Text of the page")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_numbers)
        self.cursorPositionChanged.connect(self._show_current_line)
        self.textChanged.connect(lambda: self.written.emit(self.toPlainText()))
        look.changed.connect(self._apply_theme)
        self._apply_theme()

    def begin_with(self, text: str, spot: "TextPosition | None") -> None:
        """Show another page; what was undone in the one before can't be redone in this."""
        with QSignalBlocker(self):
            self.setPlainText(text)
        if spot is None:
            self._begin_at_words()
        else:
            self.go_to(spot.line, spot.column)
        self._refresh()

    def _begin_at_words(self) -> None:
        """Begin where the page itself does: what stands before it is seldom what is mended."""
        lines = self.toPlainText().split("\n")
        closed = lines.index(_FENCE, 1) + 1 if lines[0] == _FENCE and _FENCE in lines[1:] else 0
        first = next((n for n, line in enumerate(lines[closed:], closed) if line.strip()), 0)
        self.go_to(first + 1)
        bar, above = self.verticalScrollBar(), self.cursorRect().top()
        lines_above = above // max(1, self.fontMetrics().lineSpacing())
        bar.setValue(bar.value() + max(0, lines_above - 1))

    def replace_all(self, text: str, spot: "TextPosition | None" = None) -> None:
        """Put a text in place of this one as one step, which can be undone."""
        line, column = self.current_line, self.textCursor().positionInBlock()
        scrolled = self.verticalScrollBar().value()
        if text != self.toPlainText():
            with QSignalBlocker(self):
                cursor = QTextCursor(self.document())
                cursor.select(QTextCursor.SelectionType.Document)
                cursor.insertText(text)
        if spot is None:
            self.go_to(line, column)
            self.verticalScrollBar().setValue(scrolled)
        else:
            self.go_to(spot.line, spot.column)
        self._refresh()

    def insert(self, text: str) -> None:
        """Write at the cursor, in place of what is selected."""
        self.textCursor().insertText(text)
        self.setFocus()

    def go_to(self, line: int, column: int = 0) -> None:
        """Bring the cursor to a place, in the middle of what can be seen."""
        block = self.document().findBlockByNumber(max(0, line - 1))
        if not block.isValid():
            block = self.document().lastBlock()
        cursor = QTextCursor(block)
        steps = min(column, block.length() - 1)
        cursor.movePosition(
            QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.MoveAnchor, steps
        )
        self.setTextCursor(cursor)
        self.centerCursor()

    def find_typed(self, words: str) -> bool:
        """Find words that are still being typed: what is selected may be their beginning."""
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self.setTextCursor(cursor)
        return self.find_next(words)

    def find_next(self, words: str) -> bool:
        """Select the next place where the words stand, from the top again if need be."""
        if not words or self.find(words):
            return bool(words)
        before = self.textCursor()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        found = self.find(words)
        if not found:
            self.setTextCursor(before)
        return found

    def mark_lines(self, marks: Mapping[int, str]) -> None:
        """Mark lines with colours of the theme."""
        self.marks = dict(marks)
        self._numbers.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()

    def _refresh(self) -> None:
        # What was put in with the signals off is still to be told to the column.
        self._make_room()
        self._show_current_line()

    def _make_room(self) -> None:
        self.setViewportMargins(self._numbers.width_wanted(), 0, 0, 0)
        self._place_numbers()

    def _place_numbers(self) -> None:
        room = self.contentsRect()
        wide = self._numbers.width_wanted()
        self._numbers.setGeometry(QRect(room.left(), room.top(), wide, room.height()))

    def _scroll_numbers(self, _area: QRect, _scrolled: int) -> None:
        self._numbers.update()

    def _show_current_line(self) -> None:
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(self._look.colour("hover"))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = self.textCursor()
        cursor.clearSelection()
        line.cursor = cursor
        self.setExtraSelections([line])
        self._numbers.update()

    def _apply_theme(self) -> None:
        self.setFont(self._look.font(TypeSize.BODY))
        self._numbers.setFont(self._look.font(TypeSize.CAPTION))
        self._colours.rehighlight()
        self._refresh()
