"""The pictures of a guide page: its own files and reference images."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from labeler.app.runner import Runner
from labeler.guide.links import PictureFile, ReferencePicture, parse_picture

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
        self._found: dict[str, QImage | bytes | None] = {}
        self._coming: set[str] = set()
        self._turn = 0

    def want(self, addresses: Iterable[str]) -> None:
        """Load what isn't loaded yet; `arrived` is emitted when it is."""
        new = tuple(a for a in addresses if a not in self._found and a not in self._coming)
        if new:
            self._coming.update(new)
            turn = self._turn
            self._runner.run(
                "load guide pictures",
                lambda: {address: self._read(address) for address in new},
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

    def fitting(self, address: str, width: int, ratio: float, *, ink: str) -> QImage | None:
        """Return the picture, at most this wide; `ratio` is the device pixel ratio."""
        image = self._found.get(address)
        if isinstance(image, bytes):
            return _drawn(image, width, ratio, ink)
        if image is None or image.width() <= width:
            return image
        pixels = min(image.width(), round(width * ratio))
        shrunk = _scaled_to_width(image, pixels)
        shrunk.setDevicePixelRatio(pixels / width)
        return shrunk

    def _take(self, read: Mapping[str, QImage | bytes | None], turn: int) -> None:
        late = turn != self._turn
        taken = {a: image for a, image in read.items() if not (late and _is_own(a))}
        self._found.update(taken)
        self._coming.difference_update(taken)
        self.arrived.emit()

    def _read(self, address: str) -> QImage | bytes | None:
        """Load the picture from its file; called on a worker."""
        image: QImage | None = None
        match parse_picture(address):
            case ReferencePicture(wnid, number):
                image = self._reference(wnid, number)
            case PictureFile(path) as picture if picture.is_schematic:
                return _safe_schematic(self._own(path))
            case PictureFile(path):
                image = QImage.fromData(self._own(path) or b"")
        if image is None or image.isNull():
            return None
        return _scaled_to_width(image, min(image.width(), _MAX_WIDTH))


def _is_own(address: str) -> bool:
    return not address.startswith("ref:")


def _safe_schematic(content: bytes | None) -> bytes | None:
    from labeler.guide.schematics import schematic_size
    from labeler.images.unreadable import UnreadableImage

    try:
        return content if content and schematic_size(content) else None
    except UnreadableImage:
        return None


def _drawn(schematic: bytes, room: int, ratio: float, ink: str) -> QImage:
    from labeler.guide.schematics import SCHEMATIC_SCALE, schematic_size, with_ink

    across, down = schematic_size(schematic)
    width = min(room, round(across * SCHEMATIC_SCALE))
    image = QImage(
        round(width * ratio),
        max(1, round(width * ratio * down / across)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(with_ink(schematic, ink))).render(painter)
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def _scaled_to_width(image: QImage, pixels: int) -> QImage:
    return image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
