"""Lines of text are painted where Qt would write them, and paths lose whole steps."""

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QImage, QPainter

from labeler.ui.kit.text.text_painter import StaticTextPainter, elide_path

_MIDDLE, _LEFT = 20, 10


def _blank(dense: float) -> QImage:
    image = QImage(round(200 * dense), round(40 * dense), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(dense)
    image.fill(QColor("white"))
    return image


@pytest.mark.parametrize("dense", [1.0, 2.0])
@pytest.mark.parametrize("text", ["great white shark", "<b>Škoda</b> & tench", ""])
@pytest.mark.usefixtures("qapp")
def test_a_line_is_painted_as_qt_would_write_it(text: str, dense: float) -> None:
    font = QFont()
    metrics = QFontMetrics(font)
    written, ours = _blank(dense), _blank(dense)
    painter = QPainter(written)
    painter.setFont(font)
    painter.setPen(QColor("black"))
    painter.drawText(_LEFT, _MIDDLE + (metrics.ascent() - metrics.descent()) // 2, text)
    painter.end()
    line = StaticTextPainter(font, QColor("black"))
    for _ in range(2):
        ours.fill(QColor("white"))
        painter = QPainter(ours)
        line.draw(painter, _LEFT, _MIDDLE, text)
        painter.end()
        assert ours == written


@pytest.mark.usefixtures("qapp")
def test_a_path_without_room_loses_whole_steps() -> None:
    metrics = QFontMetricsF(QFont())
    path = "living thing › animal › vertebrate › mammal"
    assert elide_path(path, (), metrics=metrics, width=10_000) == (path, ())
    narrower = metrics.horizontalAdvance(path) - 1
    shown, _spans = elide_path(path, (), metrics=metrics, width=narrower)
    assert shown == "… › animal › vertebrate › mammal"
