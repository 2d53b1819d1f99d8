"""The workbench on a real study: trials, answers, pauses, the end; each answer once."""

from collections.abc import Callable

import pytest

from labeler.app.labeling.evaluation_flow import ANSWER_FIRST
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.app.study.settings import change_settings
from labeler.core.labeling.answers import Question
from labeler.core.study.entities import AttentionPlace
from labeler.store.study_store import StudyStore
from tests.unit.app.labeling.workbench.workbench_driver import DOG, FISH, WorkbenchDriver, named


def test_it_begins_at_the_first_image_with_nothing_chosen(driver: WorkbenchDriver) -> None:
    assert (driver.view.stage, driver.position) == (WorkbenchStage.TRIAL, 1)
    assert driver.view.answer.label is None
    assert not driver.view.can_submit
    assert (driver.view.progress.done, driver.view.progress.left) == (0, 4)


def test_a_submitted_answer_is_stored_and_the_next_image_comes(driver: WorkbenchDriver) -> None:
    driver.clock.go_on(milliseconds=7_000)
    driver.answer(DOG)
    assert driver.stored() == [(1, 1, DOG, 7_000)]
    assert driver.position == 2
    assert driver.view.answer.label is None
    assert driver.view.progress.pace_ms == 7_000


def test_the_next_image_waits_until_the_answer_is_on_disk(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.submit()
    assert (driver.view.stage, driver.position) == (WorkbenchStage.STORING, 1)
    assert driver.stored() == []
    driver.work()
    assert driver.position == 2


def test_the_next_trial_needs_nothing_from_disk_any_more(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.work()
    driver.bench.submit()
    commit = driver.runner.tickets.pop(0)
    driver.runner.tickets.clear()
    commit.finish()
    assert driver.position == 2
    assert driver.view.image is not None
    assert driver.view.image.trial_id == driver.view.trial.trial_id


def test_submitting_twice_stores_one_answer(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    for _ in range(5):
        driver.bench.submit()
    driver.work()
    for _ in range(5):
        driver.bench.submit()
    driver.work()
    assert [(position, revision) for position, revision, *_ in driver.stored()] == [(1, 1)]
    assert driver.view.notice.startswith("No class is chosen yet")


def test_choosing_while_the_answer_is_stored_changes_neither_trial(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.submit()
    driver.bench.choose(DOG)
    driver.bench.choose_or_submit(DOG)
    driver.work()
    assert [row[2] for row in driver.stored()] == [FISH]
    assert driver.view.answer.label is None


def test_nothing_can_be_chosen_before_the_image_is_painted(
    open_session: Callable[[], WorkbenchDriver],
) -> None:
    driver = open_session()
    driver.bench.begin()
    while driver.runner.tickets:
        driver.runner.finish_all()
    driver.bench.choose(FISH)
    assert driver.view.answer.label is None
    assert "not on the screen yet" in driver.view.notice
    driver.work()
    driver.bench.choose(FISH)
    assert driver.view.answer.label == named(FISH)


def test_the_same_key_chooses_and_then_submits(driver: WorkbenchDriver) -> None:
    driver.bench.choose_or_submit(FISH)
    assert driver.view.answer.label == named(FISH)
    driver.bench.choose_or_submit(DOG)
    assert driver.view.answer.label == named(DOG)
    driver.bench.choose_or_submit(DOG)
    driver.work()
    assert [row[2] for row in driver.stored()] == [DOG]


def test_an_escape_hatch_asks_for_the_alternative(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.toggle_escape_hatch()
    assert driver.view.answer.needs_alternative
    driver.bench.submit()
    assert "needs an alternative" in driver.view.notice
    driver.bench.choose_or_submit(DOG)
    assert (driver.view.answer.label, driver.view.answer.alternative) == (named(FISH), named(DOG))
    driver.bench.toggle_escape_hatch()
    assert driver.view.answer.alternative is None
    assert driver.view.can_submit


def test_the_key_that_chose_the_alternative_then_submits(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.toggle_escape_hatch()
    driver.bench.choose_or_submit(DOG)
    driver.bench.choose_or_submit(DOG)
    driver.work()
    assert [row[2] for row in driver.stored()] == [FISH], "the alternative isn't the label"
    assert driver.position == 2


def test_an_alternative_that_was_left_there_can_become_the_label(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.toggle_escape_hatch()
    driver.answer(DOG)
    driver.flow.back()
    driver.work()
    driver.bench.choose_or_submit(DOG)
    assert driver.view.stage is WorkbenchStage.TRIAL
    assert driver.view.answer.label == named(DOG)


def test_going_back_changes_the_answer_and_keeps_the_first(driver: WorkbenchDriver) -> None:
    driver.clock.go_on(milliseconds=3_000)
    driver.answer(FISH)
    driver.flow.back()
    driver.work()
    assert (driver.position, driver.view.answer.label) == (1, named(FISH))
    assert driver.view.answer.is_revision
    driver.clock.go_on(milliseconds=2_000)
    driver.answer(DOG)
    assert driver.stored() == [(1, 1, FISH, 3_000), (1, 2, DOG, 5_000)]
    assert driver.position == 2


def test_a_change_of_an_answer_is_distinguished_from_the_answer_until_it_is_submitted(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    driver.answer(FISH)
    driver.flow.back()
    driver.work()
    assert not driver.view.answer.is_changed
    driver.bench.choose(DOG)
    assert driver.view.answer.is_changed
    assert driver.view.answer.before == named(FISH)
    driver.flow.next_trial()
    driver.work()
    driver.flow.back()
    driver.work()
    assert driver.view.answer.before == named(FISH), "also after walking away"
    driver.clock.go_on(milliseconds=1_000)
    driver.bench.leave()
    driver.work()
    later = open_session().begin()
    assert (later.position, later.view.answer.before) == (1, named(FISH)), "and another day"
    later.bench.submit()
    later.work()
    later.flow.back()
    later.work()
    assert (later.view.answer.label, later.view.answer.is_changed) == (named(DOG), False)


def test_a_note_alone_is_a_change_too(driver: WorkbenchDriver) -> None:
    driver.answer(FISH)
    driver.flow.back()
    driver.work()
    driver.bench.set_note("blurred")
    assert (driver.view.answer.is_changed, driver.view.answer.before) == (True, None)


def test_a_trial_left_half_done_is_found_as_it_was(driver: WorkbenchDriver) -> None:
    driver.answer(FISH)
    driver.clock.go_on(milliseconds=4_000)
    driver.bench.choose(DOG)
    driver.bench.remember(shortlist=(DOG, FISH), query="dog")
    driver.flow.back()
    driver.work()
    driver.flow.next_trial()
    driver.work()
    assert (driver.position, driver.view.answer.label) == (2, named(DOG))
    assert driver.bench.trial is not None
    draft = driver.bench.trial.draft()
    assert (draft.shortlist, draft.query) == ((DOG, FISH), "dog")
    assert driver.bench.trial.active_ms == 4_000


def test_no_one_passes_an_image_without_answering_it(driver: WorkbenchDriver) -> None:
    driver.flow.next_trial()
    assert driver.position == 1
    assert driver.view.notice == ANSWER_FIRST


def test_a_pause_covers_the_image_and_stops_the_clock(driver: WorkbenchDriver) -> None:
    driver.clock.go_on(milliseconds=1_000)
    driver.bench.pause_or_resume()
    assert driver.view.stage is WorkbenchStage.PAUSED
    driver.clock.go_on(milliseconds=60_000)
    driver.bench.choose(FISH)
    driver.bench.submit()
    assert driver.view.answer.label is None
    driver.bench.pause_or_resume()
    driver.clock.go_on(milliseconds=2_000)
    driver.answer(FISH)
    assert driver.stored() == [(1, 1, FISH, 3_000)]


def test_time_in_another_program_does_not_count(driver: WorkbenchDriver) -> None:
    driver.clock.go_on(milliseconds=1_000)
    driver.bench.turn_away()
    driver.clock.go_on(milliseconds=9_000)
    driver.bench.attend(AttentionPlace.SEARCH)
    driver.clock.go_on(milliseconds=500)
    driver.answer(FISH)
    assert driver.stored() == [(1, 1, FISH, 1_500)]


def test_the_end_is_a_clear_moment_with_a_last_chance(driver: WorkbenchDriver) -> None:
    driver.flow.toggle_mark()
    for _ in range(4):
        driver.answer()
    assert driver.view.stage is WorkbenchStage.FINISHED
    assert [trial.position for trial in driver.bench.trials.order.marked] == [1]
    driver.flow.go_to(driver.bench.trials.order.marked[0].trial_id)
    driver.work()
    assert (driver.position, driver.view.answer.label) == (1, named(FISH))
    driver.answer(DOG)
    assert driver.view.stage is WorkbenchStage.FINISHED
    driver.flow.lock(failed=pytest.fail)
    driver.work()
    assert driver.view.stage is WorkbenchStage.LOCKED


def test_a_lock_that_is_refused_is_reported(driver: WorkbenchDriver) -> None:
    result: list[str] = []
    driver.flow.lock(failed=result.append)
    driver.work()
    assert result == ["4 trials aren't answered yet. The answers are locked when all are."]
    assert driver.view.stage is WorkbenchStage.TRIAL


def test_marks_survive_the_session(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    driver.flow.toggle_mark()
    driver.work()
    again = open_session().begin()
    assert again.view.trial is not None
    assert again.view.trial.marked


def test_recent_classes_keep_their_slots_without_counts(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    for wnid in (FISH, DOG, FISH):
        driver.answer(wnid)
    assert driver.view.recent == (named(FISH), named(DOG))
    driver.bench.leave()
    driver.work()
    again = open_session().begin()
    again.work()
    assert again.view.recent == (named(FISH), named(DOG))


def test_leaving_ends_the_session_and_calls_no_one_back(driver: WorkbenchDriver) -> None:
    left: list[bool] = []
    driver.bench.choose(FISH)
    driver.bench.submit()
    driver.bench.leave(lambda: left.append(True))
    driver.work()
    assert driver.view.stage is WorkbenchStage.STOPPED
    assert left == [True]
    assert [row[2] for row in driver.stored()] == [FISH]


def test_when_all_is_done_onwards_leads_to_the_end_again(driver: WorkbenchDriver) -> None:
    for _ in range(4):
        driver.answer()
    driver.flow.go_to(driver.bench.trials.order.all[1].trial_id)
    driver.work()
    driver.flow.next_trial()
    driver.work()
    assert driver.view.stage is WorkbenchStage.FINISHED
    assert len(driver.stored()) == 4


def test_who_looks_through_their_answers_walks_back_and_on(driver: WorkbenchDriver) -> None:
    for _ in range(4):
        driver.answer()
    walked = []
    for step in (
        driver.flow.look_through,
        driver.flow.back,
        driver.flow.back,
        driver.flow.next_trial,
        driver.flow.next_trial,
    ):
        step()
        driver.work()
        walked.append(driver.position)
    assert walked == [4, 3, 2, 3, 4]
    driver.flow.next_trial()
    driver.work()
    assert driver.view.stage is WorkbenchStage.FINISHED


def test_who_changed_an_answer_looks_on_from_there(driver: WorkbenchDriver) -> None:
    for _ in range(4):
        driver.answer()
    for step in (driver.flow.look_through, driver.flow.back, driver.flow.back):
        step()
        driver.work()
    driver.answer(DOG)
    assert driver.view.stage is WorkbenchStage.FINISHED
    driver.flow.look_through()
    driver.work()
    assert driver.position == 2


def test_who_comes_back_to_the_end_another_day_looks_through_from_the_last_image(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    for _ in range(4):
        driver.answer()
    driver.bench.leave()
    driver.work()
    later = open_session().begin()
    assert later.view.stage is WorkbenchStage.FINISHED
    later.flow.look_through()
    later.work()
    assert later.position == 4


def test_who_left_at_the_end_begins_at_the_end(
    driver: WorkbenchDriver, open_session: Callable[[], WorkbenchDriver]
) -> None:
    for _ in range(4):
        driver.answer()
    driver.flow.go_to(driver.bench.trials.order.all[1].trial_id)
    driver.work()
    driver.bench.leave()
    driver.work()
    driver.clock.go_on(minutes=30)
    assert open_session().begin().view.stage is WorkbenchStage.FINISHED


def test_confidence_is_no_ones_business_where_the_study_does_not_ask(
    driver: WorkbenchDriver,
) -> None:
    driver.bench.set_confidence(3)
    assert driver.view.answer.confidence is None


def test_the_intended_subject_is_another_class_than_the_answer(driver: WorkbenchDriver) -> None:
    driver.bench.choose(FISH)
    driver.bench.toggle_escape_hatch()
    driver.bench.choose(FISH)
    assert driver.view.answer.alternative is None
    assert "can't be the same class" in driver.view.notice
    driver.bench.choose(DOG)
    driver.bench.choose(DOG)  # now the answer
    driver.bench.submit()
    driver.work()
    assert driver.stored() == []
    assert "can't be the same class" in driver.view.notice


def test_how_sure_one_is_stays_asked_for_while_no_trial_is_open(
    evaluated: StudyStore, open_session: Callable[[], WorkbenchDriver]
) -> None:
    change_settings(evaluated, asks_confidence=True)
    driver = open_session().begin()
    opening = [view for view in driver.views if view.stage is WorkbenchStage.OPENING]
    assert opening
    assert all(view.answer.questions == {Question.CONFIDENCE} for view in opening)
