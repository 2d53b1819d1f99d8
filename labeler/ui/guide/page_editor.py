"""The text editor for a guide page: line numbers, current line, marked problems."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from labeler.guide.page_text import TextPosition
from labeler.ui.window.theme import Appearance, TypeSize

_SIDE, _MARK = 8, 6


class LineNumbers(QWidget):
    """A column of line numbers on the left of a text."""

    def __init__(self, appearance: Appearance, text: "NumberedTextEdit") -> None:
        super().__init__(text)
        self._appearance = appearance
        self._text = text

    def sizeHint(self) -> QSize:
        return QSize(self.width_wanted(), 0)

    def width_wanted(self) -> int:
        """The width of the largest number and a mark."""
        digits = max(2, len(str(self._text.blockCount())))
        figure = self.fontMetrics().horizontalAdvance("9")
        return 2 * _SIDE + _MARK + digits * figure

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.colour("window"))
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, place in self._text.visible_lines():
            self._paint_number(painter, number, place)

    def _paint_number(self, painter: QPainter, number: int, place: QRectF) -> None:
        current = number == self._text.current_line
        painter.setPen(self._appearance.colour("text" if current else "muted"))
        room = QRectF(0, place.top(), self.width() - _SIDE, self._text.line_height)
        painter.drawText(
            room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number)
        )
        colour = self._text.marks.get(number)
        if colour is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._appearance.colour(colour))
            middle = QPointF(_SIDE / 2 + _MARK / 2, room.center().y())
            painter.drawEllipse(middle, _MARK / 2, _MARK / 2)


class NumberedTextEdit(QPlainTextEdit):
    """The text edit with what the column of line numbers needs."""

    marks: dict[int, str]

    @property
    def current_line(self) -> int:
        return self.textCursor().blockNumber() + 1

    @property
    def line_height(self) -> float:
        return self.fontMetrics().height()

    def visible_lines(self) -> list[tuple[int, QRectF]]:
        """Return the numbers and rectangles of the visible lines."""
        found, block = [], self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > self.viewport().height():
                break
            if block.isVisible():
                found.append((block.blockNumber() + 1, place))
            block = block.next()
        return found


_FRONT_MATTER_FENCE = "+++"
_IN_FRONT_MATTER, _AFTER_FRONT_MATTER = 1, 2
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|\|")


class PageHighlighter(QSyntaxHighlighter):
    """Highlights each line separately; only the front matter spans several."""

    def __init__(self, document: QTextDocument, appearance: Appearance) -> None:
        super().__init__(document)
        self._appearance = appearance

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
        made.setForeground(self._appearance.colour(colour))
        if strong:
            made.setFontWeight(QFont.Weight.DemiBold)
        return made


_FENCE = "+++"


class PageTextEdit(NumberedTextEdit):
    """A text with undo; `written` is emitted for changes by the person, not the program."""

    written = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.marks: dict[int, str] = {}
        self._numbers = LineNumbers(appearance, self)
        self._colours = PageHighlighter(self.document(), appearance)
        self.setObjectName("page_text")
        self.setAccessibleName("Page text")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scroll_numbers)
        self.cursorPositionChanged.connect(self._show_current_line)
        self.textChanged.connect(lambda: self.written.emit(self.toPlainText()))
        appearance.changed.connect(self._apply_theme)
        self._apply_theme()

    def begin_with(self, text: str, spot: TextPosition | None) -> None:
        """Show another page and clear the undo history."""
        with QSignalBlocker(self):
            self.setPlainText(text)
        if spot is None:
            self._begin_at_words()
        else:
            self.go_to(spot.line, spot.column)
        self._refresh()

    def _begin_at_words(self) -> None:
        """Move the cursor to the body, because the front matter is rarely edited."""
        lines = self.toPlainText().split("\n")
        closed = lines.index(_FENCE, 1) + 1 if lines[0] == _FENCE and _FENCE in lines[1:] else 0
        first = next((n for n, line in enumerate(lines[closed:], closed) if line.strip()), 0)
        self.go_to(first + 1)
        bar, above = self.verticalScrollBar(), self.cursorRect().top()
        lines_above = above // max(1, self.fontMetrics().lineSpacing())
        bar.setValue(bar.value() + max(0, lines_above - 1))

    def replace_all(self, text: str, spot: TextPosition | None = None) -> None:
        """Replace the text as one undoable step."""
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
        """Insert at the cursor, replacing the selection."""
        self.textCursor().insertText(text)
        self.setFocus()

    def go_to(self, line: int, column: int = 0) -> None:
        """Move the cursor and centre it."""
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
        """Find words while they are typed; the current selection may be their beginning."""
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self.setTextCursor(cursor)
        return self.find_next(words)

    def find_next(self, words: str) -> bool:
        """Select the next occurrence of the words, wrapping around."""
        if not words or self.find(words):
            return bool(words)
        before = self.textCursor()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        found = self.find(words)
        if not found:
            self.setTextCursor(before)
        return found

    def mark_lines(self, marks: Mapping[int, str]) -> None:
        """Mark lines with theme colours."""
        self.marks = dict(marks)
        self._numbers.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_numbers()

    def _refresh(self) -> None:
        # Text set with blocked signals still has to update the column.
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
        line.format.setBackground(self._appearance.colour("hover"))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = self.textCursor()
        cursor.clearSelection()
        line.cursor = cursor
        self.setExtraSelections([line])
        self._numbers.update()

    def _apply_theme(self) -> None:
        self.setFont(self._appearance.font(TypeSize.BODY))
        self._numbers.setFont(self._appearance.font(TypeSize.CAPTION))
        self._colours.rehighlight()
        self._refresh()
