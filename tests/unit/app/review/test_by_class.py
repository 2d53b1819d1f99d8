"""Reviewing class by class, without a window; of a large review, before everything is read."""

from dataclasses import dataclass, replace

import pytest

from labeler.app.review.by_class import CLASS_DONE, LABEL_ADDED, MOVED_ON, ReviewByClass
from labeler.app.review.by_image import ReviewByImage
from labeler.app.review.session import ClassToJudge, ReviewPosition, ReviewStart
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.review.views import LOADING_REVIEW, ReviewProgress, ReviewStage
from labeler.core.errors import EnvironmentFault
from labeler.core.review.blind_types import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.review.visit_order import ClassRound
from labeler.core.study.entities import Verdict
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner
from tests.unit.app.review.plain_review import (
    StartedReview,
    StubReviewSession,
    judged_by_image,
    named,
    start_review,
)

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG
FIRST = ClassRound(1, "x")


@pytest.fixture
def sat() -> StartedReview:
    return start_review()


def test_tiles_judged_together_share_their_time(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.presenter.input()
    sat.clock.go_on(seconds=8)
    sat.by_class.judge([0, 1], WRONG)
    sat.database.finish_all()
    assert [verdict.active_ms for verdict in sat.session.stored] == [4_000, 4_000]
    assert len({verdict.lap for verdict in sat.session.stored}) == 1


def test_the_last_verdict_of_a_class_opens_the_next_one_and_undo_returns(
    sat: StartedReview,
) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.judge([0, 1], WRONG)
    assert sat.by_class.view.wnid == "x", "not before the verdict is stored"
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "y"
    assert sat.by_class.view.notice == MOVED_ON.format(name="class x")
    sat.by_class.undo()
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "x"
    assert sat.by_class.view.left == 2


def test_a_verdict_undone_before_it_is_stored_opens_no_other_class(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.judge([0, 1], WRONG)
    sat.by_class.undo()
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "x"


def test_a_changed_verdict_in_a_finished_class_opens_no_other_class(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.judge([0, 1], WRONG, moves_on=False)
    sat.database.finish_all()
    assert sat.by_class.view.notice == CLASS_DONE
    sat.by_class.judge([0], CORRECT)
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "x"


def test_after_the_last_class_the_reviewer_stays_and_can_undo(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.reject_rest()
    sat.database.finish_all()
    sat.by_class.reject_rest()
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "y"
    assert sat.by_class.view.stage is ReviewStage.JUDGING
    assert sat.by_class.view.notice == CLASS_DONE


def test_a_full_disk_keeps_the_reviewer_at_the_class(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.session.full = True
    sat.by_class.judge([0, 1], WRONG)
    sat.database.finish_all()
    assert sat.by_class.view.wnid == "x"
    assert sat.by_class.view.trouble


def test_an_added_label_is_judged_with_its_class(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.add_label("two", "y")
    sat.database.finish_all()
    assert sat.by_class.view.notice == LABEL_ADDED.format(name="class y")
    sat.by_class.next_class()
    assert {tile.visit_id for tile in sat.by_class.view.tiles} == {"one", "two"}


def test_the_rest_is_rejected_at_once_and_taken_back_at_once(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.judge([0], CORRECT)
    sat.by_class.reject_rest()
    sat.database.finish_all()
    assert [tile.own for tile in sat.by_class.view.tiles] == [
        OwnVerdict(CORRECT),
        OwnVerdict(WRONG),
    ]
    sat.by_class.reject_rest()
    sat.by_class.undo()
    assert [tile.own for tile in sat.by_class.view.tiles] == [OwnVerdict(CORRECT), None]


def test_a_class_that_is_done_leads_to_the_next_that_waits(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    assert sat.by_class.view.wnid == "x"
    sat.by_class.judge([0, 1], WRONG)
    sat.by_class.next_class()
    assert sat.by_class.view.wnid == "y"
    sat.by_class.judge([0], CORRECT)
    sat.by_class.next_class()
    assert sat.by_class.view.stage is ReviewStage.FINISHED


def test_an_undo_in_another_class_returns_to_it(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.judge([1], WRONG)
    sat.by_class.open(ClassRound(1, "y"))
    looked_at: list[int | None] = []
    sat.by_class.listen(lambda view: looked_at.append(view.pointed_at))
    sat.by_class.undo()
    assert looked_at[-1] == 1
    assert sat.by_class.view.wnid == "x"
    assert sat.by_class.view.left == 2


def test_the_only_class_that_waits_is_the_next_one_too(sat: StartedReview) -> None:
    sat.by_class.start(ClassRound(1, "y"))
    sat.by_class.judge([0], CORRECT)
    sat.by_class.next_class()
    sat.by_class.next_class()
    assert sat.by_class.view.wnid == "x"
    assert sat.by_class.view.stage is ReviewStage.JUDGING


def test_every_class_that_is_opened_is_remembered(sat: StartedReview) -> None:
    sat.by_class.start(FIRST)
    sat.by_class.next_class()
    sat.by_image.start()
    sat.database.finish_all()
    assert sat.session.places == [
        ReviewPosition(by_class=True, at=FIRST),
        ReviewPosition(by_class=True, at=ClassRound(1, "y")),
        ReviewPosition(by_class=False, at=ClassRound(1, "y")),
    ]


NEXT, OTHER, FURTHER, LAST = (
    BlindVisit("next", (BlindLabel("x"), BlindLabel("z"))),
    BlindVisit("other", (BlindLabel("x"), BlindLabel("y"))),
    BlindVisit("further", (BlindLabel("x"),)),
    BlindVisit("last", (BlindLabel("y"), BlindLabel("z"))),
)


class LargeReviewSession(StubReviewSession):
    """Tells one of four visits at first, and any class when it is asked."""

    near = True
    unreachable = False

    def begin(self) -> ReviewStart:
        return replace(super().begin(), visits=(NEXT,), complete=False)

    def visits(self) -> tuple[BlindVisit, ...]:
        return NEXT, OTHER, FURTHER, LAST

    def class_to_judge(self, one: ClassRound, *, past: bool) -> ClassToJudge | None:
        if self.unreachable:
            raise EnvironmentFault("The study can't be read.")
        return super().class_to_judge(one, past=past) if self.near else None


@dataclass
class Large:
    session: LargeReviewSession
    database: LateRunner
    reading: LateRunner
    presenter: ReviewSessionPresenter
    by_image: ReviewByImage[str]
    by_class: ReviewByClass

    def go_by_class(self) -> None:
        self.by_image.to_classes(self.by_class.start)
        self.database.finish_all()

    def go_on(self) -> None:
        self.by_class.next_class()
        self.database.finish_all()

    @property
    def shown(self) -> tuple[str | None, int, int]:
        view = self.by_class.view
        return view.wnid, len(view.tiles), view.number

    def tiles(self) -> set[str]:
        return {tile.visit_id for tile in self.by_class.view.tiles}


@pytest.fixture
def large() -> Large:
    session, database, reading, clock = (
        LargeReviewSession(),
        LateRunner(),
        LateRunner(),
        AdjustableClock(),
    )
    presenter = ReviewSessionPresenter(
        session=session, database=database, reading=reading, clock=clock
    )
    by_image = judged_by_image(presenter, clock)
    by_class = ReviewByClass(session_presenter=presenter, name_class=named)
    presenter.begin(started=by_image.start, failed=pytest.fail)
    database.finish_all()
    presenter.read_on()
    return Large(session, database, reading, presenter, by_image, by_class)


def test_a_class_is_there_with_all_its_images_before_the_rest_is_read(large: Large) -> None:
    large.go_by_class()
    assert large.tiles() == {"next", "other", "further"}
    assert large.by_class.view.progress is None
    assert large.shown == ("x", 3, 0)


def test_the_next_class_does_not_wait_for_the_rest_either(large: Large) -> None:
    large.go_by_class()
    large.by_class.judge([0, 1, 2], CORRECT)
    large.go_on()
    assert large.tiles() == {"other", "last"}
    large.go_on()
    assert large.tiles() == {"next", "last"}
    assert not large.presenter.is_complete


def test_when_the_rest_has_come_nothing_moves_and_all_is_counted(large: Large) -> None:
    large.go_by_class()
    large.by_class.judge([1], WRONG)
    before = large.by_class.view.tiles
    large.reading.finish_all()
    assert large.by_class.view.tiles == before
    assert large.shown == ("x", 3, 1)
    assert large.by_class.view.classes == 3
    result = large.by_class.view.progress
    assert result is not None
    assert replace(result, pace_ms=None) == ReviewProgress(done=1, left=6, total=7)
    assert large.presenter.order.own(before[1].visit_id, "x") == OwnVerdict(WRONG)


def test_the_last_class_is_no_end_before_everything_is_known(large: Large) -> None:
    large.session.near = False
    large.go_by_class()
    assert large.by_class.view.stage is ReviewStage.OPENING
    assert large.by_image.view.notice == LOADING_REVIEW
    large.reading.finish_all()
    assert large.shown == ("x", 3, 1)


def test_a_class_that_cannot_be_read_comes_with_the_rest(large: Large) -> None:
    large.session.unreachable = True
    large.go_by_class()
    large.reading.finish_all()
    assert large.shown == ("x", 3, 1)


def test_whoever_begins_with_a_class_that_cannot_be_read_may_do_something_else(
    large: Large,
) -> None:
    large.session.unreachable = True
    instead: list[str] = []
    large.presenter.find_round(
        FIRST, past=False, found=pytest.fail, failed=lambda: instead.append("by image")
    )
    large.database.finish_all()
    assert instead == ["by image"]


def test_the_class_before_waits_for_the_rest_and_says_so(large: Large) -> None:
    large.presenter.place = ReviewPosition(at=ClassRound(1, "y"))
    large.go_by_class()
    large.by_class.previous_class()
    assert (large.by_class.view.wnid, large.by_class.view.notice) == ("y", LOADING_REVIEW)
    large.reading.finish_all()
    assert (large.by_class.view.wnid, large.by_class.view.notice) == ("x", "")


def test_an_undo_of_a_class_that_is_not_known_whole_waits_for_the_rest(large: Large) -> None:
    large.by_image.focus(1)
    large.by_image.judge(CORRECT)
    large.go_by_class()
    large.by_class.undo()
    assert large.by_class.view.wnid == "x"
    large.reading.finish_all()
    assert large.shown == ("z", 2, 3)
    assert large.by_class.view.left == 2


def test_a_class_that_comes_during_a_pause_or_too_late_is_not_shown(large: Large) -> None:
    large.go_by_class()
    large.by_class.next_class()
    large.by_class.pause_or_resume()
    large.database.finish_all()
    assert (large.by_class.view.wnid, large.by_class.view.stage) == ("x", ReviewStage.PAUSED)
    large.by_class.pause_or_resume()
    large.by_class.next_class()
    large.by_class.leave()
    large.database.finish_all()
    assert large.by_class.view.wnid == "x"
    assert large.presenter.place.at == FIRST


def test_by_image_goes_on_with_whole_images_after_a_class(large: Large) -> None:
    large.go_by_class()
    large.by_class.leave()
    large.by_image.start()
    seen = {}
    for _image in range(3):
        view = large.by_image.view
        seen[view.visit_id] = {label.wnid for label in view.labels}
        large.by_image.next_image()
    assert seen == {"next": {"x", "z"}, "other": {"x", "y"}, "further": {"x"}}
