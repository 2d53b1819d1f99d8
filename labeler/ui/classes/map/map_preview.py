"""What the map's cursor is on: the references of a class, or those of a group's classes."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.app.classes.class_map import MapSelection
from labeler.app.classes.class_view import ClassListRow
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.classes.result_rows import spread
from labeler.ui.classes.result_pictures import ResultPictures
from labeler.ui.window.theme import Appearance, TypeSize

_COLUMNS, _SHAPE = 3, 0.75
_CAPTION, _GAP, _NAMES = 20, 8, 54
NO_REFERENCES = "No references in this study: {}"


class PreviewStrip(NamedTuple):
    """A class of a group: where its name and its pictures are."""

    wnid: str
    caption: QRect
    pictures: QRect


class MapPreview(QWidget):
    """Paints references; a click on a class of a group names it."""

    class_wanted = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        *,
        few: FirstReferences[QImage],
        many: FirstReferences[QImage],
        describe: Callable[[str], ClassListRow],
        illustrated: Callable[[], Collection[str]],
    ) -> None:
        super().__init__()
        self._appearance, self._describe, self._illustrated = appearance, describe, illustrated
        self._few, self._many = ResultPictures(appearance, few), ResultPictures(appearance, many)
        self._shown: MapSelection | None = None
        self._pictured: Collection[str] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMouseTracking(True)
        self.setAccessibleName("References")
        self._few.listen(self.update)
        self._many.listen(self.update)
        appearance.changed.connect(self.update)

    def show_selection(self, selected: MapSelection | None) -> None:
        """Show a class or a group; nothing if the cursor is nowhere."""
        if selected != self._shown:
            self._shown = selected
            # Listed once for a group, not at each movement of the pointer.
            is_group = selected is not None and not selected.is_class
            self._pictured = self._illustrated() if is_group else ()
            self.setAccessibleDescription("" if selected is None else selected.summary)
            self.update()

    @property
    def strips(self) -> tuple[PreviewStrip, ...]:
        """The classes of a group that have pictures, as many as there is room for."""
        shown = self._shown
        if shown is None or shown.is_class:
            return ()
        pictured = [wnid for wnid in shown.wnids if wnid in self._pictured]
        high = self._strip_height()
        room = self.height() - (_NAMES if len(pictured) < len(shown.wnids) else 0)
        listed = spread(pictured, max(1, room // high)) if pictured else ()
        return tuple(self._strip(n * high, wnid) for n, wnid in enumerate(listed))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter, shown = QPainter(self), self._shown
        if shown is None:
            return
        if shown.is_class:
            self._many.request(shown.wnids)
            row = self._describe(shown.wnids[0])
            missing = self._many.is_missing(row)
            area = self._grid(1 if missing else None)
            self._many.paint(painter, QRectF(area), row, columns=_COLUMNS)
        else:
            self._paint_group(painter, shown)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        strip = self._at(event.position().toPoint())
        if strip is not None and event.button() is Qt.MouseButton.LeftButton:
            self.class_wanted.emit(strip.wnid)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hand = self._at(event.position().toPoint()) is not None
        cursor = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        self.setCursor(cursor)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.unsetCursor()

    def _paint_group(self, painter: QPainter, shown: MapSelection) -> None:
        strips = self.strips
        self._few.request([strip.wnid for strip in strips])
        for strip in strips:
            row = self._describe(strip.wnid)
            self._paint_words(painter, strip.caption, row.name, colour="text")
            self._few.paint(painter, QRectF(strip.pictures), row, columns=_COLUMNS)
        without = [self._describe(w).name for w in shown.wnids[:40] if w not in self._pictured]
        if without:
            top = strips[-1].pictures.bottom() + _GAP if strips else 0
            area = QRect(0, top, self.width(), self.height() - top)
            words = NO_REFERENCES.format(", ".join(without))
            self._paint_words(painter, area, words, colour="muted", wrap=True)

    def _paint_words(
        self, painter: QPainter, area: QRect, words: str, *, colour: str, wrap: bool = False
    ) -> None:
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setPen(self._appearance.colour(colour))
        metrics = painter.fontMetrics()
        if wrap:
            lines = max(1, area.height() // metrics.lineSpacing())
            # A line that is broken at words doesn't use all of its width.
            room = int(area.width() * (lines - 0.5)) if lines > 1 else area.width()
            words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(area, Qt.TextFlag.TextWordWrap, words)
            return
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)

    def _grid(self, rows: int | None = None) -> QRect:
        """Return the area of so many rows, or of as many whole rows as fit."""
        row = self._picture_height() + _GAP // 2
        rows = rows or max(1, (self.height() + _GAP // 2) // row)
        return QRect(0, 0, self.width(), min(self.height(), rows * row - _GAP // 2))

    def _strip(self, top: int, wnid: str) -> PreviewStrip:
        caption = QRect(0, top, self.width(), _CAPTION)
        return PreviewStrip(
            wnid, caption, QRect(0, top + _CAPTION, self.width(), self._picture_height())
        )

    def _strip_height(self) -> int:
        return _CAPTION + self._picture_height() + _GAP

    def _picture_height(self) -> int:
        return max(1, round(self.width() / _COLUMNS * _SHAPE))

    def _at(self, point: QPoint) -> PreviewStrip | None:
        for strip in self.strips:
            if strip.caption.contains(point) or strip.pictures.contains(point):
                return strip
        return None
