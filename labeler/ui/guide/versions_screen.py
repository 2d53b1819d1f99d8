"""The versions of a page: a list at the left, what changed and the page itself at the right."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from labeler.app.guide.versions import PageVersionRow, PageVersions, PageVersionsView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.ui.guide.changed_lines import DiffView
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.page_view import GuidePageView
from labeler.ui.guide.version_row import COMMENT_ROLE, VersionDelegate
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.tabs_with_keys import KeyTabBar
from labeler.ui.kit.text.elided_label import ElidedLabel
from labeler.ui.kit.text.error_banner import ErrorBanner
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.look import Appearance

_LIST, _PAGE = 400, 900
_TABS = {Action.SHOW_CHANGES: "What changed", Action.SHOW_VERSION: "The page"}


class GuideVersionsScreen(QWidget):
    """Renders the versions and passes on what is selected and wanted."""

    left = Signal()

    def __init__(
        self, look: Appearance, keymap: Keymap, versions: PageVersions, pictures: GuideImages
    ) -> None:
        super().__init__()
        self._versions = versions
        self._rows: tuple[PageVersionRow, ...] = ()
        self._pictures, self._shown = pictures, dict[str, str]()
        self.title = ElidedLabel(rank="title")
        self.list = QListWidget()
        self.list.setItemDelegate(VersionDelegate(look, self.list))
        self.tabs = KeyTabBar(look, keymap, _TABS)
        self._shows = QStackedWidget()
        self.changed = DiffView(look)
        self.page = GuidePageView(look, pictures)
        self.told = ErrorBanner(look)
        self.why_not = ErrorBanner(look, icon="locked", colour="locked")
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
            Action.SHOW_CHANGES: lambda: self.tabs.setCurrentIndex(0),
            Action.SHOW_VERSION: lambda: self.tabs.setCurrentIndex(1),
        }
        bind_scope(self, keymap, Scope.GUIDE_VERSIONS, keys)
        versions.listen(self.render_view)

    def render_view(self, view: PageVersionsView) -> None:
        self.title.setText(f"Versions of “{view.title}”")
        self.told.say(view.told)
        self.why_not.say(view.why_not)
        self.restore.setEnabled(view.can_restore)
        self._render_rows(view)
        self.changed.show_lines(view.changed)
        if dict(view.pictures) != self._shown:
            self._shown = dict(view.pictures)
            self._pictures.clear_own_images()
        if view.html is not None:
            self.page.show_page(view.html, title=view.title, wanted=None)

    def _render_rows(self, view: PageVersionsView) -> None:
        with QSignalBlocker(self.list):
            if view.rows != self._rows:
                self._rows = view.rows
                self.list.clear()
                for row in view.rows:
                    item = QListWidgetItem(f"Version {row.number} · {row.heading}")
                    item.setData(COMMENT_ROLE, row.comment)
                    self.list.addItem(item)
            self.list.setCurrentRow(view.selected)

    def _lay_out(self) -> None:
        self.list.setAccessibleName("Versions, the newest first")
        self.list.setObjectName("versions")
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.list)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._shows, stretch=1)
        self._shows.addWidget(self.changed)
        self._shows.addWidget(self.page)
        self.tabs.currentChanged.connect(self._shows.setCurrentIndex)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setHandleWidth(16)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self.list)
        halves.addWidget(right)
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
