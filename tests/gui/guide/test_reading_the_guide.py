"""A labeler reads the guide during the evaluation, when no one may write in it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from labeler.core.guide.page_versions import FROZEN
from labeler.ui.classes.map.map_view import ClassMapOverlay
from labeler.ui.guide.guide_panel import CHOOSE_PAGE
from labeler.ui.study.home_screen import HomeScreen
from tests.gui.guide_session import GuideSession
from tests.gui.window_session import PLAIN

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def test_during_an_evaluation_the_guide_is_read_and_the_window_says_why(
    reading: GuideSession,
) -> None:
    reading.open()
    screen = reading.journey.reading
    reading.wait(screen.why_not.isVisible)
    texts = " ".join(part.text() for part in screen.why_not.findChildren(QLabel))
    assert FROZEN in texts
    assert not screen.edit.isEnabled()
    assert not screen.new.isEnabled()
    reading.press(Qt.Key.Key_E)
    assert reading.journey.screen.currentWidget() is screen


def test_contents_are_next_to_the_page_and_typing_searches(reading: GuideSession) -> None:
    reading.open()
    screen = reading.journey.reading
    assert screen.contents.currentItem().text(0) == "Marmot and beaver"
    reading.session.type_in("foxes")
    assert screen.panel.shows_results
    reading.session.press(Qt.Key.Key_Return)
    assert screen.panel.page.toPlainText().startswith("Red fox")
    reading.wait(lambda: screen.contents.currentItem().text(0).startswith("Red fox"))


def test_no_title_is_cut_in_the_contents(reading: GuideSession) -> None:
    reading.open()
    contents = reading.journey.reading.contents
    long = contents.topLevelItem(0).child(0)
    long.setText(0, "Shih-Tzu, Lhasa, Tibetan terrier, otterhound, Old English sheepdog and briard")
    contents.doItemsLayout()
    room = contents.visualItemRect(long)
    wrapped = contents.fontMetrics().boundingRect(
        room.adjusted(8, 0, -8, 1000), Qt.TextFlag.TextWordWrap, long.text(0)
    )
    assert wrapped.height() <= room.height()
    assert room.height() > 2 * contents.fontMetrics().height()


def test_escape_leads_home(reading: GuideSession) -> None:
    reading.open()
    reading.journey.reading.panel.setFocus()
    reading.press(Qt.Key.Key_Escape, PLAIN)
    reading.session.wait_for(HomeScreen)


def test_the_contents_stand_there_once_and_the_keyboard_searches(reading: GuideSession) -> None:
    screen = reading.journey.reading
    reading.wait(lambda: screen.contents.topLevelItemCount() > 0)
    assert not screen.panel.page.isVisible()
    assert f"classes. {CHOOSE_PAGE}" in screen.panel.notice
    reading.wait(screen.panel.field.hasFocus)
    reading.session.type_in("foxes")
    assert screen.panel.shows_results


def test_the_map_opens_over_the_guide_and_leads_to_a_page(reading: GuideSession) -> None:
    reading.open()
    screen = reading.journey.reading
    reading.press(Qt.Key.Key_F5, PLAIN)
    overlay = screen.findChild(ClassMapOverlay)
    assert isinstance(overlay, ClassMapOverlay)
    assert overlay.isVisible()
    reading.session.type_in("red fox")
    reading.session.press(Qt.Key.Key_Return)
    reading.session.press(Qt.Key.Key_Return)
    assert overlay.isHidden()
    reading.wait(lambda: screen.panel.page.toPlainText().startswith("Red fox"))
