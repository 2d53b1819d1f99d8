"""A classifier on everything that reviewers see gains what the plan states: no more, no less.

The adversary gets the views of a reviewer in order, over both stages and an extension, and no
source. It learns from other studies how the sources of labels look, then guesses those of a new
study. Its advantage is the share of a source's labels that it recognizes, less the share of other
labels that it takes for such: 0 for guessing, 1 for knowing.

The stated leak is the distance between a source's labels and all others over the planner's cues,
counted in the plan itself: the gain of someone who knows how often each combination of cues occurs
in this very plan. Nobody knows that in advance, so there are two bounds:

- *Upper*: the stated leak. An adversary that gains more uses a cue that the planner doesn't count,
  and the lead is told too little.
- *Lower*: the gain of someone who uses the planner's cues without hindsight, guessing each image
  from the other images of the plan. An adversary that gains less makes the upper bound easy, and a
  statement far above it would alarm the lead without a reason.

Over the studies, the mean advantage must lie between the bounds, up to the 99 % interval of the
mean difference to each of them.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from scipy import stats

from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.review.leak import (
    DEFAULT_LEAK,
    LabelSource,
    PlanContents,
    seen_labels,
)
from tests.unit.core.review.adversary import Adversary, Features, Truth, visible_features
from tests.unit.core.review.simulated_plans import SimulatedPlan, SimulatedStudy

STUDIES = 20
REVIEWERS = ("R", "S")
INITIAL, EXTENSION, FINAL = range(3)
ATTACKS = [
    (INITIAL, LabelSource.TARGET),
    (EXTENSION, LabelSource.MODEL),
    (FINAL, LabelSource.HUMAN),
]
Plans = list[SimulatedPlan]


@cache
def taxonomy() -> Taxonomy:
    return load_default()


@cache
def distances(wnid: str) -> Mapping[str, int]:
    return taxonomy().class_distances(wnid)


def attacked(plans: Plans, number: int, source: LabelSource, code: str) -> tuple[Features, Truth]:
    """Return what the adversary computes from the reviewer's views, and what it guesses."""
    views = plans[number].views(code)
    features = visible_features(
        views,
        stage_before=plans[INITIAL].views(code) if number == EXTENSION else (),
        other_stage=plans[EXTENSION].views(code) if number == FINAL else (),
        distances=distances,
    )
    truth = [given for view in views for given in plans[number].given_by(source, view)]
    return features, np.array(truth, np.bool_)


def gain_without_hindsight(plan: SimulatedPlan, source: LabelSource, code: str) -> float:
    """Return the gain of guessing by the planner's cues as they are on the other images."""
    contents = plan.contents
    own = {image: (code,) for image, codes in contents.reviewers.items() if code in codes}
    seen = seen_labels(
        PlanContents(
            labels={image: contents.labels[image] for image in own},
            reviewers=own,
            known=contents.known,
            before=contents.before,
            reviewers_before=contents.reviewers_before,
        ),
        plan.sources,
    )
    shown = np.ones(len(seen.visit), np.bool_)
    truth = seen.sources[:, list(LabelSource).index(source)]
    cells = seen.counts(shown)
    for marked in seen.marks(shown).values():
        cells = 2 * cells + marked
    guessed = [
        _is_more_frequent(cells[seen.image != image] == cell, truth[seen.image != image])
        for image, cell in zip(seen.image, cells, strict=True)
    ]
    accused = np.array(guessed)
    return float(accused[truth].mean() - accused[~truth].mean())


def _is_more_frequent(in_cell: Truth, truth: Truth) -> bool:
    return bool(in_cell[truth].mean() > in_cell[~truth].mean())


def attack(studies: list[Plans], number: int, source: LabelSource) -> Features:
    """Return the adversary's gain and its two bounds for each study, as the mean of reviewers."""
    cases = [[attacked(plans, number, source, code) for code in REVIEWERS] for plans in studies]
    # Those with even numbers learn from those with odd ones, and the other way round.
    learned = [
        Adversary.learn([case for both in others for case in both])
        for others in (cases[1::2], cases[::2])
    ]
    results = []
    for place, plans in enumerate(studies):
        plan = plans[number]
        stated = {
            advantage.reviewer: advantage.value
            for advantage in plan.statement.advantages
            if advantage.source is source
        }
        results.append(
            [
                (
                    learned[place % 2].advantage(features, truth),
                    gain_without_hindsight(plan, source, code),
                    stated[code],
                )
                for code, (features, truth) in zip(REVIEWERS, cases[place], strict=True)
            ]
        )
    return np.array(results).mean(axis=1)


def assert_within_bounds(results: Features) -> None:
    gained, lower, upper = results.T
    for bound, sign in ((lower, 1), (upper, -1)):
        difference = sign * (gained - bound)
        half_width = stats.t.ppf(0.995, len(results) - 1) * stats.sem(difference)
        assert difference.mean() >= -half_width, (results.mean(axis=0), half_width)


def simulated(*, leak: float | None) -> list[Plans]:
    return [
        list(SimulatedStudy(taxonomy(), seed=seed, images=60).plans(leak=leak, reviewers=2))
        for seed in range(STUDIES)
    ]


@pytest.fixture(scope="module")
def blinded() -> list[Plans]:
    return simulated(leak=DEFAULT_LEAK)


@pytest.fixture(scope="module")
def plain() -> list[Plans]:
    return simulated(leak=None)


@pytest.mark.parametrize(("number", "source"), ATTACKS)
def test_the_adversary_gains_what_the_plan_states(
    blinded: list[Plans], number: int, source: LabelSource
) -> None:
    assert_within_bounds(attack(blinded, number, source))


# Without decoys, every label of an extension is a model's: there is nothing to guess.
@pytest.mark.parametrize(("number", "source"), [ATTACKS[0], ATTACKS[2]])
def test_without_decoys_the_adversary_gains_what_is_stated_and_far_more(
    blinded: list[Plans], plain: list[Plans], number: int, source: LabelSource
) -> None:
    hidden = attack(blinded, number, source)[:, 0].mean()
    results = attack(plain, number, source)
    assert_within_bounds(results)
    assert results[:, 0].mean() > hidden + 0.3
