"""The first image doesn't wait for the order of all trials, and what needs that order waits."""

from collections.abc import Callable

import pytest

from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.core.errors import EnvironmentFault
from labeler.core.labeling.answers import TrialFlag
from labeler.core.labeling.blind_types import BlindTrial
from tests.unit.app.labeling.workbench.workbench_driver import FISH, WorkbenchDriver


@pytest.fixture
def at_first(open_session: Callable[[], WorkbenchDriver]) -> WorkbenchDriver:
    """A labeler whose first image is painted; the other trials aren't known yet."""
    driver = open_session()
    driver.bench.begin()
    driver.work()
    return driver


def all_but(driver: WorkbenchDriver, count: int) -> None:
    """Answer all images but so many, at another time."""
    for _ in range(4 - count):
        driver.answer()
    driver.bench.leave()
    driver.work()
    driver.clock.go_on(hours=1)


def test_the_first_image_is_there_before_the_other_trials(at_first: WorkbenchDriver) -> None:
    assert (at_first.view.stage, at_first.position) == (WorkbenchStage.TRIAL, 1)
    assert at_first.view.trial is not None
    assert at_first.view.trial.total == 4
    assert at_first.view.progress is None
    at_first.work()
    assert at_first.view.progress is not None
    assert (at_first.view.progress.left, at_first.view.progress.total) == (4, 4)


def test_answering_before_all_trials_are_loaded_opens_the_next_image(
    at_first: WorkbenchDriver,
) -> None:
    at_first.answer()
    assert (at_first.view.stage, at_first.position) == (WorkbenchStage.TRIAL, 2)
    assert at_first.view.progress is not None
    assert at_first.view.progress.done == 1


def test_flagging_before_all_trials_are_loaded_opens_the_next_image(
    at_first: WorkbenchDriver,
) -> None:
    at_first.bench.flag(TrialFlag.INAPPROPRIATE)
    at_first.work()
    assert (at_first.view.stage, at_first.position) == (WorkbenchStage.TRIAL, 2)
    assert at_first.view.progress is not None
    assert at_first.view.progress.set_aside == 1


def test_going_back_waits_until_it_is_known_where_to(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    all_but(driver, 2)
    later = open_session()
    later.bench.begin()
    later.work()
    assert (later.position, later.view.progress) == (3, None)
    later.flow.back()
    assert later.position == 3
    later.work()
    assert later.position == 2


def test_a_mark_set_before_all_is_known_stays(at_first: WorkbenchDriver) -> None:
    # The others are on their way, read before the mark is written.
    (coming,) = (ticket for ticket in at_first.runner.tickets if not ticket.urgent)
    read = coming.work(coming)
    at_first.flow.toggle_mark()
    coming.done(read)
    assert at_first.view.trial is not None
    assert at_first.view.trial.marked
    assert [trial.position for trial in at_first.bench.trials.order.marked] == [1]


def test_a_finished_labeler_starts_at_the_end(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    all_but(driver, 0)
    later = open_session().begin()
    assert later.view.stage is WorkbenchStage.FINISHED
    assert len(later.bench.trials.order) == 4


def test_leaving_before_all_trials_are_loaded_cancels_the_callback(
    at_first: WorkbenchDriver,
) -> None:
    at_first.bench.choose(FISH)
    at_first.bench.submit()
    at_first.bench.leave()
    at_first.work()
    assert at_first.view.stage is WorkbenchStage.STOPPED
    assert at_first.view.problem == ""
    assert [row[2] for row in at_first.stored()] == [FISH]


def test_unreadable_trials_are_reported_when_they_are_needed(
    at_first: WorkbenchDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable() -> tuple[BlindTrial, ...]:
        raise EnvironmentFault("The disk is gone.")

    monkeypatch.setattr(at_first.session, "trials", unreadable)
    at_first.work()
    assert (at_first.view.stage, at_first.view.problem) == (WorkbenchStage.TRIAL, "")
    at_first.answer()
    assert at_first.view.stage is WorkbenchStage.STOPPED
    assert "The disk is gone." in at_first.view.problem
    assert [row[2] for row in at_first.stored()] == [FISH]


def test_trials_that_could_not_be_read_are_asked_for_again(
    at_first: WorkbenchDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable() -> tuple[BlindTrial, ...]:
        raise EnvironmentFault("The disk is gone.")

    with monkeypatch.context() as broken:
        broken.setattr(at_first.session, "trials", unreadable)
        at_first.work()
    at_first.answer()
    assert (at_first.view.stage, at_first.position) == (WorkbenchStage.TRIAL, 2)
