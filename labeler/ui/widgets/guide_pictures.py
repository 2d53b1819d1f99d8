"""The pictures that a page of the guide may show: its own files, and reference images."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

Reference = Callable[[str, int], QImage | None]


class GuidePictures:
    """Fetches pictures by the addresses that rendered pages have, and refuses all others."""

    def __init__(self, folder: Path, reference: Reference) -> None:
        """`reference` gives a class's reference image of a number, counted from 1."""
        self._folder = folder
        self._reference = reference

    def has(self, address: str) -> bool:
        return self.find(address) is not None

    def find(self, address: str) -> QImage | None:
        """The picture in its own size."""
        from labeler.guide.links import OwnPicture, ReferencePicture, picture_file, read_picture

        match read_picture(address):
            case ReferencePicture(wnid, number):
                return self._reference(wnid, number)
            case OwnPicture() as own:
                file = picture_file(own, folder=self._folder)
                image = QImage(str(file)) if file else QImage()
                return None if image.isNull() else image
        return None

    def fitting(self, address: str, width: int, ratio: float) -> QImage | None:
        """The picture, taking no more than the width; `ratio` is the screen's pixels to one."""
        image = self.find(address)
        if image is None or image.width() <= width:
            return image
        pixels = min(image.width(), round(width * ratio))
        shrunk = image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        shrunk.setDevicePixelRatio(pixels / width)
        return shrunk
