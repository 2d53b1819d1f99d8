"""The taxonomy as a tree to walk through."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QModelIndex, QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from labeler.app.classes.taxonomy_browser import TaxonomyView
from labeler.app.keymap import Action, Keymap, Scope
from labeler.core.classes.taxonomy_tree import NO_PARENT
from labeler.ui.classes.taxonomy.row_delegate import TaxonomyRowDelegate, TaxonomyRowState
from labeler.ui.classes.taxonomy.tree_model import AnyModelIndex, TaxonomyModel
from labeler.ui.classes.taxonomy.tree_pictures import TreePictures
from labeler.ui.kit.input.search_field import typed_text
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance

INDENTATION, MIN_INDENTATION = 14, 4
# Other taxonomies may be deep: no more than this part of the width goes to indentation.
_PART_FOR_INDENTATION = 0.35
_FIRST_SYMBOL_X = 11


class TaxonomyTreeView(QTreeView):
    """Renders the tree, and tells what a person does in it: never what was rendered."""

    row_selected = Signal(int)
    class_entered = Signal(str)
    class_chosen = Signal(str)
    left = Signal()
    typed = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        keymap: Keymap,
        view: TaxonomyView,
        pictures: TreePictures | None = None,
    ) -> None:
        super().__init__()
        self._rows = TaxonomyRowDelegate(appearance, pictures)
        self._pictures = pictures
        if pictures is not None:
            pictures.listen(self.viewport().update)
        self._taxonomy = TaxonomyModel(view.tree)
        self._number = self._taxonomy.number_of
        self._rendering = False
        self._current = self._hovered = NO_PARENT
        self._opened: frozenset[int] = frozenset()
        self._in_order: Sequence[int] | None = None
        self._deepest: int | None = None
        self.setItemDelegate(self._rows)
        self.setModel(self._taxonomy)
        self._set_up()
        self._connect(appearance, keymap)

    def render_view(self, view: TaxonomyView) -> None:
        """Show the tree with what is selected in sight; a tree of found classes is all open."""
        with self._quietly():
            moved = self._taxonomy.show(view.tree)
            if moved:
                self._current = self._hovered = NO_PARENT
                self._note_opened(frozenset())
            if view.filtered and moved:
                self._open_all()
            elif not view.filtered:
                moved = self._open_only(frozenset(view.opened)) or moved
            self.ensure_visible(view.selected, in_the_middle=moved)

    def ensure_visible(self, row: int | None, *, in_the_middle: bool = False) -> None:
        """Make a row the current one and scroll to it, no farther than needed or to the middle."""
        hint = QAbstractItemView.ScrollHint
        index = QModelIndex() if row is None else self._taxonomy.index_of(row)
        with self._quietly():
            self.setCurrentIndex(index)
            self.scrollTo(index, hint.PositionAtCenter if in_the_middle else hint.EnsureVisible)

    def currentChanged(self, current: AnyModelIndex, previous: AnyModelIndex) -> None:
        super().currentChanged(current, previous)
        self._current = self._number(current)
        if current.isValid() and not self._rendering:
            self.row_selected.emit(self._current)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in sight: Qt's own way asks the model for ten times as much."""
        painter, tree = QPainter(self.viewport()), self._taxonomy.tree
        self._rows.prepare(width=self.viewport().width(), dense=self.devicePixelRatioF())
        height, scrolled, step = self._rows.height, self.verticalOffset(), self._step()
        first = (event.rect().top() + scrolled) // height
        last = (event.rect().bottom() + scrolled) // height
        in_sight = self._unhidden()[first : last + 1]
        if self._pictures is not None:
            self._pictures.request(tree, in_sight)
        for place, number in enumerate(in_sight, first):
            self._rows.paint_row(
                painter,
                place * height - scrolled,
                tree.row(number),
                sign_at=tree.depths[number] * step + _FIRST_SYMBOL_X,
                state=TaxonomyRowState(
                    current=number == self._current,
                    hovered=number == self._hovered,
                    open=number in self._opened,
                ),
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Typing searches from here too; the arrows are Qt's, the rest is the keymap's."""
        text = typed_text(event)
        if text:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Qt makes the first row the current one, which no one went to.
        with self._quietly():
            super().focusInEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self._number(self.indexAt(event.position().toPoint())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(NO_PARENT)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        before, self._rendering = self._rendering, True
        try:
            yield
        finally:
            self._rendering = before

    def _set_up(self) -> None:
        self.setObjectName("taxonomy")
        self.setAccessibleName("Taxonomy")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(INDENTATION)
        self.setMouseTracking(True)
        # One click opens a branch already.
        self.setExpandsOnDoubleClick(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _connect(self, appearance: Appearance, keymap: Keymap) -> None:
        self.clicked.connect(self._toggle)
        self.doubleClicked.connect(lambda index: self._emit_class(self.class_chosen, index))
        self.expanded.connect(lambda at: self._note_opened(self._opened | {self._number(at)}))
        self.collapsed.connect(lambda at: self._note_opened(self._opened - {self._number(at)}))
        appearance.changed.connect(self.scheduleDelayedItemsLayout)
        handlers = {
            Action.CHOOSE_IN_TAXONOMY: self._choose_or_toggle,
            Action.LEAVE_TAXONOMY: self.left.emit,
        }
        actions = bind_scope(self, keymap, Scope.TAXONOMY, handlers)
        # A key held down goes on wherever choosing leads to, and might submit there.
        actions[Action.CHOOSE_IN_TAXONOMY].setAutoRepeat(False)

    def _note_opened(self, rows: frozenset[int]) -> None:
        self._opened = rows
        self._in_order = self._deepest = None

    def _unhidden(self) -> Sequence[int]:
        """The rows whose branches are all open, from the top."""
        if self._in_order is None:
            self._in_order = self._taxonomy.tree.visible_rows(self._opened)
        return self._in_order

    def _step(self) -> int:
        """How far a row is to the right of its branch: less where there is little room."""
        depths = self._taxonomy.tree.depths
        if self._deepest is None:
            self._deepest = max((depths[row] for row in self._unhidden()), default=0)
        room = int(self.viewport().width() * _PART_FOR_INDENTATION / max(self._deepest, 1))
        return max(MIN_INDENTATION, min(INDENTATION, room))

    def _open_all(self) -> None:
        # Qt would tell of each row.
        with QSignalBlocker(self):
            self.expandAll()
        self._note_opened(self._taxonomy.tree.expandable)

    def _open_only(self, rows: frozenset[int]) -> bool:
        """Open these rows and close all others; tell whether that changed anything."""
        if rows == self._opened:
            return False
        with QSignalBlocker(self):
            self.collapseAll()
            for row in sorted(rows):
                self.expand(self._taxonomy.index_of(row))
        self._note_opened(rows)
        return True

    def _choose_or_toggle(self) -> None:
        self._emit_class(self.class_entered, self.currentIndex())
        self._toggle(self.currentIndex())

    def _emit_class(self, signal: SignalInstance, index: AnyModelIndex) -> None:
        number = self._number(index)
        if number != NO_PARENT and self._taxonomy.tree.is_class(number):
            signal.emit(self._taxonomy.tree.key(number))

    def _toggle(self, index: AnyModelIndex) -> None:
        if index.isValid() and not self._taxonomy.tree.is_class(self._number(index)):
            self.setExpanded(index, not self.isExpanded(index))

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.viewport().update()
