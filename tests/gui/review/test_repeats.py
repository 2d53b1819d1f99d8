"""Planned repeats are answered by image and by class, and nothing tells that they are any."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt

from labeler.app.review import session
from labeler.app.review.plan import PlanSettings
from labeler.app.review.session import ReviewSession
from labeler.core.review.blind_types import BlindVisit
from labeler.core.study.entities import Stage
from tests.gui.forbidden import forbidden_in
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.searching import all_texts, texts_by
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SETTINGS = PlanSettings(stage=Stage.FINAL, seed=5, reviewers=("R",), repeats=0.4)
ONE, TWO = Qt.Key.Key_1, Qt.Key.Key_2


@pytest.fixture
def study(study: SmallStudy, tmp_path: Path) -> SmallStudy:
    put_into_review(study, tmp_path / "answers", request=SETTINGS)
    return study


@pytest.fixture
def at_review(open_session: Callable[..., WindowSession]) -> Reviewing:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    return reviewing


@pytest.fixture
def much_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a large study, the next images come before all of them."""
    monkeypatch.setattr(session, "MAX_VISITS_READ_FIRST", 1)
    monkeypatch.setattr(session, "_FIRST_READ", 2)


def all_is_judged(reviewing: Reviewing) -> bool:
    study = reviewing.session.study
    [(asked,)] = study.read("SELECT count(*) FROM review_repeat")
    [(answered,)] = study.read("SELECT count(*) FROM repeated_review")
    assert asked >= 3
    return answered == asked and reviewing.review.session_presenter.order.left == 0


def test_repeats_are_answered_by_class(at_review: Reviewing) -> None:
    at_review.go_by_class()
    at_review.judge_classes(lambda _wnid: ONE)
    at_review.wait_for_end()
    assert all_is_judged(at_review)


def test_repeats_are_answered_by_image(at_review: Reviewing) -> None:
    at_review.judge_images(lambda _wnid: TWO)
    at_review.wait_for_end()
    assert all_is_judged(at_review)


@pytest.mark.usefixtures("much_is_asked")
def test_a_large_review_asks_the_same_by_image(open_session: Callable[..., WindowSession]) -> None:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    reviewing.session.wait(lambda: reviewing.review.session_presenter.is_complete)
    reviewing.judge_images(lambda _wnid: TWO)
    reviewing.wait_for_end()
    assert all_is_judged(reviewing)


@pytest.mark.usefixtures("much_is_asked")
def test_a_large_review_is_left_for_the_classes_at_once(
    open_session: Callable[..., WindowSession],
) -> None:
    reviewing = Reviewing(open_session())
    reviewing.begin()
    reviewing.go_by_class()
    reviewing.judge_classes(lambda _wnid: ONE)
    reviewing.wait_for_end()
    assert all_is_judged(reviewing)


@pytest.mark.usefixtures("much_is_asked")
def test_a_class_of_a_large_review_comes_while_the_rest_is_being_read(
    open_session: Callable[..., WindowSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, read = Event(), ReviewSession.visits

    def read_slowly(at_desk: ReviewSession) -> tuple[BlindVisit, ...]:
        assert may_end.wait(timeout=10)
        return read(at_desk)

    monkeypatch.setattr(ReviewSession, "visits", read_slowly)
    reviewing = Reviewing(open_session())
    reviewing.begin()
    reviewing.go_by_class()
    screen = reviewing.by_class
    assert screen._view.left == len(screen._view.tiles) > 0
    assert not reviewing.review.session_presenter.is_complete
    shown = screen._view
    reviewing.press(ONE)
    may_end.set()
    reviewing.session.wait(lambda: reviewing.review.session_presenter.is_complete)
    assert [tile.visit_id for tile in screen._view.tiles] == [tile.visit_id for tile in shown.tiles]
    assert screen._view.left == shown.left - 1


def test_nothing_tells_which_images_of_a_second_round_are_asked_again(
    at_review: Reviewing,
) -> None:
    at_review.go_by_class()
    order = at_review.review.session_presenter.order
    first_rounds = [one for one in order.rounds() if one.number == 1]
    for _class in first_rounds:
        at_review.judge_class(lambda _wnid: ONE)
    shown = [order[tile.visit_id] for tile in at_review.by_class._view.tiles]
    assert {visit.first is None for visit in shown} == {True, False}
    assert forbidden_in(at_review.session.study).found_in(all_texts()) == []
    screen = at_review.by_class
    texts = texts_by([screen.strip, screen.heading, screen.grid, screen.bar])
    words = " ".join(str(one) for one in texts).lower()
    assert not [word for word in ("again", "repeat", "second") if f" {word}" in words]


def test_a_label_added_at_a_repeat_is_judged_there_and_stored_as_any_other(
    at_review: Reviewing,
) -> None:
    order = at_review.review.session_presenter.order
    while order[at_review.by_image._view.visit_id or ""].first is None:
        at_review.press(Qt.Key.Key_F8)
        at_review.press(TWO)
        at_review.session.wait(lambda: not at_review.review.session_presenter.storing.waits)
    repeat = at_review.by_image._view.visit_id
    at_review.press(Qt.Key.Key_Plus)
    at_review.session.type_in("tabby")
    at_review.press(Qt.Key.Key_Return)
    at_review.session.wait(lambda: len(at_review.by_image._view.labels) == 2)
    assert at_review.by_image._view.visit_id == repeat
    while at_review.by_image._view.visit_id == repeat:
        at_review.press(ONE)
        at_review.session.wait(lambda: not at_review.review.session_presenter.storing.waits)
    assert at_review.by_image._view.trouble == ""
    assert "correct" in {v for (_image, wnid), v in at_review.verdicts().items() if wnid == TABBY}


TABBY = "n02123045"
