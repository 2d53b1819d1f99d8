"""The versions of a page: a list on the left, the changes and the page on the right."""

from html import escape

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
    QWidget,
)

from labeler.app.guide.versions import PageVersionRow, PageVersions, PageVersionsView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.guide.diff import DiffLine, LineChange
from labeler.ui.guide.page_images import GuideImages
from labeler.ui.guide.page_view import MAX_TEXT_WIDTH, GuidePageView
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyTabBar
from labeler.ui.kit.layout.boxes import grow, hbox, hsplit, vbox
from labeler.ui.kit.text.error_banner import BannerKind, ErrorBanner
from labeler.ui.kit.text.labels import ElidedLabel
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance, TypeSize

_MARGIN = 16
_NO_CHANGES = "The text is unchanged."


class DiffView(QTextBrowser):
    """Added lines have a plus sign, removed ones a minus sign and are struck through."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._lines: tuple[DiffLine, ...] = ()
        self.setObjectName("guide")
        self.setOpenLinks(False)
        self.setAccessibleName("Changes")
        self.document().setDocumentMargin(_MARGIN)
        appearance.changed.connect(self._write)

    def show_lines(self, lines: tuple[DiffLine, ...]) -> None:
        self._lines = lines
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._write()

    def _write(self) -> None:
        rows = "".join(map(self._row, self._lines)) or f"<tr><td>{_NO_CHANGES}</td></tr>"
        wide = min(self.viewport().width() - 2 * _MARGIN, MAX_TEXT_WIDTH)
        self.setHtml(f'<table width="{wide}" cellspacing="0" cellpadding="2">{rows}</table>')

    def _row(self, line: DiffLine) -> str:
        text = escape(line.text) or "&nbsp;"
        match line.line:
            case LineChange.ADDED:
                colour, sign, shown = "open", "+", f"<b>{text}</b>"
            case LineChange.REMOVED:
                colour, sign, shown = "fault", "−", f"<s>{text}</s>"
            case LineChange.LEFT_OUT:
                colour, sign, shown = "muted", "", "…"
            case LineChange.SAME:
                colour, sign, shown = "muted", "", text
        style = f"color: {self._appearance.colour(colour).name()}"
        return (
            f'<tr><td width="16" style="{style}">{sign}</td><td style="{style}">{shown}</td></tr>'
        )


COMMENT_ROLE = Qt.ItemDataRole.UserRole
_SIDE, _ABOVE, _BETWEEN, _BAR = 12, 8, 2, 4
_UNBOUNDED_HEIGHT = 1000


class VersionDelegate(QStyledItemDelegate):
    """Paints a bold heading and a comment, wrapped as needed."""

    def __init__(self, appearance: Appearance, versions: QListWidget) -> None:
        super().__init__(versions)
        self._appearance, self._list = appearance, versions

    def sizeHint(
        self,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,
    ) -> QSize:
        wide = self._list.viewport().width()
        return QSize(wide, sum(self._heights(index, wide)) + _BETWEEN + 2 * _ABOVE)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        area: QRect = option.rect
        painter.save()
        self._paint_ground(painter, area, option)
        inside = area.adjusted(_SIDE, _ABOVE, -_SIDE, -_ABOVE)
        heading, _comment = self._heights(index, area.width())
        wrap = Qt.TextFlag.TextWordWrap
        painter.setFont(self._appearance.font(TypeSize.BODY, strong=True))
        painter.setPen(self._appearance.colour("text"))
        painter.drawText(inside, wrap, index.data())
        inside.setTop(inside.top() + heading + _BETWEEN)
        painter.setFont(self._appearance.font(TypeSize.CAPTION))
        painter.setPen(self._appearance.colour("muted"))
        painter.drawText(inside, wrap, index.data(COMMENT_ROLE))
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self._appearance.colour("accent_soft"))
            bar = QRect(area.left(), area.top(), _BAR, area.height())
            painter.fillRect(bar, self._appearance.colour("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self._appearance.colour("hover"))
        line = QRect(area.left(), area.bottom(), area.width(), 1)
        painter.fillRect(line, self._appearance.colour("line"))

    def _heights(self, index: QModelIndex | QPersistentModelIndex, wide: int) -> tuple[int, int]:
        """Return the heights of the heading and the comment."""
        room = QRect(0, 0, max(1, wide - 2 * _SIDE), _UNBOUNDED_HEIGHT)
        fonts = (
            self._appearance.font(TypeSize.BODY, strong=True),
            self._appearance.font(TypeSize.CAPTION),
        )
        words = index.data(), index.data(COMMENT_ROLE)
        heading, comment = (
            QFontMetrics(font).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
            if text
            else 0
            for font, text in zip(fonts, words, strict=True)
        )
        return heading, comment


_LIST, _PAGE = 400, 900
_TABS = {Action.SHOW_CHANGES: "Changes", Action.SHOW_VERSION: "Page"}


class GuideVersionsScreen(QWidget):
    """Renders the versions and forwards selections."""

    left = Signal()

    def __init__(
        self, appearance: Appearance, keymap: Keymap, versions: PageVersions, pictures: GuideImages
    ) -> None:
        super().__init__()
        self._versions = versions
        self._rows: tuple[PageVersionRow, ...] = ()
        self._pictures, self._shown = pictures, dict[str, str]()
        self.title = ElidedLabel(rank="title")
        self.list = QListWidget()
        self.list.setItemDelegate(VersionDelegate(appearance, self.list))
        self.tabs = KeyTabBar(appearance, keymap, _TABS)
        self._shows = QStackedWidget()
        self.changed = DiffView(appearance)
        self.page = GuidePageView(appearance, pictures)
        self.error_banner = ErrorBanner(appearance)
        self.why_not = ErrorBanner(appearance, BannerKind.LOCKED)
        self.restore = KeyButton(appearance, keymap[Action.RESTORE_VERSION], "Restore", main=True)
        self.back = KeyButton(appearance, keymap[Action.LEAVE_VERSIONS], "Back to page")
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
        self.error_banner.say(view.message)
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
        self.list.setAccessibleName("Versions, newest first")
        self.list.setObjectName("versions")
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.list)
        right = QWidget()
        vbox(self.tabs, grow(self._shows), on=right, spacing=0)
        self._shows.addWidget(self.changed)
        self._shows.addWidget(self.page)
        self.tabs.currentChanged.connect(self._shows.setCurrentIndex)
        halves = hsplit(self.list, right, sizes=(_LIST, _PAGE), shares=(0, 1))
        head = hbox(grow(self.title), self.back, self.restore)
        vbox(head, self.error_banner, self.why_not, grow(halves), on=self, margins=(16, 16, 16, 8))
