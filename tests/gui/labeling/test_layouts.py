"""Layouts of the workbench, hidden key hints, and undo by its key."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from labeler.app.classes.shortlist import SHORTLIST_FULL
from labeler.ui.classes.class_view_panel import CHOOSE_TEXT, CHOSEN_TEXT
from labeler.ui.kit.input.icon_button import IconKeyButton
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.labeling.layout_menu import LayoutPreset
from tests.gui.small_study import BEAVER
from tests.gui.window_session import CONTROL, SHIFT, WindowSession


def test_each_layout_divides_the_window(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    balanced = _image_width(at_work)
    at_work.press(Qt.Key.Key_F12)
    assert at_work.screen.docks.preset is LayoutPreset.WIDE_REFERENCES
    assert _image_width(at_work) < balanced
    at_work.press(Qt.Key.Key_F12)
    assert at_work.screen.docks.is_class_hidden
    assert _image_width(at_work) > 1200
    at_work.press(Qt.Key.Key_F12)
    assert at_work.screen.docks.preset is LayoutPreset.BALANCED
    assert abs(_image_width(at_work) - balanced) <= 8


def test_the_classes_keep_their_share_of_a_resized_window(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    QApplication.processEvents()
    before = _image_width(at_work) / 1280
    for wide in (1900, 1280):
        at_work.window.resize(wide, 900)
        QApplication.processEvents()
        assert abs(_image_width(at_work) / wide - before) < 0.02


def test_the_image_is_as_wide_as_before_once_the_taxonomy_is_closed(
    at_work: WindowSession,
) -> None:
    at_work.window.resize(1280, 800)
    at_work.type_in("beaver")
    before = _image_width(at_work)
    at_work.press(Qt.Key.Key_D, CONTROL)
    QApplication.processEvents()
    assert _image_width(at_work) < before
    at_work.screen.docks.taxonomy.close()
    QApplication.processEvents()
    assert abs(_image_width(at_work) - before) <= 8


def test_a_fifth_class_is_refused_next_to_the_columns(at_work: WindowSession) -> None:
    for name in ("beaver", "marmot", "otter", "badger"):
        at_work.type_in(name)
        at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_K, CONTROL)
    at_work.type_in("mink")
    at_work.press(Qt.Key.Key_K, CONTROL)
    comparison = at_work.tools.class_view.comparison
    assert comparison.isVisible()
    assert comparison.refusal.text() == SHORTLIST_FULL
    assert not comparison.offered.isVisible()
    at_work.press(Qt.Key.Key_Delete)
    assert not comparison.refusal.isVisible()
    # What was found is added without being searched for again.
    assert (comparison.offered.isVisible(), comparison.offered.words) == (True, "Add mink")
    at_work.press(Qt.Key.Key_S, CONTROL)
    shown = [column.accessibleName() for column in comparison.columns]
    assert (len(shown), shown[-1], comparison.offered.isVisible()) == (4, "mink", False)


def test_the_map_and_the_tree_are_opened_with_the_buttons_next_to_the_search(
    at_work: WindowSession,
) -> None:
    buttons = {
        button.words: button
        for button in at_work.tools.finder.findChildren(KeyButton)
        if button.isVisible()
    }
    at_work.click(buttons["Tree"])
    assert at_work.screen.docks.taxonomy.isVisible()
    at_work.click(buttons["Map"])
    assert at_work.tools.open_map is not None


def test_the_button_says_that_the_class_is_chosen(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    button = at_work.tools.class_view.choose
    assert button is not None
    assert (button.words, button.isEnabled()) == (CHOOSE_TEXT, True)
    at_work.press(Qt.Key.Key_Return)
    assert (button.words, button.isEnabled()) == (CHOSEN_TEXT, False)
    at_work.type_in("marmot")
    assert (button.words, button.isEnabled()) == (CHOOSE_TEXT, True)


def test_the_class_is_back_when_the_escape_hatch_is_withdrawn(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_E, CONTROL)
    assert at_work.tools.is_searching
    at_work.press(Qt.Key.Key_Z, CONTROL)
    assert not at_work.tools.is_searching
    assert at_work.chosen == BEAVER


def test_pictures_of_results_get_most_of_the_height(at_work: WindowSession) -> None:
    at_work.type_in("mammal")
    as_list = at_work.tools.finder.height()
    at_work.press(Qt.Key.Key_J, CONTROL)
    QApplication.processEvents()
    assert at_work.tools.finder.height() > as_list * 1.2
    at_work.press(Qt.Key.Key_J, CONTROL)
    QApplication.processEvents()
    assert at_work.tools.finder.height() == as_list


def test_the_hints_are_those_of_the_place_with_the_focus(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    assert "classes" in _hints(at_work)
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_K, CONTROL)
    assert {"column", "remove"} <= _hints(at_work)
    assert "classes" not in _hints(at_work)


def _hints(at_work: WindowSession) -> set[str]:
    bar = at_work.window.hint_bar
    texts = (*bar.findChildren(QLabel), *bar.findChildren(QToolButton, "hint"))
    return {part.text() for part in texts if part.isVisible()}


def test_the_layout_is_the_same_at_the_next_visit(at_work: WindowSession) -> None:
    at_work.screen.use_layout(LayoutPreset.IMAGE_ONLY)
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.begin()
    assert at_work.screen.docks.is_class_hidden


def test_with_only_the_image_the_classes_are_there_while_one_is_looked_for(
    at_work: WindowSession,
) -> None:
    at_work.window.resize(1280, 800)
    at_work.screen.use_layout(LayoutPreset.IMAGE_ONLY)
    at_work.type_in("beaver")
    assert not at_work.screen.docks.is_class_hidden
    at_work.press(Qt.Key.Key_Return)
    assert at_work.chosen == BEAVER
    assert at_work.screen.docks.is_class_hidden
    at_work.press(Qt.Key.Key_Return)
    at_work.wait_for_trial(2)
    assert at_work.screen.docks.is_class_hidden


def test_hidden_key_hints_move_nothing(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    at_work.choose("beaver")
    before = _places(at_work)
    buttons = at_work.screen.answer.findChildren(IconKeyButton)
    assert all(button.key for button in buttons)
    at_work.press(Qt.Key.Key_F12, SHIFT)
    assert not any(button.key for button in buttons)
    assert _places(at_work) == before
    assert not at_work.opened.window.hint_bar.at_place.isVisible()
    at_work.press(Qt.Key.Key_F12, SHIFT)
    assert all(button.key for button in buttons)


def test_the_undo_key_takes_back_typing_first_and_then_the_choice(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_Z, CONTROL)
    assert at_work.field.text() == ""
    at_work.choose("beaver")
    assert at_work.chosen == BEAVER
    at_work.press(Qt.Key.Key_Z, CONTROL)
    assert at_work.chosen is None
    assert at_work.tools.is_searching, "another class is looked for"


def test_the_undo_key_returns_to_the_image_answered_last(at_work: WindowSession) -> None:
    at_work.answer("beaver")
    at_work.press(Qt.Key.Key_Z, CONTROL)
    at_work.wait_for_trial(1)
    assert at_work.chosen == BEAVER


def test_typing_after_the_shortlist_key_starts_another_search(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.type_in("mar")
    assert at_work.field.text() == "mar"


def _image_width(session: WindowSession) -> int:
    for _ in range(6):
        QApplication.processEvents()
    return session.screen.image.width()


def _places(session: WindowSession) -> list[QRect]:
    for _ in range(6):
        QApplication.processEvents()
    parts: list[QWidget] = [session.screen.image, session.screen.answer.submit]
    parts += [*session.screen.findChildren(IconKeyButton), *session.screen.findChildren(KeyCaps)]
    return [part.geometry() for part in parts]
