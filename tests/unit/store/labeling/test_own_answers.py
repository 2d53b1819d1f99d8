"""A labeler reads their own answers until they are locked, and nothing else."""

import pytest

from labeler.core.errors import RefusedError
from tests.unit.store.labeling.test_hidden_repeats import evaluation as evaluation
from tests.unit.store.small_evaluation import CAT, DOG


def own(evaluation):
    return evaluation.ask(lambda labeling: labeling.own_answers("A"))


def test_the_last_answer_counts_and_repeats_look_like_other_trials(evaluation) -> None:
    trials = evaluation.ask(lambda labeling: labeling.trials("A"))
    for trial in trials:
        evaluation.commit(evaluation.answer(trial.position, note="a mole"))
    evaluation.commit(evaluation.answer(2, label=CAT))
    found = own(evaluation)
    assert [answer.position for answer in found] == [trial.position for trial in trials]
    assert [answer.label for answer in found if answer.position != 2] == [DOG] * (len(trials) - 1)
    assert (found[1].label, found[1].changed, found[1].has_note) == (CAT, True, False)
    assert (found[0].changed, found[0].has_note) == (False, True)


def test_unanswered_trials_are_left_out_and_marks_are_shown(evaluation) -> None:
    evaluation.commit(evaluation.answer(3, confidence=2))
    evaluation.do(lambda labeling: labeling.mark(evaluation.trial(3)))
    (found,) = own(evaluation)
    assert (found.position, found.confidence, found.marked) == (3, 2, True)
    assert found.active_ms == 900


def test_they_are_refused_once_the_evaluation_is_locked(evaluation) -> None:
    trials = evaluation.ask(lambda labeling: labeling.trials("A"))
    for trial in trials:
        evaluation.commit(evaluation.answer(trial.position))
    evaluation.do(lambda labeling: labeling.lock_task("A"))
    with pytest.raises(RefusedError):
        own(evaluation)
