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

    @property
    def has_any(self) -> bool:
        """Whether any row so far has a picture."""
        return any(self._samples.values())

    def request(self, tree: TaxonomyTree, rows: Iterable[int]) -> None:
        """Load the pictures of the superclasses and classes among these rows."""
        shown = [row for row in rows if tree.is_class(row) or tree.parents[row] == NO_PARENT]
        unknown = [row for row in shown if tree.key(row) not in self._samples]
        if unknown:
            # The folder is listed once, not for each row.
            illustrated = self._illustrated()
            for row in unknown:
                found = (wnid for wnid in tree.found[row] if wnid in illustrated)
                self._samples[tree.key(row)] = next(found, None)
        samples = (self._samples[tree.key(row)] for row in shown)
        self._references.request([sample for sample in samples if sample])

    def paint(self, painter: QPainter, area: QRect, key: str) -> bool:
        """Paint a row's picture if it is loaded; return whether the row has one."""
        sample = self._samples.get(key)
        if sample is None:
            return False
        loaded = self._references.get(sample)
        if loaded is not None and loaded.tiles:
            draw_cropped(painter, QRectF(area), loaded.sheet, loaded.tiles[0])
        return True
