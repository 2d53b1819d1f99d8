"""What a lead can choose: datasets, participants, subsets, a metric, a way of counting."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from labeler.app.keymap import Action, Keymap
from labeler.app.results.results_view import CONVENTION_TITLES, METRIC_NAMES, ResultsView
from labeler.core.metrics.definitions import Convention, Metric
from labeler.ui.kit.input.choice_box import ChoiceBox
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.text.labels import label
from labeler.ui.results.tick_list import CheckList
from labeler.ui.window.look import Appearance


class ResultsChoicesPanel(QWidget):
    """Renders the selection; `chose` carries what is to be changed in it."""

    # An object: Qt would turn what is in a dict into plain text.
    chose = Signal(object)
    subset_wanted = Signal()

    def __init__(self, look: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.datasets = CheckList(look, "Datasets", rows=3)
        self.participants = CheckList(look, "Participants", rows=7)
        self.subsets = CheckList(look, "Subsets", rows=7)
        self.measure = ChoiceBox(look, "Metric")
        self.convention = ChoiceBox(look, "Counting")
        self.add = KeyButton(look, keymap[Action.ADD_SUBSET], "Part of the taxonomy…")
        self.everybody = _small("All", "Tick every participant")
        self.humans = _small("Humans", "Tick the humans alone")
        self.models = _small("Models", "Tick the models alone")
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
        tell = self.chose.emit
        self.datasets.ticked.connect(lambda keys: tell({"datasets": keys}))
        self.participants.ticked.connect(lambda keys: tell({"participants": keys}))
        self.subsets.ticked.connect(lambda keys: tell({"subsets": keys}))
        self.measure.activated.connect(
            lambda _n: tell({"metric": Metric(self.measure.currentData())})
        )
        self.convention.activated.connect(
            lambda _n: tell({"convention": Convention(self.convention.currentData())})
        )
        self.everybody.clicked.connect(
            lambda: tell({"participants": self._people + self._machines})
        )
        self.humans.clicked.connect(lambda: tell({"participants": self._people}))
        self.models.clicked.connect(lambda: tell({"participants": self._machines}))
        self.add.clicked.connect(self.subset_wanted)

    def _lay_out(self) -> None:
        self.setFocusProxy(self.datasets)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 8, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(label("Datasets", rank="muted"))
        whole.addWidget(self.datasets)
        whole.addSpacing(4)
        whole.addLayout(_head("Participants", self.everybody, self.humans, self.models))
        whole.addWidget(self.participants, stretch=3)
        whole.addSpacing(4)
        whole.addWidget(label("Subsets", rank="muted"))
        whole.addWidget(self.subsets, stretch=3)
        whole.addWidget(self.add)
        whole.addSpacing(4)
        for words, box in (("Metric", self.measure), ("Counting", self.convention)):
            whole.addWidget(label(words, rank="muted"))
            whole.addWidget(box)
        whole.addStretch(1)


def _head(words: str, *buttons: QToolButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addWidget(label(words, rank="muted"))
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row


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
