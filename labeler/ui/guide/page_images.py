"""The pictures of a guide page: its own files and reference images."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from labeler.app.runner import Runner

OwnImageReader = Callable[[str], bytes | None]
ReferenceImageReader = Callable[[str, int], QImage | None]
# Enough for a page on a large screen; more would only use memory.
_MAX_WIDTH = 1600


class GuideImages(QObject):
    """Loads pictures by the addresses in rendered pages, and refuses all others."""

    arrived = Signal()

    def __init__(
        self, own: OwnImageReader, reference: ReferenceImageReader, *, runner: Runner
    ) -> None:
        """`own` returns a picture file's bytes by its path in the guide, on a worker.

        `reference` returns a reference image of a class by number, from 1, also on a worker.
        """
        super().__init__()
        self._own = own
        self._reference = reference
        self._runner = runner
        self._found: dict[str, QImage | None] = {}
        self._coming: set[str] = set()
        self._turn = 0

    def want(self, addresses: Iterable[str]) -> None:
        """Load what isn't loaded yet; `arrived` is emitted when it is."""
        new = tuple(a for a in addresses if a not in self._found and a not in self._coming)
        if new:
            self._coming.update(new)
            turn = self._turn
            self._runner.submit(
                lambda _job: {address: self._read(address) for address in new},
                done=lambda read: self._take(read, turn),
                failed=lambda _error: self._take(dict.fromkeys(new), turn),
            )

    def clear_own_images(self) -> None:
        """Reload the guide's own files, because another version can show others."""
        self._turn += 1
        self._found = {a: found for a, found in self._found.items() if not _is_own(a)}
        self._coming = {address for address in self._coming if not _is_own(address)}

    def has(self, address: str) -> bool:
        """Return whether the picture exists or is being loaded."""
        return self._found.get(address) is not None or address in self._coming

    def fitting(self, address: str, width: int, ratio: float) -> QImage | None:
        """Return the picture, at most this wide; `ratio` is the device pixel ratio."""
        image = self._found.get(address)
        if image is None or image.width() <= width:
            return image
        pixels = min(image.width(), round(width * ratio))
        shrunk = _scaled_to_width(image, pixels)
        shrunk.setDevicePixelRatio(pixels / width)
        return shrunk

    def _take(self, read: Mapping[str, QImage | None], turn: int) -> None:
        late = turn != self._turn
        taken = {a: image for a, image in read.items() if not (late and _is_own(a))}
        self._found.update(taken)
        self._coming.difference_update(taken)
        self.arrived.emit()

    def _read(self, address: str) -> QImage | None:
        """Load the picture from its file; called on a worker."""
        from labeler.guide.links import PictureFile, ReferencePicture, parse_picture

        image: QImage | None = None
        match parse_picture(address):
            case ReferencePicture(wnid, number):
                image = self._reference(wnid, number)
            case PictureFile(path):
                image = QImage.fromData(self._own(path) or b"")
        if image is None or image.isNull():
            return None
        return _scaled_to_width(image, min(image.width(), _MAX_WIDTH))


def _is_own(address: str) -> bool:
    return not address.startswith("ref:")


def _scaled_to_width(image: QImage, pixels: int) -> QImage:
    return image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
