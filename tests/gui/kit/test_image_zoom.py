"""Zooming and moving over the image, by wheel, hand, key and button."""

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Scope, load_keymap
from labeler.ui.kit.pictures.image_view import ImageView, image_view_keys
from labeler.ui.kit.pictures.loupe import LOUPE_FACTOR, LOUPE_RADIUS
from labeler.ui.window.actions import bind_scope
from tests.gui.trial_pictures import blind, coordinates, plain

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def show(view: ImageView, image: Image.Image, trial_id: str = "a") -> None:
    view.show_image(blind(trial_id, image, view.image_viewport))


def pixels(view: ImageView) -> QImage:
    return view.canvas.grab().toImage()


def middle(view: ImageView) -> QPoint:
    return view.canvas.rect().center()


def wheel(view: ImageView, where: QPoint, turn: int) -> None:
    event = QWheelEvent(
        QPointF(where),
        QPointF(view.canvas.mapToGlobal(where)),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.canvas, event)


def drag(view: ImageView, start: QPoint, end: QPoint) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    steps = (
        (QMouseEvent.Type.MouseButtonPress, start, left),
        (QMouseEvent.Type.MouseMove, end, Qt.MouseButton.NoButton),
        (QMouseEvent.Type.MouseButtonRelease, end, left),
    )
    for kind, where, button in steps:
        place, on_screen = QPointF(where), QPointF(view.canvas.mapToGlobal(where))
        event = QMouseEvent(kind, place, on_screen, button, left, none)
        QApplication.sendEvent(view.canvas, event)


def test_one_to_one_gives_each_pixel_one_of_the_device(view: ImageView) -> None:
    show(view, coordinates(250, 200).resize((1000, 800), Image.Resampling.NEAREST))
    view.actual_size()
    shot = pixels(view)
    steps = [shot.pixelColor(x, 200).red() for x in range(100, 140)]
    assert steps[0] in (steps[3], steps[3] - 1)
    assert len(set(steps)) in (10, 11)
    assert view.zoom_bar.readout.text() == "100 %"


@pytest.mark.parametrize("offset", [QPoint(0, 0), QPoint(60, 40), QPoint(-90, -45)])
def test_zooming_with_the_wheel_keeps_the_pixel_under_the_pointer(
    view: ImageView, offset: QPoint
) -> None:
    show(view, coordinates(500, 400))
    pointer = middle(view) + offset
    before = pixels(view).pixelColor(pointer)
    for _ in range(6):
        wheel(view, pointer, 120)
    after = pixels(view).pixelColor(pointer)
    assert view.zoom_bar.readout.text() == "400 %"
    assert abs(after.red() - before.red()) <= 1
    assert abs(after.green() - before.green()) <= 1


def test_small_turns_of_a_fine_wheel_add_up(view: ImageView) -> None:
    show(view, plain(500, 400))
    for _ in range(4):
        assert view.zoom_bar.readout.text() == "Whole"
        wheel(view, middle(view), 30)
    assert view.zoom_bar.readout.text() == "125 %"


def test_zooming_out_ends_at_fit(view: ImageView) -> None:
    show(view, plain(500, 400))
    view.zoom(3)
    view.zoom(-30)
    assert view.zoom_bar.readout.text() == "Whole"
    assert not view.zoom_bar.smaller.isEnabled()


def test_on_a_dense_screen_one_to_one_may_be_smaller_than_fit(
    view: ImageView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(view.canvas), "devicePixelRatioF", lambda _self: 2.0)
    show(view, plain(300, 200))
    bar = view.zoom_bar
    assert (bar.readout.text(), bar.smaller.isEnabled()) == ("Whole", True)
    view.zoom(-9)
    assert (bar.readout.text(), bar.smaller.isEnabled()) == ("100 %", False)
    view.zoom(6)
    assert (bar.readout.text(), bar.smaller.isEnabled()) == ("Whole", True)


def test_zooming_in_ends_at_sixteen_times(view: ImageView) -> None:
    show(view, coordinates(500, 400))
    view.zoom(60)
    assert view.zoom_bar.readout.text() == "1600 %"
    assert not view.zoom_bar.larger.isEnabled()


def test_an_image_is_smoothed_at_first_and_shows_its_pixels_when_enlarged_further(
    view: ImageView,
) -> None:
    stripes = plain(500, 400, (0, 0, 0))
    for x in range(0, 500, 2):
        stripes.paste((255, 255, 255), (x, 0, x + 1, 400))
    show(view, stripes)
    for scale, colours in ((1.5, 3), (3.0, 3), (4.0, 2), (16.0, 2)):
        view.canvas.zoom_to(scale)
        shot = pixels(view)
        seen = {shot.pixelColor(x, 200).red() for x in range(100, 260)}
        assert min(len(seen), 3) == colours


def test_dragging_moves_the_image_with_the_hand(view: ImageView) -> None:
    show(view, coordinates(500, 400))
    view.zoom(6)
    before = pixels(view).pixelColor(middle(view))
    drag(view, middle(view), middle(view) + QPoint(80, 40))
    assert pixels(view).pixelColor(middle(view) + QPoint(80, 40)) == before


def test_an_image_that_fits_can_not_be_dragged_away(view: ImageView) -> None:
    show(view, coordinates(500, 400))
    before = pixels(view)
    drag(view, middle(view), middle(view) + QPoint(80, 40))
    view.pan(1, 1)
    assert pixels(view) == before


def test_a_double_click_goes_to_one_to_one_there_and_back_to_fit(
    view: ImageView, qtbot: QtBot
) -> None:
    show(view, coordinates(250, 200).resize((1000, 800), Image.Resampling.NEAREST))
    pointer = middle(view) + QPoint(70, 30)
    before = pixels(view).pixelColor(pointer)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=pointer)
    assert view.zoom_bar.readout.text() == "100 %"
    assert abs(pixels(view).pixelColor(pointer).red() - before.red()) <= 1
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=pointer)
    assert view.zoom_bar.readout.text() == "Whole"


def test_a_double_click_on_an_image_seen_one_to_one_shows_more_of_it(
    view: ImageView, qtbot: QtBot
) -> None:
    show(view, plain(500, 400))
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=middle(view))
    assert view.zoom_bar.readout.text() == "200 %"


def test_the_keys_of_the_image_zoom_and_move_it(view: ImageView, qtbot: QtBot) -> None:
    show(view, coordinates(250, 200).resize((500, 400), Image.Resampling.NEAREST))
    for key, readout in (
        (Qt.Key.Key_Plus, "125 %"),
        (Qt.Key.Key_Equal, "150 %"),
        (Qt.Key.Key_Minus, "125 %"),
        (Qt.Key.Key_1, "100 %"),
        (Qt.Key.Key_0, "Whole"),
    ):
        qtbot.keyClick(view, key)
        assert view.zoom_bar.readout.text() == readout
    view.zoom(6)
    seen = [pixels(view).pixelColor(middle(view))]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(view, key)
        seen.append(pixels(view).pixelColor(middle(view)))
    start, right, down, left, up = ((colour.red(), colour.green()) for colour in seen)
    assert right[0] > start[0] and right[1] == start[1]  # noqa: PT018
    assert down[1] > right[1] and down[0] == right[0]  # noqa: PT018
    assert left[0] == start[0]
    assert up == start


def test_the_buttons_do_the_same_and_leave_the_focus_alone(view: ImageView, qtbot: QtBot) -> None:
    show(view, plain(500, 400))
    bar = view.zoom_bar
    for button, readout in (
        (bar.larger, "125 %"),
        (bar.actual, "100 %"),
        (bar.fit, "Whole"),
        (bar.larger, "125 %"),
        (bar.smaller, "Whole"),
    ):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert bar.readout.text() == readout
    assert view.hasFocus()


def test_the_loupe_enlarges_what_is_under_the_pointer_while_its_key_is_held(
    view: ImageView, qtbot: QtBot
) -> None:
    show(view, coordinates(250, 200).resize((500, 400), Image.Resampling.NEAREST))
    bind_scope(view, load_keymap(), Scope.VIEW, image_view_keys(view))
    before = pixels(view)
    pointer = middle(view)
    qtbot.keyPress(view, Qt.Key.Key_F10)
    qtbot.mouseMove(view.canvas, pointer + QPoint(7, 3))
    qtbot.mouseMove(view.canvas, pointer)
    qtbot.waitUntil(lambda: pixels(view) != before)
    near, far = pointer + QPoint(50, 0), pointer + QPoint(LOUPE_RADIUS + 20, 0)
    in_loupe = pixels(view).pixelColor(near).red() - pixels(view).pixelColor(pointer).red()
    around = before.pixelColor(near).red() - before.pixelColor(pointer).red()
    assert in_loupe == pytest.approx(around / LOUPE_FACTOR, abs=2)
    assert pixels(view).pixelColor(far) == before.pixelColor(far)
    qtbot.keyRelease(view, Qt.Key.Key_F10)
    assert pixels(view) == before


def test_the_loupe_button_keeps_the_loupe_until_it_is_pressed_again(
    view: ImageView, qtbot: QtBot
) -> None:
    show(view, coordinates(500, 400))
    before = pixels(view)
    qtbot.mouseClick(view.zoom_bar.loupe, Qt.MouseButton.LeftButton)
    qtbot.mouseMove(view.canvas, middle(view) + QPoint(7, 3))
    qtbot.mouseMove(view.canvas, middle(view))
    qtbot.waitUntil(lambda: pixels(view) != before)
    qtbot.mouseClick(view.zoom_bar.loupe, Qt.MouseButton.LeftButton)
    assert pixels(view) == before
