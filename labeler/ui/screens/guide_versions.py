"""The versions of a page: a list at the left, what changed and the page itself at the right."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.keymap import Action, Keymap, Scope
from labeler.app.presenters.guide_versions import PageVersions, VersionRow, VersionsView
from labeler.ui.actions import bind
from labeler.ui.look import Look
from labeler.ui.widgets.changed_lines import ChangedLines
from labeler.ui.widgets.elided_label import ElidedLabel
from labeler.ui.widgets.guide_page import GuidePage
from labeler.ui.widgets.guide_pictures import GuidePictures
from labeler.ui.widgets.key_button import KeyButton
from labeler.ui.widgets.told import Told

_LIST, _PAGE = 400, 900


class GuideVersionsScreen(QWidget):
    """Renders the versions and passes on what is selected and wanted."""

    left = Signal()

    def __init__(
        self, look: Look, keymap: Keymap, versions: PageVersions, pictures: GuidePictures
    ) -> None:
        super().__init__()
        self._versions = versions
        self._rows: tuple[VersionRow, ...] = ()
        self._pictures, self._shown = pictures, dict[str, str]()
        self.title = ElidedLabel(rank="title")
        self.list = QListWidget()
        self.changed = ChangedLines(look)
        self.page = GuidePage(look, pictures)
        self.told = Told(look)
        self.why_not = Told(look, icon="locked", colour="locked")
        self.restore = KeyButton(look, keymap[Action.RESTORE_VERSION], "Restore", main=True)
        self.back = KeyButton(look, keymap[Action.LEAVE_VERSIONS], "Back to the page")
        self.restore.setEnabled(False)
        self._lay_out()
        self.list.currentRowChanged.connect(versions.select)
        self.restore.clicked.connect(versions.restore)
        self.back.clicked.connect(self.left)
        keys = {
            Action.RESTORE_VERSION: versions.restore,
            Action.LEAVE_VERSIONS: self.left.emit,
        }
        bind(self, keymap, Scope.GUIDE_VERSIONS, keys)
        versions.listen(self.render_view)

    def render_view(self, view: VersionsView) -> None:
        self.title.setText(f"Versions of “{view.title}”")
        self.told.say(view.told)
        self.why_not.say(view.why_not)
        self.restore.setEnabled(view.can_restore)
        self._render_rows(view)
        self.changed.show_lines(view.changed)
        if dict(view.pictures) != self._shown:
            self._shown = dict(view.pictures)
            self._pictures.forget_own()
        if view.html is not None:
            self.page.show_page(view.html, title=view.title, wanted=None)

    def _render_rows(self, view: VersionsView) -> None:
        with QSignalBlocker(self.list):
            if view.rows != self._rows:
                self._rows = view.rows
                self.list.clear()
                for row in view.rows:
                    self.list.addItem(QListWidgetItem(_words(row)))
            self.list.setCurrentRow(view.selected)

    def _lay_out(self) -> None:
        self.list.setAccessibleName("Versions, the newest first")
        self.list.setObjectName("versions")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.list)
        tabs = QTabWidget()
        tabs.addTab(self.changed, "What changed")
        tabs.addTab(self.page, "The page")
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setHandleWidth(16)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.list)
        halves.addWidget(tabs)
        halves.setStretchFactor(1, 1)
        halves.setSizes([_LIST, _PAGE])
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, stretch=1)
        head.addWidget(self.back)
        head.addWidget(self.restore)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 8)
        whole.setSpacing(8)
        whole.addLayout(head)
        whole.addWidget(self.told)
        whole.addWidget(self.why_not)
        whole.addWidget(halves, stretch=1)


def _words(row: VersionRow) -> str:
    heading = f"Version {row.number} · {row.heading}"
    return f"{heading}\n{row.comment}" if row.comment else heading
