"""Undo takes back the labeler's last act, of whatever kind it is and on whatever image."""

from labeler.app.labeling.undo import (
    ANSWER_REOPENED,
    ANSWER_RESTORED,
    EDIT_UNDONE,
    FLAG_UNDONE,
    MARK_UNDONE,
    NOTHING_TO_UNDO,
)
from labeler.core.labeling.answers import TrialFlag
from tests.unit.app.labeling.workbench.workbench_driver import DOG, FISH, WorkbenchDriver


def undo(driver: WorkbenchDriver) -> None:
    driver.bench.history.undo()
    driver.work()


def test_without_an_act_there_is_nothing_to_undo(driver: WorkbenchDriver) -> None:
    undo(driver)
    assert driver.view.notice == NOTHING_TO_UNDO


def test_edits_of_an_answer_are_undone_one_after_the_other(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.choose(DOG)
    driver.bench.toggle_escape_hatch()
    driver.bench.toggle_known()
    undo(driver)
    assert (driver.view.answer.knows_image, driver.view.answer.escape_hatch) == (False, True)
    undo(driver)
    assert not driver.view.answer.escape_hatch
    assert driver.view.answer.label is not None
    assert driver.view.answer.label.wnid == DOG
    undo(driver)
    assert driver.view.answer.label.wnid == FISH
    undo(driver)
    assert driver.view.answer.label is None
    assert driver.view.notice == EDIT_UNDONE


def test_the_letters_of_a_note_are_undone_together(driver: WorkbenchDriver) -> None:
    for text in ("b", "bl", "blu"):
        driver.bench.set_note(text)
    undo(driver)
    assert driver.view.answer.note == ""


def test_a_mark_is_undone_on_disk_too(driver: WorkbenchDriver) -> None:
    driver.flow.toggle_mark()
    assert driver.view.trial is not None
    assert driver.view.trial.marked
    undo(driver)
    assert not driver.view.trial.marked
    assert driver.view.notice == MARK_UNDONE
    assert not any(trial.marked for trial in driver.session.trials())
    undo(driver)
    assert driver.view.notice == NOTHING_TO_UNDO


def test_a_submitted_answer_opens_again_and_counts_until_another_is_submitted(
    driver: WorkbenchDriver,
) -> None:
    driver.answer(FISH)
    assert driver.position == 2
    undo(driver)
    assert (driver.position, driver.view.notice) == (1, ANSWER_REOPENED)
    assert [row[:3] for row in driver.stored()] == [(1, 1, FISH)]
    driver.answer(DOG)
    assert [row[:3] for row in driver.stored()] == [(1, 1, FISH), (1, 2, DOG)]
    assert driver.position == 2


def test_a_changed_answer_is_what_it_was_before_once_that_is_submitted(
    driver: WorkbenchDriver,
) -> None:
    driver.answer(FISH)
    undo(driver)
    driver.answer(DOG)
    undo(driver)
    assert (driver.position, driver.view.notice) == (1, ANSWER_RESTORED)
    assert driver.view.answer.label is not None
    assert driver.view.answer.label.wnid == FISH
    driver.bench.submit()
    driver.work()
    assert [row[2] for row in driver.stored()] == [FISH, DOG, FISH]


def test_a_flag_is_removed_at_its_image(driver: WorkbenchDriver) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    assert driver.position == 2
    undo(driver)
    assert (driver.position, driver.view.flagged) == (1, "")
    assert driver.view.notice == FLAG_UNDONE
    assert not any(trial.flagged for trial in driver.session.trials())


def test_what_was_answered_before_a_flag_is_there_again(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.set_note("blurred")
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    undo(driver)
    answer = driver.view.answer
    assert answer.label is not None
    assert (answer.label.wnid, answer.note, driver.view.notice) == (FISH, "blurred", FLAG_UNDONE)
    undo(driver)
    assert driver.view.notice == NOTHING_TO_UNDO


def test_a_removed_flag_comes_back(driver: WorkbenchDriver) -> None:
    driver.bench.flag(TrialFlag.INAPPROPRIATE)
    driver.work()
    driver.flow.back()
    driver.work()
    driver.flow.remove_flag()
    undo(driver)
    assert [trial.flagged for trial in driver.session.trials()][:2] == [True, False]


def test_an_act_on_an_image_that_was_left_is_undone_there(driver: WorkbenchDriver) -> None:
    driver.answer(FISH)
    driver.bench.choose(DOG)
    driver.flow.back()
    driver.work()
    undo(driver)
    assert driver.position == 2
    assert driver.view.answer.label is None
