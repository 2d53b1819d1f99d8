"""The guide among several people: merges, versions, and pages that are retired."""

import pytest
from PySide6.QtCore import Qt

from labeler.guide.three_way_merge import MergeChoice
from labeler.ui.guide.guide_screen import GuideScreen
from labeler.ui.guide.versions_screen import COMMENT_ROLE
from tests.gui.guide_session import PAGE, GuideSession, save_as
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import CONTROL, PLAIN, SHIFT

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


# Two people.


def test_what_someone_saved_meanwhile_is_asked_about_and_nothing_is_lost(
    writing: GuideSession, study: SmallStudy
) -> None:
    save_as(study.folder, "B", "Two heavy", "Two stout")
    writing.type_at("Two heavy", "Often wet. ")
    writing.publish()
    merging = writing.journey.merging
    writing.wait(lambda: writing.journey.screen.currentWidget() is merging)
    assert "was saved by B" in merging.sentence.text()
    (card,) = merging.cards
    assert "Often wet. Two heavy" in merging.preview.toPlainText()
    assert "Two stout" in merging.preview.toPlainText()
    card.buttons[MergeChoice.MINE].click()
    assert "Two stout" not in merging.preview.toPlainText()
    card.buttons[MergeChoice.BOTH].click()
    merging.take.click()
    writing.wait(lambda: "Two stout" in writing.text)
    assert "Often wet. Two heavy" in writing.text
    writing.publish("both of us")
    writing.wait(lambda: writing.state == "Version 3 · saved")
    assert [author for _number, author, _comment in writing.versions()] == [None, "B", "A"]


def test_each_place_that_both_changed_is_decided_by_key(
    writing: GuideSession, study: SmallStudy
) -> None:
    save_as(study.folder, "B", "Two heavy", "Two stout")
    save_as(study.folder, "B", "alpine meadow", "mountain meadow")
    writing.type_at("Two heavy", "Often wet. ")
    writing.type_at("alpine meadow", "high ")
    writing.publish()
    merging = writing.journey.merging
    writing.wait(lambda: writing.journey.screen.currentWidget() is merging)
    first, second = merging.cards
    assert [card.property("current") for card in merging.cards] == [True, False]
    assert "span" in first._texts[0].text()  # what differs is marked

    writing.session.press(Qt.Key.Key_1)
    assert [card.property("current") for card in merging.cards] == [False, True]
    writing.session.press(Qt.Key.Key_2)
    shown = merging.preview.toPlainText()
    assert "Often wet. Two heavy" in shown
    assert "Two stout" not in shown
    assert "mountain meadow" in shown
    assert "high alpine meadow" not in shown
    writing.session.press(Qt.Key.Key_F7)
    writing.session.press(Qt.Key.Key_3)
    assert first.buttons[MergeChoice.BOTH].isChecked()
    assert second.buttons[MergeChoice.THEIRS].isChecked()
    writing.press(Qt.Key.Key_Return)
    writing.wait(lambda: "Two stout" in writing.text)
    assert "Often wet. Two heavy" in writing.text


def test_changes_that_fit_are_offered_with_a_preview(
    writing: GuideSession, study: SmallStudy
) -> None:
    save_as(study.folder, "B", "alpine meadow", "mountain meadow")
    writing.type_at("Two heavy", "Often wet. ")
    writing.publish()
    merging = writing.journey.merging
    writing.wait(lambda: writing.journey.screen.currentWidget() is merging)
    assert merging.cards == []
    assert "don't conflict" in merging.sentence.text()
    shown = merging.preview.toPlainText()
    assert "Often wet." in shown
    assert "mountain meadow" in shown
    writing.press(Qt.Key.Key_Escape, PLAIN)
    assert "mountain meadow" not in writing.text


# Versions.


def test_a_version_is_looked_at_and_restored_by_key(guide: GuideSession, study: SmallStudy) -> None:
    guide.open()
    save_as(study.folder, "B", "Two heavy", "Two stout")
    guide.press(Qt.Key.Key_H)
    back = guide.journey.versions_screen
    guide.wait(lambda: back.list.count() == 2)
    assert back.list.item(0).text() == "Version 2 · B · just now"
    assert back.list.item(0).data(COMMENT_ROLE) == "meanwhile"
    assert "Two stout" in back.changed.toPlainText()
    guide.session.press(Qt.Key.Key_P)
    assert back.page.isVisible()
    guide.session.press(Qt.Key.Key_C)
    assert back.changed.isVisible()
    assert not back.restore.isEnabled()
    guide.session.press(Qt.Key.Key_Down)
    guide.wait(back.restore.isEnabled)
    guide.press(Qt.Key.Key_R)
    guide.wait(lambda: back.list.count() == 3)
    assert guide.versions()[-1] == (3, "A", "Version 1 restored.")
    guide.press(Qt.Key.Key_Escape, PLAIN)
    page = guide.journey.reading.panel.page
    guide.wait(lambda: "Two heavy" in page.toPlainText())


# Retiring.


def test_a_page_is_retired_by_key_and_restored_from_its_versions(writing: GuideSession) -> None:
    reading = writing.journey.reading
    writing.press(Qt.Key.Key_R, CONTROL | SHIFT)
    writing.session.type_in("told elsewhere")
    writing.session.press(Qt.Key.Key_Return)
    writing.wait(lambda: writing.journey.screen.currentWidget() is reading)
    assert writing.versions()[-1] == (2, "A", "told elsewhere")
    writing.wait(lambda: "Retired pages" in groups(reading))
    writing.wait(lambda: not reading.edit.isEnabled())
    assert reading.info_banner.sentence.startswith("“Marmot and beaver” was retired")

    reading.contents.retired_wanted.emit(PAGE)
    writing.wait(writing.journey.versions_screen.restore.isEnabled)
    writing.press(Qt.Key.Key_R)
    writing.wait(lambda: len(writing.versions()) == 3)
    writing.press(Qt.Key.Key_Escape, PLAIN)
    writing.wait(lambda: "Retired pages" not in groups(reading))


def groups(reading: GuideScreen) -> list[str]:
    tree = reading.contents
    return [tree.topLevelItem(place).text(0) for place in range(tree.topLevelItemCount())]
