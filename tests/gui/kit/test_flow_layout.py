"""A flow of widgets: one line where there is room, more where there isn't."""

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from labeler.ui.kit.layout.flow_layout import FlowLayout

GAP = 8


@pytest.fixture
def flow(qtbot: QtBot) -> QWidget:
    """Three buttons of 100 by 30."""
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = FlowLayout(holder, spacing=GAP)
    for text in ("one", "two", "three"):
        button = QPushButton(text)
        button.setFixedSize(100, 30)
        layout.addWidget(button)
    return holder


def places(flow: QWidget, width: int) -> list[tuple[int, int]]:
    layout = flow.layout()
    assert layout is not None
    flow.resize(width, layout.heightForWidth(width))
    layout.activate()
    layout.setGeometry(flow.rect())
    return [(each.x(), each.y()) for each in flow.findChildren(QPushButton)]


def test_what_fits_is_in_one_line(flow: QWidget) -> None:
    assert places(flow, 316) == [(0, 0), (108, 0), (216, 0)]
    assert flow.layout().heightForWidth(316) == 30


def test_what_doesnt_continues_in_the_next(flow: QWidget) -> None:
    assert places(flow, 315) == [(0, 0), (108, 0), (0, 38)]
    assert flow.layout().heightForWidth(315) == 68
    assert places(flow, 100) == [(0, 0), (0, 38), (0, 76)]


def test_lines_are_about_equally_long(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = FlowLayout(holder, spacing=GAP)
    for number in range(8):
        button = QPushButton(str(number))
        button.setFixedSize(100, 30)
        layout.addWidget(button)
    seven = 7 * 100 + 6 * GAP
    assert [y for _x, y in places(holder, seven)] == [0] * 4 + [38] * 4
    assert [y for _x, y in places(holder, seven + 100 + GAP)] == [0] * 8
    three = 3 * 100 + 2 * GAP
    assert [y for _x, y in places(holder, three)] == [0] * 3 + [38] * 3 + [76] * 2


def test_what_is_wider_than_the_room_has_a_line_of_its_own(flow: QWidget) -> None:
    assert places(flow, 50) == [(0, 0), (0, 38), (0, 76)]


def test_what_is_hidden_takes_no_room(flow: QWidget) -> None:
    flow.findChildren(QPushButton)[0].hide()
    assert flow.layout().sizeHint().width() == 208
    assert flow.layout().heightForWidth(208) == 30
