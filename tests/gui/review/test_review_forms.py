"""What is written during a review: flags and added labels, and what keys do meanwhile."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from labeler.app.keymap import Action
from labeler.ui.review.flag_form import NO_REASON
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def at_review(
    study: SmallStudy, tmp_path: Path, open_session: Callable[..., WindowSession]
) -> Reviewing:
    put_into_review(study, tmp_path / "answers")
    reviewing = Reviewing(open_session())
    reviewing.begin()
    return reviewing


def flags(reviewing: Reviewing) -> list[tuple]:
    reviewing.session.wait_until_written()
    return reviewing.session.study.read("SELECT reason, note FROM review_flag")


def test_nothing_is_judged_behind_a_form(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_P)
    assert not at_review.by_image.bar.buttons[Action.JUDGE_CORRECT].isEnabled()
    at_review.press(Qt.Key.Key_1)
    at_review.press(Qt.Key.Key_Escape)
    assert at_review.verdicts() == {}
    at_review.press(Qt.Key.Key_1)
    assert len(at_review.verdicts()) == 1


def test_a_note_without_a_reason_is_not_lost_in_silence(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_P)
    form = at_review.by_image.flag_form
    at_review.session.click(form.note)
    at_review.session.type_in("odd")
    at_review.session.click(form.save)
    assert form.isVisible()
    assert form.explained.text() == NO_REASON
    at_review.press(Qt.Key.Key_Space)
    at_review.press(Qt.Key.Key_Return)
    assert flags(at_review) == [("drawing", "odd")]


def test_from_the_note_the_keyboard_comes_to_what_keeps_it(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_P)
    at_review.press(Qt.Key.Key_Space)
    for _stop in range(3):
        at_review.press(Qt.Key.Key_Tab)
    at_review.session.type_in("odd")
    at_review.press(Qt.Key.Key_Tab)
    at_review.press(Qt.Key.Key_Return)
    assert flags(at_review) == [("drawing", "odd")]


def test_return_at_covered_images_goes_on_with_the_same_class(at_review: Reviewing) -> None:
    at_review.go_by_class()
    wnid = at_review.by_class._view.wnid
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space):
        at_review.session.press(Qt.Key.Key_P, CONTROL)
        assert at_review.by_class.image.is_covered
        at_review.press(key)
        assert not at_review.by_class.image.is_covered
        assert at_review.by_class._view.wnid == wnid


def test_nothing_is_taken_back_while_the_clock_stands_still(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_1)
    at_review.session.press(Qt.Key.Key_P, CONTROL)
    at_review.session.press(Qt.Key.Key_Z, CONTROL)
    assert at_review.by_image.image.is_covered
    assert len(at_review.verdicts()) == 1


def test_what_is_cancelled_is_forgotten(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_P)
    at_review.press(Qt.Key.Key_Space)
    at_review.press(Qt.Key.Key_Escape)
    assert flags(at_review) == []
    assert at_review.session.study.read("SELECT * FROM draft") == []
    at_review.press(Qt.Key.Key_P)
    assert not any(tick.isChecked() for tick in at_review.by_image.flag_form.ticks.values())


def test_few_images_are_shown_large_and_all_in_sight(at_review: Reviewing) -> None:
    at_review.session.window.resize(1280, 800)
    at_review.go_by_class()
    grid = at_review.by_class.grid
    assert len(at_review.by_class._view.tiles) == TRIALS
    at_review.session.wait(lambda: grid._delegate.side > 160)
    last = grid.visualRect(grid.model().index(TRIALS - 1, 0))
    assert grid.viewport().rect().contains(last)


def test_a_row_of_tiles_is_full_at_every_width(at_review: Reviewing) -> None:
    at_review.go_by_class()
    grid = at_review.by_class.grid
    for width in range(1280, 1290):
        at_review.session.window.resize(width, 800)
        QApplication.processEvents()
        tops = [grid.visualRect(grid.model().index(n, 0)).top() for n in range(TRIALS)]
        fitting = grid.viewport().width() // grid._delegate.cell.width()
        assert tops.count(tops[0]) == min(fitting, TRIALS), width


def test_an_image_that_cannot_be_read_says_so_in_its_place(
    study: SmallStudy, tmp_path: Path, open_session: Callable[..., WindowSession]
) -> None:
    put_into_review(study, tmp_path / "answers")
    with closing(sqlite3.connect(study.database)) as database, database:
        database.execute("UPDATE dataset SET root = ?", (str(tmp_path / "nowhere"),))
    reviewing = Reviewing(open_session())
    reviewing.begin(waits=False)
    message = reviewing.by_image.image.message
    reviewing.session.wait(message.isVisible)
    assert "Judge its labels as unclear to continue" in message.sentence
    assert "nowhere" not in message.sentence
    reviewing.press(Qt.Key.Key_3)
    assert set(reviewing.verdicts().values()) == {"unclear"}


def test_a_click_on_a_tiles_mark_gives_one_verdict_after_the_other(at_review: Reviewing) -> None:
    at_review.session.window.resize(1280, 800)
    at_review.go_by_class()
    grid = at_review.by_class.grid
    at_review.session.wait(lambda: grid._delegate.side > 160)
    for verdict in ("correct", "wrong", "unclear", "correct"):
        at_review.session.click(grid.viewport(), grid.mark_of(2).center().toPoint())
        assert list(at_review.verdicts().values()) == [verdict]
        assert grid.current == 2


def test_the_way_home_is_on_the_screen(at_review: Reviewing) -> None:
    at_review.session.click(at_review.by_image.bar.buttons[Action.GO_HOME])
    at_review.session.home()
