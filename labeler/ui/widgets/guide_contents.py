"""The guide's contents beside its page: superclasses with the pages on their classes."""

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from labeler.app.presenters.guide_shelf import ShelfLine, ShelfView
from labeler.ui.look import Look
from labeler.ui.theme import TypeSize

if TYPE_CHECKING:
    # Nothing of the guide is imported before somebody opens it.
    from labeler.guide.contents import ContentsGroup

_SLUG, _KIND = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class _Kind(IntEnum):
    """Where a line leads: to a page, to a draft of one's own, to a retired page's versions."""

    PAGE = 0
    DRAFT = 1
    RETIRED = 2


class GuideContents(QTreeWidget):
    """Groups that fold, pages that open; own drafts stand on top, retired pages at the end."""

    page_wanted = Signal(str)
    draft_wanted = Signal(str)
    retired_wanted = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[object, ShelfView] | None = None
        self.setObjectName("guide_contents")
        self.setAccessibleName("Contents of the guide")
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._open)
        self.itemActivated.connect(self._open)
        look.changed.connect(self._redress)

    def show_contents(self, groups: "tuple[ContentsGroup, ...]", shelf: ShelfView) -> None:
        """List the pages; the same list again changes nothing, so that what is folded stays."""
        if self._shown == (groups, shelf):
            return
        self._shown = groups, shelf
        self.clear()
        self._add_group("Your drafts, not published", shelf.drafts, _Kind.DRAFT)
        for group in groups:
            lines = [ShelfLine(entry.slug, entry.title) for entry in group.entries]
            self._add_group(f"{group.title} ({len(lines)})", lines, _Kind.PAGE)
        self._add_group("Retired pages", shelf.retired, _Kind.RETIRED)
        self.expandAll()

    def show_current(self, slug: str | None) -> None:
        """Mark the page that is open."""
        items = [item for item in self._pages() if item.data(0, _SLUG) == slug]
        published = [item for item in items if item.data(0, _KIND) == _Kind.PAGE]
        if published:
            self.setCurrentItem(published[0])
        else:
            self.clearSelection()

    def _add_group(self, title: str, lines: Sequence[ShelfLine], kind: _Kind) -> None:
        if not lines:
            return
        group = QTreeWidgetItem(self, [title])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for line in lines:
            item = QTreeWidgetItem(group, [line.title])
            item.setData(0, _SLUG, line.slug)
            item.setData(0, _KIND, int(kind))
            item.setToolTip(0, line.title)
        self._dress(group)

    def _pages(self) -> list[QTreeWidgetItem]:
        return [
            page
            for number in range(self.topLevelItemCount())
            if (group := self.topLevelItem(number)) is not None
            for place in range(group.childCount())
            if (page := group.child(place)) is not None
        ]

    def _dress(self, group: QTreeWidgetItem) -> None:
        group.setFont(0, self._look.font(TypeSize.CAPTION, strong=True))
        group.setForeground(0, QBrush(self._look.colour("muted")))

    def _redress(self) -> None:
        for number in range(self.topLevelItemCount()):
            group = self.topLevelItem(number)
            if group is not None:
                self._dress(group)

    def _open(self, item: QTreeWidgetItem) -> None:
        slug = item.data(0, _SLUG)
        if slug is None:
            item.setExpanded(not item.isExpanded())
        else:
            wanted = {
                _Kind.PAGE: self.page_wanted,
                _Kind.DRAFT: self.draft_wanted,
                _Kind.RETIRED: self.retired_wanted,
            }
            wanted[_Kind(item.data(0, _KIND))].emit(slug)
