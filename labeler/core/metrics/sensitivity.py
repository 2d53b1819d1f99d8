"""The headline numbers under other decisions about what counts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from labeler.core.metrics.answer_marks import UNJUDGED
from labeler.core.metrics.definitions import Convention, Metric
from labeler.core.metrics.gap_intervals import DatasetPair, GapGroup, GapGroupRow, GapsOf
from labeler.core.metrics.image_facts import FAST_SECONDS
from labeler.core.metrics.scored_dataset import ScoredDataset, score_dataset
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.gap_bootstrap import AnswerCounts

RULE_PREFIX = "rule:"


class Alternative(StrEnum):
    """A decision that differs from the main analysis in one point; rules are added by name."""

    MAIN = "main"
    UNCLEAR_CORRECT = "unclear_correct"
    NO_CORRECT_LABEL_WRONG = "no_correct_label_wrong"
    UNJUDGED_LEFT_OUT = "unjudged_left_out"
    IMPUTED = "escape_hatches_imputed"
    TOP1 = "top1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityRow:
    """The three headline numbers under one alternative; None where a group has no gap.

    `alternative` is a value of `Alternative`, or `rule:` and the name of a resolution rule.
    """

    alternative: str
    images_original: int
    images_new: int
    humans: GapGroupRow | None
    models: GapGroupRow | None
    difference: GapGroupRow | None


_Counting = Callable[[ScoredDataset], AnswerCounts]


def sensitivity(pair: DatasetPair) -> Iterator[SensitivityRow]:
    """Yield the main analysis and its alternatives; nothing if no image was judged."""
    both = (pair.original, pair.new)
    if not all((one.counted(Metric.MULTI_LABEL) & one.members_of()).any() for one in both):
        return
    for alternative in Alternative:
        counting = _COUNTING[alternative]
        yield _row(pair, str(alternative), *(counting(scored) for scored in both))
    rules = set(pair.original.dataset.judged_by_rule) & set(pair.new.dataset.judged_by_rule)
    for rule in (name for name in pair.original.dataset.judged_by_rule if name in rules):
        counts = (_main(_resolved(scored, rule)) for scored in both)
        yield _row(pair, f"{RULE_PREFIX}{rule}", *counts)


def _row(
    pair: DatasetPair, alternative: str, original: AnswerCounts, new: AnswerCounts
) -> SensitivityRow:
    found = GapsOf(pair, pair.resampler.gaps(original, new), Metric.MULTI_LABEL, ALL)
    groups = {row.group: row for row in found.groups()}
    return SensitivityRow(
        alternative=alternative,
        images_original=int(np.count_nonzero(original.counted.any(axis=0))),
        images_new=int(np.count_nonzero(new.counted.any(axis=0))),
        humans=groups.get(GapGroup.HUMANS),
        models=groups.get(GapGroup.MODELS),
        difference=groups.get(GapGroup.DIFFERENCE),
    )


def _main(scored: ScoredDataset) -> AnswerCounts:
    counted = scored.counted(Metric.MULTI_LABEL) & scored.members_of()
    return AnswerCounts(scored.right(Metric.MULTI_LABEL), counted)


def _unclear_correct(scored: ScoredDataset) -> AnswerCounts:
    right = scored.right(Metric.MULTI_LABEL, Convention.UNCLEAR_COUNTS)
    return AnswerCounts(right, _main(scored).counted)


def _no_correct_label_wrong(scored: ScoredDataset) -> AnswerCounts:
    images = scored.facts.base & ~scored.facts.problematic
    return AnswerCounts(
        scored.right(Metric.MULTI_LABEL), scored.counted(Metric.MULTI_LABEL) & images
    )


def _unjudged_left_out(scored: ScoredDataset) -> AnswerCounts:
    counts = _main(scored)
    return AnswerCounts(counts.correct, counts.counted & (scored.marks.states != UNJUDGED))


def _imputed(scored: ScoredDataset) -> AnswerCounts:
    """Replace the humans' escape hatches; models have none."""
    return AnswerCounts(scored.right(Metric.MULTI_LABEL_IMPUTED), _main(scored).counted)


def _top1(scored: ScoredDataset) -> AnswerCounts:
    counted = scored.counted(Metric.TOP1) & scored.members_of()
    return AnswerCounts(scored.right(Metric.TOP1), counted)


def _resolved(scored: ScoredDataset, rule: str) -> ScoredDataset:
    """Return the dataset as if its verdicts had been resolved by another rule."""
    dataset = replace(scored.dataset, judged=scored.dataset.judged_by_rule[rule])
    return score_dataset(scored.study, dataset, scored.subsets, fast_seconds=FAST_SECONDS)


_COUNTING: dict[Alternative, _Counting] = {
    Alternative.MAIN: _main,
    Alternative.UNCLEAR_CORRECT: _unclear_correct,
    Alternative.NO_CORRECT_LABEL_WRONG: _no_correct_label_wrong,
    Alternative.UNJUDGED_LEFT_OUT: _unjudged_left_out,
    Alternative.IMPUTED: _imputed,
    Alternative.TOP1: _top1,
}
assert set(_COUNTING) == set(Alternative), "every alternative is counted"
