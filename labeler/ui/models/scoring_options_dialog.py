"""The dialog for scoring options: datasets, device, labels per image, batch size, others."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from labeler.app.keymap import Key
from labeler.app.models.scoring_request import ScoringChoices
from labeler.core.models.scoring import Precision
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox, NumberField
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

NO_DATASET_TICKED = "Tick at least one dataset."

_PRECISIONS = {
    Precision.AUTO: "Automatic: half on a GPU if no label changes",
    Precision.FLOAT32: "Full: float32",
    Precision.FLOAT16: "Half: float16, on GPUs only",
    Precision.BFLOAT16: "Half: bfloat16, on GPUs only",
}
assert set(_PRECISIONS) == set(Precision), "every precision has a text"
LOGITS_FOLDER_IS_A_FILE = "'{folder}' is a file. Choose a folder for the logits."
LOGITS_FOLDER_MISSING = "The folder '{folder}' doesn't exist. Choose another folder for the logits."
_RESCORE_HELP = "Existing predictions are replaced when all images are scored again."


class AdvancedScoringRows:
    """Adds a More button to a form, with rows that it shows; set options show them too."""

    def __init__(self, appearance: Appearance, form: QFormLayout, how: ScoringChoices) -> None:
        self._form = form
        self.unfold = QToolButton()
        self.unfold.setText("&More")
        self.unfold.setProperty("kind", "fold")
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.precision = ChoiceBox(appearance, "Precision")
        for precision, words in _PRECISIONS.items():
            self.precision.addItem(words, precision)
        self.precision.setCurrentIndex(list(_PRECISIONS).index(how.precision))
        self.logits = QLineEdit(str(how.logits or ""))
        self.logits.setAccessibleName("The folder for all logits")
        self.logits.setPlaceholderText("Optional folder")
        self.replace = CheckBox(appearance, "Score &again and replace existing predictions")
        self.replace.setChecked(how.replace)
        self.accept_chance = CheckBox(appearance, "&Keep labels that are no better than chance")
        self.accept_chance.setChecked(how.accept_chance)
        self._rows: tuple[QWidget, ...] = ()
        self._lay_out()
        self.unfold.toggled.connect(self._fold)
        self.unfold.setChecked(how.has_more)
        self._fold(how.has_more)

    @property
    def folder(self) -> Path | None:
        """Return the folder for the logits, or None."""
        text = self.logits.text().strip()
        return Path(text).expanduser() if text else None

    def why_not(self) -> str | None:
        """Return what is wrong with the choices, or None."""
        folder = self.folder
        if folder is None or folder.is_dir():
            return None
        if folder.exists():
            return LOGITS_FOLDER_IS_A_FILE.format(folder=folder)
        if folder.parent.is_dir():
            return None
        return LOGITS_FOLDER_MISSING.format(folder=folder.parent)

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
        browse.setAccessibleName("Browse for the folder for all logits")
        browse.clicked.connect(self._browse)
        container = QWidget()
        hbox(grow(self.logits), browse, on=container)
        return container

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


_WIDTH = 560
_DEVICES = ("auto", "cpu", "cuda", "mps")
_MAX_RANKS, _MAX_BATCH = 1000, 4096
_HINT = (
    "auto uses a GPU if there is one; cuda:1 is the second of several. The options don't change "
    "models that are running or waiting."
)


class ScoringOptionsDialog(QDialog):
    """A form; each field has an Alt shortcut."""

    wanted = Signal(ScoringChoices)

    def __init__(
        self,
        appearance: Appearance,
        how: ScoringChoices,
        datasets: Mapping[str, int],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Scoring options")
        self.setMinimumWidth(_WIDTH)
        self.datasets = {
            name: CheckBox(appearance, f"&{number} {name}: {images:,} images")
            for number, (name, images) in enumerate(datasets.items(), start=1)
        }
        for name, box in self.datasets.items():
            box.setChecked(not how.datasets or name in how.datasets)
        self.device = ChoiceBox(appearance, "Device")
        self.device.setEditable(True)
        self.device.addItems(_DEVICES)
        self.device.setCurrentText(how.device)
        self.ranks = NumberField(value=how.ranks, least=1, most=_MAX_RANKS)
        self.batch_size = NumberField(value=how.batch_size or 0, least=0, most=_MAX_BATCH)
        self.batch_size.setSpecialValueText("automatic")
        self._form = QFormLayout()
        self.error_banner = ErrorBanner(appearance)
        self.cancel = CommandButton(appearance, "Cancel", keys=[Key((), "Esc")])
        self.take = CommandButton(
            appearance, "Apply", keys=[Key((), "Return")], kind=ButtonKind.PRIMARY
        )
        self.take.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.take.clicked.connect(self.answer)
        self._lay_out()
        self.more = AdvancedScoringRows(appearance, self._form, how)
        self.more.unfold.toggled.connect(lambda _on: self._fit())

    def answer(self) -> None:
        """Emit the choices; at least one dataset is required."""
        ticked = tuple(name for name, box in self.datasets.items() if box.isChecked())
        refusal = NO_DATASET_TICKED if self.datasets and not ticked else None
        refusal = refusal or self.more.why_not()
        self.error_banner.say(refusal or "")
        self._fit()
        if refusal is not None:
            return
        how = ScoringChoices(
            datasets=() if len(ticked) == len(self.datasets) else ticked,
            device=self.device.currentText().strip() or "auto",
            ranks=self.ranks.value(),
            batch_size=self.batch_size.value() or None,
            precision=self.more.precision.currentData(),
            logits=self.more.folder,
            replace=self.more.replace.isChecked(),
            accept_chance=self.more.accept_chance.isChecked(),
        )
        self.accept()
        self.wanted.emit(how)

    def _fit(self) -> None:
        """Resize the dialog to the visible rows and messages."""
        layout = self.layout()
        assert layout is not None, "it was laid out"
        layout.activate()
        self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _lay_out(self) -> None:
        boxes = vbox(*self.datasets.values(), spacing=4)
        form = self._form
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(16)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        form.addRow("Datasets", boxes)
        form.addRow("&Device", self.device)
        form.addRow("&Labels per image", self.ranks)
        form.addRow("&Batch size", self.batch_size)
        form.addRow("", label(_HINT, rank="caption", wrap=True))
        foot = QHBoxLayout()
        foot.addWidget(self.cancel)
        foot.addStretch(1)
        foot.addWidget(self.take)
        vbox(
            label("Scoring options", rank="title"),
            form,
            self.error_banner,
            foot,
            on=self,
            spacing=16,
            margins=(24, 24, 24, 16),
        )
