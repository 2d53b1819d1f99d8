"""A labeler's evaluation: trials, marks and flags, and a lock at the end."""

import pytest

from labeler.core.datasets.sampling import labeler_order
from labeler.core.errors import RefusedError
from labeler.core.labeling.blind_types import OwnProgress
from labeler.store.schema import PredictionRow, TrialRow
from tests.unit.store.small_evaluation import (
    CAT,
    IMAGES,
    Evaluation,
    closed_evaluation,
    open_evaluation,
    order_of,
)


@pytest.fixture
def closed(store, lead, clock) -> Evaluation:
    return closed_evaluation(store, lead, clock)


@pytest.fixture
def evaluation(store, lead, clock) -> Evaluation:
    return open_evaluation(store, lead, clock)


def test_each_labeler_meets_the_sample_in_an_order_of_their_own(evaluation) -> None:
    for seed, code in enumerate("AB"):
        assert order_of(evaluation, code) == list(labeler_order(IMAGES, order_seed=seed))
    trials = evaluation.ask(lambda labeling: labeling.trials("A"))
    assert [trial.position for trial in trials] == [1, 2, 3, 4, 5, 6]
    assert {trial.total for trial in trials} == {6}


def test_trials_are_made_once(evaluation) -> None:
    before = evaluation.ask(lambda labeling: labeling.trials("A"))

    assert evaluation.prepare("A") == 6
    assert evaluation.ask(lambda labeling: labeling.trials("A")) == before


def test_a_trial_that_is_wanting_is_made_at_its_place(evaluation) -> None:
    with evaluation.store.write() as study:
        study.session.delete(study.session.get_one(TrialRow, evaluation.trial(3)))

    assert evaluation.prepare("A") == 6
    assert order_of(evaluation, "A") == list(labeler_order(IMAGES, order_seed=0))


def test_no_trial_is_made_before_the_evaluation_is_open(closed) -> None:
    with pytest.raises(RefusedError, match="isn't open yet: ask the lead"):
        closed.prepare("A")


def test_no_trial_is_made_after_the_evaluation_is_locked(evaluation) -> None:
    evaluation.phase("lock")

    with pytest.raises(RefusedError, match="The evaluation is locked"):
        evaluation.do(lambda labeling: labeling.prepare_trials("A"))


def test_only_a_labeler_gets_trials(evaluation) -> None:
    with pytest.raises(RefusedError, match="'R' doesn't have the role labeler"):
        evaluation.do(lambda labeling: labeling.prepare_trials("R"))


def test_the_next_trial_is_the_first_without_an_answer(evaluation) -> None:
    def upcoming() -> int | None:
        trial = evaluation.ask(lambda labeling: labeling.next_unanswered("A"))
        return None if trial is None else trial.position

    evaluation.commit(evaluation.answer(2))
    assert upcoming() == 1
    evaluation.commit(evaluation.answer(1))
    assert upcoming() == 3
    evaluation.set_aside(3)
    assert upcoming() == 4
    evaluation.answer_all()
    assert upcoming() is None


def test_trials_tell_what_the_labeler_did_with_them(evaluation) -> None:
    marked = evaluation.trial(2)
    evaluation.commit(evaluation.answer(1))
    evaluation.do(lambda labeling: labeling.mark(marked))
    evaluation.set_aside(3)

    trials = evaluation.ask(lambda labeling: labeling.trials("A"))
    states = [(trial.answered, trial.marked, trial.flagged) for trial in trials[:4]]
    assert states == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, False),
    ]
    assert all(t.waits and not t.marked for t in evaluation.ask(lambda la: la.trials("B")))


def test_a_mark_outlives_the_answer_and_can_be_taken_back(evaluation) -> None:
    trial_id = evaluation.trial(1)
    evaluation.do(lambda labeling: labeling.mark(trial_id))
    evaluation.commit(evaluation.answer(1))
    assert evaluation.ask(lambda labeling: labeling.trials("A"))[0].marked

    evaluation.do(lambda labeling: labeling.mark(trial_id, marked=False))
    assert not evaluation.ask(lambda labeling: labeling.trials("A"))[0].marked


def test_progress_counts_each_trial_once_however_often_it_was_answered(evaluation) -> None:
    for position in (1, 1, 3):
        evaluation.commit(evaluation.answer(position))
    for position in (1, 2):
        evaluation.set_aside(position)

    progress = evaluation.ask(lambda labeling: labeling.progress("A"))
    assert progress == OwnProgress(answered=2, set_aside=1, total=6)
    assert evaluation.ask(lambda labeling: labeling.progress("B")).left == 6


def test_answers_are_not_locked_while_trials_wait(evaluation) -> None:
    evaluation.commit(evaluation.answer(1))
    with pytest.raises(RefusedError, match="5 trials aren't answered yet"):
        evaluation.do(lambda labeling: labeling.lock_task("A"))

    for position in range(2, 6):
        evaluation.commit(evaluation.answer(position))
    with pytest.raises(RefusedError, match="1 trial isn't answered yet"):
        evaluation.do(lambda labeling: labeling.lock_task("A"))


def test_there_is_nothing_to_lock_before_the_evaluation_began(closed) -> None:
    with pytest.raises(RefusedError, match="nothing to lock"):
        closed.do(lambda labeling: labeling.lock_task("A"))


def test_a_flagged_image_does_not_keep_the_labeler_from_the_end(evaluation) -> None:
    for position in range(1, 6):
        evaluation.commit(evaluation.answer(position))
    evaluation.set_aside(6)

    evaluation.do(lambda labeling: labeling.lock_task("A"))

    assert len([t for t in evaluation.rows(TrialRow) if t.locked_at is not None]) == 6


def test_locked_answers_can_be_neither_changed_nor_looked_up(evaluation) -> None:
    evaluation.answer_all("A")
    stored, late = evaluation.answer(code="B"), evaluation.answer(label=CAT)
    trial_id = late.trial_id
    evaluation.do(lambda labeling: labeling.lock_task("A"))

    with pytest.raises(RefusedError, match="locked"):
        evaluation.commit(late)
    refused = (
        lambda labeling: labeling.reopened(trial_id),
        lambda labeling: labeling.set_aside(trial_id, evaluation.aside()),
        lambda labeling: labeling.mark(trial_id),
        lambda labeling: labeling.prepare_trials("A"),
    )
    for operation in refused:
        with pytest.raises(RefusedError, match="Your answers are locked"):
            evaluation.do(operation)
    assert len(evaluation.rows(PredictionRow)) == 6
    assert evaluation.commit(stored) == 1, "others go on"


def test_locking_again_keeps_the_first_moment(evaluation, clock) -> None:
    evaluation.answer_all()
    for _ in range(2):
        evaluation.do(lambda labeling: labeling.lock_task("A"))
        clock.go_on(hours=1)

    locked = {trial.locked_at for trial in evaluation.rows(TrialRow)}
    assert locked == {"2026-03-01T09:30:00.000Z", None}


def test_an_answer_stored_before_the_lock_is_still_acknowledged_after_it(evaluation) -> None:
    evaluation.answer_all()
    answer = evaluation.answer(label=CAT)
    evaluation.commit(answer)
    evaluation.do(lambda labeling: labeling.lock_task("A"))

    assert evaluation.commit(answer) == 2


def test_nothing_is_stored_or_looked_up_after_the_lead_locked_the_phase(evaluation) -> None:
    answer = evaluation.answer()
    evaluation.phase("lock")

    with pytest.raises(RefusedError, match="evaluation isn't open"):
        evaluation.commit(answer)
    with pytest.raises(RefusedError, match="evaluation is locked"):
        evaluation.ask(lambda labeling: labeling.reopened(answer.trial_id))
