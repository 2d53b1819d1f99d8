"""Asks which model to add: timm's name and, where wanted, a checkpoint and a class list."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from labeler.core.catalogue import CatalogueEntry, WeightsPlace
from labeler.core.scoring import ModelSpec
from labeler.ui.look import Look
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.told import Told

_WIDTH = 640


class AddModelDialog(QDialog):
    """A short form; it closes when what it asks for is sound."""

    wanted = Signal(ModelSpec)

    def __init__(
        self,
        look: Look,
        parent: QWidget,
        *,
        why_not: Callable[[ModelSpec], str | None],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Add a model")
        self.setMinimumWidth(_WIDTH)
        self._entries: dict[str, CatalogueEntry] = {}
        self._why_not = why_not
        self.model = _field("The model's name in timm")
        self.name = _field("The participant's code")
        self.checkpoint = _field("A file with weights of your own")
        self.classes = _field("A file with the classes of its outputs")
        self.known = label(rank="caption", wrap=True)
        self.told = Told(look)
        self._lay_out()
        self.model.textChanged.connect(self._tell_known)
        self._tell_known("")

    def take_catalogue(self, catalogue: Sequence[CatalogueEntry]) -> None:
        """Take timm's models, which may come when somebody is already typing."""
        self._entries = {entry.name: entry for entry in catalogue}
        for entry in catalogue:
            # A name without a tag stands for the first weights of that architecture.
            self._entries.setdefault(entry.architecture, entry)
        self._complete_names(catalogue)
        self._tell_known(self.model.text())

    def add(self) -> None:
        """Pass on what was entered, or say what is wrong with it."""
        model = self.model.text().strip()
        spec = ModelSpec(
            model=model,
            name=self.name.text().strip() or model,
            checkpoint=self.checkpoint.text().strip() or None,
            classes=self.classes.text().strip() or None,
        )
        refusal = self._why_not(spec)
        self.told.say(refusal or "")
        if refusal is None:
            self.accept()
            self.wanted.emit(spec)

    def _tell_known(self, text: str) -> None:
        self.name.setPlaceholderText(text.strip() or "as the model")
        entry = self._entries.get(text.strip())
        if entry is None:
            known = "Type a part of its name." if self._entries else "timm's list is being read …"
            self.known.setText(known)
            return
        size = "" if entry.parameters is None else f"{entry.parameters / 1e6:,.1f} M parameters, "
        self.known.setText(
            f"{size}input {entry.input_size}, {entry.outputs:,} outputs, weights: "
            f"{_PLACES[entry.weights]}."
        )

    def _complete_names(self, catalogue: Sequence[CatalogueEntry]) -> None:
        # What is installed comes first: it needs no network.
        entries = sorted(
            (e for e in catalogue if e.weights is not WeightsPlace.NONE),
            key=lambda e: (e.weights is not WeightsPlace.INSTALLED, e.name),
        )
        completer = QCompleter(QStringListModel([e.name for e in entries], self), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(12)
        self.model.setCompleter(completer)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setVerticalSpacing(12)
        form.setHorizontalSpacing(16)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        form.addRow("Model", self.model)
        form.addRow("", self.known)
        form.addRow("Name here", self.name)
        form.addRow("Checkpoint", self._file_row(self.checkpoint, "Browse for the checkpoint"))
        form.addRow("Class list", self._file_row(self.classes, "Browse for the class list"))
        form.addRow("", label(_OPTIONAL, rank="caption", wrap=True))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(24, 24, 24, 16)
        whole.setSpacing(16)
        whole.addWidget(label("Add a model", rank="title"))
        whole.addLayout(form)
        whole.addWidget(self.told)
        whole.addStretch()
        whole.addLayout(self._foot())

    def _file_row(self, field: QLineEdit, name: str) -> QHBoxLayout:
        browse = QPushButton("Browse…")
        browse.setAutoDefault(False)
        browse.setAccessibleName(name)
        browse.clicked.connect(lambda: self._browse(field, name))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(field, stretch=1)
        row.addWidget(browse)
        return row

    def _browse(self, field: QLineEdit, title: str) -> None:
        chosen = QFileDialog(self, title)
        chosen.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen.setFileMode(QFileDialog.FileMode.ExistingFile)
        chosen.fileSelected.connect(field.setText)
        chosen.open()

    def _foot(self) -> QHBoxLayout:
        cancel, add = QPushButton("Cancel"), QPushButton("Add the model")
        cancel.setAutoDefault(False)
        add.setDefault(True)
        cancel.clicked.connect(self.reject)
        add.clicked.connect(self.add)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        row.addWidget(cancel)
        row.addWidget(add)
        return row


_PLACES = {
    WeightsPlace.INSTALLED: "installed",
    WeightsPlace.HUB: "fetched from timm's hub",
    WeightsPlace.NONE: "none published, give a checkpoint",
}
assert set(_PLACES) == set(WeightsPlace), "every place has its words"
_OPTIONAL = (
    "Both are optional: weights of your own (.pth or .safetensors), and the wnid of each output, "
    "where they aren't in ImageNet's order."
)


def _field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    return field
