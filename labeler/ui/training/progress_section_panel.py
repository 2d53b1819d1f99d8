"""One section of the progress: a chart with its legend, and a table of the same numbers."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from labeler.app.chart_views import (
    AccuracyLevel,
    AccuracyMapView,
    BarChartView,
    DataTable,
    ImageListSource,
    PairDecksView,
    TimelineView,
)
from labeler.app.classes.references import ClassThumbnails
from labeler.app.keymap import Action, Keymap
from labeler.core.training.request import TrainingRequest
from labeler.ui.kit.charts.bar_chart import BarChart
from labeler.ui.kit.charts.chart import ChartLegend, LegendSymbol
from labeler.ui.kit.charts.timeline_chart import TimelineChart
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.tables.sortable_table import SortableTable
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.training.accuracy_map import AccuracyMap
from labeler.ui.training.deck_tiles import DeckGrid, DeckTile
from labeler.ui.window.theme import Appearance

# QWIDGETSIZE_MAX, which PySide6 doesn't export.
QWIDGETSIZE_MAX = (1 << 24) - 1
SectionChart = TimelineView | BarChartView | AccuracyMapView | PairDecksView
TRAIN = "Train on this family"
_PAIR_COLUMNS, _PAIR_PICTURES = 3, 72


class PairTiles(QWidget):
    """The most confused pairs with pictures of both classes; a click starts a training."""

    wanted = Signal(TrainingRequest)

    def __init__(self, appearance: Appearance, pictures: ClassThumbnails[QImage]) -> None:
        super().__init__()
        self._appearance, self._pictures = appearance, pictures
        self.tiles: list[DeckTile] = []
        self._column = vbox(on=self)

    def render_pairs(self, view: PairDecksView, *, can_train: bool) -> None:
        clear_layout(self._column)
        self.tiles = [
            DeckTile(self._appearance, deck, self._pictures, pictures_height=_PAIR_PICTURES)
            for deck in view.decks
        ]
        for tile in self.tiles:
            tile.setEnabled(can_train)
        grid = DeckGrid(self.tiles, columns=_PAIR_COLUMNS)
        grid.wanted.connect(self.wanted)
        self._column.addWidget(grid)
        if self.tiles:
            self.setFocusProxy(self.tiles[0])

    def sizeHint(self) -> QSize:
        return self._column.sizeHint()


class ProgressChapterPanel(QWidget):
    """Shows a chart above a table; emits which images to show, or what to train on."""

    opened = Signal(ImageListSource)
    train_wanted = Signal(TrainingRequest)

    def __init__(
        self, appearance: Appearance, keymap: Keymap, pictures: ClassThumbnails[QImage]
    ) -> None:
        super().__init__()
        self.timeline = TimelineChart(appearance, keymap)
        self.bars = BarChart(appearance, keymap)
        self.families = AccuracyMap(appearance, keymap)
        self.pairs = PairTiles(appearance, pictures)
        self.table = SortableTable(appearance, keymap)
        self.legend = ChartLegend(appearance)
        self.words = ElidedLabel(rank="muted")
        self.train = KeyButton(appearance, keymap[Action.TRAIN_SELECTED], TRAIN)
        self._can_train = False
        self._title = label(rank="heading")
        self._plots = QStackedWidget()
        self._card = QFrame()
        self._lay_out()
        self._connect()

    def render_chapter(self, plot: SectionChart, table: DataTable, *, can_train: bool) -> None:
        self._can_train = can_train
        self._title.setText(plot.title)
        self.train.setVisible(isinstance(plot, AccuracyMapView) and can_train)
        self.words.setVisible(not isinstance(plot, PairDecksView))
        match plot:
            case TimelineView():
                self._render_timeline(plot)
            case AccuracyMapView():
                self._render_families(plot)
            case PairDecksView():
                self._render_pairs(plot)
            case BarChartView():
                self._render_bars(plot)
        self.table.render_table(table)

    def train_selected(self) -> None:
        """Start a training on the family that is selected on the map."""
        request = self.families.current_request
        if self._can_train and self.families.isVisible() and request is not None:
            self.train_wanted.emit(request)

    def _render_timeline(self, timeline: TimelineView) -> None:
        self.legend.show_signs(
            [
                (LegendSymbol.DOT, timeline.dot),
                (LegendSymbol.LINE, timeline.moving),
                (LegendSymbol.AMOUNT, "answers"),
            ]
        )
        self.timeline.render_timeline(timeline)
        self._show(self.timeline, has_places=bool(timeline.points))

    def _render_families(self, view: AccuracyMapView) -> None:
        levels = {
            LegendSymbol.LOW: AccuracyLevel.LOW,
            LegendSymbol.MIDDLE: AccuracyLevel.MIDDLE,
            LegendSymbol.HIGH: AccuracyLevel.HIGH,
        }
        self.legend.show_signs([(sign, level.value) for sign, level in levels.items()])
        self.families.render_map(view, can_train=self._can_train)
        self._show(self.families, has_places=bool(view.rows))

    def _render_pairs(self, view: PairDecksView) -> None:
        self.legend.show_signs([])
        self.pairs.render_pairs(view, can_train=self._can_train)
        self._show(self.pairs, has_places=bool(view.decks))

    def _render_bars(self, bars: BarChartView) -> None:
        mark = [(LegendSymbol.MARK, bars.mark)] if bars.mark else []
        self.legend.show_signs([(LegendSymbol.BAR, bars.legend), *mark])
        self.bars.render_bars(bars)
        self._show(self.bars, has_places=bool(bars.bars))

    def _show(self, plot: QWidget, *, has_places: bool) -> None:
        """Show the chart unless it is empty; the table then says why."""
        self._plots.setCurrentWidget(plot)
        # A bar chart only needs the height of its rows; a timeline benefits from more.
        takes_room = plot is self.timeline
        self._plots.setMaximumHeight(QWIDGETSIZE_MAX if takes_room else plot.sizeHint().height())
        self._card.setMaximumHeight(
            QWIDGETSIZE_MAX if takes_room else self._card.sizeHint().height()
        )
        self._card.setVisible(has_places)
        self.setFocusProxy(plot if has_places else self.table)

    def _connect(self) -> None:
        for plot in (self.timeline, self.bars, self.families):
            plot.opened.connect(self.opened)
            plot.pointed.connect(self.words.setText)
        self.table.opened.connect(self.opened)
        self.families.train_wanted.connect(self.train_wanted)
        self.families.pointed.connect(lambda words: self.train.setEnabled(bool(words)))
        self.pairs.wanted.connect(self.train_wanted)
        self.train.clicked.connect(self.train_selected)

    def _lay_out(self) -> None:
        for plot in (self.timeline, self.bars, self.families, self.pairs):
            self._plots.addWidget(plot)
        self._card.setProperty("kind", "card")
        head = hbox(self._title, stretch(), self.legend, spacing=16)
        below = hbox(grow(self.words), self.train)
        vbox(head, grow(self._plots), below, on=self._card, spacing=4, margins=(16, 8, 16, 8))
        vbox(grow(self._card), grow(self.table), on=self)
