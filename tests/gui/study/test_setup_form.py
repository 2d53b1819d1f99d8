"""The forms of Set up: hints and tables fit their lines, and the wheel changes nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.study.setup.settings import NAME_USE
from labeler.ui.kit.tables.text_table import fill_table, text_table
from labeler.ui.study.setup.form import HintLabel, form_card, with_hint
from labeler.ui.study.setup.setup_panel import integer_field

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


def test_the_wheel_does_not_change_an_unfocused_number(page: QWidget, qtbot: QtBot) -> None:
    box, other = (integer_field(name, least=0, most=9, value=5) for name in ("A", "B"))
    for each in (box, other):
        page.layout().addWidget(each)
    page.show()
    qtbot.waitUntil(page.isActiveWindow)
    other.setFocus()
    wheel(box)
    assert box.value() == 5
    box.setFocus()
    wheel(box)
    assert box.value() == 4, "the wheel works while it is edited"


def test_a_hint_is_as_high_as_its_lines_at_any_width(page: QWidget, qtbot: QtBot) -> None:
    hint = HintLabel()
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


@pytest.mark.parametrize(("rows", "folder"), [(1, "/val"), (1, "/deep" * 90), (3, "/val")])
def test_a_table_is_as_high_as_its_rows(
    page: QWidget, qtbot: QtBot, rows: int, folder: str
) -> None:
    shown = text_table("Datasets", ("Dataset", "Folder", ""))
    column = page.layout()
    assert isinstance(column, QVBoxLayout)
    column.addWidget(shown)
    column.addStretch()
    fill_table(shown, [(f"val{row}", folder, "") for row in range(rows)])
    page.show()

    def room_below() -> int:
        last = shown.topLevelItem(rows - 1)
        return shown.viewport().height() - shown.visualItemRect(last).bottom() - 1

    qtbot.waitUntil(lambda: 0 <= room_below() <= 2)
    assert shown.verticalScrollBar().isHidden() or not shown.verticalScrollBar().maximum()


def test_a_long_table_scrolls(page: QWidget, qtbot: QtBot) -> None:
    shown = text_table("Datasets", ("Dataset",))
    page.layout().addWidget(shown)
    fill_table(shown, [(f"val{row}",) for row in range(100)])
    page.show()
    qtbot.waitUntil(lambda: shown.verticalScrollBar().maximum() > 0)
    assert shown.height() <= page.height()
    row = shown.visualItemRect(shown.topLevelItem(0)).height()
    assert shown.viewport().height() % row <= 2, "no row is cut in half"


def test_a_label_is_aligned_with_the_first_line_of_its_text(page: QWidget, qtbot: QtBot) -> None:
    frame, form = form_card()
    value = HintLabel("Demo study", rank="body")
    form.add("Name", with_hint(value, HintLabel(NAME_USE)), is_text=True)
    page.layout().addWidget(frame)
    page.show()
    qtbot.waitUntil(lambda: value.height() > 0)
    [name] = [shown for shown in frame.findChildren(QLabel) if shown.text() == "Name"]
    assert name.alignment() & Qt.AlignmentFlag.AlignTop
    assert name.mapTo(frame, QPoint()).y() == value.mapTo(frame, QPoint()).y()
