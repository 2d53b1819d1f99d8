"""The guide's contents next to its page: superclasses with the pages on their classes."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QResizeEvent
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from labeler.app.guide.contents import GuideContentsView, UnpublishedPage
from labeler.guide.contents import ContentsGroup
from labeler.ui.window.theme import Appearance, TypeSize

# The guide is only imported when someone opens it.

_INDENT, _ABOVE = 12, 4
_SIDE_MARGIN = 16  # total margin at both ends of a line
_UNBOUNDED_HEIGHT = 1000
_SLUG, _KIND = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class _EntryKind(IntEnum):
    """What an entry opens: a page, a draft, or the versions of a retired page."""

    PAGE = 0
    DRAFT = 1
    RETIRED = 2


class GuideContentsTree(QTreeWidget):
    """Foldable groups of pages; own drafts come first, retired pages last."""

    page_wanted = Signal(str)
    draft_wanted = Signal(str)
    retired_wanted = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._shown: tuple[object, GuideContentsView] | None = None
        self.setObjectName("guide_contents")
        self.setAccessibleName("Guide contents")
        self.setHeaderHidden(True)
        self.setIndentation(_INDENT)
        self.setWordWrap(True)
        self.setItemDelegate(_WrappedTitleDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._open)
        self.itemActivated.connect(self._open)
        appearance.changed.connect(self._reapply_theme)

    def show_contents(self, groups: tuple[ContentsGroup, ...], shelf: GuideContentsView) -> None:
        """List the pages; the same list again keeps the folding."""
        if self._shown == (groups, shelf):
            return
        self._shown = groups, shelf
        self.clear()
        self._add_group("Your unpublished drafts", shelf.drafts, _EntryKind.DRAFT)
        for group in groups:
            lines = [UnpublishedPage(entry.slug, entry.title) for entry in group.entries]
            self._add_group(f"{group.title} ({len(lines)})", lines, _EntryKind.PAGE)
        self._add_group("Retired pages", shelf.retired, _EntryKind.RETIRED)
        self.expandAll()

    def show_current(self, slug: str | None) -> None:
        """Highlight the open page."""
        items = [item for item in self._pages() if item.data(0, _SLUG) == slug]
        published = [item for item in items if item.data(0, _KIND) == _EntryKind.PAGE]
        if published:
            self.setCurrentItem(published[0])
        else:
            self.clearSelection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _add_group(self, title: str, lines: Sequence[UnpublishedPage], kind: _EntryKind) -> None:
        if not lines:
            return
        group = QTreeWidgetItem(self, [title])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for line in lines:
            item = QTreeWidgetItem(group, [line.title])
            item.setData(0, _SLUG, line.slug)
            item.setData(0, _KIND, int(kind))
        self._apply_theme(group)

    def _pages(self) -> list[QTreeWidgetItem]:
        return [
            page
            for number in range(self.topLevelItemCount())
            if (group := self.topLevelItem(number)) is not None
            for place in range(group.childCount())
            if (page := group.child(place)) is not None
        ]

    def _apply_theme(self, group: QTreeWidgetItem) -> None:
        group.setFont(0, self._appearance.font(TypeSize.CAPTION, strong=True))
        group.setForeground(0, QBrush(self._appearance.colour("muted")))

    def _reapply_theme(self) -> None:
        for number in range(self.topLevelItemCount()):
            group = self.topLevelItem(number)
            if group is not None:
                self._apply_theme(group)

    def _open(self, item: QTreeWidgetItem) -> None:
        slug = item.data(0, _SLUG)
        if slug is None:
            item.setExpanded(not item.isExpanded())
        else:
            wanted = {
                _EntryKind.PAGE: self.page_wanted,
                _EntryKind.DRAFT: self.draft_wanted,
                _EntryKind.RETIRED: self.retired_wanted,
            }
            wanted[_EntryKind(item.data(0, _KIND))].emit(slug)


class _WrappedTitleDelegate(QStyledItemDelegate):
    """Wraps every title to the available width."""

    def __init__(self, contents: GuideContentsTree) -> None:
        super().__init__(contents)
        self._contents = contents

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        self.initStyleOption(option, index)
        steps = 2 if index.parent().isValid() else 1
        wide = self._contents.viewport().width() - steps * _INDENT - _SIDE_MARGIN
        room = QRect(0, 0, max(wide, 1), _UNBOUNDED_HEIGHT)
        words = option.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap, option.text)
        return QSize(wide, words.height() + 2 * _ABOVE)
