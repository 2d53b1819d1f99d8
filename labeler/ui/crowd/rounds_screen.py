"""The lead's page of crowd tasks: rounds and annotators, annotated images, frequencies."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QTabWidget, QWidget

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.image_inspector import NOTHING_ANNOTATED, ImageInspector
from labeler.app.crowd.planning import (
    PlanChoices,
    RoundPlan,
    close_round,
    read_plan_choices,
    store_plan,
)
from labeler.app.crowd.rounds_overview import (
    ANNOTATOR_COLUMNS,
    ROUND_COLUMNS,
    CrowdOverview,
    read_overview,
)
from labeler.app.runner import LatestRequest
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.rounds import CrowdTask
from labeler.ui.crowd.frequencies_panel import FrequenciesPanel
from labeler.ui.crowd.inspector_panel import InspectorPanel
from labeler.ui.crowd.plan_round_dialog import TITLES, PlanRoundDialog
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.kit.layout.boxes import hbox, stretch, vbox
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.labels import label
from labeler.ui.window.context import StudyContext

_QUALITY_WORDS = {
    QualityRule.CONTROLS: "Leave out who misses controls",
    QualityRule.NONE: "Count every submitted answer",
}
assert set(_QUALITY_WORDS) == set(QualityRule), "every rule has its words"
TABS = ("Rounds and annotators", "Images", "Frequencies")


class CrowdRoundsScreen(TitledPage):
    """Shows rounds, annotators and images; every action reads them again."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext, *, goes_home: bool = True) -> None:
        super().__init__(context.appearance, context.keymap, title="Crowd tasks", icon="progress")
        self._context = context
        self._open_rounds: frozenset[str] = frozenset()
        self._reading = LatestRequest(context.workers.background)
        self.progress, self.statuses = label(wrap=True), label(rank="muted", wrap=True)
        self.rounds = text_table("Rounds", ROUND_COLUMNS)
        self.annotators = text_table("Annotators", ANNOTATOR_COLUMNS, grows=True)
        self.plan_buttons = {
            task: CommandButton(context.appearance, f"{TITLES[task]}…") for task in CrowdTask
        }
        self.close_chosen = CommandButton(context.appearance, "Close round")
        self.aggregate = CommandButton(context.appearance, "Aggregate answers")
        for button in (*self.plan_buttons.values(), self.close_chosen, self.aggregate):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.quality = ChoiceBox(context.appearance, "Quality rule")
        for rule, words in _QUALITY_WORDS.items():
            self.quality.addItem(words, rule)
        self.images = InspectorPanel(context)
        self.frequencies = FrequenciesPanel(context)
        self.tabs = QTabWidget()
        self.home = self.add_leaving_button(goes_home=goes_home)
        self.set_contents(self._contents(), until_then="Reading rounds…")
        self._connect()

    def refresh(self) -> None:
        """Read the rounds again, then the images."""
        store = self._context.study.store
        self._context.run(
            "read crowd rounds",
            lambda: read_overview(store),
            done=self.render_view,
            failed=self.say,
        )
        self._reading.run(
            "read annotated images",
            lambda: ImageInspector(store),
            done=self._show_images,
            failed=lambda error: self.say(self._context.describe_error(error)),
        )

    def render_view(self, view: CrowdOverview) -> None:
        self._open_rounds = view.open_rounds
        self.progress.setText(view.progress)
        self.statuses.setText(view.statuses)
        fill_table(self.rounds, view.rounds)
        fill_table(self.annotators, view.annotators)
        self._enable_close()
        self.show_contents()

    def _show_images(self, inspector: ImageInspector) -> None:
        self.images.show_images(inspector)
        self.frequencies.show_frequencies(inspector)
        for place, title in enumerate(TABS[1:], 1):
            self.tabs.setTabEnabled(place, len(inspector) > 0)
            self.tabs.setTabToolTip(place, "" if len(inspector) else NOTHING_ANNOTATED)
            self.tabs.setTabText(place, title)

    def _contents(self) -> QWidget:
        work = QWidget()
        vbox(
            self.progress,
            hbox(*self.plan_buttons.values(), self.close_chosen, stretch(), spacing=8),
            label("Rounds", rank="heading"),
            self.rounds,
            label("Annotators", rank="heading"),
            self.statuses,
            hbox(self.quality, self.aggregate, stretch(), spacing=8),
            self.annotators,
            stretch(1),
            on=work,
            spacing=12,
            margins=(12, 12, 12, 12),
        )
        for widget, title in zip((work, self.images, self.frequencies), TABS, strict=True):
            self.tabs.addTab(widget, title)
        for place in range(1, len(TABS)):
            self.tabs.setTabEnabled(place, False)
        return self.tabs

    def _connect(self) -> None:
        self.home.clicked.connect(self.home_wanted)
        self.destroyed.connect(self._reading.drop)
        for task, button in self.plan_buttons.items():
            button.clicked.connect(lambda _checked=False, task=task: self.plan(task))
        self.close_chosen.clicked.connect(self._close)
        self.aggregate.clicked.connect(self._aggregate)
        self.rounds.currentItemChanged.connect(self._enable_close)
        self.frequencies.inspect_wanted.connect(self._inspect)

    def plan(self, task: CrowdTask) -> None:
        """Open the form of a round."""
        store = self._context.study.store
        self._context.run(
            "read crowd choices",
            lambda: read_plan_choices(store),
            done=lambda choices: self._ask(task, choices),
            failed=self.say,
        )

    def _ask(self, task: CrowdTask, choices: PlanChoices) -> None:
        self.dialog = PlanRoundDialog(self._context, self, task=task, choices=choices)
        self.dialog.wanted.connect(self._store)
        self.dialog.open()

    def _store(self, plan: RoundPlan) -> None:
        store, actor = self._context.study.store, self._context.code
        self._change("plan crowd round", lambda: store_plan(store, plan, actor=actor))

    def _inspect(self, number: int) -> None:
        self.tabs.setCurrentWidget(self.images)
        self.images.show_image(number)

    def _close(self) -> None:
        chosen = self._chosen()
        if chosen in self._open_rounds:
            store, actor = self._context.study.store, self._context.code
            self._change("close crowd round", lambda: close_round(store, chosen, actor=actor))

    def _aggregate(self) -> None:
        store, rule = self._context.study.store, QualityRule(self.quality.currentData())
        self._change("aggregate crowd answers", lambda: aggregate_crowd(store, quality=rule))

    def _change(self, name: str, work: Callable[[], object]) -> None:
        self.say("")
        self._context.run(name, work, done=lambda _made: self.refresh(), failed=self.say)

    def _chosen(self) -> str:
        current = self.rounds.currentItem()
        return "" if current is None else current.text(0)

    def _enable_close(self) -> None:
        self.close_chosen.setEnabled(self._chosen() in self._open_rounds)
