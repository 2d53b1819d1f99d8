"""Making and restoring backups, and checking the study."""

from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHeaderView, QLineEdit, QVBoxLayout

from labeler.app.study.backups import BackupComparison
from labeler.app.study.check import CheckFinding
from labeler.app.study.setup.backups import BACKUP_COLUMNS, backup_row, restore_confirmation
from labeler.app.study.setup.check import (
    BUILD_SHEETS_TITLE,
    ProblemGroup,
    check_summary,
    problem_groups,
)
from labeler.app.study.setup.facts import SetupFacts
from labeler.app.study.setup.setup import SetupPresenter
from labeler.app.study.setup.setup_step import SetupStep
from labeler.app.study.setup.study_setup import BACKUPS_ON_SERVER
from labeler.core.clock import Clock
from labeler.ui.kit.layout.boxes import grow, hbox, vbox
from labeler.ui.kit.layout.flow_layout import clear_layout
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import label
from labeler.ui.study.setup.setup_panel import SetupPanel, push_button, row_layout
from labeler.ui.window.theme import Appearance

_ABOUT = (
    "Backups are made automatically while the study is open, and before anything is replaced or "
    "removed. They contain everything except the images."
)
_SECOND = (
    "Second folder for backups, best on another drive. Every backup is copied there as well. Leave "
    "it empty for none."
)
_CHECK = "Checks the database and every image, and suggests how to fix problems."
NO_BACKUPS = "There are no backups yet."
_FILE = len(BACKUP_COLUMNS) - 1


class BackupsPanel(SetupPanel):
    """Makes backups and checks the study.

    After a confirmation that counts the losses, restoring is left to the caller, which has to
    close the study first.
    """

    restore_wanted = Signal(str)
    step_wanted = Signal(SetupStep, str)

    def __init__(self, appearance: Appearance, set_up: SetupPresenter, clock: Clock) -> None:
        super().__init__(appearance, set_up, title="Backups and check", about=_ABOUT)
        self._clock = clock
        self._checked: tuple[int, datetime] | None = None
        self._left = False
        self.backups = text_table("Backups", BACKUP_COLUMNS, grows=True)
        self.back_up = push_button("&Back up now")
        self.check = push_button("&Check study")
        self.restore = push_button("&Restore…", "Restore the selected backup")
        self.state = label(rank="muted", wrap=True)
        self.banner = ErrorBanner(appearance)
        # The file name is the longest and least important column.
        self.backups.header().setSectionResizeMode(_FILE, QHeaderView.ResizeMode.Stretch)
        self.second_folder = QLineEdit()
        self.second_folder.setAccessibleName("Second folder for backups")
        self.choose = push_button("C&hoose…", "Choose the second folder")
        self.apply = push_button("&Apply", "Apply the second folder")
        self._found = QVBoxLayout()
        self._found.setSpacing(12)
        self._lay_out()
        self.back_up.clicked.connect(
            lambda: set_up.do(lambda _progress: set_up.study_setup.back_up(clock.utc()))
        )
        self.choose.clicked.connect(self._choose_folder)
        self.apply.clicked.connect(self._apply_folder)
        self.check.clicked.connect(self._check)
        self.restore.clicked.connect(self._restore)
        self.backups.currentItemChanged.connect(
            lambda *_items: self.restore.setEnabled(self.backups.currentItem() is not None)
        )

    def render_facts(self, facts: SetupFacts) -> None:
        for button in (self.second_folder, self.choose, self.apply):
            button.setEnabled(facts.backs_up)
        self.second_folder.setText(facts.settings.backup_folder)
        rows = list(map(backup_row, facts.backups))
        fill_table(self.backups, rows)
        for part in (self.backups, self.restore):
            part.setVisible(bool(rows))
        if not facts.backs_up:
            self.state.setText(BACKUPS_ON_SERVER)
        else:
            self.state.setText("" if rows else NO_BACKUPS)
        self.state.setVisible(bool(self.state.text()))

    def show_found(self, findings: list[CheckFinding]) -> None:
        """Show the findings, grouped by remedy."""
        self._clear_findings()
        groups = problem_groups(findings)
        self._checked = len(findings), self._clock.utc()
        self._left = False
        self._show_check_result()
        for group in groups:
            self._found.addWidget(self._shown(group))
        self.ensure_visible_wanted.emit(self.banner)

    def showEvent(self, event: QShowEvent) -> None:
        """Mark the result as outdated, since problems may have been fixed in other steps."""
        super().showEvent(event)
        if self._left:
            self._show_check_result()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._left = True

    def _show_check_result(self) -> None:
        if self._checked is not None:
            wrong, at = self._checked
            kind = BannerKind.ERROR if wrong else BannerKind.DONE
            self.banner.say(check_summary(wrong, at, earlier=self._left), kind)

    def _check(self) -> None:
        self._clear_findings()
        self._set_up.watch(self._set_up.study_setup.check, done=self.show_found)

    def _clear_findings(self) -> None:
        self._checked = None
        self.banner.say("")
        clear_layout(self._found)

    def _shown(self, group: ProblemGroup) -> QFrame:
        frame = QFrame()
        frame.setProperty("kind", "card")
        words = vbox(
            label(group.title, rank="number", wrap=True),
            label("\n".join(group.sentences), wrap=True),
            label(group.remedy, rank="muted", wrap=True),
            spacing=4,
        )
        row = hbox(grow(words), on=frame, spacing=16, margins=(16, 12, 16, 12))
        if group.step is not None:
            go = push_button(f"Go to {group.step}")
            go.clicked.connect(partial(self._go_to, group.step, group.dataset or ""))
            row.addWidget(go, alignment=Qt.AlignmentFlag.AlignTop)
        elif group.builds_sheets:
            build = push_button(BUILD_SHEETS_TITLE)
            build.clicked.connect(self._build_sheets)
            row.addWidget(build, alignment=Qt.AlignmentFlag.AlignTop)
        return frame

    def _go_to(self, step: SetupStep, dataset: str, *_clicked: object) -> None:
        self.step_wanted.emit(step, dataset)

    def _build_sheets(self) -> None:
        self._clear_findings()
        self._set_up.do(self._set_up.study_setup.build_sheets)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Choose second backup folder", self.second_folder.text()
        )
        if chosen:
            self.second_folder.setText(chosen)
            self._apply_folder()

    def _apply_folder(self) -> None:
        folder = self.second_folder.text().strip()
        self._set_up.do(lambda _progress: self._set_up.study_setup.set_backup_folder(folder))

    def _restore(self) -> None:
        item = self.backups.currentItem()
        if item is not None:
            name = item.text(_FILE)
            self._set_up.watch(
                lambda _progress: self._set_up.study_setup.compare_backup(name),
                done=partial(self._ask_to_restore, name),
            )

    def _ask_to_restore(self, name: str, compared: BackupComparison) -> None:
        self.confirm(restore_confirmation(compared), then=partial(self.restore_wanted.emit, name))

    def _lay_out(self) -> None:
        self.column.addWidget(self.backups)
        self.column.addWidget(self.state)
        self.column.addLayout(row_layout(self.back_up, self.restore, stretch=False))
        self.restore.setEnabled(False)
        self.column.addWidget(label(_SECOND, rank="muted", wrap=True))
        self.column.addLayout(row_layout(self.second_folder, self.choose, self.apply))
        self.column.addSpacing(8)
        self.column.addWidget(label(_CHECK, rank="muted", wrap=True))
        self.column.addLayout(row_layout(self.check, stretch=False))
        self.column.addWidget(self.banner)
        self.column.addLayout(self._found)
