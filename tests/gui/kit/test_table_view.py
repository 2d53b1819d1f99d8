"""A table shows rows by its columns, sorts them, and opens what a cell represents."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.ui.kit.tables.table_view import ROW_ROLE, Column, TableView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

ROWS = [("tiger", 9), ("beaver", 10), ("marmot", 2)]


@pytest.fixture
def table(qtbot: QtBot) -> TableView:
    made = TableView("Animals", keymap=load_keymap())
    qtbot.addWidget(made)
    made.show_rows(
        [
            Column(title="Name", text=lambda row: row[0]),
            Column(
                title="Seen",
                text=lambda row: str(row[1]),
                numeric=True,
                order=lambda row: row[1],
                source=lambda row: f"images of {row[0]}" if row[1] > 5 else None,
            ),
        ],
        ROWS,
    )
    made.resize(400, 300)
    made.show()
    return made


def names(table: TableView) -> list[str]:
    return [table.text_at(row, 0) for row in range(table.rows)]


def click_title(table: TableView, column: int) -> None:
    header = table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_rows_come_in_their_own_order_until_a_title_is_clicked(table: TableView) -> None:
    assert names(table) == ["tiger", "beaver", "marmot"]
    click_title(table, 1)
    assert names(table) == ["beaver", "tiger", "marmot"]
    click_title(table, 1)
    assert names(table) == ["marmot", "tiger", "beaver"]
    click_title(table, 0)
    assert names(table) == ["beaver", "marmot", "tiger"]


def test_the_current_cell_stays_with_its_row(table: TableView) -> None:
    table.go_to(2, 0)
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert table.currentIndex().row() == 1
    assert table.currentIndex().data(ROW_ROLE) == ("marmot", 2)


def test_other_rows_come_in_their_own_order_again(table: TableView) -> None:
    click_title(table, 0)
    table.show_rows(table.cells.columns, ROWS)
    assert names(table) == ["tiger", "beaver", "marmot"]


def test_a_cell_opens_what_it_represents_and_others_open_nothing(
    table: TableView, qtbot: QtBot
) -> None:
    table.setFocus()
    table.go_to(0, 1)
    with qtbot.waitSignal(table.opened) as opened:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == ["images of tiger"]
    for row, column in ((0, 0), (2, 1)):
        table.go_to(row, column)
        with qtbot.assertNotEmitted(table.opened):
            table.open_current()
