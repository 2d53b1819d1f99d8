"""The choices of the results: datasets, participants, subsets, metric, counting convention."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QToolButton,
    QWidget,
)

from labeler.app.keymap import Action, Keymap
from labeler.app.results.results_view import (
    CONVENTION_TITLES,
    METRIC_NAMES,
    ResultsEntry,
    ResultsSection,
    ResultsView,
)
from labeler.core.metrics.definitions import Convention, Metric
from labeler.ui.kit.input.check_list import CheckList
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import gap, grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance, TypeSize

_VISIBLE_ITEMS = 30


_KINDS = {
    ResultsSection.TABLES: "Table",
    ResultsSection.FIGURES: "Figure",
    ResultsSection.GALLERIES: "Images",
}


class ResultPicker(ChoiceBox):
    """The tables, figures and images of the report, under the titles of its sections."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, "Tables and figures")
        self.setMaxVisibleItems(_VISIBLE_ITEMS)
        self._listed: tuple[ResultsEntry, ...] = ()

    def render_view(self, view: ResultsView) -> None:
        with QSignalBlocker(self):
            if self._listed != view.places:
                self._listed = view.places
                self.clear()
                for place in view.places:
                    self._add(place)
            self.setCurrentIndex(self.findData(view.place.key))
        drawing = "The report's figures are still being drawn."
        self.setToolTip(drawing if view.drawing else view.place.title)

    def _add(self, place: ResultsEntry) -> None:
        if self.findText(place.section) < 0:
            self._add_section(place.section)
        kind = _KINDS.get(place.group)
        self.addItem(f"{kind}: {place.title}" if kind else place.title, place.key)

    def _add_section(self, title: str) -> None:
        self.addItem(title)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        head = model.item(self.count() - 1)
        head.setFont(self._appearance.font(TypeSize.CAPTION, strong=True))
        head.setEnabled(False)


class ResultsChoicesPanel(QWidget):
    """Renders the selection; `chose` carries the changes."""

    # An object, because Qt would convert the contents of a dict to text.
    chose = Signal(object)
    subset_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.datasets = CheckList(appearance, "Datasets", rows=3)
        self.participants = CheckList(appearance, "Participants", rows=7)
        self.subsets = CheckList(appearance, "Subsets", rows=7)
        self.measure = ChoiceBox(appearance, "Metric")
        self.convention = ChoiceBox(appearance, "Counting")
        self.add = KeyButton(appearance, keymap[Action.ADD_SUBSET], "Part of the taxonomy…")
        self.everybody = _small("All", "Select all participants")
        self.humans = _small("Humans", "Select only humans")
        self.models = _small("Models", "Select only models")
        self._people: tuple[str, ...] = ()
        self._machines: tuple[str, ...] = ()
        self._lay_out()
        self._connect()

    def render_view(self, view: ResultsView) -> None:
        selection, choices = view.selection, view.choices
        if selection is None:
            return
        self._people = tuple(code for code, _words in choices.humans)
        self._machines = tuple(code for code, _words in choices.models)
        self.datasets.show_rows(choices.datasets, selection.datasets)
        self.participants.show_rows((*choices.humans, *choices.models), selection.participants)
        self.subsets.show_rows(choices.subsets, selection.subsets)
        _fill(self.measure, {str(k): v for k, v in METRIC_NAMES.items()}, str(selection.metric))
        words = {str(k): v for k, v in CONVENTION_TITLES.items()}
        _fill(self.convention, words, str(selection.convention))

    def _connect(self) -> None:
        emit = self.chose.emit
        self.datasets.ticked.connect(lambda keys: emit({"datasets": keys}))
        self.participants.ticked.connect(lambda keys: emit({"participants": keys}))
        self.subsets.ticked.connect(lambda keys: emit({"subsets": keys}))
        self.measure.activated.connect(
            lambda _n: emit({"metric": Metric(self.measure.currentData())})
        )
        self.convention.activated.connect(
            lambda _n: emit({"convention": Convention(self.convention.currentData())})
        )
        self.everybody.clicked.connect(
            lambda: emit({"participants": self._people + self._machines})
        )
        self.humans.clicked.connect(lambda: emit({"participants": self._people}))
        self.models.clicked.connect(lambda: emit({"participants": self._machines}))
        self.add.clicked.connect(self.subset_wanted)

    def _lay_out(self) -> None:
        self.setFocusProxy(self.datasets)
        layout = vbox(
            label("Datasets", rank="muted"),
            self.datasets,
            gap(4),
            _head("Participants", self.everybody, self.humans, self.models),
            grow(self.participants, 3),
            gap(4),
            label("Subsets", rank="muted"),
            grow(self.subsets, 3),
            self.add,
            gap(4),
            on=self,
            spacing=4,
            margins=(0, 8, 0, 0),
        )
        for words, box in (("Metric", self.measure), ("Counting", self.convention)):
            layout.addWidget(label(words, rank="muted"))
            layout.addWidget(box)
        layout.addStretch(1)


def _head(words: str, *buttons: QToolButton) -> QHBoxLayout:
    return hbox(label(words, rank="muted"), stretch(1), *buttons, spacing=0)


def _small(words: str, explanation: str) -> QToolButton:
    button = QToolButton()
    button.setText(words)
    button.setToolTip(explanation)
    button.setAccessibleName(explanation)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _fill(box: QComboBox, words: dict[str, str], chosen: str) -> None:
    with QSignalBlocker(box):
        if [box.itemData(n) for n in range(box.count())] != list(words):
            box.clear()
            for key, text in words.items():
                box.addItem(text, key)
        box.setCurrentIndex(box.findData(chosen))
