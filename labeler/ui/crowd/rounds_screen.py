"""The lead's screen of crowd rounds: plan, watch, close, aggregate."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.planning import RoundRequest, close_round, plan_round, store_plan
from labeler.app.crowd.rounds_overview import (
    ANNOTATOR_COLUMNS,
    ROUND_COLUMNS,
    CrowdOverview,
    read_overview,
)
from labeler.app.keymap import Action
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.layout.boxes import grow, hbox, stretch, vbox
from labeler.ui.kit.layout.titled_page import TitledPage
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.labels import label
from labeler.ui.window.context import StudyContext

_LABELS = {
    CrowdTask.CONTAINS: LabelChoice.POTENTIAL,
    CrowdTask.CLASSIFY: LabelChoice.CANDIDATE,
}


class CrowdRoundsScreen(TitledPage):
    """Shows rounds and annotators; every action reads them again."""

    home_wanted = Signal()

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context.appearance, context.keymap, title="Crowd tasks", icon="progress")
        self._context = context
        self._open_rounds: frozenset[str] = frozenset()
        self.progress, self.statuses = label(wrap=True), label(rank="muted", wrap=True)
        self.rounds = text_table("Rounds", ROUND_COLUMNS)
        self.annotators = text_table("Annotators", ANNOTATOR_COLUMNS, grows=True)
        self.plan_contains = CommandButton(context.appearance, "Plan contains round")
        self.plan_classify = CommandButton(context.appearance, "Plan classify round")
        self.close_chosen = CommandButton(context.appearance, "Close round")
        self.aggregate = CommandButton(context.appearance, "Aggregate answers")
        self.sample_only = QCheckBox("Only the evaluation sample")
        self.targets_only = QCheckBox("Ask about targets only")
        self.targets_only.setToolTip("Otherwise about the first five labels of every model, too.")
        self.home = self.add_header_button("Home", Action.GO_HOME)
        self.set_contents(self._contents(), until_then="Reading rounds…")
        self._connect()

    def refresh(self) -> None:
        """Read the rounds again."""
        store = self._context.study.store
        self._context.run(
            "read crowd rounds",
            lambda: read_overview(store),
            done=self.render_view,
            failed=self.say,
        )

    def render_view(self, view: CrowdOverview) -> None:
        self._open_rounds = view.open_rounds
        self.progress.setText(view.progress)
        self.statuses.setText(view.statuses)
        fill_table(self.rounds, view.rounds)
        fill_table(self.annotators, view.annotators)
        self._enable_close()
        self.show_contents()

    def _contents(self) -> QWidget:
        contents = QWidget()
        buttons = (self.plan_contains, self.plan_classify, self.close_chosen, self.aggregate)
        vbox(
            self.progress,
            hbox(*buttons, stretch(), spacing=8),
            hbox(self.sample_only, self.targets_only, stretch(), spacing=16),
            label("Rounds", rank="heading"),
            self.rounds,
            label("Annotators", rank="heading"),
            self.statuses,
            grow(self.annotators),
            on=contents,
            spacing=12,
        )
        return contents

    def _connect(self) -> None:
        self.home.clicked.connect(self.home_wanted)
        self.plan_contains.clicked.connect(lambda: self._plan(CrowdTask.CONTAINS))
        self.plan_classify.clicked.connect(lambda: self._plan(CrowdTask.CLASSIFY))
        self.close_chosen.clicked.connect(self._close)
        self.aggregate.clicked.connect(self._aggregate)
        self.rounds.currentItemChanged.connect(self._enable_close)

    def _plan(self, task: CrowdTask) -> None:
        store, actor = self._context.study.store, self._context.code
        only_targets = task is CrowdTask.CONTAINS and self.targets_only.isChecked()
        request = RoundRequest(
            task=task,
            labels=LabelChoice.TARGET if only_targets else _LABELS[task],
            seed=store.identity.seed,
            sampled=self.sample_only.isChecked(),
        )
        self._change(
            "plan crowd round", lambda: store_plan(store, plan_round(store, request), actor=actor)
        )

    def _close(self) -> None:
        chosen = self._chosen()
        if chosen in self._open_rounds:
            store, actor = self._context.study.store, self._context.code
            self._change("close crowd round", lambda: close_round(store, chosen, actor=actor))

    def _aggregate(self) -> None:
        store = self._context.study.store
        self._change(
            "aggregate crowd answers",
            lambda: aggregate_crowd(store, quality=QualityRule.CONTROLS),
        )

    def _change(self, name: str, work: Callable[[], object]) -> None:
        self.say("")
        self._context.run(name, work, done=lambda _made: self.refresh(), failed=self.say)

    def _chosen(self) -> str:
        current = self.rounds.currentItem()
        return "" if current is None else current.text(0)

    def _enable_close(self) -> None:
        self.close_chosen.setEnabled(self._chosen() in self._open_rounds)
