"""The small pictures of the tree: one reference of a class, or of a class of a superclass."""

from collections.abc import Callable, Collection, Iterable

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from labeler.app.classes.map_pictures import FirstReferences
from labeler.core.classes.taxonomy_tree import NO_PARENT, TaxonomyTree
from labeler.ui.classes.result_pictures import draw_cropped

PICTURE_WIDTH, PICTURE_HEIGHT = 28, 20


class TreePictures:
    """Loads the pictures of the rows in sight; a superclass borrows one of its classes' pictures.

    `illustrated` returns the classes that have references.
    """

    def __init__(
        self, references: FirstReferences[QImage], illustrated: Callable[[], Collection[str]]
    ) -> None:
        self._references, self._illustrated = references, illustrated
        self._samples: dict[str, str | None] = {}

    def listen(self, notify: Callable[[], None]) -> None:
        """Call back whenever a picture has been loaded."""
        self._references.listen(lambda _wnid: notify())

    def request(self, tree: TaxonomyTree, rows: Iterable[int]) -> None:
        """Load the pictures of the superclasses and classes among these rows."""
        wanted = []
        for row in rows:
            if tree.is_class(row) or tree.parents[row] == NO_PARENT:
                sample = self._sample(tree.key(row), tree.found[row])
                wanted += [sample] if sample else []
        self._references.request(wanted)

    def paint(self, painter: QPainter, area: QRect, key: str) -> bool:
        """Paint a row's picture if it is loaded; return whether the row has one."""
        sample = self._samples.get(key)
        if sample is None:
            return False
        loaded = self._references.get(sample)
        if loaded is not None and loaded.tiles:
            draw_cropped(painter, QRectF(area), loaded.sheet, loaded.tiles[0])
        return True

    def _sample(self, key: str, wnids: Iterable[str]) -> str | None:
        if key not in self._samples:
            illustrated = self._illustrated()
            self._samples[key] = next((wnid for wnid in wnids if wnid in illustrated), None)
        return self._samples[key]
