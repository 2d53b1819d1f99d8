"""Reviewing image by image, without a window: what is shown, kept, and tried again."""

import pytest

from labeler.app.review.views import ReviewStage
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import Lap, OwnVerdict
from labeler.core.study.entities import AttentionPlace, Verdict
from tests.unit.app.review.plain_review import StartedReview, start_review

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG


@pytest.fixture
def sat() -> StartedReview:
    return start_review()


def test_the_next_label_comes_at_once_and_the_next_image_when_all_is_stored(
    sat: StartedReview,
) -> None:
    sat.by_image.judge(CORRECT)
    assert sat.by_image.view.focused_wnid == "y"
    sat.by_image.judge(WRONG)
    assert sat.by_image.view.visit_id == "one", "nothing is on disk yet"
    sat.database.finish_all()
    sat.database.finish_all()
    assert sat.by_image.view.visit_id == "two"
    assert sat.said() == [("one", "x", CORRECT), ("one", "y", WRONG)]


def test_what_could_not_be_stored_is_told_and_tried_again_in_its_order(sat: StartedReview) -> None:
    sat.session.full = True
    sat.by_image.judge(CORRECT)
    sat.database.finish_all()
    assert "disk is full" in sat.by_image.view.trouble
    sat.by_image.judge(WRONG)
    sat.session.full = False
    sat.database.finish_all()
    sat.presenter.tick()
    sat.database.finish_all()
    assert sat.said() == [("one", "x", CORRECT), ("one", "y", WRONG)]
    assert sat.by_image.view.trouble == ""
    assert sat.by_image.view.visit_id == "two"


def test_a_verdict_is_ignored_while_paused(sat: StartedReview) -> None:
    sat.by_image.pause_or_resume()
    sat.by_image.judge(CORRECT)
    assert sat.by_image.view.stage is ReviewStage.PAUSED
    assert sat.presenter.progress.done == 0


def test_the_end_comes_after_the_last_label(sat: StartedReview) -> None:
    for _label in range(3):
        sat.by_image.judge(CORRECT)
        sat.database.finish_all()
    assert sat.by_image.view.stage is ReviewStage.FINISHED
    assert sat.by_image.view.progress.left == 0


def test_an_undo_is_stored_as_a_verdict_taken_back(sat: StartedReview) -> None:
    sat.by_image.judge(CORRECT)
    sat.by_image.undo()
    assert not sat.by_image.view.can_undo
    for _try in range(2):
        sat.database.finish_all()
    assert sat.said() == [("one", "x", CORRECT), ("one", "x", None)]


def test_an_idle_stare_counts_up_to_the_threshold(sat: StartedReview) -> None:
    for _second in range(300):
        sat.clock.go_on(seconds=1)
        sat.presenter.tick()
    sat.by_image.judge(CORRECT)
    sat.database.finish_all()
    assert sat.session.stored[0].active_ms == 60_000


def test_a_verdict_given_before_is_changed_not_doubled(sat: StartedReview) -> None:
    sat.by_image.judge(CORRECT)
    sat.by_image.focus(0)
    sat.by_image.judge(WRONG)
    assert sat.presenter.progress.done == 1
    assert sat.presenter.order.own("one", "x") == OwnVerdict(WRONG)


def test_a_verdict_has_the_raw_time_up_to_it_with_places_and_inputs(sat: StartedReview) -> None:
    sat.clock.go_on(seconds=2)
    sat.presenter.attend(AttentionPlace.REFERENCES)
    sat.clock.go_on(seconds=1)
    sat.presenter.input()
    sat.clock.go_on(seconds=1)
    sat.by_image.judge(CORRECT)
    sat.clock.go_on(seconds=3)
    sat.by_image.judge(WRONG)
    for _try in range(2):
        sat.database.finish_all()
    assert [verdict.lap for verdict in sat.session.stored] == [
        Lap(
            1,
            (
                AttentionInterval(AttentionPlace.IMAGE, 0, 2_000),
                AttentionInterval(AttentionPlace.REFERENCES, 2_000, 4_000, (3_000,)),
            ),
        ),
        Lap(2, (AttentionInterval(AttentionPlace.REFERENCES, 4_000, 7_000),)),
    ]


def test_the_lap_that_runs_is_kept_now_and_then_and_not_while_nobody_is_there(
    sat: StartedReview,
) -> None:
    for _second in range(25):
        sat.clock.go_on(seconds=1)
        sat.presenter.tick()
    sat.presenter.turn_away()
    for _second in range(100):
        sat.clock.go_on(seconds=1)
        sat.presenter.tick()
    sat.database.finish_all()
    ends = [lap.intervals[-1].ended_ms for lap in sat.session.kept]
    assert ends == [10_000, 20_000, 25_000]
    assert {lap.number for lap in sat.session.kept} == {1}


def test_the_time_after_the_last_verdict_is_handed_over_at_the_end(sat: StartedReview) -> None:
    sat.by_image.judge(CORRECT)
    sat.clock.go_on(seconds=5)
    sat.presenter.leave(lambda: None)
    sat.database.finish_all()
    assert sat.session.kept == [Lap(2, (AttentionInterval(AttentionPlace.IMAGE, 0, 5_000),))]
