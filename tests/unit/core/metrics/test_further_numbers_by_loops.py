"""The rest of the report's numbers against slow loops: every field of report.json has one."""

from collections import Counter
from statistics import mean, median

import pytest
from hypothesis import given, settings

from labeler.core.metrics.adjusted_tests import TestFamily
from labeler.core.metrics.definitions import Convention, Metric, Scale
from labeler.core.metrics.gap_intervals import GapGroup
from labeler.core.metrics.sensitivity import Alternative
from labeler.core.metrics.study_numbers import StudyNumbers
from labeler.core.metrics.subsets import ALL
from labeler.core.statistics.proportions import probits
from tests.unit.core.metrics.random_study import Plain, plain_studies
from tests.unit.core.metrics.test_metrics_by_loops import (
    CORRECT,
    SUBSETS,
    UNCLEAR,
    Slow,
    numbers_of,
)

BOTH = (Metric.TOP1, Metric.MULTI_LABEL)
Sets = dict[str, Slow]


@given(plain_studies())
@settings(max_examples=10)
def test_everything_else_is_what_loops_find(datasets: list[Plain]) -> None:
    numbers = numbers_of(datasets)
    slow = dict(zip(("original", "new"), (Slow(one, datasets) for one in datasets), strict=True))
    for check in (
        _other_conventions,
        _all_images,
        _counts,
        _differences,
        _error_consistency,
        _times,
        _class_resampling,
        _fits,
        _best_differ,
        _agreement,
        _gap_intervals,
        _adjusted,
        _sensitivity,
    ):
        check(numbers, slow)


def _gap_intervals(numbers: StudyNumbers, slow: Sets) -> None:
    gaps = {(g.participant, g.subset, g.metric): g.gap for g in numbers.gaps}
    found = numbers.gap_statistics
    for row in found.participants:
        assert row.gap == pytest.approx(gaps[row.participant, row.subset, row.metric], abs=1e-12)
        assert -1 <= row.ci_low <= row.ci_high <= 1
    assert {(r.participant, r.metric) for r in found.participants if r.subset == ALL} == {
        (participant, metric) for participant, subset, metric in gaps if subset == ALL
    }
    for group in found.groups:
        own = [
            r for r in found.participants if (r.subset, r.metric) == (group.subset, group.metric)
        ]
        means = {
            kind: mean(r.gap for r in own if r.kind == kind)
            for kind in ("human", "model")
            if any(r.kind == kind for r in own)
        }
        expected = {
            GapGroup.HUMANS: means.get("human"),
            GapGroup.MODELS: means.get("model"),
            GapGroup.DIFFERENCE: means.get("human", 0.0) - means.get("model", 0.0),
        }
        assert group.gap == pytest.approx(expected[group.group], abs=1e-12)
    for pair in found.differences:
        expected_difference = (
            gaps[pair.human, ALL, pair.metric] - gaps[pair.model, ALL, pair.metric]
        )
        assert pair.difference == pytest.approx(expected_difference, abs=1e-12)


def _adjusted(numbers: StudyNumbers, slow: Sets) -> None:
    """Every adjusted p is at least its raw p, and the raw p is that of the test itself."""
    mcnemar = {(r.a, r.b, r.dataset, r.metric): r.p_value for r in numbers.mcnemar}
    for test in numbers.adjusted_tests:
        assert test.p_value <= test.p_value_holm <= min(1, test.p_value * test.tests) + 1e-12
        if test.family is TestFamily.MCNEMAR_BEST_MODEL:
            key = test.participant, test.against, test.dataset, test.metric
            assert test.p_value == mcnemar[key]
            shares = [
                r.accuracy
                for r in numbers.accuracy
                if (r.dataset, r.metric, r.subset, r.kind) == (*key[2:], ALL, "model")
            ]
            best = next(
                r.accuracy
                for r in numbers.accuracy
                if (r.participant, r.dataset, r.metric, r.subset) == (*key[1:], ALL)
            )
            assert best == max(shares)


def _sensitivity(numbers: StudyNumbers, slow: Sets) -> None:
    """The main row repeats the groups; left-out images count as wrong in its alternative."""
    rows = {row.alternative: row for row in numbers.sensitivity}
    if not rows:
        return
    main = rows[Alternative.MAIN]
    assert main.humans == numbers.gap_statistics.group(GapGroup.HUMANS, Metric.MULTI_LABEL)
    assert main.models == numbers.gap_statistics.group(GapGroup.MODELS, Metric.MULTI_LABEL)
    wrong = rows[Alternative.NO_CORRECT_LABEL_WRONG]
    assert wrong.images_original >= main.images_original
    assert wrong.images_new >= main.images_new
    assert rows[Alternative.UNJUDGED_LEFT_OUT].images_new <= main.images_new


def _other_conventions(numbers: StudyNumbers, slow: Sets) -> None:
    for row in numbers.accuracy_other:
        one = slow[row.dataset]
        lowest = UNCLEAR if row.convention.accepts_unclear else CORRECT
        by_class: dict[int, list[bool]] = {}
        for image in one.within(row.subset):
            right = one.right(row.participant, image, row.metric)
            if right is not None and row.metric.needs_labels:
                label = _meant(one, row.participant, image, row.metric)
                right = one.plain.states.get((image, label), 0) >= lowest
            if right is not None:
                by_class.setdefault(one.plain.targets[image], []).append(right)
        marks = [mark for of_class in by_class.values() for mark in of_class]
        assert (row.correct, row.total) == (sum(marks), len(marks))
        expected = mean(map(mean, by_class.values())) if row.convention.per_class else mean(marks)
        assert row.accuracy == pytest.approx(expected, abs=1e-12)
        assert row.ci_low <= row.accuracy + 1e-12
        assert row.accuracy <= row.ci_high + 1e-12
    keys = [(r.participant, r.dataset, r.subset, r.metric) for r in numbers.accuracy]
    per_class = {
        (r.participant, r.dataset, r.subset, r.metric)
        for r in numbers.accuracy_other
        if r.convention is Convention.PER_CLASS
    }
    assert per_class == {key for key in keys if not key[2].startswith("superclass:")}


def _meant(one: Slow, code: str, image: int, metric: Metric) -> int:
    label = one.answer(code, image)
    assert label is not None
    if metric is Metric.MULTI_LABEL_IMPUTED:
        alternative = one.plain.humans[int(code[1:])][image][1]
        return label if alternative is None else alternative
    return label


def _all_images(numbers: StudyNumbers, slow: Sets) -> None:
    found = {
        (r.participant, r.dataset, r.metric): (r.correct, r.total)
        for r in numbers.accuracy_all_images
        if r.subset == ALL
    }
    expected = {}
    for name, one in slow.items():
        images = [
            i
            for i in one.images
            if not one.plain.problematic[i] and not (one.judged(i) and not one.correct_labels(i))
        ]
        for code in numbers.study.models:
            for metric in Metric:
                marks = [one.right(code, image, metric) for image in images]
                counted = [mark for mark in marks if mark is not None]
                if counted:
                    expected[code, name, metric] = (sum(counted), len(counted))
    assert found == expected


def _counts(numbers: StudyNumbers, slow: Sets) -> None:
    """Coverage, escape hatches used, and what no one judged."""
    for row in numbers.coverage:
        one = slow[row.dataset]
        answered = [i for i in one.evaluated() if one.answer(row.participant, i) is not None]
        assert (row.answered, row.evaluated) == (len(answered), len(one.evaluated()))
    unjudged = {
        (r.participant, r.dataset): (r.predictions, r.alternatives) for r in numbers.unjudged
    }
    for name, one in slow.items():
        for code in numbers.study.participants:
            images = [
                i for i in one.evaluated() if one.judged(i) and one.answer(code, i) is not None
            ]
            first = sum((i, one.answer(code, i)) not in one.plain.states for i in images)
            hatches = [one.plain.humans[int(code[1:])][i][1] for i in images if code[0] == "H"]
            used = [(i, a) for i, a in zip(images, hatches, strict=False) if a is not None]
            other = sum(pair not in one.plain.states for pair in used)
            assert unjudged.get((code, name), (0, 0)) == (first, other)
            (hatch,) = [
                r for r in numbers.escape_hatches if (r.participant, r.dataset) == (code, name)
            ] or [None]
            assert (hatch.used if hatch else 0) == len(used)


def _differences(numbers: StudyNumbers, slow: Sets) -> None:
    found = {(r.dataset, r.against): r for r in numbers.differences}
    for name, one in slow.items():
        for against in (Metric.TOP1, Metric.TOP5):
            differences = []
            for code in numbers.study.models:
                images = [
                    i for i in one.evaluated() if one.right(code, i, Metric.MULTI_LABEL) is not None
                ]
                marks = [
                    (one.right(code, i, Metric.MULTI_LABEL), one.right(code, i, against))
                    for i in images
                ]
                if marks and None not in marks[0]:
                    differences.append(
                        mean(bool(a) for a, _ in marks) - mean(bool(b) for _, b in marks)
                    )
            row = found.get((name, against))
            assert (row.models if row else 0) == len(differences)
            if row:
                assert row.median_difference == pytest.approx(median(differences), abs=1e-12)


def _error_consistency(numbers: StudyNumbers, slow: Sets) -> None:
    for row in numbers.error_consistency:
        one = slow[row.dataset]
        marks = [
            (one.right(row.human, i, row.metric), one.right(row.model, i, row.metric))
            for i in one.evaluated()
        ]
        both = [m for m in marks if None not in m]
        observed = mean(a == b for a, b in both)
        a, b = mean(bool(x) for x, _ in both), mean(bool(y) for _, y in both)
        expected = a * b + (1 - a) * (1 - b)
        assert (row.images, row.observed) == (len(both), pytest.approx(observed))
        assert row.expected == pytest.approx(expected)
        if row.kappa is None:
            assert expected == pytest.approx(1.0)
        else:
            assert row.kappa == pytest.approx((observed - expected) / (1 - expected))


def _times(numbers: StudyNumbers, slow: Sets) -> None:
    timing = numbers.timing
    people = {row.participant: row for row in timing.per_participant}
    for number, code in enumerate(numbers.study.humans):
        spent = [
            answer[2]
            for one in slow.values()
            for answer in one.plain.humans[number].values()
            if answer[2] is not None
        ]
        assert (code in people) == bool(spent)
        if spent:
            assert people[code].trials == len(spent)
            assert people[code].median_active_seconds == pytest.approx(median(spent) / 1000)
            assert people[code].total_active_hours == pytest.approx(sum(spent) / 3_600_000)
    assert timing.fast_images == {name: len(one.within("fast")) for name, one in slow.items()}
    medians = [s for one in slow.values() for i in one.base() if (s := one.seconds(i)) is not None]
    edges = timing.edges
    bins = Counter(next(n for n, edge in enumerate(edges[1:]) if s <= edge) for s in medians)
    assert list(timing.counts) == [bins[n] for n in range(len(edges) - 1)]
    for band in timing.bands:
        marks = [
            one.right(band.participant, i, band.metric)
            for one in slow.values()
            for i in one.evaluated()
            if (s := one.seconds(i)) is not None
            and (s > band.above or band.above == 0)
            and (band.up_to is None or s <= band.up_to)
        ]
        counted = [mark for mark in marks if mark is not None]
        assert (band.correct, band.total) == (sum(counted), len(counted))


def _class_resampling(numbers: StudyNumbers, slow: Sets) -> None:
    for row in numbers.class_resampling:
        if row.participant not in numbers.study.participants:
            continue
        one = slow[row.dataset]
        inside = one.marks(row.participant, row.subset, row.metric)
        every = one.marks(row.participant, ALL, row.metric)
        assert row.change == pytest.approx(mean(inside) - mean(every), abs=1e-12)
        present = {
            one.plain.targets[i]
            for i in one.within(row.subset)
            if one.right(row.participant, i, row.metric) is not None
        }
        assert row.classes == len(present)
        assert row.p_value == (row.trials_at_least_as_large + 1) / (row.trials + 1)


def _fits(numbers: StudyNumbers, slow: Sets) -> None:
    share = {(r.participant, r.dataset, r.subset, r.metric): r for r in numbers.accuracy}
    found = {(f.metric, f.subset, f.scale): f for f in numbers.fits}
    for metric in (Metric.TOP1, Metric.TOP5, Metric.MULTI_LABEL):
        for subset in SUBSETS:
            rows = [
                [share.get((code, name, subset.key, metric)) for name in slow]
                for code in numbers.study.models
            ]
            points = [pair for pair in rows if None not in pair]
            for scale in Scale:
                xs, ys = (
                    [
                        r.accuracy if scale is Scale.LINEAR else float(probits(r.correct, r.total))
                        for r in column
                        if r is not None
                    ]
                    for column in (list(zip(*points, strict=True)) or ((), ()))
                )
                fit = found.get((metric, subset.key, scale))
                spread = sum((x - mean(xs)) ** 2 for x in xs) if xs else 0.0
                if fit is None:
                    assert spread < 1e-9
                    continue
                slope = (
                    sum((x - mean(xs)) * (y - mean(ys)) for x, y in zip(xs, ys, strict=True))
                    / spread
                )
                assert fit.models == len(points)
                assert fit.slope == pytest.approx(slope, abs=1e-9)
                assert fit.intercept == pytest.approx(mean(ys) - slope * mean(xs), abs=1e-9)
                assert (fit.slope_ci, fit.resamples) == (None, 0), "there are never five models"


def _best_differ(numbers: StudyNumbers, slow: Sets) -> None:
    best = numbers.differing
    if best is None:
        return
    metric = numbers.all_wrong.metric
    only_human, only_model = set(), set()
    for name, one in slow.items():
        for image in one.evaluated():
            marks = one.right(best.human, image, metric), one.right(best.model, image, metric)
            if marks == (True, False):
                only_human.add((name, f"{image}.jpg"))
            if marks == (False, True):
                only_model.add((name, f"{image}.jpg"))
    assert {(k.dataset, k.image) for k in best.only_human} == only_human
    assert {(k.dataset, k.image) for k in best.only_model} == only_model


def _agreement(numbers: StudyNumbers, slow: Sets) -> None:
    """Percent agreement: of all pairs of answers to one image, how many are the same."""
    same = pairs = units = 0
    for one in slow.values():
        for image in one.base():
            given = [one.answer(code, image) for code in numbers.study.humans]
            voices = [label for label in given if label is not None]
            of_image = [a == b for n, a in enumerate(voices) for b in voices[n + 1 :]]
            same, pairs = same + sum(of_image), pairs + len(of_image)
            units += bool(of_image)
    assert numbers.agreement.units == units
    if pairs:
        assert numbers.agreement.percent == pytest.approx(same / pairs)
