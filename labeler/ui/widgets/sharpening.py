"""Brings the originals of reference images to a grid that has one enlarged."""

from collections.abc import Callable

from PySide6.QtGui import QImage, QPixmap

from labeler.app.presenters.originals import OriginalPlace, Originals
from labeler.ui.widgets.reference_grid import ReferenceGrid


def sharpen_from(
    originals: Originals[QImage], grid: ReferenceGrid, *, wnid: Callable[[], str]
) -> None:
    """From now on have each image enlarged in the grid shown from its original."""

    def fetch(number: int) -> None:
        place = OriginalPlace(wnid(), number)
        originals.show(place, lambda image: grid.sharpen(number, QPixmap.fromImage(image)))

    grid.tile_enlarged.connect(fetch)
