"""The Results screen: choices on the left, a table or figure, its images below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.results.results import ResultsPresenter
from labeler.app.results.results_images import image_details
from labeler.app.results.results_view import (
    ResultImageDetails,
    ResultsSection,
    ResultsStage,
    ResultsView,
)
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.metrics.cell_source import CellSource
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.kit.layout.boxes import grow, hsplit, vbox, vsplit
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.text.empty_state import EmptyState
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.results.choices_panel import ResultPicker, ResultsChoicesPanel
from labeler.ui.results.figure_view import FigureView
from labeler.ui.results.results_table import ResultsTable
from labeler.ui.results.source_images_panel import SourceImagesPanel
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.theme import Appearance

_WIDTH = 336


class ComputationStatus(QFrame):
    """Renders one of three states: running, stopped, or refused with a reason."""

    stop_wanted = Signal()
    again_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._icon = IconLabel(appearance, "waiting", colour="muted", size=40)
        self.sentence = label(rank="muted", wrap=True)
        self.line = ProgressBar("Results")
        stop = Action.CLOSE_IMAGES
        self.stop = CommandButton(appearance, "Stop", keys=keymap[stop].keys[:1], actions=[stop])
        self.again = CommandButton(appearance, "Compute again")
        self.stop.clicked.connect(self.stop_wanted)
        self.again.clicked.connect(self.again_wanted)
        self._lay_out()
        self.stop.hide()
        self.again.hide()

    def show_state(self, sentence: str, *, icon: str, under_way: bool, can_begin: bool) -> None:
        self._icon.set_icon(icon, colour="muted")
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        # A layout that centres a wrapped label makes it too low.
        self.sentence.ensurePolished()
        self.sentence.setMinimumHeight(max(0, self.sentence.heightForWidth(_WIDTH)))
        self.line.setVisible(under_way)
        for button, wanted in ((self.stop, under_way), (self.again, can_begin)):
            appears = wanted and button.isHidden()
            button.setVisible(wanted)
            if appears:
                button.setFocus()

    def _lay_out(self) -> None:
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence.setFixedWidth(_WIDTH)
        self.line.setFixedWidth(_WIDTH)
        layout = QVBoxLayout(self)
        layout.setSpacing(16)
        layout.addStretch()
        for part in (self._icon, self.sentence, self.line, self.stop, self.again):
            layout.addWidget(part, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()


# What is shown where there is a table and a figure; the key leads to the next.
_SHOWN_PARTS = ("Table and figure", "Figure only", "Table only")
_SIDES, _HALVES = (288, 900), (240, 360)
_WIDE_SCREEN = 1600


class ResultsScreen(TitledPage):
    """Renders the presenter's view and forwards choices."""

    home_wanted = Signal()
    export_wanted = Signal()
    export_images_wanted = Signal()
    report_wanted = Signal()
    subset_wanted = Signal()
    enlarge_wanted = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        presenter: ResultsPresenter,
        *,
        pictures: ThumbnailLoader[int, QImage],
    ) -> None:
        super().__init__(appearance, keymap, title="Results", icon="progress")
        self._presenter = presenter
        self._from_figure = False
        self.notice = ErrorBanner(appearance, BannerKind.DONE)
        self.computing = ComputationStatus(appearance, keymap)
        self.choices = ResultsChoicesPanel(appearance, keymap)
        self.places = ResultPicker(appearance)
        self.working = label(rank="muted")
        self.title, self.note = label(rank="heading", wrap=True), label(rank="muted", wrap=True)
        self.table = ResultsTable(keymap, "Results")
        self.figure = FigureView(appearance, keymap)
        self.nothing = EmptyState(appearance)
        self.larger = KeyButton(appearance, keymap[Action.FIGURE_LARGER], "Larger")
        self.smaller = KeyButton(appearance, keymap[Action.FIGURE_SMALLER], "Smaller")
        self.full_figure = KeyButton(appearance, keymap[Action.FIGURE_WHOLE], "Whole figure")
        self.swap = KeyButton(appearance, keymap[Action.SWAP_RESULT], _SHOWN_PARTS[0])
        self.swap.reserve_space_for(*_SHOWN_PARTS)
        self.copy = KeyButton(appearance, keymap[Action.COPY_PANDAS], "Copy as pandas")
        self._parts = 0
        self.images = SourceImagesPanel(appearance, keymap, pictures, self.details_of)
        self.report = self.add_header_button("Whole report…", Action.WHOLE_REPORT)
        self.export = self.add_header_button("Export…", Action.EXPORT_RESULTS)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self._lay_out()
        self._connect()
        bind_scope(self, keymap, Scope.RESULTS, self._keys())
        presenter.listen(self.render_view)

    def details_of(self, row: int) -> ResultImageDetails | None:
        """Return the details of a row of the images."""
        results, listed = self._presenter.results, self._presenter.view.images
        if results is None or listed is None or not 0 <= row < len(listed.images):
            return None
        return image_details(results, listed.images[row])

    def render_view(self, view: ResultsView) -> None:
        ready = view.stage is ResultsStage.READY
        self.say(view.message if view.failed else "")
        self.notice.say("" if view.failed else view.message)
        self.export.setEnabled(ready and not view.busy)
        self.report.setEnabled(ready)
        self.choices.setEnabled(ready)
        waits = "computing…" if view.busy else "drawing…" if view.picturing else ""
        self.working.setText(waits if ready else "")
        # An empty label would still take space.
        self.working.setVisible(bool(waits and ready))
        if not ready:
            self._render_computing(view)
            return
        if self._outer.currentIndex() == 0:
            self._outer.setCurrentIndex(1)
            self.table.setFocus()
        self.choices.render_view(view)
        self.places.render_view(view)
        if not view.busy:
            self._render_shown(view)
        self.images.setVisible(view.images is not None)
        if view.images is not None and self.images.render_images(view.images):
            self.images.setFocus()

    def _render_computing(self, view: ResultsView) -> None:
        icons = {ResultsStage.COMPUTING: "waiting", ResultsStage.STOPPED: "pause"}
        self._outer.setCurrentIndex(0)
        self.computing.line.show_part(view.done, view.total)
        self.computing.show_state(
            view.sentence or "Computing results…",
            icon=icons.get(view.stage, "locked"),
            under_way=view.stage is ResultsStage.COMPUTING,
            can_begin=view.stage is ResultsStage.STOPPED,
        )

    def _render_shown(self, view: ResultsView) -> None:
        had_focus = self.window().focusWidget() in (self.table, self.figure, self.images.list)
        self.title.setText(view.title)
        self.note.setText(view.note)
        figure = view.figure is not None
        for button in (self.larger, self.smaller, self.full_figure):
            button.setVisible(figure)
        table = view.table is not None and bool(view.table.rows)
        if view.table is not None and table:
            self.table.show_table(view.table)
        if view.figure is not None:
            self.figure.show_figure(view.figure)
            self.figure.show_part(view.part)
        gallery = view.place.group is ResultsSection.GALLERIES
        self._both.setVisible(not gallery)
        self.images.close_it.setVisible(not gallery)
        # A gallery consists of its images, which have their own heading.
        self.title.setVisible(not gallery)
        self.note.setVisible(bool(view.note))
        if not (table or figure or gallery):
            self.nothing.say(view.note, icon="about")
            self.note.setText("")
        self.nothing.setVisible(not (table or figure or gallery))
        # In a low window, the images replace the part they weren't opened from.
        cramped = table and figure and view.images is not None and self._is_upright
        self.swap.setVisible(table and figure)
        self.copy.setVisible(table or figure)
        parts = self._parts if table and figure else 0
        self.table.setVisible(table and parts != 1 and not (cramped and self._from_figure))
        self.figure.setVisible(figure and parts != 2 and not (cramped and not self._from_figure))
        if had_focus and view.images is None:
            self._keep_focus()

    def _keep_focus(self) -> None:
        """Keep the focus on the tables and figures while stepping through them."""
        if self.window().focusWidget() not in (self.table, self.figure):
            self._to_result()

    def _keys(self) -> Handlers:
        return {
            Action.SHOW_RESULTS: self._open_places,
            Action.NEXT_RESULT: lambda: self._presenter.step(1),
            Action.PREVIOUS_RESULT: lambda: self._presenter.step(-1),
            Action.TO_CHOICES: self.choices.setFocus,
            Action.TO_RESULT: self._to_result,
            Action.TO_IMAGES: self.images.setFocus,
            Action.CLOSE_IMAGES: self._close,
            Action.ADD_SUBSET: self.choices.add.click,
            Action.EXPORT_RESULTS: self.export.click,
            Action.EXPORT_IMAGES: self.images.export.click,
            Action.WHOLE_REPORT: self.report.click,
            Action.SWAP_RESULT: self._swap,
            Action.COPY_PANDAS: self._copy,
        }

    def _open_places(self) -> None:
        self.places.setFocus()
        self.places.showPopup()

    def _to_result(self) -> None:
        """Move the focus between table and figure."""
        shown = [part for part in (self.table, self.figure) if not part.isHidden()]
        if shown:
            shown[-1 if shown[0].hasFocus() else 0].setFocus()

    def _swap(self) -> None:
        """Show table and figure, then the figure alone, then the table alone."""
        if self.swap.isHidden():
            return
        self._parts = (self._parts + 1) % len(_SHOWN_PARTS)
        self.swap.set_words(_SHOWN_PARTS[self._parts])
        self._render_shown(self._presenter.view)

    def _copy(self) -> None:
        """Copy the table, or the figure if it has the focus or is alone."""
        figure = self.figure.hasFocus() or self.table.isHidden()
        code = self._presenter.copy_as_pandas(figure=figure)
        if code:
            QGuiApplication.clipboard().setText(code)

    def _close(self) -> None:
        """Stop the computation, or close the images and restore the focus."""
        if self._presenter.view.stage is ResultsStage.COMPUTING:
            self._presenter.stop()
        elif self._presenter.view.images is not None:
            self._presenter.close_images()
            (self.figure if self._from_figure else self.table).setFocus()

    def _connect(self) -> None:
        presenter = self._presenter
        self.computing.stop_wanted.connect(presenter.stop)
        self.computing.again_wanted.connect(presenter.open)
        self.choices.chose.connect(lambda changes: presenter.choose(**changes))
        self.choices.subset_wanted.connect(self.subset_wanted)
        self.places.activated.connect(lambda _n: presenter.look_at(str(self.places.currentData())))
        self.table.opened.connect(
            lambda source: self._show_source_images(source, from_figure=False)
        )
        self.figure.opened.connect(
            lambda source: self._show_source_images(source, from_figure=True)
        )
        self.figure.part_wanted.connect(presenter.zoom)
        self.larger.clicked.connect(lambda: self.figure.zoom(1))
        self.smaller.clicked.connect(lambda: self.figure.zoom(-1))
        self.full_figure.clicked.connect(self.figure.show_full)
        self.swap.clicked.connect(self._swap)
        self.copy.clicked.connect(self._copy)
        self.images.enlarged.connect(self.enlarge_wanted)
        self.images.export.clicked.connect(self.export_images_wanted)
        self.images.close_it.clicked.connect(self._close)
        self.report.clicked.connect(self.report_wanted)
        self.export.clicked.connect(self.export_wanted)
        self.home.clicked.connect(self.home_wanted)

    def _show_source_images(self, source: CellSource, *, from_figure: bool) -> None:
        self._from_figure = from_figure
        self._presenter.show_source_images(source)

    @property
    def _is_upright(self) -> bool:
        return self._both.orientation() is Qt.Orientation.Vertical

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show table and figure side by side in a wide window."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE_SCREEN
        if wide is self._is_upright:
            upright, across = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
            self._both.setOrientation(across if wide else upright)
            # Large numbers: Qt scales them to the available size and keeps the proportion.
            self._both.setSizes([10_000, 10_000, 0])

    def _lay_out(self) -> None:
        self.below_head.addWidget(self.notice)
        self._outer = QStackedWidget()
        self._outer.addWidget(self.computing)
        self._outer.addWidget(hsplit(self.choices, self._shown(), sizes=_SIDES, shares=(0, 1)))
        self.set_contents(self._outer, until_then="Computing results…")
        self.show_contents()

    def _shown(self) -> QWidget:
        self.figure.hide()
        self.nothing.hide()
        self._both = vsplit(
            self.table, self.figure, self.nothing, sizes=(1, 1, 0), shares=(1, 1, 2), handle=8
        )
        halves = vsplit(self._both, self.images, sizes=_HALVES, shares=(2, 3))
        shown = QWidget()
        vbox(
            self._above(),
            self.title,
            self.note,
            self._result_buttons(),
            grow(halves),
            on=shown,
            margins=(0, 8, 0, 0),
        )
        return shown

    def _above(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        shows = Action.SHOW_RESULTS
        row.addWidget(KeyCaps(self._appearance, self._keymap[shows].keys[:1], actions=[shows]))
        row.addWidget(self.places, stretch=1)
        row.addWidget(self.working)
        return row

    def _result_buttons(self) -> QHBoxLayout:
        """Return the row of what can be done with the table and the figure."""
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.swap, self.larger, self.smaller, self.full_figure):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.copy)
        return row
