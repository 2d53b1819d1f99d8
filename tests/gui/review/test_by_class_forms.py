"""Problematic, Add label and the automatic next class in the review by class."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app.keymap import Action
from labeler.app.review.by_class import MOVED_ON
from labeler.app.review.views import FLAGGED
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.verdict_screen import FORM_OPEN
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, SHIFT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CAT = "n02123045"


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    put_into_review(study, tmp_path / "answers")
    return study


@pytest.fixture
def by_class(open_session: Callable[..., WindowSession]) -> Reviewing:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    reviewing.go_by_class()
    return reviewing


def flags(reviewing: Reviewing) -> list[tuple]:
    reviewing.session.wait_until_written()
    return reviewing.session.study.read(
        "SELECT reason, note FROM review_flag WHERE withdrawn_at IS NULL"
    )


def judge_all_as_wrong(reviewing: Reviewing) -> None:
    reviewing.press(Qt.Key.Key_Home)
    reviewing.session.press(Qt.Key.Key_End, SHIFT)
    reviewing.press(Qt.Key.Key_2)


def test_an_image_of_the_grid_is_flagged_and_marked(by_class: Reviewing) -> None:
    screen = by_class.by_class
    by_class.press(Qt.Key.Key_P)
    assert screen.is_enlarged, "the image in question is visible next to the form"
    by_class.press(Qt.Key.Key_Space)
    by_class.press(Qt.Key.Key_Return)
    assert flags(by_class) == [("drawing", "")]
    by_class.session.wait(lambda: screen._view.tiles[0].flagged)
    assert screen.bar.notice.text() == FLAGGED
    assert not screen.is_enlarged
    assert screen.grid.hasFocus()


def test_the_flag_is_withdrawn_in_the_same_form(by_class: Reviewing) -> None:
    screen = by_class.by_class
    for _twice in range(2):
        by_class.session.click(screen.bar.buttons[Action.FLAG_TILE])
        was_flagged = screen._view.tiles[0].flagged
        drawing = next(iter(screen.forms.flag_form.ticks.values()))
        by_class.session.wait(lambda on=was_flagged, tick=drawing: tick.isChecked() is on)
        by_class.session.click(drawing)
        by_class.session.click(screen.forms.flag_form.save)
        by_class.session.wait(lambda on=was_flagged: screen._view.tiles[0].flagged is not on)
    assert flags(by_class) == []


def test_a_cancelled_form_flags_nothing(by_class: Reviewing) -> None:
    by_class.press(Qt.Key.Key_P)
    by_class.press(Qt.Key.Key_Space)
    by_class.press(Qt.Key.Key_Escape)
    assert flags(by_class) == []
    assert not by_class.by_class.forms.is_open
    assert by_class.by_class.grid.hasFocus()


def test_a_flag_given_by_image_is_marked_in_the_grid(
    open_session: Callable[..., WindowSession],
) -> None:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    flagged = reviewing.by_image._view.visit_id
    reviewing.press(Qt.Key.Key_P)
    reviewing.press(Qt.Key.Key_Space)
    reviewing.press(Qt.Key.Key_Return)
    reviewing.go_by_class()
    view = reviewing.by_class
    reviewing.session.wait(lambda: any(tile.flagged for tile in view._view.tiles))
    assert [tile.visit_id for tile in view._view.tiles if tile.flagged] == [flagged]


@pytest.mark.parametrize("form", [Qt.Key.Key_P, Qt.Key.Key_Plus])
def test_a_verdict_key_behind_a_form_is_refused_visibly(by_class: Reviewing, form: Qt.Key) -> None:
    screen = by_class.by_class
    by_class.press(form)
    screen.forms.setFocus()
    screen.side.setFocus()
    screen._handlers()[Action.JUDGE_WRONG]()
    assert screen.bar.notice.text() == FORM_OPEN
    assert not screen.bar.buttons[Action.JUDGE_WRONG].isEnabled()
    screen._handlers()[Action.REJECT_REST]()
    assert by_class.verdicts() == {}


def test_a_digit_in_the_flag_form_is_refused_visibly(by_class: Reviewing) -> None:
    by_class.press(Qt.Key.Key_P)
    by_class.press(Qt.Key.Key_2)
    assert by_class.by_class.bar.notice.text() == FORM_OPEN
    assert by_class.verdicts() == {}


def test_a_label_is_added_to_an_image_of_the_grid(by_class: Reviewing) -> None:
    order = by_class.review.session_presenter.order
    total = order.total
    screen = by_class.by_class
    visit_id = screen._view.tiles[0].visit_id
    by_class.press(Qt.Key.Key_Plus)
    by_class.session.type_in("tabby")
    by_class.press(Qt.Key.Key_Return)
    by_class.session.wait(lambda: order.total == total + 1)
    assert CAT in {label.wnid for label in order[visit_id].labels}
    assert not screen.forms.is_open
    assert screen.grid.hasFocus()
    assert by_class.verdicts() == {}


def test_escape_in_the_search_adds_nothing(by_class: Reviewing) -> None:
    total = by_class.review.session_presenter.order.total
    by_class.session.click(by_class.by_class.bar.buttons[Action.ADD_TILE_LABEL])
    by_class.press(Qt.Key.Key_Escape)
    assert not by_class.by_class.forms.is_open
    assert by_class.review.session_presenter.order.total == total


def test_the_last_verdict_opens_the_next_class_and_undo_returns(by_class: Reviewing) -> None:
    screen = by_class.by_class
    first, name = screen._view.wnid, screen._view.name
    judge_all_as_wrong(by_class)
    by_class.session.wait(lambda: screen._view.wnid != first)
    assert screen.bar.notice.text() == MOVED_ON.format(name=name)
    by_class.session.press(Qt.Key.Key_Z, CONTROL)
    by_class.session.wait(lambda: screen._view.wnid == first)
    assert screen._view.left == TRIALS
    assert by_class.verdicts() == {}


def test_a_click_on_the_last_mark_stays_for_a_second_click(by_class: Reviewing) -> None:
    screen = by_class.by_class
    first = screen._view.wnid
    for place in range(len(screen._view.tiles)):
        screen._toggle(place)
    by_class.verdicts()
    assert screen._view.wnid == first
    screen._toggle(len(screen._view.tiles) - 1)
    assert sorted(by_class.verdicts().values())[-1] == "wrong"


def test_another_class_closes_the_form_and_keeps_the_unfinished_flag(by_class: Reviewing) -> None:
    screen = by_class.by_class
    assert isinstance(screen, ReviewByClassScreen)
    by_class.press(Qt.Key.Key_P)
    by_class.press(Qt.Key.Key_Space)
    by_class.press(Qt.Key.Key_F8)
    assert not screen.forms.is_open
    by_class.press(Qt.Key.Key_F7)
    by_class.press(Qt.Key.Key_P)
    drawing = next(iter(screen.forms.flag_form.ticks.values()))
    by_class.session.wait(drawing.isChecked)
    assert flags(by_class) == []


def test_the_bulk_verdict_shows_its_key_in_a_small_window(by_class: Reviewing) -> None:
    by_class.session.window.resize(1280, 800)
    button = by_class.by_class.bar.buttons[Action.REJECT_REST]
    by_class.session.wait(lambda: button.width() >= button.sizeHint().width())
    assert button.findChild(KeyCaps).isVisible()


def test_every_image_that_is_visible_counts_as_seen(by_class: Reviewing) -> None:
    read = by_class.session.study.read
    seen = "SELECT count(DISTINCT image_id) FROM exposure"
    by_class.session.wait(lambda: read(seen) == [(TRIALS,)])
    by_class.session.wait_until_written()
    assert read("SELECT count(*) FROM review") == [(0,)], "nothing was judged"
