"""Brings the originals of reference images to a grid that has one enlarged."""

from collections.abc import Callable

from PySide6.QtGui import QImage, QPixmap
from shiboken6 import isValid

from labeler.app.classes.reference_originals import OriginalKey, OriginalLoader
from labeler.ui.classes.reference_grid import ReferenceGrid


def load_originals(
    originals: OriginalLoader[QImage], grid: ReferenceGrid, *, wnid: Callable[[], str]
) -> None:
    """From now on have each image enlarged in the grid shown from its original."""

    def fetch(number: int) -> None:
        originals.show(OriginalKey(wnid(), number), lambda image: arrived(number, image))

    def arrived(number: int, image: QImage) -> None:
        # A column of the comparison may have gone while its image was on the way.
        if isValid(grid):
            grid.sharpen(number, QPixmap.fromImage(image))

    grid.tile_enlarged.connect(fetch)
