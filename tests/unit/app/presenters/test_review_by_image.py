"""Reviewing image by image, without a window: what is shown, kept, and tried again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from labeler.app.presenters.class_views import ResultRow
from labeler.app.presenters.review_by_class import ReviewByClass
from labeler.app.presenters.review_by_image import ReviewByImage
from labeler.app.presenters.review_sitting import ReviewSitting
from labeler.app.presenters.review_views import ReviewStage
from labeler.app.presenters.trial_images import TrialImages
from labeler.app.review.desk import ReviewBegun
from labeler.core.active_time import Interval
from labeler.core.blind import EncodedPicture
from labeler.core.blind_review import (
    BlindLabel,
    BlindVisit,
    CommittedVerdict,
    Lap,
    OwnFlag,
    OwnVerdict,
)
from labeler.core.class_rounds import Round
from labeler.core.errors import EnvironmentFault
from labeler.core.study import Attention, Verdict
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.late_runner import LateRunner

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG


@dataclass
class PlainDesk:
    """A study of two images in memory, whose disk may be full."""

    stored: list[CommittedVerdict] = field(default_factory=list)
    kept: list[Lap] = field(default_factory=list)
    full: bool = False

    def begin(self) -> ReviewBegun:
        return ReviewBegun(
            session_id="s",
            visits=(
                BlindVisit("one", (BlindLabel("x"), BlindLabel("y"))),
                BlindVisit("two", (BlindLabel("x"),)),
            ),
            checks=(),
            subsets=(),
            idle_after_ms=60_000,
        )

    def visits(self) -> tuple[BlindVisit, ...]:
        return self.begin().visits

    def commit(self, verdicts: Sequence[CommittedVerdict]) -> None:
        if self.full:
            raise EnvironmentFault("The disk is full.")
        self.stored += verdicts

    def add_label(self, visit_id: str, wnid: str) -> None: ...
    def flag_of(self, visit_id: str) -> OwnFlag | None: ...
    def half_written_flag(self, visit_id: str) -> OwnFlag | None: ...
    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def answer_check(self, check_id: str, found: OwnFlag, lap: Lap | None = None) -> None: ...
    def take_back_check(self, check_id: str, lap: Lap | None = None) -> None: ...

    def keep_lap(self, lap: Lap) -> None:
        self.kept.append(lap)

    def end(self, lap: Lap | None = None) -> None:
        self.kept += [] if lap is None else [lap]


@dataclass
class Sat:
    desk: PlainDesk
    database: LateRunner
    clock: AdjustableClock
    sitting: ReviewSitting
    by_image: ReviewByImage[str]
    by_class: ReviewByClass

    def said(self) -> list[tuple[str, str, Verdict | None]]:
        return [(v.visit_id, v.label, v.own.verdict if v.own else None) for v in self.desk.stored]


def named(wnid: str) -> ResultRow:
    return ResultRow(wnid, f"class {wnid}", "a gloss", "a path")


def judged_by_image(sitting: ReviewSitting, clock: AdjustableClock) -> ReviewByImage[str]:
    """Reviewing by image, with a word for every picture."""
    images = TrialImages[str](
        fetch=lambda _visit: EncodedPicture(b"", apply_exif=False),
        prepare=lambda _encoded, _viewport: "pixels",
        refit=lambda pixels, _viewport: pixels,
        runner=LateRunner(),
        clock=clock,
    )
    return ReviewByImage[str](sitting=sitting, images=images, name_class=named)


@pytest.fixture
def sat() -> Sat:
    desk, database, clock = PlainDesk(), LateRunner(), AdjustableClock()
    sitting = ReviewSitting(desk=desk, database=database, reading=database, clock=clock)
    by_image = judged_by_image(sitting, clock)
    by_class = ReviewByClass(sitting=sitting, name_class=named)
    sitting.begin(begun=by_image.start, failed=pytest.fail)
    database.finish_all()
    return Sat(desk, database, clock, sitting, by_image, by_class)


def test_the_next_label_comes_at_once_and_the_next_image_when_all_is_stored(sat: Sat) -> None:
    sat.by_image.judge(CORRECT)
    assert sat.by_image.view.focused_wnid == "y"
    sat.by_image.judge(WRONG)
    assert sat.by_image.view.visit_id == "one", "nothing is on disk yet"
    sat.database.finish_all()
    sat.database.finish_all()
    assert sat.by_image.view.visit_id == "two"
    assert sat.said() == [("one", "x", CORRECT), ("one", "y", WRONG)]


def test_what_could_not_be_stored_is_told_and_tried_again_in_its_order(sat: Sat) -> None:
    sat.desk.full = True
    sat.by_image.judge(CORRECT)
    sat.database.finish_all()
    assert "disk is full" in sat.by_image.view.trouble
    sat.by_image.judge(WRONG)
    sat.desk.full = False
    sat.database.finish_all()
    sat.sitting.tick()
    sat.database.finish_all()
    assert sat.said() == [("one", "x", CORRECT), ("one", "y", WRONG)]
    assert sat.by_image.view.trouble == ""
    assert sat.by_image.view.visit_id == "two"


def test_a_verdict_is_ignored_while_paused(sat: Sat) -> None:
    sat.by_image.pause_or_resume()
    sat.by_image.judge(CORRECT)
    assert sat.by_image.view.stage is ReviewStage.PAUSED
    assert sat.sitting.progress.done == 0


def test_the_end_comes_after_the_last_label(sat: Sat) -> None:
    for _label in range(3):
        sat.by_image.judge(CORRECT)
        sat.database.finish_all()
    assert sat.by_image.view.stage is ReviewStage.FINISHED
    assert sat.by_image.view.progress.left == 0


def test_an_undo_is_stored_as_a_verdict_taken_back(sat: Sat) -> None:
    sat.by_image.judge(CORRECT)
    sat.by_image.undo()
    assert not sat.by_image.view.can_undo
    for _try in range(2):
        sat.database.finish_all()
    assert sat.said() == [("one", "x", CORRECT), ("one", "x", None)]


def test_an_idle_stare_counts_up_to_the_threshold(sat: Sat) -> None:
    for _second in range(300):
        sat.clock.go_on(seconds=1)
        sat.sitting.tick()
    sat.by_image.judge(CORRECT)
    sat.database.finish_all()
    assert sat.desk.stored[0].active_ms == 60_000


def test_tiles_judged_together_share_their_time(sat: Sat) -> None:
    sat.by_class.start()
    sat.sitting.input()
    sat.clock.go_on(seconds=8)
    sat.by_class.judge([0, 1], WRONG)
    sat.database.finish_all()
    assert [verdict.active_ms for verdict in sat.desk.stored] == [4_000, 4_000]
    assert len({verdict.lap for verdict in sat.desk.stored}) == 1
    assert sat.by_class.view.left == 0
    assert sat.by_class.view.notice


def test_a_class_that_is_done_leads_to_the_next_that_waits(sat: Sat) -> None:
    sat.by_class.start()
    assert sat.by_class.view.wnid == "x"
    sat.by_class.judge([0, 1], WRONG)
    sat.by_class.next_class()
    assert sat.by_class.view.wnid == "y"
    sat.by_class.judge([0], CORRECT)
    sat.by_class.next_class()
    assert sat.by_class.view.stage is ReviewStage.FINISHED


def test_an_undo_in_another_class_returns_to_it(sat: Sat) -> None:
    sat.by_class.start()
    sat.by_class.judge([1], WRONG)
    sat.by_class.open(Round(1, "y"))
    assert sat.by_class.undo() == 1
    assert sat.by_class.view.wnid == "x"
    assert sat.by_class.view.left == 2


def test_a_verdict_given_before_is_changed_not_doubled(sat: Sat) -> None:
    sat.by_image.judge(CORRECT)
    sat.by_image.focus(0)
    sat.by_image.judge(WRONG)
    assert sat.sitting.progress.done == 1
    assert sat.sitting.order.own("one", "x") == OwnVerdict(WRONG)


def test_a_verdict_has_the_raw_time_up_to_it_with_places_and_inputs(sat: Sat) -> None:
    sat.clock.go_on(seconds=2)
    sat.sitting.attend(Attention.REFERENCES)
    sat.clock.go_on(seconds=1)
    sat.sitting.input()
    sat.clock.go_on(seconds=1)
    sat.by_image.judge(CORRECT)
    sat.clock.go_on(seconds=3)
    sat.by_image.judge(WRONG)
    for _try in range(2):
        sat.database.finish_all()
    assert [verdict.lap for verdict in sat.desk.stored] == [
        Lap(
            1,
            (
                Interval(Attention.IMAGE, 0, 2_000),
                Interval(Attention.REFERENCES, 2_000, 4_000, (3_000,)),
            ),
        ),
        Lap(2, (Interval(Attention.REFERENCES, 4_000, 7_000),)),
    ]


def test_the_lap_that_runs_is_kept_now_and_then_and_not_while_nobody_is_there(sat: Sat) -> None:
    for _second in range(25):
        sat.clock.go_on(seconds=1)
        sat.sitting.tick()
    sat.sitting.turn_away()
    for _second in range(100):
        sat.clock.go_on(seconds=1)
        sat.sitting.tick()
    sat.database.finish_all()
    ends = [lap.intervals[-1].ended_ms for lap in sat.desk.kept]
    assert ends == [10_000, 20_000, 25_000]
    assert {lap.number for lap in sat.desk.kept} == {1}


def test_the_time_after_the_last_verdict_is_handed_over_at_the_end(sat: Sat) -> None:
    sat.by_image.judge(CORRECT)
    sat.clock.go_on(seconds=5)
    sat.sitting.leave(lambda: None)
    sat.database.finish_all()
    assert sat.desk.kept == [Lap(2, (Interval(Attention.IMAGE, 0, 5_000),))]
