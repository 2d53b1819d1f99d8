"""Contact sheets decoded for painting; safe on worker threads, which may make no pixmaps."""

from pathlib import Path

from PySide6.QtGui import QImage, QImageReader

from labeler.app.presenters.references import DamagedSheet


def decode_sheet(file: Path) -> QImage:
    """The sheet as an image in the format that paints fastest."""
    image = QImageReader(str(file)).read()
    if image.isNull():
        raise DamagedSheet(file.stem)
    return image.convertToFormat(QImage.Format.Format_RGB32)
