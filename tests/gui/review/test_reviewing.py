"""A reviewer at the real window: by image and by class, every verdict in the database."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from shiboken6 import isValid

from labeler.app.keymap import Action
from labeler.app.review.by_image import UNFINISHED_NOTE
from labeler.app.study.home_cards import HomeCardKind
from labeler.core.review.visit_order import ClassRound
from labeler.ui.classes.map.map_view import ClassMapOverlay
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.by_image_screen import ReviewByImageScreen
from labeler.ui.review.two_columns import set_split, split_percent
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import BEAVER, HAMSTER, TIGER, TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, SHIFT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

ONE, TWO, THREE, FOUR = Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4
# Humans give two labels to each image, and one of the models' is seeded next to them.
LABELS = 3 * TRIALS
CAT = "n02123045"
NAMES = {TIGER: "tiger cat", BEAVER: "beaver"}


def key_for(wnid: str) -> Qt.Key:
    return {HAMSTER: TWO, TIGER: THREE}.get(wnid, ONE)


def said_for(wnid: str) -> str:
    return {HAMSTER: "wrong", TIGER: "unclear"}.get(wnid, "correct")


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    put_into_review(study, tmp_path / "answers")
    return study


@pytest.fixture
def at_review(open_session: Callable[..., WindowSession]) -> Reviewing:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    return reviewing


def test_everything_is_judged_by_image_with_the_keyboard_alone(at_review: Reviewing) -> None:
    at_review.judge_images(key_for)
    at_review.wait_for_end()
    verdicts = at_review.verdicts()
    assert len(verdicts) == LABELS
    assert all(verdict == said_for(wnid) for (_image, wnid), verdict in verdicts.items())


def test_everything_is_judged_by_class_with_the_keyboard_alone(at_review: Reviewing) -> None:
    at_review.go_by_class()
    at_review.judge_classes(key_for)
    at_review.wait_for_end()
    verdicts = at_review.verdicts()
    assert len(verdicts) == LABELS
    assert all(verdict == said_for(wnid) for (_image, wnid), verdict in verdicts.items())


def test_a_range_of_tiles_gets_one_verdict_and_one_undo(at_review: Reviewing) -> None:
    at_review.go_by_class()
    at_review.press(Qt.Key.Key_Home)
    at_review.session.press(Qt.Key.Key_End, SHIFT)
    at_review.press(TWO)
    assert set(at_review.verdicts().values()) == {"wrong"}
    at_review.session.press(Qt.Key.Key_Z, CONTROL)
    at_review.session.wait(lambda: at_review.by_class._view.left == TRIALS)
    assert at_review.verdicts() == {}


def test_verdicts_given_one_way_are_there_the_other_way(at_review: Reviewing) -> None:
    wnid = at_review.focused
    at_review.press(ONE)
    at_review.go_by_class()
    order = at_review.review.session_presenter.order
    assert order.done == 1
    assert order.left_in(ClassRound(1, wnid)) == TRIALS - 1
    at_review.session.press(Qt.Key.Key_B, CONTROL)
    at_review.session.wait(lambda: isinstance(at_review.review.screen, ReviewByImageScreen))
    assert at_review.focused != wnid


def test_undo_returns_to_the_label_and_takes_its_verdict_back(at_review: Reviewing) -> None:
    first = at_review.focused
    at_review.press(ONE)
    at_review.press(TWO)
    for _twice in range(2):
        at_review.session.press(Qt.Key.Key_Z, CONTROL)
    assert at_review.focused == first
    assert at_review.verdicts() == {}


def test_a_kind_of_correctness_is_one_key(at_review: Reviewing) -> None:
    at_review.press(FOUR)
    at_review.verdicts()
    rows = at_review.session.study.read("SELECT verdict, kind FROM review")
    assert rows == [("correct", "several_objects")]


def test_a_label_can_be_added_and_is_still_to_be_judged(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_Plus)
    at_review.session.type_in("tabby")
    at_review.press(Qt.Key.Key_Return)
    at_review.session.wait(lambda: at_review.focused == CAT)
    assert at_review.verdicts() == {}
    at_review.press(ONE)
    assert set(at_review.verdicts().values()) == {"correct"}
    assert at_review.review.session_presenter.order.total == LABELS + 1


def test_an_image_is_flagged_with_reasons_and_a_note(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_P)
    form = at_review.by_image.flag_form
    at_review.press(Qt.Key.Key_Space)
    at_review.session.click(form.note)
    at_review.session.type_in("a sketch 123")
    at_review.session.click(form.save)
    at_review.session.wait_until_written()
    rows = at_review.session.study.read("SELECT reason, note FROM review_flag")
    assert rows == [("drawing", "a sketch 123")]
    assert at_review.session.study.read("SELECT * FROM problematic") == []
    assert at_review.verdicts() == {}, "digits in the note are no verdicts"


def test_a_half_written_flag_survives_the_window(
    at_review: Reviewing, open_session: Callable[..., WindowSession]
) -> None:
    at_review.press(Qt.Key.Key_P)
    at_review.press(Qt.Key.Key_Space)
    at_review.session.wait_until_written()
    at_review.session.press(Qt.Key.Key_Q, CONTROL)
    again = Reviewing(open_session())
    again.begin()
    again.session.wait(lambda: again.by_image._view.half_written is not None)
    button = again.by_image.bar.buttons[Action.FLAG_PROBLEM]
    assert "✓" not in button.words, "what is half written flags nothing"
    assert again.by_image.bar.notice.text() == UNFINISHED_NOTE
    again.press(Qt.Key.Key_P)
    assert next(iter(again.by_image.flag_form.ticks.values())).isChecked()
    again.press(Qt.Key.Key_Return)
    assert "✓" in button.words


def test_a_pause_covers_the_image_and_takes_no_verdict(at_review: Reviewing) -> None:
    at_review.session.press(Qt.Key.Key_P, CONTROL)
    assert at_review.by_image.image.is_covered
    at_review.press(ONE)
    assert at_review.verdicts() == {}
    at_review.session.press(Qt.Key.Key_P, CONTROL)
    assert not at_review.by_image.image.is_covered
    at_review.press(ONE)
    assert len(at_review.verdicts()) == 1


def test_the_time_of_a_verdict_is_measured_and_a_pause_is_not(at_review: Reviewing) -> None:
    clock = at_review.session.clock
    clock.go_on(seconds=3)
    at_review.session.press(Qt.Key.Key_P, CONTROL)
    clock.go_on(seconds=9)
    at_review.session.press(Qt.Key.Key_P, CONTROL)
    clock.go_on(seconds=2)
    at_review.press(ONE)
    at_review.verdicts()
    assert at_review.session.study.read("SELECT active_ms FROM review") == [(5_000,)]
    raw = at_review.session.study.read(
        "SELECT place, length(inputs) / 8 FROM lap_interval JOIN review USING (session_id, lap)"
    )
    assert {place for place, _inputs in raw} == {"image"}
    assert sum(inputs for _place, inputs in raw) >= 1, "the key that judged has its stamp"


def test_the_reviewer_goes_on_where_they_left(
    at_review: Reviewing, open_session: Callable[..., WindowSession]
) -> None:
    visit = at_review.by_image._view.visit_id
    for _label in range(3):
        at_review.press(key_for(at_review.focused or ""))
    at_review.session.wait(lambda: at_review.by_image._view.visit_id != visit)
    following = at_review.by_image._view.visit_id
    at_review.session.press(Qt.Key.Key_Q, CONTROL)
    again = Reviewing(open_session())
    again.begin()
    assert again.by_image._view.visit_id == following
    again.press(Qt.Key.Key_F7)
    assert again.by_image._view.visit_id == visit
    assert all(label.own is not None for label in again.by_image._view.labels)


def test_the_reviewer_goes_on_by_class_at_the_class_where_they_left(
    at_review: Reviewing, open_session: Callable[..., WindowSession]
) -> None:
    at_review.go_by_class()
    at_review.press(Qt.Key.Key_Return)
    at_review.press(ONE)
    left = at_review.by_class._view
    at_review.session.press(Qt.Key.Key_Q, CONTROL)
    again = Reviewing(open_session())
    again.begin(waits=False)
    view = again.by_class._view
    assert (view.wnid, view.tiles) == (left.wnid, left.tiles)
    assert view.number == 2


def test_every_button_does_what_its_key_does(at_review: Reviewing) -> None:
    at_review.session.click(at_review.by_image.bar.buttons[Action.JUDGE_WRONG])
    assert set(at_review.verdicts().values()) == {"wrong"}
    at_review.session.click(at_review.by_image.bar.buttons[Action.UNDO_VERDICT])
    assert at_review.verdicts() == {}
    at_review.session.click(at_review.by_image.bar.buttons[Action.OTHER_WAY])
    at_review.session.wait(lambda: isinstance(at_review.review.screen, ReviewByClassScreen))
    at_review.session.click(at_review.by_class.bar.buttons[Action.JUDGE_UNCLEAR])
    assert set(at_review.verdicts().values()) == {"unclear"}


def test_a_tile_is_enlarged_and_the_arrows_go_on(at_review: Reviewing) -> None:
    at_review.go_by_class()
    at_review.press(Qt.Key.Key_Space)
    assert at_review.by_class.is_enlarged
    before = at_review.by_class.grid.current
    at_review.press(Qt.Key.Key_Right)
    assert at_review.by_class.grid.current == before + 1
    assert at_review.by_class.heading.text().endswith(f"image {before + 2} of {TRIALS}: not judged")
    at_review.press(TWO)
    assert len(at_review.verdicts()) == 1
    at_review.press(Qt.Key.Key_Left)
    assert at_review.by_class.heading.text().endswith(": wrong")
    at_review.press(Qt.Key.Key_Space)
    assert not at_review.by_class.is_enlarged
    at_review.press(Qt.Key.Key_Space)
    at_review.press(Qt.Key.Key_Escape)
    assert not at_review.by_class.is_enlarged


def test_the_home_tells_how_far_the_reviewer_is(at_review: Reviewing) -> None:
    at_review.press(ONE)
    at_review.session.press(Qt.Key.Key_W, CONTROL)
    home = at_review.session.home()
    card = home.cards[HomeCardKind.REVIEW]
    assert card.button is not None
    assert any(f"of {LABELS}" in text for text in at_review.session.texts())


def test_the_guide_follows_the_label_in_focus(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_F1)
    tools = at_review.review.tools
    assert tools is not None
    page = tools.guide.page
    at_review.session.wait(lambda: bool(page.toPlainText()))
    while at_review.focused != BEAVER:
        at_review.press(Qt.Key.Key_1)
    at_review.session.wait(lambda: "beaver" in page.toPlainText().lower())
    before = len(at_review.verdicts())
    at_review.press(Qt.Key.Key_1)
    assert len(at_review.verdicts()) == before + 1, "the keyboard stays with the labels"
    at_review.press(Qt.Key.Key_F1)
    assert at_review.by_image.side.currentWidget() is tools.class_view.widget


def test_what_is_judged_can_be_looked_back_at_and_changed(at_review: Reviewing) -> None:
    at_review.judge_images(key_for)
    end = at_review.wait_for_end()
    at_review.session.click(end.images)
    at_review.session.wait(lambda: isinstance(at_review.review.screen, ReviewByImageScreen))
    at_review.wait_for_image()
    at_review.press(THREE)
    at_review.wait_for_end()
    assert len(at_review.verdicts()) == LABELS
    revised = at_review.session.study.read("SELECT count(*) FROM review WHERE revision = 2")
    assert revised == [(1,)]


def test_the_class_stands_beside_the_grid_with_its_references_and_its_page(
    at_review: Reviewing,
) -> None:
    at_review.session.window.resize(1280, 800)
    at_review.go_by_class()
    tools, screen = at_review.review.tools, at_review.by_class
    assert tools is not None
    for wnid in (TIGER, BEAVER):
        while screen._view.wnid != wnid:
            at_review.judge_class(key_for)
        at_review.session.wait(
            lambda name=NAMES[wnid]: name in tools.guide.page.toPlainText().lower()
        )
        for beside in (tools.class_view.panel, tools.guide.page):
            assert beside.isVisible()
            assert beside.height() >= 120
    at_review.press(Qt.Key.Key_F1)
    assert tools.guide.isAncestorOf(screen.focusWidget())
    at_review.press(Qt.Key.Key_F1)
    assert screen.grid.hasFocus()


def test_the_proportions_of_the_grid_and_the_class_are_kept(
    at_review: Reviewing, open_session: Callable[..., WindowSession]
) -> None:
    at_review.go_by_class()
    for parts in at_review.by_class._shared.values():
        set_split(parts, 45)
    at_review.session.press(Qt.Key.Key_Q, CONTROL)
    again = Reviewing(open_session())
    again.begin(waits=False)
    for parts in again.by_class._shared.values():
        assert split_percent(parts) == pytest.approx(45, abs=4)


def test_an_input_in_the_guide_beside_the_grid_is_time_with_the_guide(
    at_review: Reviewing,
) -> None:
    at_review.go_by_class()
    at_review.press(Qt.Key.Key_F1)
    at_review.press(Qt.Key.Key_PageDown)
    at_review.session.clock.go_on(seconds=2)
    at_review.press(Qt.Key.Key_F1)
    at_review.press(ONE)
    at_review.verdicts()
    places = at_review.session.study.read("SELECT DISTINCT place FROM lap_interval")
    assert ("guide",) in places


def test_what_comes_late_finds_no_screen_that_is_gone(at_review: Reviewing) -> None:
    by_image = at_review.review.screen
    at_review.go_by_class()
    grid = at_review.by_class.grid
    at_review.session.press(Qt.Key.Key_B, CONTROL)
    at_review.session.wait(lambda: isinstance(at_review.review.screen, ReviewByImageScreen))
    at_review.session.wait(lambda: not isValid(grid) and not isValid(by_image))
    at_review.review.tiles._arrived("a tile that was wished for", None, 160)
    at_review.wait_for_image()
    at_review.press(ONE)
    assert len(at_review.verdicts()) == 1


def test_whoever_leaves_while_the_other_way_is_being_made_finds_home(at_review: Reviewing) -> None:
    review = at_review.review
    review.show_by_class(None)
    review.show_by_class(None)
    at_review.session.press(Qt.Key.Key_W, CONTROL)
    at_review.session.home()
    assert not isinstance(review.screen, ReviewByClassScreen), "the other way never came"


def test_the_class_comes_beside_the_image_once_that_is_there(at_review: Reviewing) -> None:
    tools = at_review.review.tools
    assert tools is not None
    at_review.session.wait(lambda: tools.can_search)
    assert at_review.by_image.side.currentWidget() is tools.class_view.widget
    assert tools.browser.view.wnid == at_review.focused


def test_the_map_opens_over_a_review_and_its_keys_judge_nothing(at_review: Reviewing) -> None:
    at_review.press(Qt.Key.Key_F5)
    overlay = at_review.by_image.findChild(ClassMapOverlay)
    assert isinstance(overlay, ClassMapOverlay)
    assert overlay.isVisible()
    before = overlay.canvas.tile_width
    at_review.press(Qt.Key.Key_Plus)
    assert overlay.canvas.tile_width > before
    at_review.press(ONE)
    assert overlay.field.text() == "1"
    assert not at_review.verdicts()
    at_review.press(Qt.Key.Key_Escape)
    at_review.press(Qt.Key.Key_Escape)
    assert overlay.isHidden()
    at_review.press(ONE)
    at_review.session.wait(lambda: len(at_review.verdicts()) == 1)
