"""Hidden repeats of an evaluation: stored apart, and not to be told from other trials."""

import re
from dataclasses import asdict

import pytest
from sqlalchemy import select

from labeler.core.datasets.sampling import SampleRequest
from labeler.core.labeling.answers import AnswerDraft, TrialFlag
from labeler.core.study.entities import ExposureOccasion, ImageKey, Participant, ParticipantKind
from labeler.core.study.entities import Role as PersonRole
from labeler.core.study.phases import Phase, refusal_to_lock
from labeler.store.datasets.samples import SampleVersions
from labeler.store.schema import (
    ExposureRow,
    PredictionRow,
    ProblematicRow,
    RepeatedPredictionRow,
    TrialRow,
)
from tests.unit.store.small_evaluation import CAT, DOG, FISH, Evaluation

IMAGES = [ImageKey("val", f"{FISH}/{number}.JPEG") for number in range(10)]
REPEATS = 3


@pytest.fixture
def evaluation(store, lead, clock):
    """Ten images, three of which labeler A is asked twice."""
    lead.add("val", *(lead.image(key.image) for key in IMAGES), root="/pictures")
    with store.write() as study:
        roles = frozenset({PersonRole.LABELER})
        study.participants.add(Participant("A", ParticipantKind.HUMAN, "", roles, 5))
        request = SampleRequest(("val",), per_class=10, seed=1, repeats=REPEATS / len(IMAGES))
        study.samples.freeze(request, IMAGES, SampleVersions(taxonomy="t", guide="g", program="p"))
    made = Evaluation(store, clock)
    made.phase("open")
    made.prepare("A")
    return made


def _positions(evaluation) -> dict[int, list[int]]:
    """The positions of each repeated image, the first asking first."""
    by_image: dict[int, list[TrialRow]] = {}
    for trial in evaluation.rows(TrialRow, TrialRow.asking):
        by_image.setdefault(trial.image_id, []).append(trial)
    return {
        image: [trial.position for trial in trials]
        for image, trials in by_image.items()
        if len(trials) > 1
    }


def _pair(evaluation) -> tuple[int, int]:
    first, second = next(iter(_positions(evaluation).values()))
    return first, second


def _reopened(evaluation, position) -> AnswerDraft:
    trial_id = evaluation.trial(position)
    return evaluation.ask(lambda labeling: labeling.reopened(trial_id))


def test_the_labeler_has_a_trial_more_for_each_repeat(evaluation):
    trials = evaluation.ask(lambda labeling: labeling.trials("A"))
    assert [trial.position for trial in trials] == list(range(1, len(IMAGES) + REPEATS + 1))
    assert {trial.total for trial in trials} == {len(IMAGES) + REPEATS}
    assert len(_positions(evaluation)) == REPEATS
    assert evaluation.prepare("A") == len(IMAGES) + REPEATS


def test_nothing_of_an_unanswered_trial_differs_between_first_trials_and_repeats(evaluation):
    """Also when the first trials are answered, flagged and noted."""
    for first, _second in _positions(evaluation).values():
        evaluation.commit(evaluation.answer(first, note="a note", knows_image=True, confidence=2))
    evaluation.set_aside(_pair(evaluation)[0])
    trials = {
        trial.position: trial for trial in evaluation.ask(lambda labeling: labeling.trials("A"))
    }
    seconds = [second for _first, second in _positions(evaluation).values()]
    answered = {first for first, _second in _positions(evaluation).values()}
    for position in set(trials) - answered:
        expected = {"answered": False, "flagged": False, "marked": False}
        assert asdict(trials[position]).items() >= expected.items()
        assert _reopened(evaluation, position) == AnswerDraft()
    assert set(seconds) <= set(trials) - answered


def test_ids_of_trials_say_nothing_of_a_repeat(evaluation):
    ids = [trial.trial_id for trial in evaluation.ask(lambda labeling: labeling.trials("A"))]
    assert all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-.*", id_) for id_ in ids)
    assert len(set(ids)) == len(ids)


def test_the_second_answer_is_stored_apart_with_its_own_revisions(evaluation):
    first, second = _pair(evaluation)
    assert evaluation.commit(evaluation.answer(first, label=DOG)) == 1
    assert evaluation.commit(evaluation.answer(second, label=CAT, confidence=3)) == 1
    assert evaluation.commit(evaluation.answer(second, label=FISH, confidence=4)) == 2
    (counted,) = evaluation.rows(PredictionRow)
    repeated = evaluation.rows(RepeatedPredictionRow, RepeatedPredictionRow.revision)
    assert [(row.asking, row.revision, row.confidence) for row in repeated] == [
        (2, 1, 3),
        (2, 2, 4),
    ]
    assert {row.image_id for row in repeated} == {counted.image_id}
    assert _reopened(evaluation, first).label == DOG
    assert _reopened(evaluation, second).label == FISH
    assert _reopened(evaluation, second).revision == 3


def test_an_answer_that_arrives_twice_is_stored_once(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(first))
    again = evaluation.answer(second)
    assert [evaluation.commit(again) for _time in range(2)] == [1, 1]
    assert len(evaluation.rows(RepeatedPredictionRow)) == 1


def test_if_the_repeat_is_answered_before_the_first_trial_it_is_the_one_that_counts(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(second, label=CAT))
    evaluation.commit(evaluation.answer(first, label=DOG))
    (counted,) = evaluation.rows(PredictionRow)
    (repeated,) = evaluation.rows(RepeatedPredictionRow)
    assert counted.trial_id == evaluation.trial(second)
    assert repeated.trial_id == evaluation.trial(first)
    assert _reopened(evaluation, first).label == DOG
    assert _reopened(evaluation, second).label == CAT


def test_a_flagged_image_stays_flagged_when_its_repeat_is_answered(evaluation):
    first, second = _pair(evaluation)
    evaluation.set_aside(first)
    evaluation.commit(evaluation.answer(second))
    assert evaluation.rows(PredictionRow) == []
    assert len(evaluation.rows(RepeatedPredictionRow)) == 1


def test_a_flag_at_the_repeat_is_of_the_repeat_only(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(first))
    evaluation.set_aside(second)
    assert _reopened(evaluation, first).flags == frozenset()
    assert _reopened(evaluation, second).flags == {TrialFlag.INAPPROPRIATE}
    evaluation.do(lambda labeling: labeling.take_back(evaluation.trial(first)))
    assert [row.withdrawn_at for row in evaluation.rows(ProblematicRow)] == [None]
    evaluation.do(lambda labeling: labeling.take_back(evaluation.trial(second)))
    assert _reopened(evaluation, second).flags == frozenset()


def test_knowing_a_repeated_image_says_nothing_about_the_first_answer(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(first))
    evaluation.commit(evaluation.answer(second, knows_image=True))
    assert _reopened(evaluation, first).flags == frozenset()
    assert _reopened(evaluation, second).flags == {TrialFlag.KNOWN}
    with evaluation.store.read() as study:
        occasions = study.session.scalars(select(ExposureRow.occasion)).all()
    assert ExposureOccasion.DECLARED not in occasions


def test_progress_counts_repeats_like_other_trials(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(first))
    evaluation.commit(evaluation.answer(second))
    progress = evaluation.ask(lambda labeling: labeling.progress("A"))
    assert (progress.answered, progress.total) == (2, len(IMAGES) + REPEATS)
    with evaluation.store.read() as study:
        (of_lead,) = study.phases.facts().progress
    assert (of_lead.answered, of_lead.total) == (progress.answered, progress.total)


def test_the_evaluation_is_done_when_the_repeats_are(evaluation):
    seconds = {second for _first, second in _positions(evaluation).values()}
    total = len(IMAGES) + REPEATS
    for position in set(range(1, total + 1)) - seconds:
        evaluation.commit(evaluation.answer(position))
    with evaluation.store.read() as study:
        facts = study.phases.facts()
    assert facts.progress[0].left == REPEATS
    assert refusal_to_lock(Phase.EVALUATE, facts, unfinished=False) is not None
    evaluation.set_aside(min(seconds))
    for position in seconds - {min(seconds)}:
        evaluation.commit(evaluation.answer(position))
    with evaluation.store.read() as study:
        facts = study.phases.facts()
    assert (facts.progress[0].left, facts.progress[0].set_aside) == (0, 1)
    evaluation.do(lambda labeling: labeling.lock_task("A"))


def test_the_time_of_repeats_is_part_of_the_labelers_own_time(evaluation):
    first, second = _pair(evaluation)
    evaluation.commit(evaluation.answer(first, active_ms=900))
    evaluation.commit(evaluation.answer(second, active_ms=700))
    spent = evaluation.ask(lambda labeling: labeling.active_ms("A", idle_after_ms=120_000))
    assert spent == 1_600
