"""Contact sheets decoded for painting; safe on worker threads, which may make no pixmaps."""

from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QImageReader

from labeler.app.presenters.references import DamagedSheet, TileRect
from labeler.core.blind import EncodedPicture

# Below 50 Qt's JPEG reader takes the quick transform: a third less time, and tiles, which are
# shrunk to be painted, look the same.
_QUICK = 49
_SCREEN = (1024, 1024)


def decode_sheet(file: Path) -> QImage:
    """The whole sheet; Qt's reader gives a JPEG in the format that paints fastest."""
    return _read(_reader(file), file)


def decode_tile(file: Path, tile: TileRect) -> QImage:
    """One image of a sheet; only the sheet's rows down to it are decoded."""
    reader = _reader(file)
    reader.setClipRect(QRect(tile.x, tile.y, tile.width, tile.height))
    return _read(reader, file)


def _reader(file: Path) -> QImageReader:
    reader = QImageReader(str(file), b"jpeg")
    reader.setQuality(_QUICK)
    return reader


def _read(reader: QImageReader, file: Path) -> QImage:
    image = reader.read()
    if image.isNull():
        raise DamagedSheet(file.stem)
    return image


def decode_original(encoded: EncodedPicture, size: tuple[int, int] = _SCREEN) -> QImage:
    """An original through the product's one decoder, no larger than a screen needs it."""
    # Pillow and NumPy come with it: a worker can wait for them, the window's first paint can't.
    from labeler.images.decode import decode_scaled

    picture = decode_scaled(encoded.data, size=size, apply_exif=encoded.apply_exif)
    width, height = picture.size
    rgb = QImage(picture.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
    # The conversion copies: the bytes above go when this function returns.
    return rgb.convertToFormat(QImage.Format.Format_RGB32)
