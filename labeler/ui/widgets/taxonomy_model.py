"""The taxonomy's tree, as Qt's views want it."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from labeler.app.presenters.class_views import STEP
from labeler.core.taxonomy_tree import TOP, TaxonomyTree, TreeRow

Index = QModelIndex | QPersistentModelIndex


class TaxonomyModel(QAbstractItemModel):
    """A tree that is replaced as a whole; an index's id is the number of its row in the tree."""

    def __init__(self, tree: TaxonomyTree) -> None:
        super().__init__()
        self._tree = tree
        self._index_all()

    @property
    def tree(self) -> TaxonomyTree:
        return self._tree

    def show(self, tree: TaxonomyTree) -> bool:
        """Replace the tree; the same again changes nothing, and is answered with False."""
        if tree is self._tree:
            return False
        self.beginResetModel()
        self._tree = tree
        self._index_all()
        self.endResetModel()
        return True

    def index_of(self, number: int) -> QModelIndex:
        """Where a row of the tree is in the model."""
        return self._indexes[number]

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: ARG002, B008
        tree = self._tree
        siblings = tree.children[parent.internalId()] if parent.isValid() else tree.top
        return self._indexes[siblings[row]] if 0 <= row < len(siblings) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        # The last of the indexes is the one above the top, whose number is -1.
        return self._indexes[self._tree.parents[index.internalId()]]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        tree = self._tree
        return len(tree.children[parent.internalId()] if parent.isValid() else tree.top)

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        tree = self._tree
        return bool(tree.children[parent.internalId()] if parent.isValid() else tree.top)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: ARG002, B008
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._tree.row(index.internalId()).name
        if role == Qt.ItemDataRole.ToolTipRole:
            return _in_full(self._tree.row(index.internalId()))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return _described(self._tree.row(index.internalId()))
        return None

    def _index_all(self) -> None:
        # Qt asks for indexes many times more often than there are rows.
        made = map(self._made, range(len(self._tree)))
        self._indexes = [*made, QModelIndex()]
        assert self._indexes[TOP] == QModelIndex(), "the top is above all rows"

    def _made(self, number: int) -> QModelIndex:
        return self.createIndex(self._tree.positions[number], 0, number)


def _in_full(row: TreeRow) -> str:
    """The row's text where there may be no room for it."""
    return STEP.join((*row.folded, row.name))


def _described(row: TreeRow) -> str:
    """What the row's painting tells, for those who can't see it."""
    count = "1 class" if row.classes == 1 else f"{row.classes} classes"
    kind = "class" if row.is_class else f"branch with {count}"
    return ", under ".join((kind, *reversed(row.folded)))
