"""Decodes contact sheets for painting; safe on worker threads, because it creates no pixmaps."""

from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QImageReader

from labeler.app.classes.references import DamagedSheet, TileRect
from labeler.core.labeling.blind_types import EncodedImage
from labeler.images.decoder import decode_scaled
from labeler.images.sheet_manifest import SHEET_COLUMNS, TILE_SIZE

# Below 50 Qt's JPEG reader takes the quick transform: a third less time, and tiles, which are
# shrunk to be painted, look the same.
_DRAFT_QUALITY = 49
_SCREEN_SIZE = (1024, 1024)


def decode_sheet(file: Path, slot: int = TILE_SIZE) -> QImage:
    """Decode the whole sheet, scaled down to slots of the given size."""
    # It imports numpy: the first image doesn't wait for it.
    import simplejpeg

    wanted = SHEET_COLUMNS * slot
    try:
        data = file.read_bytes()
        height, width, *_kind = simplejpeg.decode_jpeg_header(data, min_width=wanted)
        if width != wanted:
            raise DamagedSheet(file.stem)
        image = QImage(wanted, int(height), QImage.Format.Format_RGB32)
        # Straight into the image; its fourth byte is the alpha, which a JPEG's decoder fills.
        simplejpeg.decode_jpeg(
            data,
            "BGRA",
            fastdct=True,
            fastupsample=True,
            min_width=wanted,
            buffer=image.bits(),
        )
    except (OSError, ValueError) as problem:
        raise DamagedSheet(file.stem) from problem
    return image


def decode_tile(file: Path, tile: TileRect) -> QImage:
    """Decode one image of a sheet; rows below it are skipped."""
    reader = QImageReader(str(file), b"jpeg")
    reader.setQuality(_DRAFT_QUALITY)
    reader.setClipRect(QRect(tile.x, tile.y, tile.width, tile.height))
    image = reader.read()
    if image.isNull():
        raise DamagedSheet(file.stem)
    return image


def decode_original(encoded: EncodedImage, size: tuple[int, int] = _SCREEN_SIZE) -> QImage:
    """Decode an original image, no larger than the screen needs."""
    picture = decode_scaled(encoded.data, size=size, apply_exif=encoded.apply_exif)
    width, height = picture.size
    rgb = QImage(picture.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
    # The conversion copies: the bytes above go when this function returns.
    return rgb.convertToFormat(QImage.Format.Format_RGB32)
