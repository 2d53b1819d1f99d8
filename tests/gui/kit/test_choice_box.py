"""A box of choices: the row under the pointer is out, and a box that is off looks so."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QCursor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.input.form_fields import ChoiceBox
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

THEMES = (ThemeChoice.LIGHT, ThemeChoice.DARK)


@pytest.fixture
def box(appearance: Appearance, qtbot: QtBot) -> ChoiceBox:
    made = ChoiceBox(appearance, "Format")
    made.addItems(["one", "two", "three"])
    qtbot.addWidget(made)
    made.resize(240, 32)
    made.show()
    return made


def colours(picture: QImage) -> set[str]:
    across, down = range(picture.width()), range(picture.height())
    return {QColor(picture.pixel(x, y)).name() for x in across for y in down}


@pytest.mark.parametrize("theme", THEMES)
def test_the_row_under_the_pointer_is_filled_with_the_accent(
    box: ChoiceBox, appearance: Appearance, theme: ThemeChoice, qapp: QApplication
) -> None:
    appearance.choose(theme)
    box.showPopup()
    rows = box.view()
    second = rows.visualRect(rows.model().index(1, 0))
    # A second move, since the first merely enters the list.
    for place in (second.topLeft(), second.center()):
        QTest.mouseMove(rows.viewport(), place)
        qapp.processEvents()
    row = rows.viewport().grab(second).toImage()
    box.hidePopup()
    assert row.pixelColor(row.width() - 4, 2).name() == appearance.theme.accent
    assert appearance.theme.on_accent in colours(row), "its words can be read on it"


@pytest.mark.parametrize("theme", THEMES)
def test_a_box_that_is_off_has_muted_words_on_the_windows_ground(
    box: ChoiceBox, appearance: Appearance, theme: ThemeChoice
) -> None:
    appearance.choose(theme)
    box.setEnabled(False)
    off = colours(box.grab().toImage())
    assert appearance.theme.window in off
    assert appearance.theme.muted in off
    assert appearance.theme.text not in off


@pytest.mark.parametrize("theme", THEMES)
def test_a_box_is_not_lit_after_a_choice_with_the_pointer_elsewhere(
    box: ChoiceBox, appearance: Appearance, theme: ThemeChoice
) -> None:
    appearance.choose(theme)
    box.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    assert appearance.theme.hover in colours(box.grab().toImage())
    box.showPopup()
    QCursor.setPos(box.mapToGlobal(QPoint(9, box.height() + 40)))
    box.hidePopup()
    assert appearance.theme.hover not in colours(box.grab().toImage())
