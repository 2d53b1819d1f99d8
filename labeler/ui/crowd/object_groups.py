"""The objects of an image as groups of labels, told apart by colour, pattern and number."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from labeler.app.crowd.image_inspector import ObjectView
from labeler.ui.kit.layout.boxes import grow, hbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance, TypeSize

MAIN, TARGET, UNPLACED = "main object", "holds the target", "in no object"
# Okabe and Ito's colours, which people with any colour vision can tell apart.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
_PATTERNS = (
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.CrossPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.DiagCrossPattern,
)
_SWATCH = QSize(40, 32)


class _Swatch(QWidget):
    """The colour, pattern and number of an object; a label without object has a dashed frame."""

    def __init__(self, appearance: Appearance, number: int) -> None:
        super().__init__()
        self._appearance, self._number = appearance, number
        self.setFixedSize(_SWATCH)
        self.setAccessibleName(f"Object {number}" if number else UNPLACED)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if not self._number:
            painter.setPen(QPen(self._appearance.colour("strong_line"), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(frame, 4, 4)
            return
        place = (self._number - 1) % len(_COLOURS)
        colour = QColor(_COLOURS[place])
        painter.setPen(QPen(colour, 2))
        painter.setBrush(QBrush(colour, _PATTERNS[place]))
        painter.drawRoundedRect(frame, 4, 4)
        badge = QRectF(0, 0, 20, 20)
        badge.moveCenter(frame.center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.colour("surface"))
        painter.drawEllipse(badge)
        painter.setPen(self._appearance.colour("text"))
        painter.setFont(self._appearance.font(TypeSize.BODY, strong=True))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, str(self._number))


class ObjectGroups(QWidget):
    """One row for each object, and one for labels in no object."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.rows: list[QFrame] = []

    def show_objects(self, objects: Sequence[ObjectView]) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = [self._row(each) for each in objects]
        for row in self.rows:
            self._column.addWidget(row)

    def _row(self, each: ObjectView) -> QFrame:
        row = QFrame()
        first, *others = each.labels
        roles = [
            word
            for word, holds in (
                (MAIN, each.is_main),
                (TARGET, each.is_target),
                (UNPLACED, each.number == 0),
            )
            if holds
        ]
        name = label(first, rank="heading")
        also = label(" · ".join(others), rank="muted", wrap=True)
        role = label(", ".join(roles), rank="caption")
        hbox(_Swatch(self._appearance, each.number), name, grow(also), role, on=row, spacing=12)
        row.setAccessibleName(f"Object {each.number}: {', '.join(each.labels)}. {', '.join(roles)}")
        return row
