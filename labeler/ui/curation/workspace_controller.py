"""Connects the workspace with the study: imports, rounds, builds, final, exports."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from labeler.app.background_task import BackgroundTask
from labeler.app.confirmation import Confirmation
from labeler.app.crowd.aggregation import aggregate_crowd
from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.curation.building import BuildRequest, build_dataset, preview_build
from labeler.app.curation.dataset_export import (
    BuiltLayout,
    add_revision_as_dataset,
    export_revision,
)
from labeler.app.curation.pool_import import PoolImportReport, PoolRequest, import_candidates
from labeler.app.curation.revision_history import declare_final
from labeler.app.curation.workspace import WorkspaceView, read_workspace
from labeler.app.progress import ProgressReporter
from labeler.app.runner import LatestRequest
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.crowd.frequencies import QualityRule
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.curation.query_helper import MORE_IMAGES, suggest_queries
from labeler.core.study.entities import ImageKey
from labeler.ui.curation.build_dialog import BuildDialog
from labeler.ui.curation.class_review_controller import candidate_pictures
from labeler.ui.curation.compare_dialog import CompareDialog
from labeler.ui.curation.workspace_dialogs import ExportDialog, NameDialog
from labeler.ui.curation.workspace_screen import WorkspaceScreen
from labeler.ui.kit.input.command_button import ButtonKind
from labeler.ui.kit.input.file_field import open_file_dialog
from labeler.ui.kit.text.confirm_dialog import ask_to_confirm
from labeler.ui.kit.text.text_dialogs import TextListDialog
from labeler.ui.window.context import StudyContext

ANSWERS = 10
FINAL = Confirmation(
    "Declare this revision final?",
    "Models can then be scored on it. Its images and reviews can't be changed any more, and no "
    "other revision of this dataset can be final.",
    "Declare final",
)


class WorkspaceController(QObject):
    """Runs what the lead wants, and reads the workspace again afterwards."""

    home_wanted = Signal()
    rounds_wanted = Signal()
    near_duplicates_wanted = Signal()
    review_wanted = Signal(str, int)
    candidates_wanted = Signal(str, str)
    models_wanted = Signal()

    def __init__(self, context: StudyContext) -> None:
        self.screen = WorkspaceScreen(context)
        super().__init__(self.screen)
        self._context, self._store = context, context.study.store
        self._request: PoolRequest | None = None
        self.pictures: ThumbnailLoader[ImageKey, QImage] = candidate_pictures(context)
        self._import: BackgroundTask[PoolImportReport] = BackgroundTask(
            "add candidates",
            self._add_candidates,
            runner=context.workers.background,
            clock=context.clock,
            show=self.screen.progress.show_state,
            done=self._added,
            failed=self._import_failed,
        )
        self._connect()

    def show(self) -> None:
        self._context.window.show_screen(self.screen)
        self.refresh()

    def refresh(self) -> None:
        """Read the chosen pool and dataset again."""
        pool, built = self.screen.pool.currentText(), self.screen.built.currentText()
        self._context.run(
            "read workspace",
            lambda: read_workspace(self._store, pool=pool, built=built),
            done=self.screen.render_view,
            failed=self.screen.say,
        )

    @property
    def view(self) -> WorkspaceView:
        return self.screen.view

    def _connect(self) -> None:
        screen = self.screen
        screen.home_wanted.connect(self.home_wanted)
        screen.rounds_wanted.connect(self.rounds_wanted)
        screen.near_duplicates_wanted.connect(self.near_duplicates_wanted)
        screen.shown_changed.connect(self.refresh)
        screen.folder_wanted.connect(self._choose_folder)
        screen.list_wanted.connect(self._choose_list)
        screen.round_wanted.connect(self.plan_round)
        screen.aggregate_wanted.connect(self.aggregate)
        screen.build_wanted.connect(self.open_build)
        screen.candidates_wanted.connect(
            lambda label: self.candidates_wanted.emit(self.view.pool, label)
        )
        screen.review_wanted.connect(
            lambda: self.review_wanted.emit(self.view.built, self.screen.chosen_revision)
        )
        screen.compare_wanted.connect(self.open_compare)
        screen.final_wanted.connect(self.ask_final)
        screen.export_wanted.connect(self.ask_export)
        screen.dataset_wanted.connect(self._ask_dataset_name)
        screen.queries_wanted.connect(self.show_queries)
        screen.progress.cancel.clicked.connect(self._import.stop)

    # Collect.

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self.screen, "Add a folder of candidates by class")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda path: self._ask_pool(Path(path)))
        dialog.open()

    def _choose_list(self) -> None:
        dialog = open_file_dialog(
            self.screen, "Add a manifest or search results", names="Lists (*.csv *.json)"
        )
        dialog.fileSelected.connect(lambda path: self._ask_pool(Path(path)))
        dialog.open()

    def _ask_pool(self, path: Path) -> None:
        dialog = NameDialog(
            self._context.appearance,
            self.screen,
            "Add candidates",
            f"Name of the candidate pool to add {path.name} to:",
            name=self.view.pool or "pool",
        )
        dialog.named.connect(lambda pool: self.add(path, pool))
        dialog.open()

    def add(self, path: Path, pool: str) -> None:
        """Add the candidates at the path to the pool."""
        self.screen.say("")
        self._request = PoolRequest(pool=pool, path=path)
        self._import.start()

    def _add_candidates(self, progress: ProgressReporter) -> PoolImportReport:
        assert self._request is not None, "an import was asked for"
        return import_candidates(self._store, self._request, progress=progress)

    def _added(self, report: PoolImportReport) -> None:
        self.screen.progress.hide()
        self.screen.inform(" ".join(report.lines))
        self.refresh()

    def _import_failed(self, error: Exception) -> None:
        self.screen.progress.hide()
        self.screen.say(self._context.describe_error(error))
        self.refresh()

    def show_queries(self, label: str) -> None:
        """Show what to search for to find more candidates of a class."""
        taxonomy = self._store.taxonomy
        queries = suggest_queries(taxonomy, label)
        lines = [f"{q.text}\t{q.kind.replace('_', ' ')}\t{q.images}" for q in queries]
        TextListDialog(
            self.screen,
            heading=f"What to search for: {taxonomy.display_names[label]}",
            about="Each synonym gets an equal share of 100 images, which its variants have in "
            f"common. If these aren't enough, take {MORE_IMAGES}. Order by upload date, not by "
            "relevance.",
            text="\n".join(lines),
        ).open()

    # Annotate.

    def plan_round(self) -> None:
        """Ask about every candidate that isn't in a grid yet."""
        references = self.view.references
        request = RoundRequest(
            task=CrowdTask.CONTAINS,
            labels=LabelChoice.TARGET,
            seed=self._store.identity.seed,
            datasets=(self.view.pool,),
            answers=ANSWERS,
            reference=references[0] if references else None,
        )
        store, actor = self._store, self._context.code
        self._change(
            "plan crowd round", lambda: store_plan(store, plan_round(store, request), actor=actor)
        )

    def aggregate(self) -> None:
        """Turn the answers into selection frequencies."""
        store = self._store
        self._change(
            "aggregate crowd answers", lambda: aggregate_crowd(store, quality=QualityRule.NONE)
        )

    # Build.

    def open_build(self) -> None:
        dialog = BuildDialog(
            self._context.appearance,
            self.screen,
            self.view,
            seed=self._store.identity.seed,
            class_name=self._store.taxonomy.display_names.__getitem__,
        )
        # Drops a preview that arrives after the dialog is closed.
        previews = LatestRequest(self._context.workers.database)

        def preview(request: BuildRequest) -> None:
            previews.run(
                "preview build",
                lambda: preview_build(self._store, request),
                done=dialog.show_preview,
                failed=lambda error: dialog.banner.say(self._context.describe_error(error)),
            )

        dialog.preview_wanted.connect(preview)
        dialog.build_wanted.connect(self.build)
        dialog.finished.connect(lambda _result: previews.drop())
        dialog.open()

    def build(self, request: BuildRequest) -> None:
        """Build and store a revision, and show it."""
        actor = self._context.code
        self.screen.say("")
        self._context.run(
            "build dataset",
            lambda: build_dataset(self._store, request, actor=actor),
            done=lambda _built: self._show_built(request.dataset),
            failed=self.screen.say,
        )

    def _show_built(self, dataset: str) -> None:
        if self.screen.built.findText(dataset) < 0:
            self.screen.built.addItem(dataset)
        self.screen.built.setCurrentText(dataset)
        self.screen.revisions.clear()
        self.refresh()

    def open_compare(self) -> None:
        """Compare two revisions in pictures."""
        CompareDialog(self._context, self.screen, self.view, self.pictures).open()

    # Final.

    def ask_final(self) -> None:
        ask_to_confirm(
            self._context.appearance,
            self.screen,
            FINAL,
            then=self.declare_final,
            kind=ButtonKind.PRIMARY,
        )

    def declare_final(self) -> None:
        store, built = self._store, self.view.built
        number, actor = self.screen.chosen_revision, self._context.code
        self._change("declare final", lambda: declare_final(store, built, number, actor=actor))

    def ask_export(self) -> None:
        heading = f"Export revision {self.screen.chosen_revision} of {self.view.built}"
        dialog = ExportDialog(self._context.appearance, self.screen, heading)
        dialog.chosen.connect(self._choose_export_folder)
        dialog.open()

    def _choose_export_folder(self, layout: BuiltLayout) -> None:
        dialog = QFileDialog(self.screen, "Choose an empty folder")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda path: self.export(Path(path), layout))
        dialog.open()

    def export(self, folder: Path, layout: BuiltLayout) -> None:
        """Write the chosen revision."""
        store, built, number = self._store, self.view.built, self.screen.chosen_revision
        self._change(
            "export revision",
            lambda: export_revision(store, built, number, folder, layout=layout),
            report=lambda: f"Revision {number} of {built} is in {folder}.",
        )

    def _ask_dataset_name(self) -> None:
        name = f"{self.view.built}-{self.screen.chosen_revision}"
        dialog = NameDialog(
            self._context.appearance,
            self.screen,
            "Add to the study",
            "Name of the dataset. Models can be scored on it once the revision is final.",
            name=name,
        )
        dialog.named.connect(self.add_dataset)
        dialog.open()

    def add_dataset(self, name: str) -> None:
        """Add the chosen revision to the study as a dataset."""
        store, built, number = self._store, self.view.built, self.screen.chosen_revision
        actor = self._context.code
        self._change(
            "add built dataset",
            lambda: add_revision_as_dataset(store, built, number, name=name, actor=actor),
            report=lambda: f"Revision {number} of {built} is the dataset {name} of the study.",
        )

    def _change(
        self, name: str, work: Callable[[], object], *, report: Callable[[], str] | None = None
    ) -> None:
        self.screen.say("")

        def done(_made: object) -> None:
            if report is not None:
                self.screen.inform(report())
            self.refresh()

        self._context.run(name, work, done=done, failed=self.screen.say)
