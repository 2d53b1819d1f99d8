"""A verdict as a colour and a shape: check mark, cross, or question mark."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from labeler.core.review.blind_types import OwnVerdict
from labeler.core.study.entities import CorrectKind, Verdict
from labeler.ui.window.theme import Appearance

VERDICT_WORDS = {Verdict.CORRECT: "Correct", Verdict.WRONG: "Wrong", Verdict.UNCLEAR: "Unclear"}
KIND_WORDS = {
    CorrectKind.SEVERAL_OBJECTS: "one of several objects",
    CorrectKind.SYNONYM_OR_SUBSET: "synonym or subset",
    CorrectKind.AMBIGUOUS: "ambiguous picture",
}
# Next to a mark that already says "correct".
SHORT_KIND_WORDS = {
    CorrectKind.SEVERAL_OBJECTS: "Several objects",
    CorrectKind.SYNONYM_OR_SUBSET: "Synonym or subset",
    CorrectKind.AMBIGUOUS: "Ambiguous picture",
}
assert set(VERDICT_WORDS) == set(Verdict), "every verdict has a word"
assert set(KIND_WORDS) == set(SHORT_KIND_WORDS) == set(CorrectKind), "every kind has a text"


def verdict_words(own: OwnVerdict) -> str:
    """Return a verdict in words, with its kind if it has one."""
    kind = "" if own.kind is None else f": {KIND_WORDS[own.kind]}"
    return f"{VERDICT_WORDS[own.verdict]}{kind}"


_SIDE, _ROUND = 16, 2
_FADED = 0.4


class VerdictMark(QWidget):
    """The mark as on a button; dimmed if the button is disabled."""

    def __init__(self, appearance: Appearance, verdict: Verdict) -> None:
        super().__init__()
        self._appearance, self._verdict = appearance, verdict
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(_SIDE + 2 * _ROUND, _SIDE + 2 * _ROUND)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setOpacity(1.0 if self.isEnabled() else _FADED)
        where = QRectF(_ROUND, _ROUND, _SIDE, _SIDE)
        outline = self._appearance.colour(self._verdict.value)
        paint_verdict(painter, where, self._verdict, self._appearance, outline=outline)


def paint_verdict(
    painter: QPainter,
    where: QRectF,
    verdict: Verdict | None,
    appearance: Appearance,
    *,
    outline: QColor,
) -> None:
    """Draw the verdict's mark; without a verdict, an empty circle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(outline, 1.5))
    if verdict is None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(where.adjusted(2, 2, -2, -2))
    else:
        painter.setBrush(appearance.colour(verdict.value))
        _SHAPES[verdict](painter, where)
    painter.restore()


def _correct(painter: QPainter, where: QRectF) -> None:
    painter.drawEllipse(where)
    _stroke(painter, where, [(0.27, 0.52), (0.44, 0.69), (0.74, 0.33)])


def _wrong(painter: QPainter, where: QRectF) -> None:
    painter.drawRoundedRect(where, 2, 2)
    _stroke(painter, where, [(0.28, 0.28), (0.72, 0.72)])
    _stroke(painter, where, [(0.72, 0.28), (0.28, 0.72)])


def _unclear(painter: QPainter, where: QRectF) -> None:
    middle, half = where.center(), where.width() * 0.56
    rhomb = [(0, -half), (half, 0), (0, half), (-half, 0)]
    painter.drawPolygon(QPolygonF([QPointF(middle.x() + x, middle.y() + y) for x, y in rhomb]))
    query = [(0.36, 0.40), (0.40, 0.28), (0.58, 0.26), (0.64, 0.38), (0.52, 0.50), (0.50, 0.60)]
    _stroke(painter, where, query)
    _stroke(painter, where, [(0.50, 0.73), (0.50, 0.75)])


_SHAPES = {Verdict.CORRECT: _correct, Verdict.WRONG: _wrong, Verdict.UNCLEAR: _unclear}
assert set(_SHAPES) == set(Verdict), "every verdict has a shape"


def _stroke(painter: QPainter, where: QRectF, points: list[tuple[float, float]]) -> None:
    width = max(1.5, where.width() / 9)
    pen = QPen(_contrast_colour(painter.brush().color()), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        [QPointF(where.x() + x * where.width(), where.y() + y * where.height()) for x, y in points]
    )
    painter.restore()


def _contrast_colour(background: QColor) -> QColor:
    """Return black or white, whichever is more readable on the colour."""
    return QColor("#000000") if background.lightnessF() > 0.6 else QColor("#ffffff")
