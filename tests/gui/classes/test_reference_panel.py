"""The reference images: painted from the sheet, enlarged, resized, or told to be missing."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import (
    DAMAGED_SHEET_SENTENCE,
    NO_REFERENCES_SENTENCE,
    ReferencesState,
    ReferencesView,
)
from labeler.app.keymap import Scope, load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.labeling.blind_types import EncodedImage
from labeler.ui.classes.enlarged_tile import EnlargedTile
from labeler.ui.classes.reference_grid import (
    DEFAULT_TILE_SIZE,
    ReferenceGrid,
    reference_image_keys,
    tile_size_keys,
)
from labeler.ui.classes.reference_panel import LOADING_REFERENCES, ReferencePanel
from labeler.ui.window.actions import bind_scope
from labeler.ui.window.theme import Appearance
from tests.gui.reference_kit import BEAVER, MARMOT, focused, plain_sheet, ready
from tests.unit.app.late_runner import LateRunner

# A bare widget as a window tells the system its limits, which the offscreen platform remarks upon.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

CONTROL = Qt.KeyboardModifier.ControlModifier


class Room(QWidget):
    """A search field above a panel, with the keys that a screen gives them."""

    def __init__(self, appearance: Appearance, originals: OriginalLoader[QImage]) -> None:
        super().__init__()
        keymap = load_keymap()
        self.field = QLineEdit()
        self.panel = ReferencePanel(appearance, keymap, originals=originals)
        self.grid = self.panel.grid
        whole = QVBoxLayout(self)
        whole.addWidget(self.field)
        whole.addWidget(self.panel)
        leave = self.field.setFocus
        bind_scope(
            self.grid, keymap, Scope.REFERENCES, reference_image_keys(self.grid, leave=leave)
        )
        bind_scope(self, keymap, Scope.TILES, tile_size_keys(self.grid))
        self.resize(860, 480)


@pytest.fixture
def runner() -> LateRunner:
    return LateRunner()


@pytest.fixture
def originals(runner: LateRunner) -> OriginalLoader[QImage]:
    """Every original is a plain blue picture, except that the third one is gone."""

    def read(wnid: str, number: int) -> EncodedImage | None:
        return None if number == 2 else EncodedImage(data=b"", apply_exif=False)

    def decode(encoded: EncodedImage) -> QImage:
        picture = QImage(300, 225, QImage.Format.Format_RGB32)
        picture.fill(QColor("blue"))
        return picture

    return OriginalLoader(runner=runner, read=read, decode=decode)


@pytest.fixture
def room(qtbot: QtBot, qapp: QApplication, originals: OriginalLoader[QImage]) -> Room:
    made = Room(Appearance(qapp, ThemeChoice.LIGHT), originals)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.fixture
def beavers(room: Room) -> ReferenceGrid:
    room.panel.render_references(ready(BEAVER, 40, "#c82828"), name="beaver")
    return room.grid


@pytest.fixture
def enlarged(beavers: ReferenceGrid) -> EnlargedTile:
    return beavers.enlarged_tile


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


def test_the_panel_follows_to_another_class(room: Room, beavers: ReferenceGrid) -> None:
    beavers.go_to(30)
    room.panel.render_references(ready(MARMOT, 3, "#28a03c"), name="marmot")
    assert len(beavers.tiles) == 3
    assert beavers.current == 0
    assert colour_at(beavers, tile_centre(beavers, 0)).green() > 120
    assert beavers.accessibleName() == "Reference images of marmot"


def test_a_class_without_references_says_so(room: Room) -> None:
    none: ReferencesView[QImage] = ReferencesView(
        ReferencesState.NONE, BEAVER, sentence=NO_REFERENCES_SENTENCE
    )
    room.panel.render_references(none, name="beaver")
    assert room.panel.message.isVisible()
    assert room.panel.message.sentence == NO_REFERENCES_SENTENCE


def test_a_damaged_sheet_says_what_the_lead_can_do(room: Room) -> None:
    damaged: ReferencesView[QImage] = ReferencesView(
        ReferencesState.DAMAGED, BEAVER, sentence=DAMAGED_SHEET_SENTENCE
    )
    room.panel.render_references(damaged, name="beaver")
    assert room.panel.message.sentence == DAMAGED_SHEET_SENTENCE


def test_rows_are_no_taller_than_the_tallest_image_needs(beavers: ReferenceGrid) -> None:
    place = beavers.tile_layout().rect(0)
    assert place.height() == round(place.width() * 3 / 4)


def test_a_sheet_that_takes_its_time_is_said_to_be_loading(
    room: Room, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    loading: ReferencesView[QImage] = ReferencesView(ReferencesState.LOADING, MARMOT)
    room.panel.render_references(loading, name="marmot")
    assert beavers.tiles == ()
    qtbot.waitUntil(room.panel.message.isVisible)
    assert room.panel.message.sentence == LOADING_REFERENCES


def test_a_class_whose_sheet_is_awaited_shows_none_of_the_class_before_it_when_painted_again(
    room: Room, beavers: ReferenceGrid
) -> None:
    place = tile_centre(beavers, 0)
    loading: ReferencesView[QImage] = ReferencesView(ReferencesState.LOADING, MARMOT)
    room.panel.render_references(loading, name="marmot")
    assert colour_at(beavers, place).saturation() == 0


def test_space_enlarges_and_escape_puts_back_then_returns_to_the_search(
    room: Room, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    beavers.setFocus()
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
    assert focused(room.field)


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


def test_an_enlarged_tile_is_there_at_once_and_gets_sharp_when_its_original_comes(
    beavers: ReferenceGrid, enlarged: EnlargedTile, runner: LateRunner
) -> None:
    beavers.enlarge_or_put_back()
    middle = beavers.viewport().rect().center() - QPoint(0, 16)
    assert colour_at(beavers, middle).red() > 180
    runner.finish_all()
    assert colour_at(beavers, middle) == QColor("blue")


def test_an_original_that_comes_too_late_is_not_put_over_another_image(
    room: Room, beavers: ReferenceGrid, enlarged: EnlargedTile, runner: LateRunner
) -> None:
    beavers.enlarge_or_put_back()
    late = runner.tickets[-1]
    beavers.step(1)
    small = enlarged.picture_size
    late.finish()
    assert enlarged.picture_size == small
    other_class = runner.tickets[-1]
    room.panel.render_references(ready(MARMOT, 3, "#28a03c"), name="marmot")
    beavers.go_to(1)
    other_class.finish()
    assert not beavers.is_enlarged


def test_an_original_that_is_gone_leaves_the_small_picture(
    beavers: ReferenceGrid, enlarged: EnlargedTile, runner: LateRunner
) -> None:
    beavers.go_to(2)
    beavers.enlarge_or_put_back()
    small = enlarged.picture_size
    runner.finish_all()
    assert enlarged.picture_size == small


def test_an_original_fills_the_room_like_the_image_enlarged_three_times_at_most(
    beavers: ReferenceGrid, enlarged: EnlargedTile
) -> None:
    beavers.enlarge_or_put_back()
    beavers.sharpen(0, QPixmap(60, 40))
    assert (enlarged.picture_size.width(), enlarged.picture_size.height()) == (180, 120)
    beavers.sharpen(0, QPixmap(400, 100))
    assert enlarged.width() - 24 <= enlarged.picture_size.width() < enlarged.width()


def test_the_buttons_of_an_enlarged_image_go_to_the_next_and_back(
    beavers: ReferenceGrid, enlarged: EnlargedTile, qtbot: QtBot
) -> None:
    beavers.enlarge_or_put_back()
    for button in (enlarged.following, enlarged.following, enlarged.previous):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (beavers.current, enlarged.place) == (1, "2 of 40")
    qtbot.mouseClick(enlarged.close_button, Qt.MouseButton.LeftButton)
    assert not beavers.is_enlarged


def test_a_large_picture_is_shrunk_to_the_room(
    beavers: ReferenceGrid, enlarged: EnlargedTile
) -> None:
    beavers.enlarge_or_put_back()
    beavers.sharpen(0, QPixmap(2000, 1000))
    assert enlarged.picture_size.width() < beavers.viewport().width()
    assert enlarged.picture_size.width() == 2 * enlarged.picture_size.height()


@pytest.mark.parametrize("size", [64, 80, 96, 112, 128])
def test_tiles_as_wide_as_decoded_are_painted_pixel_for_pixel(room: Room, size: int) -> None:
    room.grid.set_tile_size(size)
    assert room.grid.sharp_slot == size
    sheet = plain_sheet(4, "white", slot=size)
    for x in range(0, 4 * size, 2):
        for y in range(size):
            sheet.sheet.setPixelColor(x, y, QColor("black"))
    view = ReferencesView(ReferencesState.READY, BEAVER, loaded=sheet)
    room.panel.render_references(view, name="beaver")
    place = room.grid.tile_layout().rect(1)
    assert place.width() == size
    row = room.grid.viewport().grab().toImage()
    stripes = {row.pixelColor(place.left() + x, place.center().y()).name() for x in range(size)}
    assert stripes == {"#000000", "#ffffff"}


def test_tiles_larger_than_stored_are_wanted_as_they_are_stored(room: Room) -> None:
    room.grid.set_tile_size(256)
    assert room.grid.sharp_slot == 128


def test_another_size_of_tile_asks_for_another_sheet_and_keeps_the_place(
    room: Room, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, Qt.Key.Key_End)
    with qtbot.waitSignal(beavers.slot_wanted) as wanted:
        qtbot.keyClick(beavers, Qt.Key.Key_Plus, CONTROL)
    assert wanted.args == [beavers.tile_size]
    room.panel.render_references(ready(BEAVER, 40, "#28a03c", slot=112), name="beaver")
    assert beavers.slot == 112
    assert beavers.current == 39
    assert beavers.viewport().rect().contains(tile_centre(beavers, 39))
    assert colour_at(beavers, tile_centre(beavers, 39)).green() > 120


def test_the_current_image_is_framed_only_while_the_images_have_the_keyboard(
    room: Room, beavers: ReferenceGrid
) -> None:
    corner = beavers.tile_layout().rect(0).topLeft() - QPoint(3, 3)
    plain = room.grab().toImage()
    place = beavers.viewport().mapTo(room, corner)
    beavers.setFocus()
    assert room.grab().toImage().pixelColor(place).lightness() > 200
    room.field.setFocus()
    assert room.grab().toImage().pixelColor(place) == plain.pixelColor(place)


def test_the_last_image_is_scrolled_into_sight(beavers: ReferenceGrid, qtbot: QtBot) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, Qt.Key.Key_End)
    assert beavers.current == 39
    assert beavers.viewport().rect().contains(tile_centre(beavers, 39))
    assert beavers.accessibleDescription() == "Image 40 of 40"


def test_tiles_grow_and_shrink_by_key_and_wheel(
    room: Room, beavers: ReferenceGrid, qtbot: QtBot
) -> None:
    qtbot.keyClick(room.field, Qt.Key.Key_Plus, CONTROL)
    assert beavers.tile_size > DEFAULT_TILE_SIZE
    wheel(beavers, -120, CONTROL)
    wheel(beavers, -120, CONTROL)
    assert beavers.tile_size < DEFAULT_TILE_SIZE
    qtbot.keyClick(room.field, Qt.Key.Key_0, CONTROL)
    assert beavers.tile_size == DEFAULT_TILE_SIZE


def test_the_plain_wheel_scrolls(beavers: ReferenceGrid) -> None:
    beavers.set_tile_size(256)
    wheel(beavers, -120, Qt.KeyboardModifier.NoModifier)
    assert beavers.verticalScrollBar().value() > 0
    assert beavers.tile_size == 256


@pytest.fixture
def typed(beavers: ReferenceGrid) -> Callable[[], list[str]]:
    heard: list[str] = []
    beavers.typed.connect(heard.append)
    return lambda: heard


def test_text_typed_among_the_images_is_passed_on(
    beavers: ReferenceGrid, typed: Callable[[], list[str]], qtbot: QtBot
) -> None:
    beavers.setFocus()
    qtbot.keyClick(beavers, "s")
    qtbot.keyClick(beavers, Qt.Key.Key_G, CONTROL)
    assert typed() == ["s"]


def test_nothing_is_left_of_the_images_when_a_sentence_is_shown_instead(
    room: Room, beavers: ReferenceGrid
) -> None:
    assert beavers.accessibleDescription() == "Image 1 of 40"
    room.panel.clear()
    assert (beavers.tiles, beavers.accessibleDescription()) == ((), "")
    room.panel.render_references(ready(BEAVER, 40, "#c82828"), name="beaver")
    missing = ReferencesView(ReferencesState.NONE, MARMOT, sentence=NO_REFERENCES_SENTENCE)
    room.panel.render_references(missing, name="marmot")
    assert (beavers.tiles, beavers.accessibleDescription()) == ((), "")
