"""A class in words: each step of its path leads to a node, by mouse and by keyboard."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.classes.class_view import PATH_SEPARATOR, ClassDetails, ClassViewBuilder
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.taxonomy import load_default
from labeler.ui.classes.class_card import ClassCard
from labeler.ui.classes.taxonomy.breadcrumb import Breadcrumb
from labeler.ui.window.theme import Appearance

BEAVER, CHIHUAHUA = "n02363005", "n02085620"
RODENT, MAMMAL, PLACENTAL = "n02329401", "n01861778", "n01886756"

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def details(wnid: str) -> ClassDetails:
    return ClassViewBuilder(load_default()).details(wnid)


@pytest.fixture
def card(qtbot: QtBot, qapp: QApplication) -> ClassCard:
    Appearance(qapp, ThemeChoice.LIGHT).deleteLater()
    made = ClassCard()
    qtbot.addWidget(made)
    made.resize(1000, 220)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    made.render_details(details(BEAVER))
    return made


@pytest.fixture
def chosen(card: ClassCard) -> list[str]:
    texts: list[str] = []
    card.node_chosen.connect(texts.append)
    return texts


def lines(card: ClassCard) -> list[Breadcrumb]:
    return [line for line in card.findChildren(Breadcrumb) if line.isVisible()]


def place_of(line: Breadcrumb, name: str) -> QPoint:
    metrics, shown = QFontMetricsF(line.font()), line.text()
    before = metrics.horizontalAdvance(shown[: shown.index(name)])
    return QPoint(round(before + metrics.horizontalAdvance(name) / 2), line.height() // 2)


def test_each_path_goes_down_node_by_node() -> None:
    shown, taxonomy = details(CHIHUAHUA), load_default()
    assert len(shown.path_nodes) == 2
    for path in shown.path_nodes:
        for above, below in pairwise(path):
            assert taxonomy.is_under(below.wnid, above.wnid)


def test_a_click_on_a_step_asks_for_its_node(
    card: ClassCard, chosen: list[str], qtbot: QtBot
) -> None:
    (line,) = lines(card)
    assert line.text() == PATH_SEPARATOR.join(node.name for node in details(BEAVER).path_nodes[0])
    for name, wnid in (("rodents", RODENT), ("mammals", MAMMAL)):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=place_of(line, name))
        assert chosen[-1] == wnid
    for where in (place_of(line, PATH_SEPARATOR), QPoint(line.width() - 2, 5)):
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseClick(line, Qt.MouseButton.RightButton, pos=place_of(line, "rodents"))
    assert chosen == [RODENT, MAMMAL]


def test_the_keyboard_reaches_every_step(card: ClassCard, chosen: list[str], qtbot: QtBot) -> None:
    (line,) = lines(card)
    line.setFocus()
    assert line.hasFocus()
    assert line.accessibleDescription() == "rodents"
    qtbot.keyClick(line, Qt.Key.Key_Left)
    assert line.accessibleDescription() == "placental mammals"
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.keyClick(line, Qt.Key.Key_Right)
    qtbot.keyClick(line, Qt.Key.Key_Right)
    qtbot.keyClick(line, Qt.Key.Key_Space)
    assert chosen == [PLACENTAL, RODENT]


def test_a_narrow_line_drops_its_first_steps_and_keeps_the_rest_alive(
    card: ClassCard, chosen: list[str], qtbot: QtBot
) -> None:
    (line,) = lines(card)
    whole = line.text()
    card.resize(260, 220)
    qtbot.waitUntil(lambda: line.text() != whole)
    assert line.text().startswith("… › ")
    assert line.toolTip() == whole
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=place_of(line, "rodent"))
    assert chosen == [RODENT]


def test_a_step_pointed_at_looks_like_a_link(card: ClassCard, qtbot: QtBot) -> None:
    (line,) = lines(card)
    plain = line.grab().toImage()
    qtbot.mouseMove(line, place_of(line, "mammal"))
    qtbot.waitUntil(lambda: line.cursor().shape() is Qt.CursorShape.PointingHandCursor)
    assert line.grab().toImage() != plain
