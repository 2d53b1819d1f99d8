"""Layouts of the workbench, hidden key hints, and undo by its key."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from labeler.ui.kit.input.icon_button import IconKeyButton
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
