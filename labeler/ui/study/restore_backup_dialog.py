"""The dialog for restoring a backup of a damaged study."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHeaderView, QWidget

from labeler.app.study.backups import RestorableStudy
from labeler.app.study.setup.backups import BACKUP_COLUMNS, backup_row, damaged_study_confirmation
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import stretch
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.kit.text.confirm_dialog import QuestionDialog
from labeler.ui.kit.text.labels import label
from labeler.ui.window.theme import Appearance

_WIDTH = 720
_FILE = len(BACKUP_COLUMNS) - 1


class RestoreBackupDialog(QuestionDialog):
    """Selects the newest backup; Cancel has the focus."""

    chosen = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget, study: RestorableStudy) -> None:
        super().__init__(appearance, parent, "Restore a backup", width=_WIDTH)
        self._backups = study.backups
        self.backups = text_table("Backups", BACKUP_COLUMNS)
        self.words = label(wrap=True)
        self.do = CommandButton(appearance, "Restore", kind=ButtonKind.DANGER)
        self.backups.header().setSectionResizeMode(_FILE, QHeaderView.ResizeMode.Stretch)
        fill_table(self.backups, list(map(backup_row, study.backups)))
        self.backups.currentItemChanged.connect(lambda *_items: self._show_confirmation())
        self.backups.setCurrentIndex(self.backups.model().index(0, 0))
        self.do.clicked.connect(self._choose)
        self.lay_out(
            label(f"The study in {study.folder} is damaged.", rank="muted", wrap=True),
            self.backups,
            self.words,
            buttons=(stretch(1), self.cancel, self.do),
        )
        self.cancel.setFocus()

    def _show_confirmation(self) -> None:
        self.words.setText(damaged_study_confirmation(self._backups[self._place()]))

    def _choose(self) -> None:
        name = self._backups[self._place()].name
        self.accept()
        self.chosen.emit(name)

    def _place(self) -> int:
        return max(self.backups.currentIndex().row(), 0)
