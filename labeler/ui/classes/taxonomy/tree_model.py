"""The taxonomy's tree, as Qt's views want it."""

from collections.abc import Callable
from itertools import repeat
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.classes.class_view import STEP
from labeler.core.classes.taxonomy_tree import TOP, TaxonomyTree, TreeRow

Index = QModelIndex | QPersistentModelIndex


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
    def number_of(index: Index) -> int:
        """The row's number in the tree; above the top it is `TOP`."""
        return index.internalId() - 1

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: ARG002, B008
        siblings = self._children[parent.internalId()]
        return self._indexes[siblings[row] + 1] if 0 <= row < len(siblings) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        return self.index_of(self._parents[index.internalId()])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._children[parent.internalId()])

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        return bool(self._children[parent.internalId()])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: ARG002, B008
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        words = _WORDS.get(role)
        return words(self._tree.row(self.number_of(index))) if words else None

    def _take(self, tree: TaxonomyTree) -> None:
        self._tree = tree
        self._children = (tree.top, *tree.children)
        self._parents = (TOP, *tree.parents)
        # Qt asks for each of them many times.
        made = map(self.createIndex, tree.positions, repeat(0), range(1, len(tree) + 1))
        self._indexes = (QModelIndex(), *made)


def _in_full(row: TreeRow) -> str:
    """The row's text where there may be no room for it."""
    return STEP.join((*row.folded, row.name))


def _described(row: TreeRow) -> str:
    """What the row's painting tells, for those who can't see it."""
    count = "1 class" if row.classes == 1 else f"{row.classes} classes"
    kind = "class" if row.is_class else f"branch with {count}"
    return ", under ".join((kind, *reversed(row.folded)))


_WORDS: dict[int, Callable[[TreeRow], str]] = {
    Qt.ItemDataRole.DisplayRole: lambda row: row.name,
    Qt.ItemDataRole.ToolTipRole: _in_full,
    Qt.ItemDataRole.AccessibleDescriptionRole: _described,
}
