"""The pages found in the guide, each with an excerpt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from labeler.core.classes.search.hits import TextSpan
from labeler.ui.kit.text.text_painter import LineStyle, draw_highlighted
from labeler.ui.window.theme import Appearance, TypeSize

if TYPE_CHECKING:
    # The guide is only imported when someone opens it.
    from labeler.guide.search import GuideHit

_HIT = Qt.ItemDataRole.UserRole
_SIDE, _TOP, _BAR = 16, 8, 4
_EXCERPT_LINES = 2
_MAX_WIDTH = 880  # longer lines are hard to read


class GuideResultModel(QAbstractListModel):
    """A list of hits that is replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._hits: Sequence[GuideHit] = ()

    def show(self, hits: "Sequence[GuideHit]") -> None:
        if hits != self._hits:
            self.beginResetModel()
            self._hits = hits
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._hits)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        hit = self._hits[index.row()]
        if role == _HIT:
            return hit
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return hit.excerpt.text
        return None


class GuideResultList(QListView):
    """A list that follows the viewer; the focus stays in the search field."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._hits = GuideResultModel()
        self._delegate = GuideHitDelegate(appearance)
        self.setModel(self._hits)
        self.setItemDelegate(self._delegate)
        self.setObjectName("results")
        self.setAccessibleName("Pages found")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        appearance.changed.connect(self.viewport().update)

    def show_hits(self, hits: "Sequence[GuideHit]", selected: int | None) -> None:
        """Show the hits and highlight the focused one."""
        self._hits.show(hits)
        if selected is None:
            self.selectionModel().clear()
            return
        index = self._hits.index(selected, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)


class GuideHitDelegate(QStyledItemDelegate):
    """Paints a page's title and excerpt, with the matches highlighted."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QSize:
        title, text = self._style(TypeSize.BODY), self._style(TypeSize.CAPTION)
        lines = title.metrics.height() + 2 + _EXCERPT_LINES * text.metrics.height()
        return QSize(200, round(lines + 2 * _TOP))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        hit: GuideHit = index.data(_HIT)
        area = QRectF(option.rect)
        painter.save()
        painter.setClipRect(area)
        self._paint_ground(painter, area, option)
        inside = area.adjusted(_SIDE, _TOP, -_SIDE, -_TOP)
        inside.setWidth(min(inside.width(), _MAX_WIDTH))
        title = self._style(TypeSize.BODY)
        line = QRectF(inside.left(), inside.top(), inside.width(), title.metrics.height())
        draw_highlighted(painter, line, hit.title, spans=hit.title_spans, style=title)
        inside.setTop(line.bottom() + 2)
        self._paint_excerpt(painter, inside, hit.excerpt.text, hit.excerpt.spans)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            bar = QRectF(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._appearance.colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))

    def _paint_excerpt(
        self, painter: QPainter, area: QRectF, text: str, spans: Sequence[TextSpan]
    ) -> None:
        style = self._style(TypeSize.CAPTION)
        lines = _lines(text, style, area.width())
        for number, (start, line) in enumerate(lines):
            moved = [TextSpan(s.start - start, s.end - start) for s in spans if s.start >= start]
            top = area.top() + number * style.metrics.height()
            where = QRectF(area.left(), top, area.width(), style.metrics.height())
            draw_highlighted(painter, where, line, spans=moved, style=style)

    def _style(self, size: TypeSize) -> LineStyle:
        colour, is_title = self._appearance.colour, size is TypeSize.BODY
        font = self._appearance.font(size, strong=is_title)
        return LineStyle(
            font=font,
            metrics=QFontMetricsF(font),
            text=colour("text" if is_title else "muted"),
            mark=colour("match"),
            on_mark=colour("on_match"),
        )


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
