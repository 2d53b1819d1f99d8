"""The workbench on a real study: trials, answers, pauses, the end; each answer once."""

from collections.abc import Callable

import pytest

from labeler.app.labeling.workbench_view import WantedLabel, WorkbenchStage
from labeler.app.study.settings import change_settings
from labeler.core.study.entities import AttentionPlace
from labeler.store.study_store import StudyStore
from tests.unit.app.labeling.workbench.workbench_sitting import DOG, FISH, Sitting, named


def test_it_begins_at_the_first_image_with_nothing_chosen(sitting: Sitting) -> None:
    assert (sitting.view.stage, sitting.position) == (WorkbenchStage.TRIAL, 1)
    assert sitting.view.answer.label is None
    assert not sitting.view.can_submit
    assert (sitting.view.progress.done, sitting.view.progress.left) == (0, 4)


def test_a_submitted_answer_is_stored_and_the_next_image_comes(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=7_000)
    sitting.answer(DOG)
    assert sitting.stored() == [(1, 1, DOG, 7_000)]
    assert sitting.position == 2
    assert sitting.view.answer.label is None
    assert sitting.view.progress.pace_ms == 7_000


def test_the_next_image_waits_until_the_answer_is_on_disk(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    assert (sitting.view.stage, sitting.position) == (WorkbenchStage.STORING, 1)
    assert sitting.stored() == []
    sitting.work()
    assert sitting.position == 2


def test_the_next_trial_needs_nothing_from_disk_any_more(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.work()
    sitting.bench.submit()
    commit = sitting.runner.tickets.pop(0)
    sitting.runner.tickets.clear()
    commit.finish()
    assert sitting.position == 2
    assert sitting.view.image is not None
    assert sitting.view.image.trial_id == sitting.view.trial.trial_id


def test_submitting_twice_stores_one_answer(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    for _ in range(5):
        sitting.bench.submit()
    sitting.work()
    for _ in range(5):
        sitting.bench.submit()
    sitting.work()
    assert [(position, revision) for position, revision, *_ in sitting.stored()] == [(1, 1)]
    assert sitting.view.notice.startswith("No class is chosen yet")


def test_choosing_while_the_answer_is_stored_changes_neither_trial(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    sitting.bench.choose(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [FISH]
    assert sitting.view.answer.label is None


def test_nothing_can_be_chosen_before_the_image_is_painted(sit_down: Callable[[], Sitting]) -> None:
    sitting = sit_down()
    sitting.bench.begin()
    while sitting.runner.tickets:
        sitting.runner.finish_all()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.label is None
    assert "not on the screen yet" in sitting.view.notice
    sitting.work()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.label == named(FISH)


def test_the_same_key_chooses_and_then_submits(sitting: Sitting) -> None:
    sitting.bench.choose_or_submit(FISH)
    assert sitting.view.answer.label == named(FISH)
    sitting.bench.choose_or_submit(DOG)
    assert sitting.view.answer.label == named(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [DOG]


def test_an_escape_hatch_asks_for_the_alternative(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    assert sitting.view.answer.wanted is WantedLabel.ALTERNATIVE
    sitting.bench.submit()
    assert "needs an alternative" in sitting.view.notice
    sitting.bench.choose_or_submit(DOG)
    assert (sitting.view.answer.label, sitting.view.answer.alternative) == (named(FISH), named(DOG))
    sitting.bench.toggle_escape_hatch()
    assert sitting.view.answer.alternative is None
    assert sitting.view.can_submit


def test_the_key_that_chose_the_alternative_then_submits(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.bench.choose_or_submit(DOG)
    sitting.bench.choose_or_submit(DOG)
    sitting.work()
    assert [row[2] for row in sitting.stored()] == [FISH], "the alternative isn't the label"
    assert sitting.position == 2


def test_an_alternative_that_was_left_there_can_become_the_label(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.answer(DOG)
    sitting.bench.back()
    sitting.work()
    sitting.bench.choose_or_submit(DOG)
    assert sitting.view.stage is WorkbenchStage.TRIAL
    assert sitting.view.answer.label == named(DOG)


def test_going_back_changes_the_answer_and_keeps_the_first(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=3_000)
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    assert sitting.view.answer.is_revision
    sitting.clock.go_on(milliseconds=2_000)
    sitting.answer(DOG)
    assert sitting.stored() == [(1, 1, FISH, 3_000), (1, 2, DOG, 5_000)]
    assert sitting.position == 2


def test_a_change_of_an_answer_is_told_apart_from_the_answer_until_it_is_submitted(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    assert not sitting.view.answer.is_changed
    sitting.bench.choose(DOG)
    assert sitting.view.answer.is_changed
    assert sitting.view.answer.before == named(FISH)
    sitting.bench.next_trial()
    sitting.work()
    sitting.bench.back()
    sitting.work()
    assert sitting.view.answer.before == named(FISH), "also after walking away"
    sitting.clock.go_on(milliseconds=1_000)
    sitting.bench.leave()
    sitting.work()
    later = sit_down().begin()
    assert (later.position, later.view.answer.before) == (1, named(FISH)), "and another day"
    later.bench.submit()
    later.work()
    later.bench.back()
    later.work()
    assert (later.view.answer.label, later.view.answer.is_changed) == (named(DOG), False)


def test_a_note_alone_is_a_change_too(sitting: Sitting) -> None:
    sitting.answer(FISH)
    sitting.bench.back()
    sitting.work()
    sitting.bench.set_note("blurred")
    assert (sitting.view.answer.is_changed, sitting.view.answer.before) == (True, None)


def test_a_trial_left_half_done_is_found_as_it_was(sitting: Sitting) -> None:
    sitting.answer(FISH)
    sitting.clock.go_on(milliseconds=4_000)
    sitting.bench.choose(DOG)
    sitting.bench.remember(shortlist=(DOG, FISH), query="dog")
    sitting.bench.back()
    sitting.work()
    sitting.bench.next_trial()
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (2, named(DOG))
    assert sitting.bench.trial is not None
    assert (sitting.bench.trial.shortlist, sitting.bench.trial.query) == ((DOG, FISH), "dog")
    assert sitting.bench.trial.active_ms == 4_000


def test_nobody_passes_an_image_without_answering_it(sitting: Sitting) -> None:
    sitting.bench.next_trial()
    assert sitting.position == 1
    assert sitting.view.notice.startswith("Answer this image first")


def test_a_pause_covers_the_image_and_stops_the_clock(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=1_000)
    sitting.bench.pause_or_resume()
    assert sitting.view.stage is WorkbenchStage.PAUSED
    sitting.clock.go_on(milliseconds=60_000)
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    assert sitting.view.answer.label is None
    sitting.bench.pause_or_resume()
    sitting.clock.go_on(milliseconds=2_000)
    sitting.answer(FISH)
    assert sitting.stored() == [(1, 1, FISH, 3_000)]


def test_time_in_another_program_does_not_count(sitting: Sitting) -> None:
    sitting.clock.go_on(milliseconds=1_000)
    sitting.bench.turn_away()
    sitting.clock.go_on(milliseconds=9_000)
    sitting.bench.attend(AttentionPlace.SEARCH)
    sitting.clock.go_on(milliseconds=500)
    sitting.answer(FISH)
    assert sitting.stored() == [(1, 1, FISH, 1_500)]


def test_the_end_is_a_clear_moment_with_a_last_chance(sitting: Sitting) -> None:
    sitting.bench.toggle_mark()
    for _ in range(4):
        sitting.answer()
    assert sitting.view.stage is WorkbenchStage.FINISHED
    assert [trial.position for trial in sitting.bench.order.marked] == [1]
    sitting.bench.go_to(sitting.bench.order.marked[0].trial_id)
    sitting.work()
    assert (sitting.position, sitting.view.answer.label) == (1, named(FISH))
    sitting.answer(DOG)
    assert sitting.view.stage is WorkbenchStage.FINISHED
    sitting.bench.lock(failed=pytest.fail)
    sitting.work()
    assert sitting.view.stage is WorkbenchStage.LOCKED


def test_a_lock_that_is_refused_is_told(sitting: Sitting) -> None:
    told: list[str] = []
    sitting.bench.lock(failed=told.append)
    sitting.work()
    assert told == ["4 trials aren't answered yet. The answers are locked when all are."]
    assert sitting.view.stage is WorkbenchStage.TRIAL


def test_marks_survive_the_session(sitting: Sitting, sit_down: Callable[[], Sitting]) -> None:
    sitting.bench.toggle_mark()
    sitting.work()
    again = sit_down().begin()
    assert again.view.trial is not None
    assert again.view.trial.marked


def test_recent_classes_are_the_last_answers_without_counts(sitting: Sitting) -> None:
    for wnid in (FISH, DOG, FISH):
        sitting.answer(wnid)
    assert sitting.view.recent == (named(FISH), named(DOG))
    sitting.bench.choose_recent(2)
    assert sitting.view.answer.label == named(DOG)
    sitting.bench.choose_recent(7)
    assert sitting.view.answer.label == named(DOG)


def test_leaving_ends_the_session_and_calls_nobody_back(sitting: Sitting) -> None:
    left: list[bool] = []
    sitting.bench.choose(FISH)
    sitting.bench.submit()
    sitting.bench.leave(lambda: left.append(True))
    sitting.work()
    assert sitting.view.stage is WorkbenchStage.STOPPED
    assert left == [True]
    assert [row[2] for row in sitting.stored()] == [FISH]


def test_when_all_is_done_onwards_leads_to_the_end_again(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.answer()
    sitting.bench.go_to(sitting.bench.order.all[1].trial_id)
    sitting.work()
    sitting.bench.next_trial()
    sitting.work()
    assert sitting.view.stage is WorkbenchStage.FINISHED
    assert len(sitting.stored()) == 4


def test_who_looks_through_their_answers_walks_back_and_on(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.answer()
    walked = []
    for step in (
        sitting.bench.look_through,
        sitting.bench.back,
        sitting.bench.back,
        sitting.bench.next_trial,
        sitting.bench.next_trial,
    ):
        step()
        sitting.work()
        walked.append(sitting.position)
    assert walked == [4, 3, 2, 3, 4]
    sitting.bench.next_trial()
    sitting.work()
    assert sitting.view.stage is WorkbenchStage.FINISHED


def test_who_changed_an_answer_looks_on_from_there(sitting: Sitting) -> None:
    for _ in range(4):
        sitting.answer()
    for step in (sitting.bench.look_through, sitting.bench.back, sitting.bench.back):
        step()
        sitting.work()
    sitting.answer(DOG)
    assert sitting.view.stage is WorkbenchStage.FINISHED
    sitting.bench.look_through()
    sitting.work()
    assert sitting.position == 2


def test_who_comes_back_to_the_end_another_day_looks_through_from_the_last_image(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    for _ in range(4):
        sitting.answer()
    sitting.bench.leave()
    sitting.work()
    later = sit_down().begin()
    assert later.view.stage is WorkbenchStage.FINISHED
    later.bench.look_through()
    later.work()
    assert later.position == 4


def test_who_left_at_the_end_begins_at_the_end(
    sitting: Sitting, sit_down: Callable[[], Sitting]
) -> None:
    for _ in range(4):
        sitting.answer()
    sitting.bench.go_to(sitting.bench.order.all[1].trial_id)
    sitting.work()
    sitting.bench.leave()
    sitting.work()
    sitting.clock.go_on(minutes=30)
    assert sit_down().begin().view.stage is WorkbenchStage.FINISHED


def test_confidence_is_nobodys_business_where_the_study_does_not_ask(sitting: Sitting) -> None:
    sitting.bench.set_confidence(3)
    assert sitting.view.answer.confidence is None


def test_the_intended_subject_is_another_class_than_the_answer(sitting: Sitting) -> None:
    sitting.bench.choose(FISH)
    sitting.bench.toggle_escape_hatch()
    sitting.bench.choose(FISH)
    assert sitting.view.answer.alternative is None
    assert "can't be the same class" in sitting.view.notice
    sitting.bench.choose(DOG)
    sitting.bench.choose(DOG)  # now the answer
    sitting.bench.submit()
    sitting.work()
    assert sitting.stored() == []
    assert "can't be the same class" in sitting.view.notice


def test_how_sure_one_is_stays_asked_for_while_no_trial_is_open(
    evaluated: StudyStore, sit_down: Callable[[], Sitting]
) -> None:
    change_settings(evaluated, asks_confidence=True)
    sitting = sit_down().begin()
    opening = [view for view in sitting.views if view.stage is WorkbenchStage.OPENING]
    assert opening
    assert all(view.answer.asks_confidence for view in opening)
