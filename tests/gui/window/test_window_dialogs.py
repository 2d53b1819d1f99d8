"""Key sheet and About, opened from the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLabel,
)

from labeler.app.about import about_view
from labeler.app.keymap import Action, load_keymap
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.about_dialog import AboutDialog
from labeler.ui.window.key_sheet_dialog import KeySheetDialog
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so whenever a dialog has a size of its own.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("typed", ["?", None])
def test_the_cheat_sheet_opens_from_the_search_field_without_typing(
    looking_at_classes: WindowSession, typed: str | None
) -> None:
    if typed:
        looking_at_classes.type_in(typed)
    else:
        looking_at_classes.press(Qt.Key.Key_Slash, CONTROL)
    assert looking_at_classes.dialog(KeySheetDialog).isVisible()
    assert looking_at_classes.field.text() == ""


def test_the_cheat_sheet_lists_every_action_with_its_keys(looking_at_home: WindowSession) -> None:
    looking_at_home.press(Qt.Key.Key_Slash, CONTROL)
    sheet = looking_at_home.dialog(KeySheetDialog)
    titles = [label.text() for label in sheet.findChildren(QLabel)]
    caps = [widget.accessibleName() for widget in sheet.findChildren(KeyCaps)]
    keymap = load_keymap()
    of_others = {Action.SHOW_REVIEWERS, Action.SHOW_MODELS, Action.SHOW_SET_UP, Action.SAVE_RESULTS}
    for action in set(Action) - of_others:
        assert keymap[action].title in titles
    assert len(caps) == len(set(Action) - of_others)
    assert "? or Ctrl /" in caps


def test_about_shows_versions_and_every_licence(looking_at_home: WindowSession) -> None:
    looking_at_home.window.show_about()
    shown = looking_at_home.dialog(AboutDialog)
    assert isinstance(shown, AboutDialog)
    texts = " ".join(label.text() for label in shown.findChildren(QLabel))
    assert "Python 3." in texts
    assert "Qt 6." in texts
    for number, licence in enumerate(about_view().licences):
        shown.choice.setCurrentIndex(number)
        assert shown.text.toPlainText().strip() == licence.text.strip() != ""
