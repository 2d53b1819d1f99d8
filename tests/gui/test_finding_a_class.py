"""Typing, arrows, the mouse and links: each leads to a class, and the right side follows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from labeler.ui.application import OpenWindow
from labeler.ui.screens.study import StudyScreen


@pytest.fixture
def screen(study: OpenWindow) -> StudyScreen:
    return study.window.screen_shown


def names(screen: StudyScreen) -> list[str]:
    model = screen.finder.model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def class_shown(screen: StudyScreen) -> str:
    title = next(w for w in screen.card.findChildren(QLabel) if w.property("rank") == "title")
    return title.text()


def chip(screen: StudyScreen, name: str) -> QPushButton:
    chips = screen.card.findChildren(QPushButton)
    return next(c for c in chips if c.text() == name and not c.isHidden())


def test_the_window_opens_with_all_classes_and_the_first_that_has_references(
    screen: StudyScreen,
) -> None:
    assert len(names(screen)) == 1000
    assert class_shown(screen) in {"tiger", "beaver", "marmot"}
    assert screen.finder.field.hasFocus()


def test_typing_searches_at_once(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "beav")
    assert names(screen)[0] == "beaver"
    assert class_shown(screen) == "beaver"


def test_arrows_move_through_the_results_while_the_field_keeps_the_focus(
    screen: StudyScreen, qtbot: QtBot
) -> None:
    qtbot.keyClicks(screen.finder.field, "terrier")
    found = names(screen)
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Down)
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Down)
    assert class_shown(screen) == found[2]
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Up)
    assert class_shown(screen) == found[1]
    assert screen.finder.results.currentIndex().row() == 1
    assert screen.finder.field.hasFocus()


def test_a_page_down_goes_as_far_as_the_list_shows(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "terrier")
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_PageDown)
    assert screen.finder.results.currentIndex().row() == screen.finder.results.rows_in_sight > 1


def test_a_click_on_a_row_shows_its_class_and_leaves_the_keyboard_to_the_field(
    screen: StudyScreen, qtbot: QtBot
) -> None:
    qtbot.keyClicks(screen.finder.field, "terrier")
    results = screen.finder.results
    place = results.visualRect(screen.finder.model.index(3, 0)).center()
    qtbot.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert class_shown(screen) == names(screen)[3]
    assert screen.finder.field.hasFocus()


def test_escape_clears_the_search(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "beaver")
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Escape)
    assert screen.finder.field.text() == ""
    assert len(names(screen)) == 1000
    assert class_shown(screen) == "beaver"


def test_a_chip_leads_to_its_class_and_back_leads_home(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "beaver")
    qtbot.mouseClick(chip(screen, "hamster"), Qt.MouseButton.LeftButton)
    assert class_shown(screen) == "hamster"
    assert screen.finder.field.hasFocus()
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert class_shown(screen) == "beaver"
    assert screen.finder.field.text() == "beaver"


def test_siblings_that_do_not_fit_wait_behind_a_button(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "irish terrier")
    shown = [c for c in screen.card.findChildren(QPushButton) if not c.isHidden()]
    more = next(c for c in shown if c.text().startswith("+"))
    offered = {c.text() for c in shown} | {a.text() for a in more.menu().actions()}
    assert {"Airedale", "Yorkshire terrier", "Border terrier"} <= offered
    assert all(c.geometry().right() <= screen.card.width() for c in shown)


def test_nothing_found_is_said_in_a_sentence(screen: StudyScreen, qtbot: QtBot) -> None:
    qtbot.keyClicks(screen.finder.field, "qqqqzzzz")
    texts = [w.text() for w in screen.findChildren(QLabel) if w.isVisible()]
    assert any(text.startswith("No class fits “qqqqzzzz”.") for text in texts)
    assert not screen.card.isVisible()
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Down)
    qtbot.keyClick(screen.finder.field, Qt.Key.Key_Escape)
    assert screen.card.isVisible()
