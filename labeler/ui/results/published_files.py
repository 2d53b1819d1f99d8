"""Published results for the background of a report's figures: folded until somebody wants them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.text.labels import label

_ABOUT = (
    "Published accuracies, as timm's results files have them. Their models appear as a faint "
    "background of the figures, named as published and not measured here."
)
_INDENT = 24


class PublishedResultsFields(QWidget):
    """A button that unfolds two fields, one for each of the datasets that are compared."""

    def __init__(self) -> None:
        super().__init__()
        self.unfold = QToolButton()
        self.unfold.setText("&More")
        self.unfold.setProperty("kind", "fold")
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.original, self.new = QLineEdit(), QLineEdit()
        self._rows = QWidget()
        self._lay_out()
        self.unfold.toggled.connect(self._fold)
        self._fold(False)

    @property
    def places(self) -> tuple[str, str]:
        """What stands in the fields."""
        return self.original.text(), self.new.text()

    def _lay_out(self) -> None:
        form = QFormLayout(self._rows)
        form.setContentsMargins(_INDENT, 0, 0, 0)
        form.setVerticalSpacing(8)
        form.setHorizontalSpacing(16)
        form.addRow(label(_ABOUT, rank="caption", wrap=True))
        self._add(form, self.original, "&Original dataset", "results-imagenet.csv")
        self._add(form, self.new, "Ne&w dataset", "results-imagenetv2-matched-frequency.csv")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(8)
        whole.addWidget(self.unfold, alignment=Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self._rows)

    def _add(self, form: QFormLayout, field: QLineEdit, words: str, example: str) -> None:
        name = f"Published results for the {words.replace('&', '').lower()}"
        field.setAccessibleName(name)
        field.setPlaceholderText(f"Like {example}")
        browse = QPushButton("Choose…")
        browse.setAutoDefault(False)
        browse.setAccessibleName(f"Choose: {name}")
        browse.clicked.connect(lambda: self._choose(field, name))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(field, stretch=1)
        row.addWidget(browse)
        form.addRow(words, row)
        named = form.labelForField(row)
        if hasattr(named, "setBuddy"):
            named.setBuddy(field)

    def _choose(self, field: QLineEdit, name: str) -> None:
        asked = open_file_dialog(self, name, names="Results (*.csv)")
        asked.fileSelected.connect(field.setText)
        asked.open()

    def _fold(self, unfolded: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow
        self.unfold.setArrowType(arrow)
        self._rows.setVisible(unfolded)
