"""Classes side by side to look at, with what the guide says tells them apart."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.classes.comparison import ComparedClasses
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.ui.classes.class_columns import ClassColumn
from labeler.ui.classes.told_apart import ClassDifferences
from labeler.ui.window.look import Appearance


class ClassColumnsView(QWidget):
    """Renders compared classes where nothing is to be chosen."""

    def __init__(self, look: Appearance, originals: OriginalLoader[QImage]) -> None:
        super().__init__()
        self._look, self._originals = look, originals
        self.columns: list[ClassColumn] = []
        self.told_apart = ClassDifferences()
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.told_apart)
        whole.addLayout(self._row, stretch=1)

    def render_classes(self, view: ComparedClasses[QImage]) -> None:
        """Show the classes; a column that was there already stays as it is."""
        known = {column.wnid: column for column in self.columns}
        self.columns = [known.get(c.wnid) or self._column(c.wnid) for c in view.columns]
        for gone in (column for column in known.values() if column not in self.columns):
            gone.hide()
            gone.deleteLater()
        for place, (shown, column) in enumerate(zip(self.columns, view.columns, strict=True)):
            self._row.insertWidget(place, shown, stretch=1)
            shown.render_column(column)
        self.told_apart.show_pairs(view.told_apart)

    def _column(self, wnid: str) -> ClassColumn:
        return ClassColumn(self._look, wnid, originals=self._originals)
