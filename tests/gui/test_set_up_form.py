"""The set-up's forms: hints as high as their lines, a wheel that changes nothing by chance."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.ui.set_up.form import Hint
from labeler.ui.set_up.panel import number

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(400, 300)
    QVBoxLayout(page)
    return page


def wheel(box: QSpinBox) -> None:
    down = QWheelEvent(
        QPointF(5, 5),
        box.mapToGlobal(QPointF(5, 5)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, down)


def test_a_wheel_that_passes_a_number_leaves_it_alone(page: QWidget, qtbot: QtBot) -> None:
    box, other = (number(name, least=0, most=9, value=5) for name in ("A", "B"))
    for each in (box, other):
        page.layout().addWidget(each)
    page.show()
    qtbot.waitUntil(page.isActiveWindow)
    other.setFocus()
    wheel(box)
    assert box.value() == 5
    box.setFocus()
    wheel(box)
    assert box.value() == 4, "who edits it may turn it"


def test_a_hint_is_as_high_as_its_lines_at_any_width(page: QWidget, qtbot: QtBot) -> None:
    hint = Hint()
    page.layout().addWidget(hint)
    page.show()
    qtbot.waitUntil(page.isVisible)
    assert hint.height() == 0
    hint.setText("many words that need more than one line " * 4)
    narrow = hint.height()
    assert narrow == hint.heightForWidth(hint.width())
    page.resize(1600, 300)
    qtbot.waitUntil(lambda: hint.height() < narrow)
    assert hint.height() == hint.heightForWidth(hint.width())
