"""The taxonomy's tree, as Qt's views want it."""

from collections.abc import Callable
from itertools import repeat
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.classes.class_view import PATH_SEPARATOR
from labeler.core.classes.taxonomy_tree import NO_PARENT, TaxonomyTree, TaxonomyTreeRow

AnyModelIndex = QModelIndex | QPersistentModelIndex


class TaxonomyModel(QAbstractItemModel):
    """A tree that is replaced as a whole.

    An index's id is one more than its row's number in the tree: what is above the top has the id 0.
    """

    def __init__(self, tree: TaxonomyTree) -> None:
        super().__init__()
        self._take(tree)

    @property
    def tree(self) -> TaxonomyTree:
        return self._tree

    def show(self, tree: TaxonomyTree) -> bool:
        """Replace the tree; the same again changes nothing, and is answered with False."""
        if tree is self._tree:
            return False
        self.beginResetModel()
        self._take(tree)
        self.endResetModel()
        return True

    def index_of(self, number: int) -> QModelIndex:
        """Where a row of the tree is in the model."""
        return self._indexes[number + 1]

    @staticmethod
    def number_of(index: AnyModelIndex) -> int:
        """The row's number in the tree; above the top it is `TOP`."""
        return index.internalId() - 1

    def index(self, row: int, column: int, parent: AnyModelIndex = QModelIndex()) -> QModelIndex:  # noqa: ARG002, B008
        siblings = self._children[parent.internalId()]
        return self._indexes[siblings[row] + 1] if 0 <= row < len(siblings) else QModelIndex()

    def parent(self, index: AnyModelIndex) -> QModelIndex:  # type: ignore[override]
        return self.index_of(self._parents[index.internalId()])

    def rowCount(self, parent: AnyModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(self._children[parent.internalId()])

    def hasChildren(self, parent: AnyModelIndex = QModelIndex()) -> bool:  # noqa: B008
        return bool(self._children[parent.internalId()])

    def columnCount(self, parent: AnyModelIndex = QModelIndex()) -> int:  # noqa: ARG002, B008
        return 1

    def data(self, index: AnyModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        words = _WORDS.get(role)
        return words(self._tree.row(self.number_of(index))) if words else None

    def _take(self, tree: TaxonomyTree) -> None:
        self._tree = tree
        self._children = (tree.top, *tree.children)
        self._parents = (NO_PARENT, *tree.parents)
        # Qt asks for each of them many times.
        made = map(self.createIndex, tree.positions, repeat(0), range(1, len(tree) + 1))
        self._indexes = (QModelIndex(), *made)


def _tooltip_text(row: TaxonomyTreeRow) -> str:
    """The row's text where there may be no room for it."""
    return PATH_SEPARATOR.join((*row.folded, row.name))


def _accessible_text(row: TaxonomyTreeRow) -> str:
    """What the row's painting tells, for those who can't see it."""
    count = "1 class" if row.classes == 1 else f"{row.classes} classes"
    kind = "class" if row.is_class else f"branch with {count}"
    return ", under ".join((kind, *reversed(row.folded)))


_WORDS: dict[int, Callable[[TaxonomyTreeRow], str]] = {
    Qt.ItemDataRole.DisplayRole: lambda row: row.name,
    Qt.ItemDataRole.ToolTipRole: _tooltip_text,
    Qt.ItemDataRole.AccessibleDescriptionRole: _accessible_text,
}
