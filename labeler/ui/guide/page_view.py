"""A page of the guide: links are reported, never opened; only the guide's pictures are loaded."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QImage, QKeyEvent, QResizeEvent, QTextCursor, QTextDocument, QTextOption
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from labeler.guide.reader import PageHtml
from labeler.guide.rendering.html import picture_addresses, without_missing_pictures
from labeler.guide.rendering.html_style import PageStyle, page_style_sheet
from labeler.guide.search import SearchWords
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.kit.input.search_field import typed_text
from labeler.ui.window.theme import Appearance, TypeSize

# The guide is only imported when someone opens it.

NARROW_WIDTH = 480
# Longer lines are hard to read; on a wide screen the margins grow.
MAX_TEXT_WIDTH = 880
_MARGIN = 16


class GuidePageView(QTextBrowser):
    """Shows the HTML of a page in theme colours."""

    typed = Signal(str)
    followed = Signal(str)

    def __init__(self, appearance: Appearance, pictures: GuideImages) -> None:
        super().__init__()
        self._appearance = appearance
        self._pictures = pictures
        self._html: PageHtml | None = None
        self._wanted: SearchWords | None = None
        self._written_for = self.width()
        self.setObjectName("guide")
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(_MARGIN)
        self.anchorClicked.connect(lambda url: self.followed.emit(url.toString()))
        appearance.changed.connect(self.refresh)
        pictures.arrived.connect(self._show_arrived)

    @property
    def is_narrow(self) -> bool:
        return self.width() < NARROW_WIDTH

    @property
    def marked(self) -> tuple[str, ...]:
        """The highlighted words of the page."""
        return tuple(mark.cursor.selectedText() for mark in self._marks())

    def show_page(self, html: PageHtml, *, title: str, wanted: SearchWords | None) -> None:
        """Show a page from the top, or from the first match."""
        if html == self._html and wanted == self._wanted:
            return
        self._html, self._wanted = html, wanted
        self.setAccessibleName(title)
        self._write()
        self.verticalScrollBar().setValue(0)
        self._go_to_first_mark()

    def follow_page(self, html: PageHtml, *, title: str) -> None:
        """Show the edited page without scrolling."""
        self.setAccessibleName(title)
        if html != self._html:
            self._html, self._wanted = html, None
            self.refresh()

    def refresh(self) -> None:
        """Render again with the current colours, width and pictures."""
        if self._html is not None:
            bar = self.verticalScrollBar()
            place = bar.value() / max(1, bar.maximum())
            self._write()
            bar.setValue(round(place * bar.maximum()))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the guide; an empty one for any other resource."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        # None would make Qt look for a file of that name.
        ratio, ink = self.devicePixelRatioF(), self._appearance.theme.text
        found = self._pictures.fitting(_address(name), self._room(), ratio, ink=ink)
        return found or _nothing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Typing searches for classes from here, too."""
        if text := typed_text(event):
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The event has the viewport's size, which the scroll bar also changes.
        before, self._written_for = self._written_for, self.width()
        turned = (before < NARROW_WIDTH) != self.is_narrow
        if turned or (before != self.width() and self._has_pictures):
            self.refresh()
        else:
            self._keep_measure()

    @property
    def _has_pictures(self) -> bool:
        return self._html is not None and "<img" in self._html.wide

    def _show_arrived(self) -> None:
        if self._has_pictures:
            self.refresh()

    def _room(self) -> int:
        """The maximum width of a picture: half of a wide page, so that two can be compared."""
        # Leaves room for the scroll bar, visible or not.
        bar = self.verticalScrollBar().sizeHint().width()
        room = min(self.width() - 2 * self.frameWidth() - bar - 2 * _MARGIN, MAX_TEXT_WIDTH)
        return max(64, room - _MARGIN if self.is_narrow else room // 2 - _MARGIN)

    def _write(self) -> None:
        if self._html is None:
            return
        html = self._html.narrow if self.is_narrow else self._html.wide
        self._pictures.want(picture_addresses(html))
        self.document().setDefaultStyleSheet(page_style_sheet(themed_page_style(self._appearance)))
        self.setHtml(without_missing_pictures(html, shows=self._pictures.has))
        self._keep_measure()
        self.setExtraSelections(list(self._marks()))

    def _keep_measure(self) -> None:
        """Centre the text in a column of readable width."""
        spare = max(0, self.viewport().width() - 2 * _MARGIN - MAX_TEXT_WIDTH)
        page = self.document().rootFrame()
        format_ = page.frameFormat()
        if format_.leftMargin() != _MARGIN + spare // 2:
            format_.setLeftMargin(_MARGIN + spare // 2)
            format_.setRightMargin(_MARGIN + spare - spare // 2)
            page.setFrameFormat(format_)

    def _marks(self) -> Iterator[QTextEdit.ExtraSelection]:
        """Yield the matches of the search."""
        if self._wanted is None or not self._wanted.words:
            return
        block = self.document().begin()
        while block.isValid():
            for span in self._wanted.spans(block.text()):
                yield self._mark(block.position(), block.text(), span.start, span.end)
            block = block.next()

    def _mark(self, position: int, text: str, start: int, end: int) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(position + _utf16_length(text[:start]))
        cursor.setPosition(position + _utf16_length(text[:end]), QTextCursor.MoveMode.KeepAnchor)
        mark.cursor = cursor
        mark.format.setBackground(self._appearance.colour("match"))
        mark.format.setForeground(self._appearance.colour("on_match"))
        return mark

    def _go_to_first_mark(self) -> None:
        first = next(self._marks(), None)
        if first is not None:
            where = self.cursorRect(QTextCursor(first.cursor))
            self.verticalScrollBar().setValue(max(0, where.top() - self.viewport().height() // 3))


def themed_page_style(appearance: Appearance) -> PageStyle:
    """Return the theme's colours and sizes as a page style."""
    theme = appearance.theme
    return PageStyle(
        text=theme.text,
        muted=theme.muted,
        link=theme.accent,
        line=theme.line,
        head=theme.hover,
        focus=theme.accent_soft,
        focus_line=theme.strong_line,
        caption=appearance.font(TypeSize.CAPTION).pointSizeF(),
        body=appearance.font(TypeSize.BODY).pointSizeF(),
        heading=appearance.font(TypeSize.HEADING).pointSizeF(),
        title=appearance.font(TypeSize.TITLE).pointSizeF(),
    )


def _address(name: QUrl | str) -> str:
    return name.toString() if isinstance(name, QUrl) else name


def _utf16_length(text: str) -> int:
    """Return the length as Qt counts it, in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _nothing() -> QImage:
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(0)
    return image
