"""A large review begins with its next images; the rest comes behind them."""

from dataclasses import dataclass, replace

import pytest

from labeler.app.review.by_image import ReviewByImage
from labeler.app.review.session import ReviewStart
from labeler.app.review.session_presenter import ReviewSessionPresenter
from labeler.app.review.views import LOADING_REVIEW, ReviewProgress, ReviewStage
from labeler.core.errors import EnvironmentFault
from labeler.core.review.blind_types import BlindLabel, BlindVisit, OwnVerdict
from labeler.core.study.entities import Verdict
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner
from tests.unit.app.review.plain_review import StubReviewSession, judged_by_image

JUDGED, FIRST, SECOND, LAST = (
    BlindVisit("judged", (BlindLabel("x", OwnVerdict(Verdict.WRONG)),)),
    BlindVisit("first", (BlindLabel("x"),)),
    BlindVisit("second", (BlindLabel("x"),)),
    BlindVisit("last", (BlindLabel("y"),)),
)


class LargeReviewSession(StubReviewSession):
    """Tells two of four visits at first, and may fail to tell the rest."""

    unreachable = False

    def begin(self) -> ReviewStart:
        return replace(super().begin(), visits=(FIRST, SECOND), complete=False)

    def visits(self) -> tuple[BlindVisit, ...]:
        if self.unreachable:
            raise EnvironmentFault("The study can't be read.")
        return JUDGED, FIRST, SECOND, LAST


@dataclass
class StartedReview:
    session: LargeReviewSession
    database: LateRunner
    reading: LateRunner
    presenter: ReviewSessionPresenter
    by_image: ReviewByImage[str]

    def judge(self) -> None:
        self.by_image.judge(Verdict.CORRECT)
        self.database.finish_all()

    @property
    def shown(self) -> tuple[str | None, str, ReviewProgress | None]:
        view = self.by_image.view
        return view.visit_id, view.position, view.progress


@pytest.fixture
def sat() -> StartedReview:
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
    presenter.begin(started=by_image.start, failed=pytest.fail)
    database.finish_all()
    presenter.read_on()
    return StartedReview(session, database, reading, presenter, by_image)


def test_nothing_is_read_behind_a_screen_that_is_being_built() -> None:
    reading, database, clock = LateRunner(), LateRunner(), AdjustableClock()
    presenter = ReviewSessionPresenter(
        session=LargeReviewSession(), database=database, reading=reading, clock=clock
    )
    presenter.begin(started=lambda: None, failed=pytest.fail)
    database.finish_all()
    assert (len(reading.tickets), presenter.is_complete) == (0, False)
    presenter.read_on()
    presenter.read_on()
    assert len(reading.tickets) == 1


def test_whoever_needs_everything_has_it_read_at_once() -> None:
    reading, database, clock = LateRunner(), LateRunner(), AdjustableClock()
    presenter = ReviewSessionPresenter(
        session=LargeReviewSession(), database=database, reading=reading, clock=clock
    )
    presenter.begin(started=lambda: None, failed=pytest.fail)
    database.finish_all()
    whole: list[bool] = []
    presenter.when_complete(lambda: whole.append(presenter.is_complete))
    reading.finish_all()
    assert whole == [True]


def test_the_first_image_is_there_before_the_others_are_counted(sat: StartedReview) -> None:
    assert sat.shown == ("first", "", None)
    sat.reading.finish_all()
    assert sat.shown == ("first", "Image 2 of 4", ReviewProgress(done=1, left=3, total=4))


def test_what_was_judged_meanwhile_stays_judged(sat: StartedReview) -> None:
    sat.judge()
    sat.judge()
    sat.by_image.undo()
    sat.reading.finish_all()
    assert sat.shown[:2] == ("second", "Image 3 of 4")
    assert sat.presenter.order.own("first", "x") == OwnVerdict(Verdict.CORRECT)
    assert sat.presenter.order.own("second", "x") is None
    assert (sat.presenter.order.done, sat.presenter.order.left) == (2, 2)


def test_whoever_is_faster_than_the_reading_goes_on_when_it_is_done(sat: StartedReview) -> None:
    sat.judge()
    sat.judge()
    assert sat.by_image.view.visit_id == "second"
    assert LOADING_REVIEW in sat.by_image.view.notice
    sat.reading.finish_all()
    assert sat.shown[:2] == ("last", "Image 4 of 4")
    sat.judge()
    assert sat.by_image.view.stage is ReviewStage.FINISHED


def test_whoever_takes_back_before_it_is_done_stays_there(sat: StartedReview) -> None:
    sat.judge()
    sat.judge()
    sat.by_image.undo()
    sat.reading.finish_all()
    assert sat.shown[:2] == ("second", "Image 3 of 4")


def test_back_from_the_first_image_leads_to_one_that_was_judged_before(sat: StartedReview) -> None:
    sat.by_image.back()
    assert sat.by_image.view.visit_id == "first"
    sat.reading.finish_all()
    assert sat.shown[:2] == ("judged", "Image 1 of 4")


def test_a_label_that_is_added_too_early_comes_when_everything_has(sat: StartedReview) -> None:
    sat.by_image.add_label("z")
    sat.database.finish_all()
    sat.reading.finish_all()
    assert {label.wnid for label in sat.by_image.view.labels} == {"x", "z"}
    assert sat.presenter.order.total == 5


def test_a_reading_that_fails_is_tried_again(sat: StartedReview) -> None:
    sat.session.unreachable = True
    sat.reading.finish_all()
    assert sat.shown == ("first", "", None)
    sat.session.unreachable = False
    sat.presenter.tick()
    sat.reading.finish_all()
    assert sat.shown[1] == "Image 2 of 4"


def test_nobody_hears_of_it_after_leaving(sat: StartedReview) -> None:
    heard: list[str] = []
    sat.presenter.when_complete(lambda: heard.append("whole"))
    sat.presenter.leave(lambda: None)
    sat.reading.finish_all()
    assert heard == []
