"""The lead's workspace: six steps with what each needs, the classes and the revisions."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QTreeWidget, QWidget

from labeler.app.curation.workspace import (
    CLASS_COLUMNS,
    REVISION_COLUMNS,
    STEP_TITLES,
    CurationStep,
    CurationStepView,
    WorkspaceView,
)
from labeler.app.keymap import Action
from labeler.core.curation.entities import RevisionState
from labeler.ui.kit.charts.progress_bar import WorkProgressCard
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.error_banner import BannerKind
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.window.context import StudyContext
from labeler.ui.window.theme import Appearance

_STEPS_WIDTH = 440
_CHOICE_WIDTH = 160


class StepCard(QFrame):
    """One step: its state, what it needs, and its buttons."""

    def __init__(
        self, appearance: Appearance, step: CurationStep, buttons: tuple[CommandButton, ...]
    ) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._mark = IconLabel(appearance, "unchosen", colour="muted", size=20)
        self.has = label(wrap=True)
        self.needs = label(rank="muted", wrap=True)
        hbox(
            self._mark,
            grow(
                vbox(
                    label(STEP_TITLES[step], rank="heading"),
                    self.has,
                    self.needs,
                    hbox(*buttons, stretch(1), spacing=8),
                    spacing=2,
                )
            ),
            on=self,
            spacing=12,
            margins=(12, 8, 12, 8),
        )

    def render_view(self, view: CurationStepView) -> None:
        self._mark.set_icon(
            "right" if view.done else "unchosen", colour="accent" if view.done else "muted"
        )
        self.has.setText(view.has)
        self.needs.setText(view.needs)
        self.needs.setVisible(bool(view.needs))


class WorkspaceScreen(TitledPage):
    """Renders the workspace and emits what the lead wants; it contains no rules."""

    home_wanted = Signal()
    folder_wanted = Signal()
    list_wanted = Signal()
    candidates_wanted = Signal(str)
    round_wanted = Signal()
    aggregate_wanted = Signal()
    rounds_wanted = Signal()
    near_duplicates_wanted = Signal()
    build_wanted = Signal()
    review_wanted = Signal()
    compare_wanted = Signal()
    final_wanted = Signal()
    export_wanted = Signal()
    dataset_wanted = Signal()
    queries_wanted = Signal(str)
    shown_changed = Signal()

    def __init__(self, context: StudyContext) -> None:
        super().__init__(
            context.appearance, context.keymap, title="Build a dataset", icon="pictures"
        )
        self._look = context.appearance
        self.view = WorkspaceView()
        self.pool = ChoiceBox(self._look, "Candidate pool")
        self.built = ChoiceBox(self._look, "Built dataset")
        for box in (self.pool, self.built):
            box.setMinimumWidth(_CHOICE_WIDTH)
        self._make_buttons()
        self.cards = {
            step: StepCard(self._look, step, buttons) for step, buttons in self._buttons().items()
        }
        self.progress = WorkProgressCard(self._look, "Adding candidates")
        self.classes = text_table("Classes", CLASS_COLUMNS, grows=True)
        self.revisions = text_table("Revisions", REVISION_COLUMNS)
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self.title_row.addLayout(
            hbox(label("Pool"), self.pool, label("Dataset"), self.built, spacing=8)
        )
        self.set_contents(self._contents(), until_then="Reading candidates…")
        self._connect()

    def _make_buttons(self) -> None:
        def button(text: str) -> CommandButton:
            return CommandButton(self._look, text)

        self.add_folder, self.add_list = button("Add folder…"), button("Add list…")
        self.candidates = button("Look through")
        self.queries = button("What to search for")
        self.plan, self.aggregate = button("Plan round"), button("Aggregate")
        self.rounds = button("Crowd tasks")
        self.near_duplicates = button("Search and review pairs")
        self.build = CommandButton(self._look, "Build…", kind=ButtonKind.PRIMARY)
        self.compare = button("Compare revisions…")
        self.review = button("Review classes")
        self.final = button("Declare final")
        self.export, self.add_dataset = button("Export…"), button("Add to the study…")

    def _buttons(self) -> dict[CurationStep, tuple[CommandButton, ...]]:
        return {
            CurationStep.COLLECT: (self.add_folder, self.add_list),
            CurationStep.ANNOTATE: (self.plan, self.aggregate, self.rounds),
            CurationStep.DUPLICATES: (self.near_duplicates,),
            CurationStep.BUILD: (self.build, self.compare),
            CurationStep.REVIEW: (self.review,),
            CurationStep.FINAL: (self.final, self.export, self.add_dataset),
        }

    def _contents(self) -> QWidget:
        contents, steps = QWidget(), QWidget()
        steps.setFixedWidth(_STEPS_WIDTH)
        vbox(*self.cards.values(), stretch(1), on=steps, spacing=8)
        right = vbox(
            self.progress,
            hbox(
                label("Classes", rank="heading"),
                stretch(1),
                self.candidates,
                self.queries,
                spacing=8,
            ),
            grow(self.classes),
            label("Revisions", rank="heading"),
            self.revisions,
            # What short tables leave, so that the headings stay next to them.
            stretch(0),
            spacing=8,
        )
        hbox(steps, grow(right), on=contents, spacing=16)
        return contents

    def _connect(self) -> None:
        pairs = (
            (self.home, self.home_wanted),
            (self.add_folder, self.folder_wanted),
            (self.add_list, self.list_wanted),
            (self.plan, self.round_wanted),
            (self.aggregate, self.aggregate_wanted),
            (self.rounds, self.rounds_wanted),
            (self.near_duplicates, self.near_duplicates_wanted),
            (self.build, self.build_wanted),
            (self.review, self.review_wanted),
            (self.compare, self.compare_wanted),
            (self.final, self.final_wanted),
            (self.export, self.export_wanted),
            (self.add_dataset, self.dataset_wanted),
        )
        for button, signal in pairs:
            button.clicked.connect(signal)
        self.candidates.clicked.connect(lambda: self.candidates_wanted.emit(self.chosen_class))
        self.queries.clicked.connect(lambda: self.queries_wanted.emit(self.chosen_class))
        self.classes.currentItemChanged.connect(self._enable)
        self.revisions.currentItemChanged.connect(self._enable)
        for box in (self.pool, self.built):
            box.activated.connect(lambda _index: self.shown_changed.emit())

    @property
    def chosen_class(self) -> str:
        item = self.classes.currentItem()
        return "" if item is None else item.text(0)

    @property
    def chosen_revision(self) -> int:
        """The revision chosen in the table, or the last one; 0 without any."""
        item = self.revisions.currentItem()
        if item is not None:
            return int(item.text(0))
        return self.view.last.revision if self.view.last else 0

    def inform(self, sentence: str) -> None:
        """Show what was done."""
        self.error_banner.say(sentence, BannerKind.INFO)

    def render_view(self, view: WorkspaceView) -> None:
        self.view = view
        for box, items, current in (
            (self.pool, view.pools, view.pool),
            (self.built, view.built_names, view.built),
        ):
            box.clear()
            box.addItems(list(items))
            box.setCurrentText(current)
            box.setEnabled(bool(items))
        for step in view.steps:
            self.cards[step.step].render_view(step)
        fill_table(self.classes, view.classes)
        fill_table(self.revisions, view.revision_rows)
        _align_numbers(self.classes, first=2)
        _align_numbers(self.revisions, first=3)
        self._enable()
        self.show_contents()

    def _enable(self) -> None:
        view, number = self.view, self.chosen_revision
        has_pool, has_built = bool(view.pool), bool(number)
        chosen = next((each for each in view.revisions if each.revision == number), None)
        is_final = chosen is not None and chosen.state is RevisionState.FINAL
        for button in (self.candidates, self.plan, self.aggregate, self.build):
            button.setEnabled(has_pool)
        for button in (self.export, self.add_dataset):
            button.setEnabled(has_built)
        self.review.setEnabled(has_built and not is_final)
        self.final.setEnabled(has_built and not is_final)
        self.compare.setEnabled(len(view.revisions) > 1)
        self.queries.setEnabled(bool(self.chosen_class))


def _align_numbers(table: QTreeWidget, *, first: int) -> None:
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for column in range(first, table.columnCount()):
        table.headerItem().setTextAlignment(column, right)
    for row in range(table.topLevelItemCount()):
        item = table.topLevelItem(row)
        assert item is not None
        for column in range(first, table.columnCount()):
            item.setTextAlignment(column, right)
