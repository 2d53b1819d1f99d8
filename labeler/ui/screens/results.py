"""The Results screen: filters and places at the left, a table or a figure, images behind a row."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.presenters.results import (
    CONVENTIONS,
    METRICS,
    Filters,
    ResultsPresenter,
    ResultsView,
)
from labeler.core.metrics.vocabulary import Convention, Metric
from labeler.ui.actions import bind
from labeler.ui.look import Look
from labeler.ui.widgets.drawn_figure import DrawnFigure
from labeler.ui.widgets.labels import label
from labeler.ui.widgets.looking_back_page import LookingBackPage, side_by_side
from labeler.ui.widgets.results_table import ResultsTable

_SIDES = (304, 880)


class ResultsScreen(LookingBackPage):
    """Renders what the presenter tells, and passes on what is chosen."""

    home_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, look: Look, keymap: Keymap, presenter: ResultsPresenter) -> None:
        super().__init__(look, keymap, title="Results", icon="progress")
        self._presenter = presenter
        self.subset, self.measure, self.convention = QComboBox(), QComboBox(), QComboBox()
        self.further = QLineEdit()
        self.places = QListWidget()
        self.title = label(rank="heading")
        self.note = label(rank="muted", wrap=True)
        self.table = ResultsTable("Results")
        self.figure = DrawnFigure()
        self.images = ResultsTable("Images behind the chosen row")
        self.export = self.add_way("Export …", Action.EXPORT_RESULTS)
        self.home = self.add_way("Home", Action.GO_HOME)
        self._lay_out()
        self._connect()
        keys = {
            Action.SHOW_RESULTS: self.places.setFocus,
            Action.ADD_SUBSET: self.further.setFocus,
            Action.EXPORT_RESULTS: self.export.click,
        }
        bind(self, keymap, Scope.RESULTS, keys)
        presenter.listen(self.render_view)

    def render_view(self, view: ResultsView) -> None:
        self.say(view.told)
        self.export.setEnabled(view.ready and not view.busy)
        if not view.ready:
            self.say_instead(view.sentence, icon="waiting" if view.busy else "locked")
            return
        self.show_contents()
        self._render_filters(view)
        self._render_places(view)
        self.title.setText(view.title)
        self.note.setText(view.note)
        self._render_place(view)

    def _render_filters(self, view: ResultsView) -> None:
        _fill(self.subset, dict(view.subsets), view.filters.subset)
        _fill(self.measure, {str(k): v for k, v in METRICS.items()}, str(view.filters.metric))
        words = {str(k): v for k, v in CONVENTIONS.items()}
        _fill(self.convention, words, str(view.filters.convention))

    def _render_places(self, view: ResultsView) -> None:
        with QSignalBlocker(self.places):
            if tuple(self.places.item(n).text() for n in range(self.places.count())) != view.places:
                self.places.clear()
                for place in view.places:
                    item = QListWidgetItem(place)
                    # A long title is cut short in the list.
                    item.setToolTip(place)
                    self.places.addItem(item)
            self.places.setCurrentRow(view.place)

    def _render_place(self, view: ResultsView) -> None:
        if view.table is not None:
            self.table.show_table(view.table)
            self._right.setCurrentIndex(0)
        elif view.figure is not None:
            self.figure.show_figure(view.figure, view.title)
            self._right.setCurrentIndex(1)
        self.images.setVisible(view.images is not None)
        if view.images is not None:
            self.images.show_table(view.images)

    def _choose(self) -> None:
        self._presenter.choose(
            Filters(
                subset=str(self.subset.currentData()),
                metric=Metric(self.measure.currentData()),
                convention=Convention(self.convention.currentData()),
            )
        )

    def _add(self) -> None:
        self._presenter.add_subset(self.further.text())
        self.further.clear()

    def _connect(self) -> None:
        for box in (self.subset, self.measure, self.convention):
            box.activated.connect(lambda _index: self._choose())
        self.further.returnPressed.connect(self._add)
        self.places.currentRowChanged.connect(self._presenter.look_at)
        self.table.chose.connect(self._presenter.look_behind)
        self.export.clicked.connect(self.export_wanted)
        self.home.clicked.connect(self.home_wanted)

    def _lay_out(self) -> None:
        self.further.setPlaceholderText("subtree:n02084071")
        self.further.setAccessibleName("A further subset")
        self.places.setAccessibleName("Tables and figures")
        self.places.setObjectName("versions")
        self.places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.places.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusProxy(self.places)
        left = QWidget()
        filters = QVBoxLayout(left)
        filters.setContentsMargins(0, 8, 0, 0)
        filters.setSpacing(8)
        for words, box in (
            ("Subset", self.subset),
            ("Add a subset", self.further),
            ("Metric", self.measure),
            ("Counting", self.convention),
        ):
            filters.addWidget(label(words, rank="muted"))
            filters.addWidget(box)
        filters.addWidget(label("Tables and figures", rank="muted"))
        filters.addWidget(self.places, stretch=1)
        self.set_contents(
            side_by_side(left, self._shown(), sizes=_SIDES, grows=1),
            until_then="The results are being computed …",
        )

    def _shown(self) -> QWidget:
        self._right = QStackedWidget()
        self._right.addWidget(self.table)
        self._right.addWidget(self.figure)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.setHandleWidth(16)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._right)
        halves.addWidget(self.images)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 1)
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.note)
        column.addWidget(halves, stretch=1)
        return shown


def _fill(box: QComboBox, words: dict[str, str], chosen: str) -> None:
    with QSignalBlocker(box):
        if [box.itemData(n) for n in range(box.count())] != list(words):
            box.clear()
            for key, text in words.items():
                box.addItem(text, key)
        box.setCurrentIndex(box.findData(chosen))
