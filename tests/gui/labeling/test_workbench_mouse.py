"""What the mouse finds at the workbench: the shortlist, closed panels, settings, the guide."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QToolButton

from labeler.ui.study.preferences_dialog import PreferencesDialog
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore(
    "This plugin does not support raise", "This plugin does not support propagateSizeHints"
)


def test_a_button_next_to_the_class_puts_it_on_the_shortlist_and_takes_it_off(
    at_work: WindowSession,
) -> None:
    button = at_work.sights.shortlist
    assert button is not None
    at_work.type_in("beaver")
    at_work.click(button)
    assert (at_work.tools.shortlisted, button.isChecked()) == ((BEAVER,), True)
    assert at_work.field.hasFocus()
    at_work.press(Qt.Key.Key_Escape)
    at_work.type_in("marmot")
    assert not button.isChecked()
    at_work.press(Qt.Key.Key_S, CONTROL)
    assert (at_work.tools.shortlisted, button.isChecked()) == ((BEAVER, MARMOT), True)
    at_work.click(button)
    assert (at_work.tools.shortlisted, button.isChecked()) == ((BEAVER,), False)


def test_a_closed_taxonomy_is_found_again_at_the_foot(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    taxonomy = at_work.screen.docks.taxonomy
    taxonomy.close()
    assert not taxonomy.isVisible()
    at_work.click(_at_foot(at_work, "taxonomy"))
    assert taxonomy.isVisible()


def test_settings_are_opened_at_the_foot(at_work: WindowSession) -> None:
    buttons = at_work.window.hint_bar.findChildren(QToolButton)
    at_work.click(next(b for b in buttons if b.accessibleName().startswith("Settings")))
    settings = at_work.dialog(PreferencesDialog)
    assert settings.isModal()
    settings.close()


def test_the_guides_tab_leads_to_the_class_in_focus(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    at_work.press(Qt.Key.Key_F1)  # without a class it opens at its contents
    at_work.wait(lambda: _tabs(at_work) is not None)
    _click_tab(at_work, "Class")
    at_work.press(Qt.Key.Key_F, CONTROL)
    at_work.type_in("marmot")
    _click_tab(at_work, "Guide")
    page = at_work.tools.guide.page
    at_work.wait(lambda: "Marmot and beaver" in page.toPlainText())
    assert page.isVisible()
    assert page.toPlainText().startswith("Marmot and beaver")


def test_no_line_of_the_styles_own_is_below_the_tabs(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    at_work.press(Qt.Key.Key_F1)
    at_work.wait(lambda: _tabs(at_work) is not None)
    tabs = _tabs(at_work)
    assert tabs is not None
    assert not tabs.drawBase()


def _at_foot(session: WindowSession, words: str) -> QToolButton:
    buttons = session.window.hint_bar.findChildren(QToolButton)
    return next(button for button in buttons if button.text() == words)


def _tabs(session: WindowSession) -> QTabBar | None:
    bars = session.screen.findChildren(QTabBar)
    return next((bar for bar in bars if bar.isVisible() and bar.count() == 2), None)


def _click_tab(session: WindowSession, words: str) -> None:
    tabs = _tabs(session)
    assert tabs is not None
    number = next(n for n in range(tabs.count()) if tabs.tabText(n) == words)
    session.click(tabs, tabs.tabRect(number))
