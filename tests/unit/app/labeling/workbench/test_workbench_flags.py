"""Flagging an image instead of answering it, and taking that back."""

from collections.abc import Callable
from pathlib import Path

from labeler.app.labeling.evaluation_flow import FLAG_REMOVED, FLAG_REMOVED_WAITS
from labeler.app.labeling.presenter import FLAGGED
from labeler.app.labeling.workbench_view import FLAG_TITLES, WorkbenchStage
from labeler.app.study.phases import lock_phase
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore
from tests.unit.app.labeling.workbench.workbench_driver import FISH, WorkbenchDriver


def test_a_flagged_image_is_set_aside(driver: WorkbenchDriver) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    assert driver.position == 2
    assert (driver.view.progress.set_aside, driver.view.progress.left) == (1, 3)


def test_an_image_that_cannot_be_shown_can_be_flagged(
    open_session: Callable[[], WorkbenchDriver], evaluated: StudyStore
) -> None:
    with evaluated.read() as study:
        root = next(d.root for d in study.datasets.all() if d.name == "val")
    for file in Path(str(root)).rglob("*.JPEG"):
        file.unlink()
    driver = open_session().begin()
    assert driver.view.image is None
    assert "can't be shown" in driver.view.problem
    assert "JPEG" not in driver.view.problem
    driver.bench.choose(FISH)
    assert driver.view.answer.label is None
    driver.bench.flag(TrialFlag.NOT_SHOWN)
    driver.work()
    assert driver.position == 2


def test_a_flagged_image_says_so_when_it_is_left_and_when_it_is_met_again(
    driver: WorkbenchDriver,
) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    assert driver.view.notice == FLAGGED.format(
        position=1, reason=FLAG_TITLES[TrialFlag.INAPPROPRIATE]
    )
    assert driver.view.flagged == ""
    driver.flow.back()
    driver.work()
    assert driver.view.flagged == "Flagged: inappropriate"
    assert driver.view.flags == {TrialFlag.INAPPROPRIATE}
    driver.flow.remove_flag()
    assert driver.view.notice == FLAG_REMOVED_WAITS
    assert (driver.view.flagged, driver.view.flags) == ("", frozenset())


def test_an_answered_image_can_be_flagged_and_its_answer_stays(driver: WorkbenchDriver) -> None:
    driver.answer(FISH)
    driver.flow.back()
    driver.work()
    driver.bench.flag(TrialFlag.NOT_SHOWN)
    driver.work()
    driver.flow.back()
    driver.work()
    assert driver.view.flagged == "Flagged: can't be seen properly"
    assert driver.view.answer.label is not None
    driver.flow.remove_flag()
    assert driver.view.notice == FLAG_REMOVED


def test_a_flag_can_be_taken_back(driver: WorkbenchDriver) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    driver.flow.back()
    driver.work()
    assert driver.view.trial is not None
    assert driver.view.trial.flagged
    driver.flow.remove_flag()
    driver.work()
    assert (driver.position, driver.view.progress.left) == (1, 4)
    driver.answer()
    assert [row[0] for row in driver.stored()] == [1]


def test_the_next_image_waits_until_the_flag_is_on_disk(driver: WorkbenchDriver) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    assert (driver.view.stage, driver.position) == (WorkbenchStage.STORING, 1)
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    assert (driver.view.stage, driver.position) == (WorkbenchStage.TRIAL, 2)
    assert driver.view.progress.set_aside == 1


def test_a_flag_that_cannot_be_stored_leaves_the_image_there_and_says_so(
    driver: WorkbenchDriver, evaluated: StudyStore
) -> None:
    lock_phase(evaluated, Phase.EVALUATE, unfinished=True)
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    assert (driver.view.stage, driver.position) == (WorkbenchStage.TRIAL, 1)
    assert "The evaluation is locked" in driver.view.problem
    assert driver.view.progress.set_aside == 0


def test_a_flag_is_stored_even_if_the_labeler_leaves(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.bench.leave()
    driver.work()
    assert driver.view.stage is WorkbenchStage.STOPPED
    later = open_session().begin()
    assert (later.position, later.view.progress.set_aside) == (2, 1)
