"""The report's numbers against slow loops over dictionaries."""

from collections.abc import Sequence
from itertools import combinations
from statistics import mean, median

import pytest
from hypothesis import given, settings

from labeler.core.metrics.definitions import HumanAggregate, Metric
from labeler.core.metrics.study_numbers import NumberSettings, StudyNumbers, study_numbers
from labeler.core.metrics.subsets import report_subsets
from labeler.core.statistics.mcnemar import mcnemar_p
from tests.unit.core.metrics.random_study import GROUPS, TAXONOMY, Plain, as_study, plain_studies

WRONG, UNCLEAR, CORRECT = 0, 1, 2
SUBSETS = report_subsets(GROUPS, ["subtree:n02084071", "subtree:n02085374"])


def numbers_of(datasets: list[Plain]) -> StudyNumbers:
    wish = NumberSettings(
        seed=1, original="original", new="new", trials=20, resamples=50, gap_resamples=40
    )
    return study_numbers(as_study(datasets), SUBSETS, wish)


class Slow:
    """One dataset, asked image by image."""

    def __init__(self, plain: Plain, datasets: Sequence[Plain]) -> None:
        """`datasets` are all of the study, of which this is one."""
        self.plain = plain
        self.ranked = {
            number
            for one in datasets
            for number, guesses in enumerate(one.models)
            if any(len(ranked) > 1 for ranked in guesses.values())
        }
        self.images = range(len(plain.targets))

    def base(self) -> set[int]:
        sampled = {i for i in self.images if self.plain.sampled[i]}
        answered = {i for answers in self.plain.humans for i in answers}
        return sampled or answered or set(self.images)

    def judged(self, image: int) -> bool:
        return any(i == image for i, _ in self.plain.states)

    def correct_labels(self, image: int) -> int:
        return sum(s == CORRECT and i == image for (i, _), s in self.plain.states.items())

    def evaluated(self) -> set[int]:
        return {
            i
            for i in self.base()
            if not self.plain.problematic[i] and not (self.judged(i) and not self.correct_labels(i))
        }

    def seconds(self, image: int) -> float | None:
        times = [a[image][2] for a in self.plain.humans if image in a and a[image][2] is not None]
        return median(times) / 1000 if times else None

    def within(self, key: str) -> set[int]:
        if key == "problematic":
            return {i for i in self.base() if self.plain.problematic[i] and self.correct_labels(i)}
        if key == "fast":
            return {i for i in self.evaluated() if (self.seconds(i) or 0.0) <= 60} & {
                i for i in self.images if self.seconds(i) is not None
            }
        if key == "single_label":
            return {i for i in self.evaluated() if self.correct_labels(i) == 1}
        if key == "multi_label":
            return {i for i in self.evaluated() if self.correct_labels(i) > 1}
        wnids = set(GROUPS.resolve(key))
        targets = self.plain.targets
        return {i for i in self.evaluated() if TAXONOMY.class_wnids[targets[i]] in wnids}

    def answer(self, code: str, image: int) -> int | None:
        number = int(code[1:])
        if code[0] == "H":
            given = self.plain.humans[number].get(image)
            return None if given is None else given[0]
        guesses = self.plain.models[number].get(image)
        return None if guesses is None else guesses[0]

    def right(self, code: str, image: int, metric: Metric) -> bool | None:
        """None where the metric doesn't look."""
        label, number = self.answer(code, image), int(code[1:])
        if label is None:
            return None
        if metric is Metric.TOP1:
            return label == self.plain.targets[image]
        if metric is Metric.TOP5:
            return self.within_five(number, image) if code[0] == "m" else None
        if not self.judged(image) or (metric is Metric.MULTI_LABEL_IMPUTED and code[0] == "m"):
            return None
        if metric is Metric.MULTI_LABEL_IMPUTED:
            alternative = self.plain.humans[number][image][1]
            label = label if alternative is None else alternative
        return self.plain.states.get((image, label)) == CORRECT

    def within_five(self, number: int, image: int) -> bool | None:
        if number not in self.ranked:
            return None
        return self.plain.targets[image] in self.plain.models[number][image][:5]

    def marks(self, code: str, key: str, metric: Metric) -> list[bool]:
        marks = [self.right(code, image, metric) for image in sorted(self.within(key))]
        return [mark for mark in marks if mark is not None]


@given(plain_studies())
@settings(max_examples=25)
def test_there_is_one_accuracy_for_each_cell_that_has_an_image(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    found = {(r.participant, r.dataset, r.subset, r.metric): r for r in numbers.accuracy}
    assert len(found) == len(numbers.accuracy)
    expected = {}
    for name, plain in zip(("original", "new"), datasets, strict=True):
        slow = Slow(plain, datasets)
        for code in numbers.study.participants:
            for subset in SUBSETS:
                for metric in Metric:
                    marks = slow.marks(code, subset.key, metric)
                    if marks:
                        expected[code, name, subset.key, metric] = (sum(marks), len(marks))
    assert {key: (row.correct, row.total) for key, row in found.items()} == expected
    assert all(row.accuracy == row.correct / row.total for row in found.values())
    assert all(row.ci_low <= row.accuracy <= row.ci_high for row in found.values())


@given(plain_studies())
@settings(max_examples=15)
def test_pairs_are_compared_on_the_images_both_answered(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    found = {(r.a, r.b, r.dataset, r.metric): r for r in numbers.mcnemar}
    for name, plain in zip(("original", "new"), datasets, strict=True):
        slow = Slow(plain, datasets)
        for a, b in combinations(numbers.study.participants, 2):
            for metric in (Metric.TOP1, Metric.MULTI_LABEL):
                marks = [
                    (slow.right(a, image, metric), slow.right(b, image, metric))
                    for image in slow.within("all")
                ]
                both = [m for m in marks if None not in m]
                row = found.get((a, b, name, metric))
                assert (row is not None) == bool(both)
                if row is not None:
                    only_a, only_b = both.count((True, False)), both.count((False, True))
                    assert (row.only_a_correct, row.only_b_correct) == (only_a, only_b)
                    assert row.p_value == pytest.approx(float(mcnemar_p(only_a, only_b)))


@given(plain_studies())
@settings(max_examples=15)
def test_an_image_is_wrong_for_all_who_answered_it(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    metric = numbers.all_wrong.metric
    right_for_all_humans = set()
    for kind, listed in (("H", numbers.all_wrong.humans), ("m", numbers.all_wrong.models)):
        expected = set()
        for name, plain in zip(("original", "new"), datasets, strict=True):
            slow = Slow(plain, datasets)
            codes = [code for code in numbers.study.participants if code[0] == kind]
            for image in slow.within("all"):
                marks = [slow.right(code, image, metric) for code in codes]
                marks = [mark for mark in marks if mark is not None]
                if marks and not any(marks):
                    expected.add((name, f"{image}.jpg"))
                if kind == "H" and marks and all(marks):
                    right_for_all_humans.add((name, f"{image}.jpg"))
        assert {(key.dataset, key.image) for key in listed} == expected
    only_models = {(key.dataset, key.image) for key in numbers.all_wrong.only_models}
    assert only_models == expected & right_for_all_humans
    assert set(numbers.all_wrong.both) == set(numbers.all_wrong.humans) & set(
        numbers.all_wrong.models
    )


@given(plain_studies())
@settings(max_examples=15)
def test_the_majority_is_the_one_most_frequent_label(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    rows = {
        (r.dataset, r.metric): r
        for r in numbers.together
        if r.participant is HumanAggregate.MAJORITY and r.subset == "all"
    }
    for name, plain in zip(("original", "new"), datasets, strict=True):
        slow, codes = Slow(plain, datasets), numbers.study.humans
        voters = sum(bool(answers) for answers in plain.humans)
        hits, total, ties = 0, 0, 0
        for image in slow.within("all"):
            given_labels = [slow.answer(code, image) for code in codes]
            voices = [label for label in given_labels if label is not None]
            if voices:
                counts = {label: voices.count(label) for label in voices}
                best = [label for label, n in counts.items() if n == max(counts.values())]
                total += 1
                ties += len(best) > 1
                hits += len(best) == 1 and best[0] == plain.targets[image]
        row = rows.get((name, Metric.TOP1))
        assert (row is not None) == (voters >= 3 and total > 0)
        if row is not None:
            assert (row.correct, row.total, row.ties) == (hits, total, ties)


@given(plain_studies())
@settings(max_examples=25)
def test_the_rest_follows_from_the_accuracies(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    share = {(r.participant, r.dataset, r.subset, r.metric): r.accuracy for r in numbers.accuracy}
    for gap in numbers.gaps:
        key = gap.subset, gap.metric
        assert gap.original == share[gap.participant, "original", *key]
        assert gap.new == share[gap.participant, "new", *key]
        assert gap.gap == gap.original - gap.new
        rivals = [g for g in numbers.gaps if (g.kind, g.subset, g.metric) == (gap.kind, *key)]
        assert gap.rank_original == 1 + sum(g.original > gap.original for g in rivals)
        assert gap.rank_new == 1 + sum(g.new > gap.new for g in rivals)
        assert gap.rank_change == gap.rank_original - gap.rank_new
    for row in numbers.together:
        if row.participant is not HumanAggregate.MAJORITY:
            of_humans = [
                value
                for (code, *key), value in share.items()
                if code[0] == "H" and key == [row.dataset, row.subset, row.metric]
            ]
            meant = mean if row.participant is HumanAggregate.MEAN else median
            assert row.accuracy == pytest.approx(meant(of_humans))
    for hatch in numbers.escape_hatches:
        key = hatch.participant, hatch.dataset, "all"
        assert hatch.accuracy == share[*key, Metric.MULTI_LABEL]
        assert hatch.accuracy_imputed == share[*key, Metric.MULTI_LABEL_IMPUTED]


@given(plain_studies())
@settings(max_examples=25)
def test_every_image_of_the_base_is_counted_once(datasets: list[Plain]) -> None:
    for tally, plain in zip(numbers_of(datasets).datasets, datasets, strict=True):
        slow = Slow(plain, datasets)
        assert tally.base == len(slow.base())
        assert tally.evaluated == len(slow.evaluated())
        assert tally.evaluated + tally.problematic + tally.without_correct_label == tally.base
        several = [slow.correct_labels(i) for i in slow.evaluated() if slow.correct_labels(i) > 1]
        assert tally.multi_label_images == len(several)
        assert tally.mean_labels_of_multi_label_images == (mean(several) if several else None)
