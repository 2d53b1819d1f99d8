"""Backups, going back to one, and a look for damage."""

from PySide6.QtCore import Signal

from labeler.app.presenters.set_up import SetUp
from labeler.app.setting_up.facts import SetUpFacts
from labeler.core.clock import Clock
from labeler.ui.look import Look
from labeler.ui.set_up.panel import SetUpPanel, button, fill, in_a_row, table

_ABOUT = (
    "Backups are made by themselves while the study is open and before anything is replaced. The "
    "check reads the database and every image, and says what to do about what it finds."
)


class KeepingPanel(SetUpPanel):
    """Makes backups and checks the study; putting one back is left to whoever closes the study."""

    restore_wanted = Signal(str)

    def __init__(self, look: Look, set_up: SetUp, clock: Clock) -> None:
        super().__init__(look, set_up, title="Backups and check", about=_ABOUT)
        self.backups = table("Backups", ("Backup", "Made"))
        self.back_up = button("&Back up now")
        self.check = button("&Check the study")
        self.restore = button("&Put the chosen one back…")
        self.column.addWidget(self.backups)
        self.column.addLayout(in_a_row(self.back_up, self.restore, self.check, stretch=False))
        self.restore.setEnabled(False)
        self.back_up.clicked.connect(
            lambda: set_up.do(lambda _progress: set_up.desk.back_up(clock.utc()))
        )
        self.check.clicked.connect(lambda: set_up.do(set_up.desk.check))
        self.restore.clicked.connect(self._restore)
        self.backups.currentItemChanged.connect(
            lambda *_items: self.restore.setEnabled(self.backups.currentItem() is not None)
        )

    def render_facts(self, facts: SetUpFacts) -> None:
        self.back_up.setEnabled(facts.backs_up)
        rows = [(name, at.astimezone().strftime("%Y-%m-%d %H:%M:%S")) for name, at in facts.backups]
        fill(self.backups, rows)

    def _restore(self) -> None:
        item = self.backups.currentItem()
        if item is not None:
            self.restore_wanted.emit(item.text(0))
