"""A row or a column is laid out in one call."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.ui.kit.layout.boxes import aligned, gap, grow, hbox, stretch, vbox

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def parts() -> list[QWidget]:
    made = [QWidget() for _ in range(3)]
    for part in made:
        part.setMinimumSize(20, 20)
    return made


def test_one_part_grows_and_the_others_keep_their_size(qtbot: QtBot, parts: list[QWidget]) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    first, second, third = parts
    hbox(first, grow(second), gap(10), third, on=room, spacing=4, margins=(2, 0, 2, 0))
    for fixed in (first, third):
        fixed.setFixedWidth(20)
    room.resize(200, 40)
    room.show()
    assert first.x() == 2
    assert second.x() == 2 + 20 + 4
    assert third.x() == 200 - 2 - 20
    assert third.x() - second.geometry().right() - 1 == 4 + 10


def test_a_row_is_part_of_a_column_and_parts_are_aligned(
    qtbot: QtBot, parts: list[QWidget]
) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    first, second, third = parts
    for part in parts:
        part.setFixedSize(20, 20)
    row = hbox(stretch(), first, second)
    vbox(row, aligned(third, Qt.AlignmentFlag.AlignRight), stretch(), on=room)
    room.resize(100, 100)
    room.show()
    assert [part.parentWidget() for part in parts] == [room] * 3
    assert (first.x(), second.x(), third.x()) == (52, 80, 80)
    assert (first.y(), third.y()) == (0, 28)
