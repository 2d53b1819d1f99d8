"""What few want when models are scored: rows of a form that stay folded until then."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from labeler.app.models.scoring_request import ScoringChoices
from labeler.core.models.scoring import Precision
from labeler.ui.kit.input.choice_box import ChoiceBox
from labeler.ui.kit.input.form_fields import CheckBox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.look import Appearance

_PRECISIONS = {
    Precision.AUTO: "Full, on a GPU half where no label changes",
    Precision.FLOAT32: "Full: float32",
    Precision.FLOAT16: "Half: float16, on GPUs only",
    Precision.BFLOAT16: "Half: bfloat16, on GPUs only",
}
assert set(_PRECISIONS) == set(Precision), "every precision has its words"
_RESCORE_HELP = "What is scored again takes the place of what is there when all of it is done."


class AdvancedScoringRows:
    """Adds a button and the rows that it unfolds to a form; what is chosen in them unfolds it."""

    def __init__(self, look: Appearance, form: QFormLayout, how: ScoringChoices) -> None:
        self._form = form
        self.unfold = QToolButton()
        self.unfold.setText("&More")
        self.unfold.setProperty("kind", "fold")
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.precision = ChoiceBox(look, "Precision")
        for precision, words in _PRECISIONS.items():
            self.precision.addItem(words, precision)
        self.precision.setCurrentIndex(list(_PRECISIONS).index(how.precision))
        self.logits = QLineEdit(str(how.logits or ""))
        self.logits.setAccessibleName("The folder for all logits")
        self.logits.setPlaceholderText("A folder, or nowhere")
        self.replace = CheckBox(look, "Score &again what is there, and take its place")
        self.replace.setChecked(how.replace)
        self.accept_chance = CheckBox(look, "&Keep labels that are no better than chance")
        self.accept_chance.setChecked(how.accept_chance)
        self._rows: tuple[QWidget, ...] = ()
        self._lay_out()
        self.unfold.toggled.connect(self._fold)
        self.unfold.setChecked(how.has_more)
        self._fold(how.has_more)

    @property
    def place(self) -> Path | None:
        """The folder for the logits."""
        text = self.logits.text().strip()
        return Path(text).expanduser() if text else None

    def why_not(self) -> str | None:
        """What is wrong with what was chosen, as a sentence."""
        place = self.place
        if place is None or place.is_dir():
            return None
        if place.exists():
            return f"'{place}' is a file: choose a folder for the logits."
        return None if place.parent.is_dir() else f"There is no folder '{place.parent}'."

    def _lay_out(self) -> None:
        logits, hint = self._logits_row(), label(_RESCORE_HELP, rank="caption", wrap=True)
        self._form.addRow("", self.unfold)
        self._form.addRow("&Precision", self.precision)
        self._form.addRow("Lo&gits to", logits)
        for row in (self.replace, self.accept_chance, hint):
            self._form.addRow("", row)
        named = self._form.labelForField(logits)
        if hasattr(named, "setBuddy"):
            named.setBuddy(self.logits)
        self._rows = (self.precision, logits, self.replace, self.accept_chance, hint)

    def _logits_row(self) -> QWidget:
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.setAccessibleName("Browse: the folder for all logits")
        browse.clicked.connect(self._browse)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.logits, stretch=1)
        row.addWidget(browse)
        return whole

    def _browse(self) -> None:
        chosen = QFileDialog(self.logits, "The folder for all logits")
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.Directory)
        chosen.fileSelected.connect(self.logits.setText)
        chosen.open()

    def _fold(self, unfolded: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow
        self.unfold.setArrowType(arrow)
        for row in self._rows:
            self._form.setRowVisible(row, unfolded)
