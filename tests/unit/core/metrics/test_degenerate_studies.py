"""Studies at the edge: nothing right, everything right, one image, no one, everyone alike."""

import pytest

from labeler.core.metrics.definitions import HumanAggregate, Metric, Scale
from labeler.core.metrics.study_numbers import StudyNumbers
from tests.unit.core.metrics.random_study import CLASSES, Plain
from tests.unit.core.metrics.test_metrics_by_loops import CORRECT, numbers_of

DOG, OTHER_DOG, BIRD, PLANE, SPORTS_CAR = CLASSES
TARGETS = [DOG, BIRD, PLANE, SPORTS_CAR]
Answers = list[int | None]


def dataset(*, humans: list[Answers], models: list[Answers], targets: list[int] = TARGETS) -> Plain:
    """Every target is judged correct and nothing else is judged; humans take ten seconds."""
    return Plain(
        targets=targets,
        problematic=[False] * len(targets),
        sampled=[True] * len(targets),
        states=dict.fromkeys(enumerate(targets), CORRECT),
        humans=[
            {n: (label, None, 10_000) for n, label in enumerate(row) if label is not None}
            for row in humans
        ],
        models=[{n: [label] for n, label in enumerate(row) if label is not None} for row in models],
    )


def shares(numbers: StudyNumbers, who: str, subset: str = "all") -> dict[str, tuple[int, int]]:
    return {
        row.dataset: (row.correct, row.total)
        for row in numbers.accuracy
        if (row.participant, row.subset, row.metric) == (who, subset, Metric.TOP1)
    }


def test_nothing_right_and_everything_right() -> None:
    wrong: Answers = [OTHER_DOG] * 4
    both = dataset(humans=[wrong, list(TARGETS)], models=[wrong, list(TARGETS)])
    numbers = numbers_of([both, both])
    none, every = (
        next(r for r in numbers.accuracy if (r.participant, r.subset) == (who, "all"))
        for who in ("H0", "H1")
    )
    # 0 of 4 reaches up to 1 - 0.025^(1/4), 4 of 4 down to 0.025^(1/4).
    assert (none.ci_low, none.ci_high) == pytest.approx((0.0, 1 - 0.025**0.25))
    assert (every.ci_low, every.ci_high) == pytest.approx((0.025**0.25, 1.0))
    (pair,) = [
        r
        for r in numbers.mcnemar
        if (r.a, r.b, r.dataset, r.metric) == ("H0", "H1", "original", Metric.TOP1)
    ]
    # Four images, all of them right for H1 alone: 2 · (1/2)^4.
    assert (pair.only_a_correct, pair.only_b_correct, pair.p_value) == (0, 4, 0.125)
    # On the probit scale 0 and 1 enter as 0.5/5 and 4.5/5, and both models are listed.
    (probit,) = [
        f
        for f in numbers.fits
        if (f.metric, f.subset, f.scale) == (Metric.TOP1, "all", Scale.PROBIT)
    ]
    assert (probit.slope, probit.intercept) == pytest.approx((1.0, 0.0))
    assert probit.adjusted == ("m0", "m1")
    # Always right next to always right: chance leaves nothing to a kappa.
    kappas = {(r.human, r.model): r.kappa for r in numbers.error_consistency}
    assert kappas["H1", "m1"] is None


def test_one_image() -> None:
    one = dataset(humans=[[DOG]], models=[[BIRD]], targets=[DOG])
    numbers = numbers_of([one, one])
    assert shares(numbers, "H0") == {"original": (1, 1), "new": (1, 1)}
    row = next(r for r in numbers.accuracy if (r.participant, r.subset) == ("H0", "all"))
    assert (row.ci_low, row.ci_high) == pytest.approx((0.025, 1.0))
    assert shares(numbers, "m0") == {"original": (0, 1), "new": (0, 1)}
    assert numbers.timing.per_participant[0].median_active_seconds == 10.0


def test_a_subset_without_an_image_has_no_row_anywhere() -> None:
    one = dataset(humans=[[PLANE]], models=[[PLANE], [PLANE]], targets=[PLANE])
    numbers = numbers_of([one, one])
    for rows in (numbers.accuracy, numbers.accuracy_other, numbers.gaps, numbers.together):
        assert not {row.subset for row in rows} & {"dogs", "organisms", "superclass:Birds"}
    assert "dogs" not in {row.subset for row in numbers.class_resampling}
    assert "dogs" not in {fit.subset for fit in numbers.fits}


def test_one_model_is_ranked_and_has_no_line() -> None:
    both = dataset(humans=[], models=[[DOG, BIRD, BIRD, BIRD]])
    numbers = numbers_of([both, both])
    assert numbers.fits == ()
    ranks = {(g.rank_original, g.rank_new, g.rank_change) for g in numbers.gaps}
    assert ranks == {(1, 1, 0)}
    assert any(o.what == "Fits over the models" for o in numbers.omissions)
    # Right on 2 of 4 by top-1 and by multi-label: no difference.
    assert [d.median_difference for d in numbers.differences] == [0.0, 0.0]


def test_without_a_human_everything_human_is_missing_and_said_to_be() -> None:
    numbers = numbers_of([dataset(humans=[], models=[list(TARGETS)])] * 2)
    assert numbers.together == ()
    assert numbers.escape_hatches == ()
    assert numbers.timing.per_participant == ()
    assert sum(numbers.timing.counts) == 0
    assert numbers.timing.fast_images == {"original": 0, "new": 0}
    assert numbers.all_wrong.humans == ()
    assert numbers.differing is None
    assert numbers.agreement.units == 0
    assert any("no human" in omission.why for omission in numbers.omissions)


def test_when_all_answer_alike_no_one_differs() -> None:
    alike: Answers = [DOG, BIRD, PLANE, PLANE]
    both = dataset(humans=[alike] * 3, models=[alike] * 6)
    numbers = numbers_of([both, both])
    assert {row.p_value for row in numbers.mcnemar} == {1.0}
    assert numbers.fits == (), "all models share one accuracy"
    result = {o.what: o.why for o in numbers.omissions}
    assert result["Fits of top1 over the models"] == "all 6 have the same accuracy on original."
    assert not [what for what in result if "class-resampling" in what]
    assert {g.rank_original for g in numbers.gaps} == {1}
    assert numbers.agreement.percent == 1.0
    vote = next(r for r in numbers.together if r.participant is HumanAggregate.MAJORITY)
    assert (vote.correct, vote.total, vote.ties) == (3, 4, 0)
    assert {row.kappa for row in numbers.error_consistency} == {1.0}
    images = {(key.dataset, key.image) for key in numbers.all_wrong.both}
    assert images == {("original", "3.jpg"), ("new", "3.jpg")}


def test_one_missing_answer_is_in_no_ones_way() -> None:
    whole: Answers = list(TARGETS)
    both = dataset(humans=[whole, [None, BIRD, PLANE, DOG]], models=[whole])
    numbers = numbers_of([both, both])
    assert shares(numbers, "H0")["original"] == (4, 4)
    assert shares(numbers, "H1")["original"] == (2, 3)
    assert shares(numbers, "H1", "dogs") == {}
    (pair,) = [
        r
        for r in numbers.mcnemar
        if (r.a, r.b, r.dataset, r.metric) == ("H0", "H1", "original", Metric.TOP1)
    ]
    assert (pair.images, pair.only_a_correct, pair.only_b_correct) == (3, 1, 0)
    answered = {(c.participant, c.dataset): (c.answered, c.evaluated) for c in numbers.coverage}
    assert answered["H1", "original"] == (3, 4)
    assert any(o.what.startswith("H1 on 1 of 4 images") for o in numbers.omissions)
    # The mean of the humans is tested by class only where they answered the same classes.
    means = [r for r in numbers.class_resampling if r.participant == str(HumanAggregate.MEAN)]
    assert means == []
    omitted = "The class-resampling test of the humans' mean on original"
    assert omitted in {o.what for o in numbers.omissions}
