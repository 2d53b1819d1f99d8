"""The start page: recent studies, the demo, opening a study, creating one."""

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from labeler.app.keymap import Key
from labeler.app.study.joining import JoinRequest
from labeler.app.study.recent_studies import RecentStudy
from labeler.app.study.start import NewStudyForm, NewStudyProblem, StartView
from labeler.store.study.folder import StudyFolder
from labeler.ui.kit.charts.progress_bar import WorkProgressCard
from labeler.ui.kit.input.command_button import ButtonKind, CommandButton
from labeler.ui.kit.layout.boxes import hbox, vbox
from labeler.ui.kit.layout.page import Page
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.kit.text.labels import IconLabel, label
from labeler.ui.study.file_drop import FileDropMixin, is_one_folder
from labeler.ui.study.join_study_dialog import JoinStudyDialog
from labeler.ui.study.new_study_dialog import NewStudyDialog
from labeler.ui.window.theme import Appearance

_WIDTH = 640
# The number of recent studies above the choices, which more would push out of sight.
_LATEST_COUNT = 3
_INTRODUCTION = (
    "Trained people classify images into a thousand classes, models do the same, "
    "and a blind review decides who was right."
)


class StartScreen(FileDropMixin, Page):
    """Shows what can be opened, and emits a signal for each choice."""

    demo_wanted = Signal()
    open_wanted = Signal(Path)
    new_wanted = Signal(NewStudyForm)
    images_chosen = Signal(Path)
    look_wanted = Signal(str)
    join_wanted = Signal(JoinRequest)
    recent_chosen = Signal(Path)
    cancel_wanted = Signal()
    put_back_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(appearance, width=_WIDTH)
        self.demo = self._choice("1", "Open the demo", "A small, complete study", icon="demo")
        self.open = self._choice("2", "Open a study…", "Choose a study folder", icon="folder")
        self.new = self._choice("3", "New study…", "You will be its lead", icon="new")
        self.images = self._choice(
            "4", "Label a folder of images…", "Or drop the folder here", icon="pictures"
        )
        self.join = self._choice(
            "5", "Join a shared study…", "On a PostgreSQL server", icon="person"
        )
        self.error_banner = ErrorBanner(appearance)
        self.put_back = CommandButton(
            appearance, "Restore a backup…", caption="Replaces the damaged study", icon="folder"
        )
        self.put_back.hide()
        self.progress = WorkProgressCard(appearance, "Building the study")
        self._last, self._earlier = QVBoxLayout(), QVBoxLayout()
        self._captions: list[QWidget] = []
        self._recent_rows: list[CommandButton] = []
        self._view = StartView()
        self.asking: NewStudyDialog | None = None
        self.joining: JoinStudyDialog | None = None
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        self.set_initial_focus(self.demo)

    def render_view(self, view: StartView) -> None:
        """Show the recent studies, with the focus on the first that can be opened."""
        self._view = view
        for part in (*self._captions, *self._recent_rows):
            part.deleteLater()
        rows = self._recent_rows = [self._recent_row(study) for study in view.recent]
        self._captions = [
            *self._list(self._last, "Recent", rows[:_LATEST_COUNT]),
            *self._list(self._earlier, "Earlier", rows[_LATEST_COUNT:]),
        ]
        self._order_keys()
        self.set_initial_focus(next((row for row in rows if row.isEnabled()), self.demo))

    def say(self, sentence: str) -> None:
        """Show what failed; an empty sentence clears it."""
        self._stop_showing_progress()
        self.error_banner.say(sentence)

    def offer_backups(self) -> None:
        """Offer to restore a backup of the study that didn't open."""
        self.put_back.show()
        self.set_initial_focus(self.put_back)

    def show_progress(self, done: int, total: int, sentence: str) -> None:
        """Show the progress of building the demo or a study."""
        self.error_banner.say("")
        begins = self.progress.isHidden()
        self.progress.show_state(done, total, sentence)
        if begins:
            self._set_choices_enabled(False)
            self.set_initial_focus(self.progress.cancel)

    def choose_folder(self) -> None:
        """Ask for a study's folder, starting next to the last one."""
        dialog = self._folder_dialog("Open a study")
        if self._view.last_place is not None:
            dialog.setDirectory(str(self._view.last_place))
        dialog.fileSelected.connect(lambda folder: self.open_wanted.emit(Path(folder)))
        dialog.open()

    def choose_images(self) -> None:
        """Ask for a folder of images to label."""
        dialog = self._folder_dialog("Label a folder of images")
        dialog.fileSelected.connect(lambda folder: self.images_chosen.emit(Path(folder)))
        dialog.open()

    def begin_study(self) -> None:
        """Open the dialog for a new study."""
        self.asking = NewStudyDialog(self._appearance, self, name=self._view.new_name)
        self.asking.wanted.connect(self.new_wanted)
        self.asking.finished.connect(self._stop_asking)
        self.asking.open()

    def refuse_study(self, problem: NewStudyProblem) -> None:
        """Show in the dialog why the study can't be created."""
        if self.asking is not None:
            self.asking.refuse(problem)

    def close_new_study_dialog(self) -> None:
        """Close the dialog after the study was created."""
        if self.asking is not None:
            self.asking.accept()

    def begin_joining(self) -> None:
        """Open the dialog to join a study on a server."""
        self.joining = JoinStudyDialog(self._appearance, self)
        self.joining.look_wanted.connect(self.look_wanted)
        self.joining.wanted.connect(self.join_wanted)
        self.joining.finished.connect(self._stop_joining)
        self.joining.open()

    def wants(self, paths: list[Path]) -> bool:
        return is_one_folder(paths)

    def handle_dropped_files(self, paths: list[Path]) -> None:
        signal = self.open_wanted if StudyFolder(paths[0]).exists() else self.images_chosen
        signal.emit(paths[0])

    def _folder_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return dialog

    def _stop_asking(self) -> None:
        self.asking = None

    def _stop_joining(self) -> None:
        self.joining = None

    def _choice(self, cap: str, text: str, caption: str, *, icon: str) -> CommandButton:
        key = Key((), cap)
        button = CommandButton(
            self._appearance, text, caption=caption, icon=icon, keys=[key], kind=ButtonKind.CHOICE
        )
        shortcut = QShortcut(QKeySequence(str(key)), self, button.click)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.setAutoRepeat(False)
        return button

    def _lay_out(self) -> None:
        self.column.addLayout(self._header())
        self._last.setSpacing(4)
        self.column.addLayout(self._last)
        choices = vbox(*self._choices)
        self.column.addLayout(choices)
        self.column.addWidget(self.progress)
        self.column.addWidget(self.error_banner)
        self.column.addWidget(self.put_back)
        self._earlier.setSpacing(4)
        self.column.addLayout(self._earlier)

    def _header(self) -> QHBoxLayout:
        head = hbox(IconLabel(self._appearance, "labeler", colour="accent", size=64), spacing=24)
        words = vbox(
            label("labeler", rank="title"), label(_INTRODUCTION, rank="muted", wrap=True), spacing=4
        )
        head.addLayout(words, stretch=1)
        return head

    def _connect(self) -> None:
        self.demo.clicked.connect(self.demo_wanted)
        self.open.clicked.connect(self.choose_folder)
        self.new.clicked.connect(self.begin_study)
        self.images.clicked.connect(self.choose_images)
        self.join.clicked.connect(self.begin_joining)
        self.put_back.clicked.connect(self.put_back_wanted)
        self.progress.cancel.clicked.connect(self._cancel)

    def _cancel(self) -> None:
        self._stop_showing_progress()
        self.set_initial_focus(self.demo)
        self.cancel_wanted.emit()

    def _stop_showing_progress(self) -> None:
        self.progress.hide()
        self._set_choices_enabled(True)

    @property
    def _choices(self) -> tuple[CommandButton, ...]:
        return self.demo, self.open, self.new, self.images, self.join

    def _set_choices_enabled(self, enabled: bool) -> None:
        for button in self._choices:
            button.setEnabled(enabled)

    def _order_keys(self) -> None:
        """Set the tab order from top to bottom, since rows are created after the buttons below."""
        last, earlier = self._recent_rows[:_LATEST_COUNT], self._recent_rows[_LATEST_COUNT:]
        for before, after in pairwise((*last, *self._choices, *earlier)):
            self.setTabOrder(before, after)

    def _list(self, column: QVBoxLayout, title: str, rows: list[CommandButton]) -> list[QWidget]:
        """Add the rows below a title if there are any, and return the title."""
        titles: list[QWidget] = [label(title, rank="caption")] if rows else []
        for part in (*titles, *rows):
            column.addWidget(part)
            part.show()  # immediately, so that it can get the focus
        return titles

    def _recent_row(self, study: RecentStudy) -> CommandButton:
        caption = str(study.folder) if study.gone is None else f"{study.folder} — {study.gone}"
        row = CommandButton(self._appearance, study.name, caption=caption, kind=ButtonKind.ROW)
        row.setEnabled(study.gone is None)
        row.clicked.connect(lambda: self.recent_chosen.emit(study.folder))
        return row
