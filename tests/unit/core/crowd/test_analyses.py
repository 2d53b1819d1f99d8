"""Analyses of what annotators say, on images small enough to count by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.analysis.ambiguity import accuracy_on_pairs, ambiguous_pairs
from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    Predictions,
    bootstrap_mean,
    bootstrap_means,
)
from labeler.core.crowd.analysis.confusions import (
    MAIN_LABEL_OF_ANNOTATORS,
    class_confusions,
    most_frequent_label,
    superclass_cooccurrences,
)
from labeler.core.crowd.analysis.judged_predictions import human_based
from labeler.core.crowd.analysis.label_analyses import (
    SuspectReason,
    accuracy_by_bin,
    frequency_bin,
    suspects,
    validated_by_subsets,
    validated_labels,
)
from labeler.core.crowd.analysis.object_analyses import (
    ObjectGroup,
    ObjectMetric,
    accuracy_by_objects,
    cooccurrences,
    count_main_differs,
    count_objects,
    multi_object_share,
    top5_corrections,
)
from labeler.core.crowd.entities import AnnotationStatus, SelectionFrequency
from labeler.core.crowd.objects import ImageObject

CAR, WHEEL, DOG, CAT = "n1", "n2", "n3", "n4"


def image(name: str, target: str = CAR, **facts: object) -> AnnotatedImage:
    facts.setdefault("status", AnnotationStatus.FOLLOW_UP)
    return AnnotatedImage(image=name, target=target, **facts)


def frequencies(**selected: int) -> dict[str, SelectionFrequency]:
    return {label: SelectionFrequency(count, 10) for label, count in selected.items()}


def dataset(*images: AnnotatedImage, **labels: tuple[str, ...]) -> AnnotatedDataset:
    by = Predictions(participant="net", ranked=True, labels=labels)
    return AnnotatedDataset(dataset="val", images=images, predictions=(by,) if labels else ())


TWO = image(
    "two",
    objects=(ImageObject((CAR,), CAR), ImageObject((DOG, WHEEL), WHEEL)),
    ticked={CAR: 3, WHEEL: 9, DOG: 1},
    confidence=Fraction(7, 9),
    main_label=WHEEL,
    main_object=2,
    target_object=1,
)
ONE = image(
    "one",
    objects=(ImageObject((DOG,), DOG),),
    ticked={DOG: 9},
    confidence=Fraction(1),
    main_label=DOG,
    main_object=1,
)
ONE_OBJECT = {"objects": ONE.objects, "ticked": ONE.ticked, "main_label": DOG, "main_object": 1}
CLEAR = image("clear", status=AnnotationStatus.CLEAR)


def test_confidence_is_the_mean_of_the_images_with_as_many_objects() -> None:
    sure, unsure = image("sure", **ONE_OBJECT, confidence=Fraction(1)), ONE
    half = image("half", **ONE_OBJECT, confidence=Fraction(1, 2))
    (row,) = count_objects(dataset(sure, unsure, half, CLEAR), seed=1)
    assert (row.num_objects, row.images) == (1, 3)
    assert row.mean_confidence == pytest.approx(5 / 6)
    assert 0.5 <= row.ci_low < 5 / 6 < row.ci_high <= 1


def test_pairs_are_counted_from_the_target_to_other_objects() -> None:
    (pair,) = cooccurrences(dataset(TWO, ONE))
    assert (pair.label, pair.other_label, pair.images) == (CAR, WHEEL, 1)
    share = multi_object_share(dataset(TWO, ONE, CLEAR))
    assert share is not None
    assert (share.images, share.of) == (1, 3)


def test_predictions_are_right_by_object_or_main_label() -> None:
    data = dataset(TWO, ONE, CLEAR, two=(DOG, CAR), one=(DOG,), clear=(CAR,))
    right = {(r.objects, r.metric): (r.correct, r.total) for r in accuracy_by_objects(data)}
    several = {metric: right[ObjectGroup.SEVERAL, metric] for metric in ObjectMetric}
    assert several == {
        ObjectMetric.TOP1: (0, 1),
        ObjectMetric.TOP5: (1, 1),
        ObjectMetric.OBJECT_LABEL: (0, 1),
        ObjectMetric.ANY_OBJECT: (1, 1),
        ObjectMetric.MAIN_LABEL: (0, 1),
    }
    assert right[ObjectGroup.ONE, ObjectMetric.MAIN_LABEL] == (1, 1)
    assert right[ObjectGroup.ONE_WITH_CLEAR, ObjectMetric.MAIN_LABEL] == (2, 2)


def test_an_image_without_a_target_object_has_no_different_main_object() -> None:
    differs = count_main_differs(dataset(TWO, ONE))
    assert differs is not None
    assert (differs.images, differs.of) == (1, 1)
    assert (differs.ci_low, differs.ci_high) == pytest.approx((0.025, 1))
    assert count_main_differs(dataset(ONE, CLEAR)) is None


def test_a_top5_correction_may_lie_in_another_object() -> None:
    (row,) = top5_corrections(dataset(TWO, ONE, two=(WHEEL, CAR), one=(CAT, CAR)))
    # The cat is in no object, so that it isn't in another one.
    assert (row.corrections, row.in_other_object) == (2, 1)
    assert (row.ci_low, row.ci_high) == pytest.approx((0.0126, 0.9874), abs=1e-4)


def test_labels_are_validated_relative_to_the_target() -> None:
    data = dataset(
        image("a", frequencies=frequencies(n1=6, n2=3, n3=2, n4=0)),
        image("never", frequencies=frequencies(n1=0, n2=9)),
    )
    counts = {row.threshold: (row.labels, row.images) for row in validated_labels(data)}
    assert counts == {0.25: (3, 1), 0.5: (2, 1), 0.75: (1, 1), 1.0: (1, 1)}


def test_a_subset_of_annotators_is_the_same_for_the_same_seed() -> None:
    data = dataset(*(image(str(n), frequencies=frequencies(n1=6, n2=4)) for n in range(20)))
    assert validated_by_subsets(data, seed=3) == validated_by_subsets(data, seed=3)
    assert sum(r.images for r in validated_by_subsets(data, seed=3)) > 0


def test_ambiguous_pairs_need_images_for_which_both_were_asked() -> None:
    images = [image(str(n), frequencies=frequencies(n1=8, n2=4)) for n in range(5)]
    images += [image("unasked", frequencies=frequencies(n1=8))]
    images += [image(f"rare {n}", frequencies=frequencies(n1=8, n3=8)) for n in range(4)]
    labels = {str(n): ((CAR,), (WHEEL,), (DOG,))[n % 3] for n in range(5)}
    data = dataset(*images, **labels)
    (pair,) = ambiguous_pairs(data, seed=1)
    assert (pair.label_a, pair.label_b, pair.images, pair.score) == (CAR, WHEEL, 5, 0.4)
    assert (pair.ci_low, pair.ci_high) == pytest.approx((0.4, 0.4))
    (row,) = accuracy_on_pairs(data)
    assert (row.correct, row.total, row.pairwise_correct, row.pairwise_total) == (2, 5, 2, 4)


def test_unasked_predictions_are_counted_and_never_zero() -> None:
    data = dataset(
        image("a", frequencies=frequencies(n1=9, n2=5), main_label=WHEEL),
        image("b", frequencies=frequencies(n1=9)),
        a=(WHEEL,),
        b=(DOG,),
    )
    (row,) = human_based(data, seed=1)
    assert (row.asked, row.unasked, row.mean_prediction_frequency) == (1, 1, 0.5)
    assert (row.mean_target_frequency, row.is_main_label) == (0.9, 1.0)
    # One value has no spread; of one proportion the interval is wide.
    assert (row.mean_target_ci, row.wrong_mean_prediction_ci) == ((0.9, 0.9), (0.5, 0.5))
    assert row.is_main_label_ci == pytest.approx((0.025, 1))
    assert (row.wrong_mean_target_ci, row.wrong_main_labels) == ((0.9, 0.9), 1)
    assert row.wrong_is_main_label_ci == pytest.approx((0.025, 1))
    assert row.wrong_histogram == (0, 0, 0, 0, 0, 1, 0, 0, 0, 0)


def test_bins_of_frequencies_include_their_lower_bound() -> None:
    assert [frequency_bin(Fraction(n, 10)) for n in (0, 2, 3, 4, 6, 8, 10)] == [0, 1, 1, 2, 3, 4, 4]
    data = dataset(image("a", frequencies=frequencies(n1=6)), a=(CAR,))
    (row,) = accuracy_by_bin(data)
    assert (row.bin_low, row.bin_high, row.correct, row.total) == (0.6, 0.8, 1, 1)


def test_annotators_confuse_by_their_main_label_and_their_most_frequent_one() -> None:
    tied = image("tied", frequencies=frequencies(n2=4, n1=4))
    assert most_frequent_label(tied) == CAR
    rows = [r for r in class_confusions(dataset(TWO), {}) if r.participant is not None]
    assert [(r.participant, r.label, r.other_label) for r in rows] == [
        (MAIN_LABEL_OF_ANNOTATORS, CAR, WHEEL)
    ]
    (row,) = superclass_cooccurrences(dataset(TWO), {CAR: "vehicles", WHEEL: "parts"})
    assert (row.superclass, row.other_superclass, row.images) == ("vehicles", "parts", 1)


def test_targets_that_no_one_selects_or_ticks_are_suspect() -> None:
    never = image("never", frequencies=frequencies(n1=0, n2=3))
    found = [(s.image, s.reason) for s in suspects(dataset(never, ONE, TWO, CLEAR))]
    assert found == [
        ("never", SuspectReason.NEVER_SELECTED),
        ("one", SuspectReason.NEVER_TICKED),
    ]


@given(st.lists(st.fractions(0, 1, max_denominator=10), min_size=1, max_size=40))
def test_a_mean_lies_in_its_interval(values: list[Fraction]) -> None:
    found = bootstrap_mean(values, seed=1, purpose="test")
    assert found.mean is not None
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert min(values) <= Fraction(found.ci_high) + Fraction(1, 10**9)
    assert found.ci_low - 1e-9 <= found.mean <= found.ci_high + 1e-9


def test_means_of_many_groups_have_the_interval_of_each_alone() -> None:
    groups = [[Fraction(n, 9) for n in values] for values in ((0, 3, 3, 9, 9), (1, 1), (4,))]
    found = bootstrap_means(groups, seed=1, purpose="pairs")
    for values, (mean, low, high) in zip(groups, found, strict=True):
        alone = bootstrap_mean(values, seed=1, purpose="alone")
        assert mean == alone.mean
        assert (low, high) == pytest.approx((alone.ci_low, alone.ci_high), abs=0.03)
    assert found[0][1] < found[0][0] < found[0][2]
