"""The choices of the results: datasets, participants, subsets, metric, counting convention."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
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
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import gap, grow, hbox, stretch, vbox
from labeler.ui.kit.text.labels import label
from labeler.ui.window.icons import icon
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


_KEY, _TICKED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_ROW_MARGIN = 10  # frame and padding


class CheckList(QListWidget):
    """Emits the checked keys, in list order, when a person changes them."""

    ticked = Signal(object)

    def __init__(self, appearance: Appearance, name: str, *, rows: int) -> None:
        """`rows` are visible without scrolling."""
        super().__init__()
        self._appearance, self._rows = appearance, rows
        self._signs: dict[bool, QIcon] = {}
        self.setObjectName("ticks")
        self.setAccessibleName(name)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(self._toggle)
        appearance.changed.connect(self._apply_theme_to_all)

    @property
    def keys(self) -> tuple[str, ...]:
        """The checked keys."""
        items = map(self.item, range(self.count()))
        return tuple(item.data(_KEY) for item in items if item.data(_TICKED))

    def show_rows(self, rows: tuple[tuple[str, str], ...], ticked: tuple[str, ...]) -> None:
        """Show keys with their titles; existing ones stay in place."""
        if [self.item(n).data(_KEY) for n in range(self.count())] != [key for key, _words in rows]:
            self.clear()
            for key, words in rows:
                item = QListWidgetItem(words)
                item.setData(_KEY, key)
                item.setToolTip(words)
                self.addItem(item)
            self.updateGeometry()
        wanted = set(ticked)
        for number in range(self.count()):
            item = self.item(number)
            on = item.data(_KEY) in wanted
            if item.data(_TICKED) is not on:
                item.setData(_TICKED, on)
                self._apply_theme(item)
        # After the check marks, which may be higher than the text.
        self._leave_no_room_below()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height(self._rows))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height(min(2, self._rows)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return) and item is not None:
            self._toggle(item)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._leave_no_room_below()

    def _leave_no_room_below(self) -> None:
        """Limit the height to the rows, to leave room for a longer list."""
        self.ensurePolished()
        self.setMaximumHeight(self._height(max(self.count(), self._rows)))

    def _height(self, rows: int) -> int:
        row = self.sizeHintForRow(0) if self.count() else self.fontMetrics().height() + 8
        return min(rows, max(self.count(), 1)) * row + _ROW_MARGIN

    def _toggle(self, item: QListWidgetItem) -> None:
        item.setData(_TICKED, not item.data(_TICKED))
        self._apply_theme(item)
        self.ticked.emit(self.keys)

    def _apply_theme_to_all(self) -> None:
        self._signs.clear()
        for number in range(self.count()):
            self._apply_theme(self.item(number))

    def _apply_theme(self, item: QListWidgetItem) -> None:
        on = bool(item.data(_TICKED))
        item.setIcon(self._sign(on))
        word = "checked" if on else "not checked"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {word}")

    def _sign(self, on: bool) -> QIcon:
        """Drawn once: a hundred rows share two icons."""
        if on not in self._signs:
            theme = self._appearance.theme
            colour = theme.accent if on else theme.strong_line
            name = "ticked" if on else "unticked"
            self._signs[on] = icon(name, colour=colour, background=theme.surface)
        return self._signs[on]


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
