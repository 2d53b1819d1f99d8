"""Reviewers: their pace and agreement for the lead, and the resolution of verdicts."""

from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.review.reviewer_statistics import LeadReview
from labeler.app.review.reviewers import Reviewers, ReviewersView
from labeler.core.study.entities import Stage
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import vbox
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.tables.sortable_table import SortableTable
from labeler.ui.kit.text.labels import label
from labeler.ui.review.resolution_panel import ResolutionPanel
from labeler.ui.review.two_columns import column_widget, two_part_splitter
from labeler.ui.window.actions import Handlers, bind_scope
from labeler.ui.window.context import StudyContext
from labeler.ui.window.theme import Appearance

_LOADING = "Loading verdicts…"
_UPPER, _CONFUSION = 50, 50


class ReviewersScreen(TitledPage):
    """Renders the presenter's view and forwards choices."""

    home_wanted = Signal()
    file_wanted = Signal()

    def __init__(self, appearance: Appearance, keymap: Keymap, presenter: Reviewers) -> None:
        super().__init__(appearance, keymap, title="Reviewers", icon="ticked")
        self._presenter = presenter
        self._view = ReviewersView()
        self.summary = label(rank="muted", wrap=True)
        self.stage = ChoiceBox(appearance, "Review")
        self.stage.hide()
        self.title_row.addWidget(self.stage)
        self.table = SortableTable(appearance, keymap, spread=True)
        self.confusion = SortableTable(appearance, keymap, spread=True)
        self.resolution = ResolutionPanel(appearance, keymap)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self.set_contents(self._contents(), until_then=_LOADING)
        self._connect()
        keys: Handlers = {
            Action.SHOW_REVIEWERS: self.table.setFocus,
            Action.RESOLVE_VERDICTS: self._resolve,
        }
        bind_scope(self, keymap, Scope.REVIEWERS, keys)
        presenter.listen(self.render_view)

    def render_view(self, view: ReviewersView) -> None:
        before, self._view = self._view, view
        if view.table is None or view.confusion is None:
            self.say(view.trouble)
            return
        self.summary.setText(" ".join(view.summary))
        self._render_stages(view)
        if view.table is not before.table:
            self.table.render_table(view.table)
            self.confusion.render_table(view.confusion)
        self.resolution.render_view(view)
        self.show_contents()
        if before.table is None:
            self.table.setFocus()

    def _render_stages(self, view: ReviewersView) -> None:
        with QSignalBlocker(self.stage):
            if self.stage.count() != len(view.stages):
                self.stage.clear()
                for stage in view.stages:
                    self.stage.addItem(f"{stage.capitalize()} review", str(stage))
            self.stage.setCurrentIndex(self.stage.findData(str(view.stage)))
        self.stage.setVisible(len(view.stages) > 1)

    def _contents(self) -> QWidget:
        upper = column_widget(self.summary, self.table, grows=self.table)
        heading = label("Confusion with the consensus", rank="heading")
        confused = column_widget(heading, self.confusion, grows=self.confusion)
        lower = two_part_splitter(
            Qt.Orientation.Horizontal, confused, self.resolution, percent=_CONFUSION
        )
        contents = QWidget()
        vbox(two_part_splitter(Qt.Orientation.Vertical, upper, lower, percent=_UPPER), on=contents)
        return contents

    def _connect(self) -> None:
        panel = self.resolution
        self.home.clicked.connect(self.home_wanted)
        panel.chosen.connect(self._choose)
        self.stage.currentIndexChanged.connect(
            lambda _place: self._presenter.show_stage(Stage(self.stage.currentData()))
        )
        panel.resolve_wanted.connect(self._resolve)
        panel.file_wanted.connect(self.file_wanted)

    def _choose(self) -> None:
        panel = self.resolution
        self._presenter.choose(
            panel.chosen_rule, quorum=panel.quorum.value(), reviewer=panel.chosen_reviewer
        )

    def _resolve(self) -> None:
        self._presenter.resolve()


_FILE = "probabilities.csv"


class ReviewersController(QObject):
    """Shows the screen, and the dialog for saving probabilities."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.window)
        self._window, self._appearance = context.window, context.appearance
        self._presenter = Reviewers(
            LeadReview(context.study.store),
            runner=context.workers.background,
            describe_error=context.describe_error,
        )

    def show(self) -> None:
        """Show the screen; it is filled when the statistics are computed."""
        screen = ReviewersScreen(self._appearance, self._window.keymap, self._presenter)
        screen.home_wanted.connect(self.home_wanted)
        screen.file_wanted.connect(lambda: self._ask_for_file(screen))
        screen.destroyed.connect(self._presenter.close)
        self._window.show_screen(screen)
        self._presenter.open()

    def _ask_for_file(self, screen: ReviewersScreen) -> None:
        file, _kind = QFileDialog.getSaveFileName(
            screen, "Save probabilities", _FILE, "CSV (*.csv)"
        )
        if file:
            self._presenter.resolve(Path(file))
