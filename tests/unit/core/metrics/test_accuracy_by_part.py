"""Accuracy by earlier exposure and by confidence, against a loop."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.metrics.accuracy_by_part import accuracy_by_confidence, accuracy_by_exposure
from labeler.core.metrics.definitions import Metric
from labeler.core.metrics.scored_dataset import ScoredDataset, score_dataset
from labeler.core.metrics.study_answers import DatasetAnswers, StudyAnswers
from tests.unit.core.metrics.random_study import Plain, as_dataset, plain_studies
from tests.unit.core.metrics.test_metrics_by_loops import SUBSETS


def scored_alone(dataset: DatasetAnswers) -> ScoredDataset:
    study = StudyAnswers(
        wnids=tuple(f"n{n:08d}" for n in range(20)),
        humans=tuple(f"h{n}" for n in range(len(dataset.human_labels))),
        models=tuple(f"m{n}" for n in range(len(dataset.model_guesses))),
        datasets=(dataset,),
    )
    return score_dataset(study, dataset, SUBSETS, fast_seconds=60)


@given(plain_studies(), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_both_parts_together_are_the_whole(plain: list[Plain], random) -> None:
    dataset = as_dataset("original", plain[0])
    people, images = dataset.human_labels.shape
    seen = np.array([[random.random() < 0.4 for _ in range(images)] for _ in range(people)])
    seen = seen.reshape(people, images)
    dataset = replace(dataset, seen_before=seen)
    scored = scored_alone(dataset)
    codes = scored.study.humans
    for metric in (Metric.TOP1, Metric.MULTI_LABEL):
        found = {
            (row.participant, row.seen_before): (row.correct, row.total)
            for row in accuracy_by_exposure(scored, metric)
        }
        counted = scored.counted(metric) & scored.members_of()
        right = scored.right(metric) & counted
        for number, code in enumerate(codes):
            for before in (True, False):
                chosen = [
                    i for i in range(images) if counted[number, i] and seen[number, i] == before
                ]
                met = any(counted[number, i] and seen[number, i] for i in range(images))
                expected = (sum(bool(right[number, i]) for i in chosen), len(chosen))
                assert found.get((code, before)) == (expected if chosen and met else None)


@given(plain_studies())
@settings(max_examples=5)
def test_without_exposures_nothing_is_split(plain: list[Plain]) -> None:
    dataset = as_dataset("original", plain[0])
    scored = scored_alone(dataset)
    assert list(accuracy_by_exposure(scored, Metric.TOP1)) == []
    assert list(accuracy_by_confidence(scored, Metric.TOP1)) == []


@given(plain_studies(), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_each_step_of_confidence_counts_its_own_answers(plain: list[Plain], random) -> None:
    dataset = as_dataset("original", plain[0])
    people, images = dataset.human_labels.shape
    given = np.array([[random.randint(0, 5) for _ in range(images)] for _ in range(people)])
    given = given.reshape(people, images)
    scored = scored_alone(replace(dataset, confidence=given))
    for metric in (Metric.TOP1, Metric.MULTI_LABEL):
        rows = list(accuracy_by_confidence(scored, metric))
        counted = scored.counted(metric) & scored.members_of()
        right = scored.right(metric) & counted
        expected = {}
        for number, code in enumerate(scored.study.humans):
            for step in range(1, 6):
                chosen = [
                    i for i in range(images) if counted[number, i] and given[number, i] == step
                ]
                if chosen:
                    correct = sum(bool(right[number, i]) for i in chosen)
                    expected[code, step] = correct, len(chosen)
        assert {(r.participant, r.confidence): (r.correct, r.total) for r in rows} == expected
        assert all(r.ci_low <= r.accuracy == r.correct / r.total <= r.ci_high for r in rows)
