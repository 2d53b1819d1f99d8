"""The class map over the workbench: found by typing, moved by keys and mouse, chosen with Enter."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from labeler.app.keymap import Action
from labeler.ui.classes.map.map_view import ClassMapOverlay
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.window_session import CONTROL, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise")


def opened_map(session: WindowSession) -> ClassMapOverlay:
    session.press(Qt.Key.Key_F5)
    overlay = session.screen.findChild(ClassMapOverlay)
    assert isinstance(overlay, ClassMapOverlay)
    assert overlay.isVisible()
    return overlay


def selected(session: WindowSession) -> str | None:
    """The name of what the map's cursor is on."""
    overlay = session.screen.findChild(ClassMapOverlay)
    assert isinstance(overlay, ClassMapOverlay)
    return overlay.name.text() or None


def test_typing_finds_a_class_and_enter_chooses_it(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_Return)
    assert selected(at_work) == "beaver"
    assert at_work.chosen is None
    at_work.press(Qt.Key.Key_Return)
    assert at_work.chosen == BEAVER
    assert overlay.isHidden()


def test_after_enter_the_keys_of_the_map_work_and_a_letter_searches_again(
    at_work: WindowSession,
) -> None:
    overlay = opened_map(at_work)
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_Return)
    before = overlay.canvas.tile_width
    at_work.press(Qt.Key.Key_Space)
    assert overlay.canvas.tile_width > before
    assert overlay.field.text() == "beaver"
    at_work.type_in("marmot")
    assert overlay.field.text() == "marmot"


def test_a_held_key_does_not_choose_what_it_has_found(at_work: WindowSession) -> None:
    opened_map(at_work)
    at_work.type_in("beaver")
    at_work.hold(Qt.Key.Key_Return)
    assert selected(at_work) == "beaver"
    assert at_work.chosen is None


def test_the_map_covers_the_screen_and_shows_the_image(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    assert overlay.geometry() == at_work.screen.rect()
    assert overlay.subject.shows_image


def test_escape_clears_the_search_then_closes_the_map(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    at_work.type_in("dog")
    at_work.press(Qt.Key.Key_Escape)
    assert overlay.isVisible()
    assert overlay.field.text() == ""
    at_work.press(Qt.Key.Key_Escape)
    assert overlay.isHidden()
    assert at_work.field.hasFocus()


def test_the_map_opens_where_the_person_was_looking(at_work: WindowSession) -> None:
    at_work.type_in("marmot")
    opened_map(at_work)
    assert selected(at_work) == "marmot"
    assert at_work.tools.browser.view.wnid == MARMOT


def test_the_map_of_a_new_image_shows_no_place(at_work: WindowSession) -> None:
    """The image, and so its target, decides nothing: only the person's acts do."""
    opened_map(at_work)
    assert selected(at_work) is None
    at_work.press(Qt.Key.Key_Escape)
    at_work.answer("beaver")
    at_work.wait_for_trial(2)
    opened_map(at_work)
    assert selected(at_work) is None


def test_a_pause_covers_the_image_on_the_map_too(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    at_work.press(Qt.Key.Key_P, CONTROL)
    assert overlay.isHidden()


def test_arrows_move_to_other_classes(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    seen = {selected(at_work)}
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        at_work.press(key)
        seen.add(selected(at_work))
    assert len(seen) > 1
    assert overlay.canvas.hasFocus()


def test_keys_and_wheel_zoom(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    sizes = [overlay.canvas.tile_width]
    at_work.press(Qt.Key.Key_Plus)
    sizes.append(overlay.canvas.tile_width)
    at_work.press(Qt.Key.Key_Minus)
    sizes.append(overlay.canvas.tile_width)
    assert sizes[1] > sizes[0] == sizes[2]
    view = overlay.canvas.viewport()
    where = QPointF(view.rect().center())
    event = QWheelEvent(
        where,
        QPointF(view.mapToGlobal(where)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    assert overlay.canvas.tile_width > sizes[2]


def test_a_class_is_taken_with_the_mouse(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    at_work.click(overlay.choose)
    assert at_work.chosen == BEAVER


def test_space_shows_more_references(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    before = overlay.canvas.tile_width
    at_work.press(Qt.Key.Key_Space)
    assert overlay.canvas.tile_width > before
    at_work.press(Qt.Key.Key_Space)
    assert overlay.canvas.tile_width == before


def test_a_screen_reader_hears_where_the_cursor_is(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    assert overlay.canvas.accessibleDescription().startswith("beaver, class")


def test_the_button_opens_the_map(at_work: WindowSession) -> None:
    at_work.press(Qt.Key.Key_D, CONTROL)
    at_work.click(at_work.tools.taxonomy.map_button)
    overlay = at_work.screen.findChild(ClassMapOverlay)
    assert isinstance(overlay, ClassMapOverlay)
    assert overlay.isVisible()


def test_space_returns_to_the_zoom_before(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    at_work.press(Qt.Key.Key_Right)
    before = overlay.canvas.tile_width
    at_work.press(Qt.Key.Key_Space)
    assert overlay.canvas.tile_width > before
    at_work.press(Qt.Key.Key_Space)
    assert overlay.canvas.tile_width == before


def test_a_button_zooms_to_each_stop(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    sizes = []
    for button in overlay.stops.values():
        at_work.click(button)
        assert button.isChecked()
        sizes.append(overlay.canvas.tile_width)
    assert sizes[-1] > sizes[-2] > sizes[0]
    assert overlay.canvas.hasFocus()


def test_the_pointer_shows_a_class_without_moving_the_cursor(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    overlay.canvas.hovered.emit(0)
    assert selected(at_work) not in (None, "beaver")
    assert overlay.current_class == BEAVER
    overlay.canvas.hovered.emit(None)
    assert selected(at_work) == "beaver"


def test_the_side_shows_the_references_of_what_the_cursor_is_on(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    assert overlay.preview.accessibleDescription().startswith("beaver, class")
    at_work.press(Qt.Key.Key_Minus)
    assert {strip.wnid for strip in overlay.preview.strips} >= {BEAVER}


def test_the_same_key_closes_the_map(at_work: WindowSession) -> None:
    overlay = opened_map(at_work)
    at_work.press(Qt.Key.Key_F5)
    assert overlay.isHidden()


def test_a_class_of_the_map_is_shortlisted_and_compared(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    at_work.press(Qt.Key.Key_S, CONTROL)
    assert overlay.isVisible()
    at_work.press(Qt.Key.Key_Escape)
    at_work.type_in("marmot")
    opened_map(at_work)
    at_work.press(Qt.Key.Key_S, CONTROL)
    assert set(at_work.tools.shortlisted) == {BEAVER, MARMOT}
    at_work.press(Qt.Key.Key_K, CONTROL)
    assert overlay.isHidden()
    assert at_work.tools.class_view.compares


def test_the_line_above_the_map_says_where_the_cursor_is(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    assert overlay.place.text().endswith("beaver")
    at_work.type_in("zzqq")
    assert "beaver" not in overlay.place.text()


def test_the_status_bar_lists_the_keys_of_the_map(at_work: WindowSession) -> None:
    opened_map(at_work)
    hints = [button.accessibleName() for button in shown_hints(at_work)]
    keymap = at_work.window.keymap
    assert keymap[Action.MAP_PREVIEW].title in hints
    assert keymap[Action.TO_TAXONOMY].title not in hints
    at_work.press(Qt.Key.Key_Escape)
    hints = [button.accessibleName() for button in shown_hints(at_work)]
    assert keymap[Action.MAP_PREVIEW].title not in hints


def shown_hints(session: WindowSession) -> list[QToolButton]:
    bar = session.window.hint_bar
    return [button for button in bar.findChildren(QToolButton, "hint") if button.isVisible()]


def test_tab_stays_on_the_map_and_reaches_everything_on_it(at_work: WindowSession) -> None:
    """A covered button would otherwise get the next key, unseen."""
    at_work.type_in("beaver")
    overlay = opened_map(at_work)
    reached = []
    for _ in range(12):
        focused = QApplication.focusWidget()
        assert overlay.isAncestorOf(focused)
        assert focused.accessibleName()
        reached.append(focused)
        at_work.press(Qt.Key.Key_Tab)
    wanted = {overlay.field, overlay.canvas, overlay.choose, overlay.leave, *overlay.stops.values()}
    assert wanted <= set(reached)
    at_work.press(Qt.Key.Key_Backtab)
    assert overlay.isAncestorOf(QApplication.focusWidget())
