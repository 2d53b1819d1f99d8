"""One section of the progress: a chart with its legend, and a table of the same numbers."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from labeler.app.chart_views import BarChartView, DataTable, ImageListSource, TimelineView
from labeler.app.keymap import Keymap
from labeler.ui.kit.charts.bar_chart import BarChart
from labeler.ui.kit.charts.chart import ChartLegend, LegendSymbol
from labeler.ui.kit.charts.timeline_chart import TimelineChart
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.tables.sortable_table import SortableTable
from labeler.ui.kit.text.labels import ElidedLabel, label
from labeler.ui.window.theme import Appearance

# QWIDGETSIZE_MAX, which PySide6 doesn't export.
QWIDGETSIZE_MAX = (1 << 24) - 1


class ProgressChapterPanel(QWidget):
    """Shows a timeline or bars above a table; emits which images to show."""

    opened = Signal(ImageListSource)

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.timeline = TimelineChart(appearance, keymap)
        self.bars = BarChart(appearance, keymap)
        self.table = SortableTable(appearance, keymap)
        self.legend = ChartLegend(appearance)
        self.words = ElidedLabel(rank="muted")
        self._title = label(rank="heading")
        self._plots = QStackedWidget()
        self._card = QFrame()
        self._lay_out()
        for plot in (self.timeline, self.bars):
            plot.opened.connect(self.opened)
            plot.pointed.connect(self.words.setText)
        self.table.opened.connect(self.opened)

    def render_chapter(self, plot: TimelineView | BarChartView, table: DataTable) -> None:
        self._title.setText(plot.title)
        if isinstance(plot, TimelineView):
            self._render_timeline(plot)
        else:
            self._render_bars(plot)
        self.table.render_table(table)

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

    def _lay_out(self) -> None:
        self._plots.addWidget(self.timeline)
        self._plots.addWidget(self.bars)
        self._card.setProperty("kind", "card")
        head = hbox(self._title, stretch(), self.legend, spacing=16)
        vbox(head, grow(self._plots), self.words, on=self._card, spacing=4, margins=(16, 8, 16, 8))
        vbox(grow(self._card), grow(self.table), on=self)
