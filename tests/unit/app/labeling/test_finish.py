"""The end of the task: nothing locks before it was asked for and confirmed."""

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from labeler.app.labeling.finish import ALL_FLAGGED, IMAGE_ANSWERED, FinishPresenter, FinishStage
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial_order import TrialOrder


def order(count: int = 60, *, aside: int = 0, marked: tuple[int, ...] = ()) -> TrialOrder:
    return TrialOrder(
        BlindTrial(
            trial_id=f"trial-{n}",
            position=n,
            total=count,
            answered=n > aside,
            flagged=n <= aside,
            marked=n in marked,
        )
        for n in range(1, count + 1)
    )


@pytest.mark.parametrize(
    ("aside", "heading", "sentence"),
    [
        (0, "All 60 images are answered", ""),
        (1, "All 59 images are answered", "1 image is flagged instead of answered."),
        (59, IMAGE_ANSWERED, "59 images are flagged instead of answered."),
        (60, ALL_FLAGGED, "60 images are flagged instead of answered."),
    ],
)
def test_what_is_done_is_counted(aside: int, heading: str, sentence: str) -> None:
    view = FinishPresenter(order(aside=aside)).view
    assert (view.heading, view.unanswered) == (heading, sentence)


def test_marked_trials_are_known_by_their_place() -> None:
    marked = FinishPresenter(order(2000, marked=(3, 1200))).view.marked
    assert [(trial.trial_id, trial.title) for trial in marked] == [
        ("trial-3", "Image 3"),
        ("trial-1200", "Image 1,200"),
    ]


def test_flagged_images_are_listed_whether_answered_or_not() -> None:
    trials = [replace(trial, answered=trial.position != 2) for trial in order(5, aside=2).all]
    flagged = FinishPresenter(TrialOrder(trials)).view.flagged
    assert [trial.title for trial in flagged] == ["Image 1", "Image 2"]


def test_a_lock_that_failed_says_why_and_can_be_asked_for_again() -> None:
    finish = FinishPresenter(order())
    finish.ask()
    assert finish.lock()
    view = finish.failed("The disk is full.")
    assert (view.stage, view.failure) == (FinishStage.OPEN, "The disk is full.")
    assert finish.ask().failure == ""
    assert finish.lock()
    assert finish.locked().stage is FinishStage.LOCKED


class Ending(RuleBasedStateMachine):
    """Whatever is pressed, in whatever order: a lock goes out only after a confirmed question."""

    def __init__(self) -> None:
        super().__init__()
        self.finish = FinishPresenter(order())
        self.asked = False
        self.sent = False

    @rule()
    def ask(self) -> None:
        self.finish.ask()
        self.asked = self.asked or not self.sent

    @rule()
    def keep_open(self) -> None:
        self.finish.keep_open()
        self.asked = self.asked and self.sent

    @rule(times=st.integers(1, 3))
    def lock(self, times: int) -> None:
        went_out = [self.finish.lock() for _ in range(times)]
        assert sum(went_out) == (1 if self.asked and not self.sent else 0)
        self.sent = self.sent or any(went_out)

    @invariant()
    def a_lock_that_is_under_way_is_not_undone(self) -> None:
        if self.sent:
            assert self.finish.view.stage is FinishStage.LOCKING


TestEnding = Ending.TestCase
