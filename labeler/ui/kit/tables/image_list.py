"""A list of answered images: the picture, the answer, what is accepted, and the outcome."""

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QListView

from labeler.app.chart_views import AnswerTone, PictureRow
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.ui.kit.tables.row_list import (
    LIST_ROW_ROLE,
    RowDelegate,
    RowList,
    RowListModel,
    draw_fitted,
)
from labeler.ui.kit.text.text_painter import StaticTextPainter
from labeler.ui.window.icons import paint_icon
from labeler.ui.window.theme import Appearance, TypeSize

# Each tone is drawn with the icon of its name.
TONE_COLOURS = {AnswerTone.RIGHT: "open", AnswerTone.WRONG: "fault", AnswerTone.DIFFERENT: "locked"}
assert set(TONE_COLOURS) == set(AnswerTone), "every tone has its colour"
_PICTURE = QSizeF(96, 72)
_SPACING, _ICON = 12, 16


class AnsweredImageDelegate(RowDelegate):
    """Paints a row in three lines next to its picture."""

    margins: ClassVar[tuple[int, int]] = (12, 8)

    def __init__(
        self,
        appearance: Appearance,
        pictures: ThumbnailLoader[int, QImage],
        *,
        accepted_word: str,
    ) -> None:
        super().__init__(appearance)
        self._pictures, self._accepted_word = pictures, accepted_word

    def apply_theme(self) -> None:
        font, colour = self._appearance.font, self._appearance.colour
        self._strong = StaticTextPainter(font(TypeSize.BODY, strong=True), colour("text"))
        self._plain = StaticTextPainter(font(TypeSize.BODY), colour("text"))
        self._caption = StaticTextPainter(font(TypeSize.CAPTION), colour("muted"))
        self._line = self._strong.height + 4

    def content_height(self) -> float:
        return max(_PICTURE.height(), 3 * self._line)

    def paint_row(self, painter: QPainter, area: QRectF, row: PictureRow) -> None:
        self._paint_picture(painter, QRectF(area.topLeft(), _PICTURE), row)
        area.setLeft(area.left() + _PICTURE.width() + _SPACING)
        self._paint_lines(painter, area, row)

    def _paint_picture(self, painter: QPainter, frame: QRectF, row: PictureRow) -> None:
        painter.fillRect(frame, self._appearance.colour("surround"))
        picture = self._pictures.get(row.image)
        if picture is not None:
            draw_fitted(painter, frame, picture)

    def _paint_lines(self, painter: QPainter, area: QRectF, row: PictureRow) -> None:
        x, middle = round(area.left()), round(area.top() + self._line / 2)
        text_left = x
        if row.tone is not None:
            self._paint_tone(painter, QRectF(x, middle - _ICON / 2, _ICON, _ICON), row.tone)
            text_left = x + _ICON + 8
        lines = (
            (self._strong, text_left, row.answer),
            (self._plain, x, f"{self._accepted_word}: {row.accepted}"),
            (self._caption, x, " · ".join(filter(None, (row.word, row.caption)))),
        )
        for number, (kind, left, text) in enumerate(lines):
            at = middle + round(number * self._line)
            kind.draw(painter, left, at, kind.cut(text, round(area.right()) - left))

    def _paint_tone(self, painter: QPainter, where: QRectF, tone: AnswerTone) -> None:
        colours = self._appearance.theme.colours
        paint_icon(
            painter, where, tone, colour=colours[TONE_COLOURS[tone]], background=colours["surface"]
        )


# Rows laid out before anything else gets its turn: all forty thousand would hold the window up.
_BATCH_SIZE = 1_000


class AnsweredImageList(RowList):
    """Has one current row; rows are created when they become visible."""

    chosen = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        pictures: ThumbnailLoader[int, QImage],
        *,
        name: str,
        accepted_word: str = "Accepted",
    ) -> None:
        """`accepted_word` says what the second line of each row is."""
        super().__init__(
            appearance,
            name,
            RowListModel(
                {
                    Qt.ItemDataRole.DisplayRole: lambda row: f"{row.answer}: {row.word}",
                    Qt.ItemDataRole.AccessibleDescriptionRole: lambda row: (
                        f"{accepted_word}: {row.accepted}. {row.caption}"
                    ),
                }
            ),
            AnsweredImageDelegate(appearance, pictures, accepted_word=accepted_word),
            pictures=pictures,
            picture_keys=lambda row: (row.image,),
        )
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH_SIZE)
        self.selectionModel().currentChanged.connect(lambda to: self.chosen.emit(to.row()))

    @property
    def current(self) -> PictureRow | None:
        row: PictureRow | None = self.currentIndex().data(LIST_ROW_ROLE)
        return row

    def show_rows(self, rows: Sequence[PictureRow]) -> None:
        # Other rows may have the same numbers for other pictures.
        self._requested = ()
        super().show_rows(rows)
