"""The grid paints at once, and smooth copies of its images follow."""

import pytest
from PySide6.QtGui import QColor, QImage

from labeler.app.study.preferences import ThemeChoice
from labeler.ui.crowd import picture_choice_grid
from labeler.ui.crowd.picture_choice_grid import PictureChoiceGrid
from labeler.ui.window.theme import Appearance

RED = QColor("#c02020")


@pytest.fixture
def grid(qapp, qtbot):
    picture = QImage(500, 375, QImage.Format.Format_RGB888)
    picture.fill(RED)
    made = PictureChoiceGrid(Appearance(qapp, ThemeChoice.LIGHT), lambda _position: picture)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show_images(12)
    return made


def painted(grid: PictureChoiceGrid) -> list[QColor]:
    picture = grid.grab().toImage()
    return [picture.pixelColor(grid.tile(place).center()) for place in range(1, 13)]


def test_a_paint_without_time_for_smooth_copies_shows_every_image(grid, monkeypatch, qtbot):
    monkeypatch.setattr(picture_choice_grid, "_SCALING_SECONDS", 0)
    assert painted(grid) == [RED] * 12
    assert not grid._scaled
    monkeypatch.undo()
    grid.show()
    qtbot.waitUntil(lambda: len(grid._scaled) == 12)
    assert painted(grid) == [RED] * 12
