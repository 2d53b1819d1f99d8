"""Importing a model's predictions from an array, which needs details that it doesn't contain."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from labeler.app.models.prediction_import import PredictionFile
from labeler.app.study.setup.setup import SetupPresenter
from labeler.core.models.class_outputs import BACKGROUND_FIRST
from labeler.core.models.prediction_order import ImageOrder
from labeler.ui.kit.input.form_fields import CheckBox, ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.form import CardForm, HintLabel, WheelGuard, with_hint
from labeler.ui.study.setup.setup_panel import integer_field, push_button, row_layout, text_field
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "This array contains a model's predictions. Specify the model, the images, and the order of "
    "the rows and columns."
)
FROM_LIST = "Listed in a text file"
_ORDERS = {
    "By folder and file name, as in most libraries": ImageOrder.NAMES,
    "By numeric folder 0 … 999, as in ImageNetV2": ImageOrder.NUMBERS,
    "In the study's order": ImageOrder.STUDY,
    FROM_LIST: None,
}
_CLASSES = {
    "In the study's order": None,
    "In the study's order, after a background class": BACKGROUND_FIRST,
    FROM_LIST: "",
}
NO_IMAGES = "The study has no images to classify yet. Add the images of these predictions first."
_MAX_RANKS = 100


class PredictionImportForm(QWidget):
    """Asks for the details of an array of predictions, previews it, and imports it."""

    taken = Signal()

    def __init__(self, appearance: Appearance, set_up: SetupPresenter) -> None:
        super().__init__()
        self._set_up = set_up
        self._file = Path()
        self._seen: PredictionFile | None = None
        self.model = text_field("Model", placeholder="The model's name in the study")
        self.dataset = _choice(appearance, "Dataset", ())
        self.order = _choice(appearance, "Order of the images", _ORDERS)
        self.order_list = text_field(
            "List of images", placeholder="Text file with one image per line"
        )
        self.classes = _choice(appearance, "Order of the classes", _CLASSES)
        self.class_list = text_field(
            "List of classes", placeholder="Text file with one wnid per line"
        )
        self.ranks = integer_field("Labels per image", least=1, most=_MAX_RANKS, value=5)
        self.replace = CheckBox(appearance, "Replace existing predictions")
        self.accept_chance = CheckBox(appearance, "Import even if no better than chance")
        self.preview = push_button("&Preview")
        self.found = HintLabel(rank="number")
        self.take = push_button("I&mport predictions")
        self._lay_out()
        self._connect()
        self._forget()

    def offer(self, datasets: Sequence[str]) -> None:
        """Set the datasets to choose from."""
        if [self.dataset.itemText(n) for n in range(self.dataset.count())] != list(datasets):
            self.dataset.clear()
            self.dataset.addItems(datasets)

    def ask(self, file: Path) -> None:
        """Start with another file."""
        self._file = file
        self.model.setText(file.stem)
        self._forget()

    def _given(self) -> PredictionFile:
        order = _ORDERS[self.order.currentText()]
        classes = _CLASSES[self.classes.currentText()]
        return PredictionFile(
            file=self._file,
            model=self.model.text().strip(),
            dataset=self.dataset.currentText(),
            order=_path(self.order_list) if order is None else order,
            classes=str(_path(self.class_list)) if classes == "" else classes,
            ranks=self.ranks.value(),
            replace=self.replace.isChecked(),
            accept_chance=self.accept_chance.isChecked(),
        )

    def _preview(self) -> None:
        given = self._given()
        self._forget()
        self._set_up.watch(
            lambda progress: self._set_up.study_setup.files.see_scores(given, progress),
            done=lambda sentences: self._show(given, sentences),
            atomic=True,
        )

    def _show(self, given: PredictionFile, sentences: tuple[str, ...]) -> None:
        self._seen = given
        self.found.setText("\n".join(sentences))
        self.take.setEnabled(True)
        self.take.setFocus()

    def _take(self) -> None:
        given = self._seen
        assert given is not None, "only previewed predictions can be imported"
        self._set_up.do(
            lambda progress: self._set_up.study_setup.files.take_scores(given, progress),
            atomic=True,
            then=self.taken.emit,
        )

    def _forget(self) -> None:
        """Clear the preview, and enable the list fields that are needed."""
        self._seen = None
        self.found.setText("" if self.dataset.count() else NO_IMAGES)
        self.take.setEnabled(False)
        self.order_list.setEnabled(self.order.currentText() == FROM_LIST)
        self.class_list.setEnabled(self.classes.currentText() == FROM_LIST)
        self.preview.setEnabled(self.dataset.count() > 0 and bool(self.model.text().strip()))

    def _connect(self) -> None:
        for typed in (self.model, self.order_list, self.class_list):
            typed.textEdited.connect(lambda _text: self._forget())
            typed.returnPressed.connect(self.preview.click)
        for chosen in (self.dataset, self.order, self.classes):
            chosen.currentIndexChanged.connect(lambda _place: self._forget())
        self.ranks.valueChanged.connect(lambda _value: self._forget())
        for ticked in (self.replace, self.accept_chance):
            ticked.toggled.connect(lambda _on: self._forget())
        self.preview.clicked.connect(self._preview)
        self.take.clicked.connect(self._take)

    def _lay_out(self) -> None:
        layout = vbox(label(_ABOUT, wrap=True), on=self, spacing=12)
        asked = QWidget()
        form = CardForm(asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.add("Model", self.model)
        form.add("Dataset", row_layout(self.dataset, stretch=False))
        form.add("Images", _choice_with_path(self.order, self.order_list))
        form.add("Classes", _choice_with_path(self.classes, self.class_list))
        ranks = row_layout(self.ranks, stretch=False)
        form.add("Labels", with_hint(ranks, HintLabel("Number of labels per image to keep.")))
        form.add("", self.replace)
        form.add("", self.accept_chance)
        form.add("", row_layout(self.preview, self.take, stretch=False))
        form.add("", self.found)
        layout.addWidget(asked)


def _choice(appearance: Appearance, name: str, choices: Iterable[str]) -> ChoiceBox:
    made = ChoiceBox(appearance, name)
    made.addItems(list(choices))
    WheelGuard(made)
    return made


def _choice_with_path(choice: ChoiceBox, typed: QLineEdit) -> QHBoxLayout:
    """Lay out a choice with a path field that takes the remaining width."""
    return hbox(choice, grow(typed))


def _path(typed: QLineEdit) -> Path:
    return Path(typed.text().strip()).expanduser()
