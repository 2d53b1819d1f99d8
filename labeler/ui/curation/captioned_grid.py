"""A grid of pictures with a caption and a mark below each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from labeler.ui.crowd.picture_choice_grid import PictureChoiceGrid
from labeler.ui.window.theme import Appearance, TypeSize

_CAPTION = 20
_DIMMED = 0.35


@dataclass(frozen=True, slots=True)
class TileCaption:
    """The text below a picture, a mark at its right, and whether the picture is dimmed."""

    text: str = ""
    mark: str = ""
    dimmed: bool = False


class CaptionedGrid(PictureChoiceGrid):
    """Shows captions if there are any; a click only moves the cursor."""

    def __init__(
        self, appearance: Appearance, picture: Callable[[int], QImage | None], *, name: str
    ) -> None:
        super().__init__(appearance, picture)
        self._captions: tuple[TileCaption, ...] = ()
        self.setAccessibleName(name)

    @property
    def count(self) -> int:
        return len(self._captions)

    def show_captions(self, captions: Sequence[TileCaption]) -> None:
        """Show the pictures with these captions; the cursor stays if the number is the same."""
        cursor = self.cursor_position
        changed = len(captions) != len(self._captions)
        self._captions = tuple(captions)
        if changed:
            self.show_images(len(captions))
            self.move_to(min(cursor, max(1, len(captions))))
        self.update()

    def _paint_tile(self, painter: QPainter, position: int, tile: QRect) -> None:
        caption = self._captions[position - 1]
        has_text = bool(caption.text or caption.mark)
        picture = tile.adjusted(0, 0, 0, -_CAPTION if has_text else 0)
        painter.setOpacity(_DIMMED if caption.dimmed else 1.0)
        super()._paint_tile(painter, position, picture)
        painter.setOpacity(1.0)
        if has_text:
            self._paint_caption(
                painter, caption, QRect(tile.left(), picture.bottom() + 1, tile.width(), _CAPTION)
            )

    def _paint_caption(self, painter: QPainter, caption: TileCaption, room: QRect) -> None:
        theme = self._appearance
        painter.fillRect(room, theme.colour("surface"))
        painter.setFont(theme.font(TypeSize.CAPTION))
        inside = room.adjusted(6, 0, -6, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        right = middle | Qt.AlignmentFlag.AlignRight
        self._draw(painter, inside, caption.mark, right, theme.colour("unclear"))
        taken = painter.fontMetrics().horizontalAdvance(caption.mark) + 6 if caption.mark else 0
        left = inside.adjusted(0, 0, -taken, 0)
        self._draw(painter, left, caption.text, middle, theme.colour("muted"))

    def _draw(
        self,
        painter: QPainter,
        room: QRect,
        text: str,
        where: Qt.AlignmentFlag,
        colour: QColor,
    ) -> None:
        metrics = painter.fontMetrics()
        painter.setPen(colour)
        elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, where, elided)
