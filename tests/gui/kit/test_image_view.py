"""The image on the workbench: to fit, on its surround, and telling nothing."""

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.app.trial_image_loader import TrialImageState, TrialImageView
from labeler.core.view_geometry import MAX_FIT_SCALE, Viewport
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.window.theme import Appearance, load_theme
from tests.gui.trial_pictures import RED, blind, coordinates, plain

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def painted(view: ImageView) -> list[str]:
    texts: list[str] = []
    view.painted.connect(texts.append)
    return texts


def show(view: ImageView, image: Image.Image, trial_id: str = "a") -> None:
    view.show_image(blind(trial_id, image, view.image_viewport))


def pixels(view: ImageView) -> QImage:
    return view.canvas.grab().toImage()


def middle(view: ImageView) -> QPoint:
    return view.canvas.rect().center()


def is_red(colour: QColor) -> bool:
    return (colour.red(), colour.green(), colour.blue()) == RED


def red_pixels(shot: QImage) -> int:
    return sum(
        is_red(shot.pixelColor(x, y)) for x in range(shot.width()) for y in range(shot.height())
    )


def red_on_screen(view: ImageView) -> int:
    """What was painted and is there, while grabbing a widget would paint it again."""
    return red_pixels(view.screen().grabWindow(view.winId()).toImage())


def test_a_small_image_is_enlarged_up_to_the_limit_in_the_middle(view: ImageView) -> None:
    show(view, coordinates(100, 50))
    shot, canvas = pixels(view), view.canvas
    wide, high = round(100 * MAX_FIT_SCALE), round(50 * MAX_FIT_SCALE)
    corner = QPoint((canvas.width() - wide) // 2, (canvas.height() - high) // 2)
    assert shot.pixelColor(corner) == QColor(0, 0, 200)
    assert shot.pixelColor(corner + QPoint(wide - 1, high - 1)) == QColor(99, 49, 200)
    assert shot.pixelColor(corner - QPoint(1, 1)) == QColor(load_theme("light").surround)
    assert view.zoom_bar.readout.text() == "Whole"


def test_a_large_image_is_seen_whole(view: ImageView) -> None:
    show(view, plain(3000, 1000))
    shot, canvas = pixels(view), view.canvas.rect()
    assert is_red(shot.pixelColor(0, canvas.center().y()))
    assert is_red(shot.pixelColor(canvas.right(), canvas.center().y()))
    assert shot.pixelColor(canvas.center().x(), 0) == QColor(load_theme("light").surround)


def test_until_it_is_scaled_again_an_image_still_fits_a_resized_view(
    view: ImageView, qtbot: QtBot
) -> None:
    show(view, plain(3000, 1000))
    with qtbot.waitSignal(view.viewport_changed) as settled:
        view.resize(466, 456)
    canvas = view.canvas.rect()
    assert is_red(pixels(view).pixelColor(canvas.right(), canvas.center().y()))
    assert settled.args == [Viewport(450, view.canvas.height())]


def test_the_room_for_the_image_is_reported_when_it_shows_and_once_when_it_changes(
    appearance: Appearance, qtbot: QtBot
) -> None:
    view, texts = ImageView(appearance, load_keymap()), []
    qtbot.addWidget(view)
    view.viewport_changed.connect(texts.append)
    view.resize(516, 456)
    view.show()
    assert texts == [view.image_viewport]
    for width in range(520, 560):
        view.resize(width, 456)
    qtbot.waitUntil(lambda: len(texts) > 1)
    assert texts[1:] == [Viewport(559 - 16, view.canvas.height())]


@pytest.mark.parametrize("zoomed", [0, 3])
def test_a_smaller_image_leaves_nothing_of_a_larger_one_on_the_screen(
    view: ImageView, painted: list[str], qtbot: QtBot, zoomed: int
) -> None:
    show(view, plain(400, 300), "a")
    view.zoom(zoomed)
    qtbot.waitUntil(lambda: painted == ["a"])
    assert red_on_screen(view) >= 400 * 300
    show(view, plain(41, 31), "b")
    qtbot.waitUntil(lambda: painted == ["a", "b"])
    assert red_on_screen(view) == (3 * 41) * (3 * 31)
    view.clear()
    qtbot.waitUntil(lambda: red_on_screen(view) == 0)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_to_fit_every_prepared_pixel_is_a_pixel_of_the_device(
    view: ImageView, monkeypatch: pytest.MonkeyPatch, ratio: float
) -> None:
    monkeypatch.setattr(type(view.canvas), "devicePixelRatioF", lambda _self: ratio)
    image = blind("a", coordinates(250, 200), view.image_viewport)
    view.show_image(image)
    device = QPixmap(view.image_viewport.width, view.image_viewport.height)
    device.setDevicePixelRatio(ratio)
    view.canvas.render(device)
    fitted, shot = image.pixels.fitted, device.toImage()
    x, y = (shot.width() - fitted.width()) // 2, (shot.height() - fitted.height()) // 2
    seen = shot.copy(x, y, fitted.width(), fitted.height())
    seen.setDevicePixelRatio(ratio)
    assert seen.convertToFormat(fitted.format()) == fitted


def test_every_button_says_what_it_does_and_by_which_key(view: ImageView) -> None:
    bar = view.zoom_bar
    assert bar.fit.toolTip() == "Fit image to view (F2)"
    assert bar.actual.toolTip() == "Actual size (F3)"
    for button in (bar.smaller, bar.larger, bar.fit, bar.actual):
        assert button.accessibleName()


def test_typing_is_passed_on_and_escape_leaves(view: ImageView, qtbot: QtBot) -> None:
    show(view, plain(500, 400))
    typed, left = [], []
    view.typed.connect(typed.append)
    view.left.connect(lambda: left.append(True))
    qtbot.keyClicks(view, "b2")
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert typed == ["b", "2"]
    assert left == [True]
    assert QApplication.clipboard().image().isNull()


def test_another_image_is_seen_to_fit(view: ImageView) -> None:
    show(view, plain(250, 200), "a")
    view.zoom(3)
    show(view, plain(250, 200), "b")
    assert view.zoom_bar.readout.text() == "Whole"


def test_the_same_image_scaled_again_is_seen_as_before(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    show(view, plain(500, 400))
    view.zoom(3)
    qtbot.waitUntil(lambda: painted == ["a"])
    show(view, plain(500, 400))
    assert view.zoom_bar.readout.text() == "200 %"
    pixels(view)
    QApplication.processEvents()
    assert painted == ["a"]


def test_without_an_image_there_is_nothing_to_zoom(view: ImageView) -> None:
    show(view, plain(500, 400))
    view.clear()
    view.zoom(1)
    view.pan(1, 0)
    view.actual_size()
    assert view.zoom_bar.readout.text() == "Whole"
    assert pixels(view).pixelColor(middle(view)) == QColor(load_theme("light").surround)


def test_a_view_of_a_presenter_is_shown(view: ImageView) -> None:
    image = blind("a", plain(250, 200), view.image_viewport)
    view.render_trial_image(TrialImageView(TrialImageState.READY, "a", image=image))
    assert is_red(pixels(view).pixelColor(middle(view)))
    view.render_trial_image(TrialImageView(TrialImageState.LOADING, "b"))
    assert not red_pixels(pixels(view))
    assert not view.message.isVisible()
    view.render_trial_image(TrialImageView(TrialImageState.FAILED, "b", sentence="It failed."))
    assert view.message.isVisible()
    assert view.message.sentence == "It failed."
    assert not view.zoom_bar.isEnabled()


def test_all_that_can_be_read_or_heard_is_the_views_own(view: ImageView) -> None:
    show(view, plain(250, 200), "trial-7f3a")
    assert view.accessibleName() == "Image to classify"
    for widget in (view, view.canvas):
        assert widget.accessibleDescription() == widget.toolTip() == widget.windowTitle() == ""
    words = {text for w in view.findChildren(QWidget) for text in (w.toolTip(), w.accessibleName())}
    assert not [text for text in words if "250" in text or "7f3a" in text]


def test_the_theme_changes_the_surround(view: ImageView, appearance: Appearance) -> None:
    appearance.choose(ThemeChoice.DARK)
    assert pixels(view).pixelColor(2, 2) == QColor(load_theme("dark").surround)


def test_the_focus_can_be_seen(view: ImageView) -> None:
    focused = view.grab().toImage().pixelColor(2, 100)
    view.clearFocus()
    assert focused == QColor("#ffffff")
    assert view.grab().toImage().pixelColor(2, 100) == QColor(load_theme("light").surround)
