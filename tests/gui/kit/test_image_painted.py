"""The trial's clock starts with this word: the image was painted, once, and really this one."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.window.theme import Appearance
from tests.gui.trial_pictures import RED, blind, plain

PAUSED = "Paused. The image is covered."

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def view(appearance: Appearance, qtbot: QtBot) -> ImageView:
    """A view that is not shown yet."""
    made = ImageView(appearance, load_keymap())
    qtbot.addWidget(made)
    made.resize(400, 300)
    return made


@pytest.fixture
def painted(view: ImageView) -> list[str]:
    texts: list[str] = []
    view.painted.connect(texts.append)
    return texts


def show(view: ImageView, trial_id: str) -> None:
    view.show_image(blind(trial_id, plain(120, 90), view.image_viewport))


def on_screen(view: ImageView, qtbot: QtBot) -> None:
    with qtbot.waitExposed(view):
        view.show()


def let_everything_happen(view: ImageView) -> None:
    """Paint at once, and deliver what the paint has to say."""
    view.repaint()
    view.canvas.repaint()
    QApplication.processEvents()


def let_the_word_arrive(view: ImageView) -> None:
    """Deliver what a paint had to say, and paint nothing."""
    QApplication.sendPostedEvents(view.canvas, QEvent.Type.MetaCall.value)


def red_pixels(view: ImageView) -> int:
    shot = view.grab().toImage()
    colours = (shot.pixelColor(x, y) for x in range(shot.width()) for y in range(shot.height()))
    return sum((c.red(), c.green(), c.blue()) == RED for c in colours)


def test_an_image_is_reported_as_painted_once(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    assert painted == []
    qtbot.waitUntil(lambda: painted == ["a"])
    for _ in range(3):
        let_everything_happen(view)
    assert painted == ["a"]


def test_the_word_comes_after_the_paint_and_not_in_it(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    view.canvas.repaint()
    assert painted == []
    qtbot.waitUntil(lambda: painted == ["a"])


def test_of_images_in_quick_succession_only_those_painted_are_reported(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    view.canvas.repaint()
    show(view, "b")
    show(view, "c")
    qtbot.waitUntil(lambda: bool(painted))
    let_everything_happen(view)
    assert painted == ["c"]


def test_the_word_of_one_paint_is_not_taken_for_the_next_image(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    view.canvas.repaint()
    show(view, "b")
    let_the_word_arrive(view)
    assert painted == []
    qtbot.waitUntil(lambda: painted == ["b"])


def test_a_picture_taken_of_a_window_that_is_not_on_the_screen_yet_is_no_paint(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    show(view, "a")
    view.show()
    assert not view.windowHandle().isExposed()
    view.grab()
    let_the_word_arrive(view)
    assert painted == []
    qtbot.waitUntil(lambda: painted == ["a"])


def test_a_cleared_image_is_not_reported_late(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    view.canvas.repaint()
    view.clear()
    let_everything_happen(view)
    assert painted == []


def test_an_image_shown_again_after_clearing_is_reported_again(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    qtbot.waitUntil(lambda: painted == ["a"])
    view.clear()
    show(view, "a")
    qtbot.waitUntil(lambda: painted == ["a", "a"])


def test_an_image_no_one_can_see_yet_is_reported_when_it_is_seen(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    show(view, "a")
    view.grab()
    let_everything_happen(view)
    assert painted == []
    on_screen(view, qtbot)
    qtbot.waitUntil(lambda: painted == ["a"])


def test_an_image_that_came_under_the_cover_is_reported_when_it_is_uncovered(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    view.cover(PAUSED)
    show(view, "a")
    let_everything_happen(view)
    assert painted == []
    assert red_pixels(view) == 0
    view.uncover()
    qtbot.waitUntil(lambda: painted == ["a"])
    assert red_pixels(view) >= 120 * 90


def test_the_cover_leaves_no_pixel_of_the_image_and_no_second_word(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    qtbot.waitUntil(lambda: painted == ["a"])
    assert red_pixels(view) >= 120 * 90
    view.cover(PAUSED)
    view.zoom(2)
    view.actual_size()
    assert red_pixels(view) == 0
    assert not view.zoom_bar.isEnabled()
    view.uncover()
    let_everything_happen(view)
    assert red_pixels(view) >= 120 * 90
    assert painted == ["a"]


def test_covered_before_the_word_was_given_it_waits(
    view: ImageView, painted: list[str], qtbot: QtBot
) -> None:
    on_screen(view, qtbot)
    show(view, "a")
    view.canvas.repaint()
    view.cover(PAUSED)
    let_everything_happen(view)
    assert painted == []
    view.uncover()
    qtbot.waitUntil(lambda: painted == ["a"])


def test_the_cover_says_why_and_resumes_by_mouse_and_by_key(view: ImageView, qtbot: QtBot) -> None:
    on_screen(view, qtbot)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    show(view, "a")
    view.cover(PAUSED)
    wanted, typed = [], []
    view.resume_wanted.connect(lambda: wanted.append(True))
    view.typed.connect(typed.append)
    assert view.is_covered
    assert view.card.sentence == view.card.accessibleName() == PAUSED
    qtbot.keyClicks(view.card.resume, "x")
    qtbot.keyClick(view.card.resume, Qt.Key.Key_Return)
    qtbot.mouseClick(view.card.resume, Qt.MouseButton.LeftButton)
    assert wanted == [True, True]
    assert typed == []
    assert view.is_covered
    view.uncover()
    assert not view.is_covered
    assert view.hasFocus()


def test_a_failure_told_under_the_cover_is_seen_after_it(view: ImageView, qtbot: QtBot) -> None:
    on_screen(view, qtbot)
    view.cover(PAUSED)
    view.say("This image can't be shown.")
    assert not view.message.isVisible()
    view.uncover()
    assert view.message.isVisible()
    view.cover(PAUSED)
    show(view, "a")
    view.uncover()
    assert not view.message.isVisible()
