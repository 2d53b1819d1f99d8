"""The pages found in the guide, each with an excerpt."""

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QTextLayout

from labeler.core.classes.search.hits import TextSpan
from labeler.guide.search import GuideHit
from labeler.ui.kit.tables.row_list import RowDelegate, RowList, RowListModel
from labeler.ui.kit.text.text_painter import LineStyle, draw_highlighted
from labeler.ui.window.theme import Appearance, TypeSize

_EXCERPT_LINES = 2
_MAX_WIDTH = 880  # longer lines are hard to read


class GuideResultList(RowList):
    """Shows the pages that the viewer found; the search field keeps the keyboard focus."""

    def __init__(self, appearance: Appearance) -> None:
        model = RowListModel(
            {
                Qt.ItemDataRole.DisplayRole: lambda hit: hit.title,
                Qt.ItemDataRole.AccessibleDescriptionRole: lambda hit: hit.excerpt.text,
            }
        )
        super().__init__(appearance, "Pages found", model, GuideHitDelegate(appearance))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


class GuideHitDelegate(RowDelegate):
    """Paints a page's title and an excerpt, with what matched highlighted in both."""

    margins: ClassVar[tuple[int, int]] = (16, 8)

    def apply_theme(self) -> None:
        self._titles = self.line_style(TypeSize.BODY, "text", strong=True)
        self._texts = self.line_style(TypeSize.CAPTION, "muted")

    def content_height(self) -> float:
        title, text = self._titles.metrics.height(), self._texts.metrics.height()
        return title + 2 + _EXCERPT_LINES * text

    def paint_row(self, painter: QPainter, area: QRectF, row: GuideHit) -> None:
        area.setWidth(min(area.width(), _MAX_WIDTH))
        height = self._titles.metrics.height()
        line = QRectF(area.left(), area.top(), area.width(), height)
        draw_highlighted(painter, line, row.title, spans=row.title_spans, style=self._titles)
        area.setTop(line.bottom() + 2)
        self._paint_excerpt(painter, area, row.excerpt.text, row.excerpt.spans)

    def _paint_excerpt(
        self, painter: QPainter, area: QRectF, text: str, spans: Sequence[TextSpan]
    ) -> None:
        style = self._texts
        lines = _lines(text, style, area.width())
        for number, (start, line) in enumerate(lines):
            moved = [TextSpan(s.start - start, s.end - start) for s in spans if s.start >= start]
            top = area.top() + number * style.metrics.height()
            where = QRectF(area.left(), top, area.width(), style.metrics.height())
            draw_highlighted(painter, where, line, spans=moved, style=style)


def _lines(text: str, style: LineStyle, width: float) -> list[tuple[int, str]]:
    """Split the text into lines with their start; the last line has the rest."""
    layout = QTextLayout(text, style.font)
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) < _EXCERPT_LINES and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    ends = [*starts[1:], len(text)]
    return [(start, text[start:end].rstrip()) for start, end in zip(starts, ends, strict=True)]
