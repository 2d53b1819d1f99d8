"""The reference images: painted from the sheet, enlarged, resized, or told to be missing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.presenters.references import (
    DAMAGED,
    NO_REFERENCES,
    ReferencesState,
    ReferencesView,
)
from labeler.ui.application import OpenWindow
from labeler.ui.screens.study import StudyScreen
from labeler.ui.widgets.reference_grid import USUAL_TILE_SIZE, ReferenceGrid


@pytest.fixture
def screen(study: OpenWindow) -> StudyScreen:
    return study.window.screen_shown


def type_class(screen: StudyScreen, qtbot: QtBot, name: str) -> None:
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Escape)
    qtbot.keyClicks(screen.finder.field, name)


@pytest.fixture
def beavers(screen: StudyScreen, qtbot: QtBot) -> ReferenceGrid:
    type_class(screen, qtbot, "beaver")
    qtbot.waitUntil(lambda: len(screen.panel.grid.tiles) == 40)
    return screen.panel.grid


def tile_centre(grid: ReferenceGrid, number: int) -> QPoint:
    place = grid.tile_layout().rect(number).center()
    return place - QPoint(0, grid.verticalScrollBar().value())


def colour_at(grid: ReferenceGrid, place: QPoint) -> QColor:
    return grid.viewport().grab().toImage().pixelColor(place)


def wheel(grid: ReferenceGrid, turn: int, modifiers: Qt.KeyboardModifier) -> None:
    where = QPointF(grid.viewport().rect().center())
    event = QWheelEvent(
        where,
        QPointF(grid.viewport().mapToGlobal(where.toPoint())),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(grid.viewport(), event)


def test_the_sheets_pictures_are_painted_on_a_neutral_surround(beavers: ReferenceGrid) -> None:
    picture = colour_at(beavers, tile_centre(beavers, 7))
    assert picture.red() > 180
    assert picture.green() < 60
    surround = colour_at(beavers, QPoint(1, 1))
    assert surround.red() == surround.green() == surround.blue()
    assert 90 <= surround.red() <= 140


def test_the_panel_follows_to_another_class(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    type_class(screen, qtbot, "marmot")
    qtbot.waitUntil(lambda: len(beavers.tiles) == 3)
    assert colour_at(beavers, tile_centre(beavers, 0)).green() > 120


def test_a_class_without_references_says_so(screen: StudyScreen, qtbot: QtBot) -> None:
    type_class(screen, qtbot, "silky terrier")
    qtbot.waitUntil(screen.panel.message.isVisible)
    assert screen.panel.message.sentence == NO_REFERENCES


def test_a_damaged_sheet_says_what_the_lead_can_do(screen: StudyScreen, qtbot: QtBot) -> None:
    type_class(screen, qtbot, "tiger")
    qtbot.waitUntil(screen.panel.message.isVisible)
    assert screen.panel.message.sentence == DAMAGED


def test_rows_are_no_taller_than_the_tallest_image_needs(beavers: ReferenceGrid) -> None:
    place = beavers.tile_layout().rect(0)
    assert place.height() == round(place.width() * 3 / 4)


def test_a_sheet_that_takes_its_time_is_said_to_be_loading(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    loading: ReferencesView[QImage] = ReferencesView(ReferencesState.LOADING, "n02361337")
    screen.panel.render_references(loading, name="marmot")
    assert beavers.tiles == ()
    qtbot.waitUntil(screen.panel.message.isVisible)
    assert screen.panel.message.sentence == "Loading the reference images …"


def test_tab_leads_from_the_search_to_the_images(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Tab)
    assert beavers.hasFocus()


def test_space_enlarges_and_escape_puts_back_then_returns_to_the_search(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(beavers, Qt.Key.Key_Right)
    qtbot.keyClick(beavers, Qt.Key.Key_Space)
    assert beavers.is_enlarged
    assert beavers.current == 1
    qtbot.keyClick(beavers, Qt.Key.Key_Down)
    assert beavers.current == 1 + beavers.columns
    assert beavers.is_enlarged
    qtbot.keyClick(beavers, Qt.Key.Key_Escape)
    assert not beavers.is_enlarged
    assert beavers.hasFocus()
    qtbot.keyClick(beavers, Qt.Key.Key_Escape)
    assert screen.finder.field.hasFocus()


def test_a_click_enlarges_a_tile_and_another_puts_it_back(
    beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    place = tile_centre(beavers, 2)
    qtbot.mouseClick(beavers.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert beavers.is_enlarged
    assert beavers.current == 2
    overlay = beavers.viewport().childAt(place)
    qtbot.mouseClick(overlay, Qt.MouseButton.LeftButton)
    assert not beavers.is_enlarged


def test_the_current_image_is_framed_only_while_the_images_have_the_keyboard(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    corner = beavers.tile_layout().rect(0).topLeft() - QPoint(3, 3)
    plain = screen.grab().toImage()
    place = beavers.viewport().mapTo(screen, corner)
    beavers.setFocus()
    assert screen.grab().toImage().pixelColor(place).lightness() > 200
    screen.finder.field.setFocus()
    assert screen.grab().toImage().pixelColor(place) == plain.pixelColor(place)


def test_the_last_image_is_scrolled_into_sight(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, Qt.Key.Key_End)
    assert beavers.current == 39
    assert beavers.viewport().rect().contains(tile_centre(beavers, 39))
    assert beavers.accessibleDescription() == "Image 40 of 40"


def test_tiles_grow_and_shrink_by_key_and_wheel(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Plus, control)
    assert beavers.tile_size > USUAL_TILE_SIZE
    wheel(beavers, -120, control)
    wheel(beavers, -120, control)
    assert beavers.tile_size < USUAL_TILE_SIZE
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_0, control)
    assert beavers.tile_size == USUAL_TILE_SIZE


def test_the_plain_wheel_scrolls(beavers: ReferenceGrid) -> None:
    beavers.set_tile_size(256)
    wheel(beavers, -120, Qt.KeyboardModifier.NoModifier)
    assert beavers.verticalScrollBar().value() > 0
    assert beavers.tile_size == 256


def test_typing_among_the_images_goes_on_in_the_search(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, "s")
    assert screen.finder.field.hasFocus()
    assert screen.finder.field.text() == "beavers"


def test_a_key_with_a_modifier_types_nothing(
    screen: StudyScreen, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert screen.finder.field.text() == "beaver"
    assert beavers.hasFocus()
