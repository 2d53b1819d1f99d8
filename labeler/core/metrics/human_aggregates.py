"""Aggregates over the humans: majority vote, mean and median."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labeler.core.metrics.accuracy import AccuracyTable
from labeler.core.metrics.answer_marks import LabelStateTable
from labeler.core.metrics.definitions import HumanAggregate, Metric
from labeler.core.metrics.scored_dataset import ScoredDataset
from labeler.core.metrics.study_answers import NO_LABEL, Labels
from labeler.core.review.verdict_table import VERDICT_CODES
from labeler.core.statistics.agreement import Agreement, Judgements, agreement
from labeler.core.statistics.arrays import Flags
from labeler.core.statistics.packed_flags import common_counts
from labeler.core.statistics.proportions import clopper_pearson
from labeler.core.study.entities import Verdict


def human_agreement(datasets: Sequence[ScoredDataset]) -> Agreement:
    """Compute agreement over the answers to all base images."""
    units, raters, values, offset = [], [], [], 0
    for scored in datasets:
        labels = scored.marks.labels[: scored.marks.humans]
        people, images = np.nonzero(scored.marks.answered[: len(labels)] & scored.facts.base)
        units.append(images + offset)
        raters.append(people)
        values.append(labels[people, images])
        offset += len(scored.dataset.images)
    empty = np.empty(0, np.int64)
    return agreement(
        Judgements(*(np.concatenate([empty, *p]).astype(np.int64) for p in (units, raters, values)))
    )


MIN_VOTERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanAggregateAccuracy:
    """An aggregate accuracy; only a vote has counts, an interval and ties."""

    participant: HumanAggregate
    dataset: str
    subset: str
    metric: Metric
    accuracy: float
    humans: int
    correct: int | None = None
    total: int | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    ties: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MajorityVote:
    """The label that most humans gave to each image; a tie gives no label."""

    labels: Labels
    voted: Flags
    tied: Flags


def majority_vote(labels: Labels) -> MajorityVote:
    """Count the votes of humans in rows; an image without an answer gets no vote."""
    given = labels != NO_LABEL
    votes = np.array(
        [np.count_nonzero((labels == row) & given, axis=0) * (row != NO_LABEL) for row in labels]
    ).reshape(labels.shape)
    most = votes.max(axis=0, initial=0)
    leading = given & (votes == most)
    largest = np.where(leading, labels, NO_LABEL).max(axis=0, initial=NO_LABEL)
    smallest = np.where(leading, labels, np.iinfo(np.int32).max).min(
        axis=0, initial=np.iinfo(np.int32).max
    )
    voted = given.any(axis=0)
    tied = voted & (largest != smallest)
    return MajorityVote(np.where(tied, NO_LABEL, largest).astype(np.int32), voted, tied)


def majority_vote_accuracies(scored: ScoredDataset) -> Iterator[HumanAggregateAccuracy]:
    """Yield the accuracies of the vote if at least three humans answered."""
    humans = scored.marks.humans
    voters = int(np.count_nonzero(scored.marks.answered[:humans].any(axis=1)))
    if voters < MIN_VOTERS:
        return
    answers = scored.marks.labels[:humans]
    intended = np.where(scored.marks.hatches, scored.dataset.alternatives, answers)
    states = LabelStateTable(scored.dataset)
    correct = VERDICT_CODES[Verdict.CORRECT]
    vote, intended_vote = majority_vote(answers), majority_vote(intended)
    for metric, cast, right in (
        (Metric.TOP1, vote, vote.labels == scored.dataset.targets),
        (Metric.MULTI_LABEL, vote, states.of(vote.labels) == correct),
        (Metric.MULTI_LABEL_IMPUTED, intended_vote, states.of(intended_vote.labels) == correct),
    ):
        yield from _vote_rows(scored, metric, cast, right, voters)


def _vote_rows(
    scored: ScoredDataset, metric: Metric, cast: MajorityVote, right: Flags, voters: int
) -> Iterator[HumanAggregateAccuracy]:
    counts = cast.voted & scored.facts.judged if metric.needs_labels else cast.voted
    flags = np.array([counts & right, counts, counts & cast.tied])
    hits, total, ties = common_counts(flags, scored.members)
    interval = clopper_pearson(hits, np.maximum(total, 1))
    for column in np.flatnonzero(total).tolist():
        yield HumanAggregateAccuracy(
            participant=HumanAggregate.MAJORITY,
            dataset=scored.name,
            subset=scored.subset_keys[column],
            metric=metric,
            accuracy=float(hits[column] / total[column]),
            humans=voters,
            correct=int(hits[column]),
            total=int(total[column]),
            ci_low=float(interval.low[column]),
            ci_high=float(interval.high[column]),
            ties=int(ties[column]),
        )


def human_averages(table: AccuracyTable) -> Iterator[HumanAggregateAccuracy]:
    """Yield the mean and median of the humans' accuracies if there are at least two."""
    for column, subset in enumerate(table.subsets):
        shares = table.share[: table.humans, column]
        shares = shares[table.total[: table.humans, column] > 0]
        if len(shares) < 2:
            continue
        for aggregate, value in (
            (HumanAggregate.MEAN, np.mean(shares)),
            (HumanAggregate.MEDIAN, np.median(shares)),
        ):
            yield HumanAggregateAccuracy(
                participant=aggregate,
                dataset=table.dataset,
                subset=subset,
                metric=table.metric,
                accuracy=float(value),
                humans=len(shares),
            )
