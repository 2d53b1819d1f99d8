"""A reviewer with a computer: a classifier on everything visible beats no stated leak.

The adversary sees the views of a reviewer over both stages and an extension, and no source. It
learns from other studies how the sources of labels look, then guesses those of a new study. Its
advantage is the share of a source's labels that it recognizes, less the share of other labels that
it takes for such: 0 for guessing, 1 for knowing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize, stats

from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.core.review.leak import DEFAULT_LEAK, LabelSource
from tests.unit.core.review.simulated_plans import SimulatedPlan, SimulatedStudy

STUDIES = 20
Features = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]


@cache
def distances(wnid: str) -> Mapping[str, int]:
    return taxonomy().class_distances(wnid)


@cache
def taxonomy() -> Taxonomy:
    return load_default()


def visible(plan: SimulatedPlan, code: str) -> Iterator[tuple[float, ...]]:
    """Return everything that can be computed from what the reviewer sees, label by label."""
    contents = plan.contents
    known = contents.known.get(code, frozenset())
    known_images = {pair.image for pair in known}
    own = [image for image, codes in contents.reviewers.items() if code in codes]
    met = {p.label for p in known} | {p.label for p in contents.before if p.image in own}
    seen = Counter(pair.label for image in own for pair in contents.labels[image])
    typical = float(np.median(list(seen.values())))
    for image in own:
        labels = contents.labels[image]
        for pair in labels:
            near = [distances(pair.label).get(o.label, 20) for o in labels if o != pair] or [20]
            extended = code in contents.reviewers_before.get(image, ())
            yield (
                seen[pair.label] > typical,
                image in known_images and pair not in known,
                pair in known,
                bool(met) and pair.label not in met,
                extended and pair not in contents.before,
                image in known_images,
                *(len(labels) == count for count in range(1, 8)),
                np.log(seen[pair.label]),
                min(near) / 10,
                sum(near) / len(near) / 10,
                min(near) == 2,
            )


def attacked(plan: SimulatedPlan, code: str, source: LabelSource) -> tuple[Features, Truth]:
    contents = plan.contents
    truth = [
        pair in plan.sources[source]
        for image, codes in contents.reviewers.items()
        if code in codes
        for pair in contents.labels[image]
    ]
    return np.array(list(visible(plan, code)), np.float64), np.array(truth, np.bool_)


def fit(features: Features, truth: Truth) -> Features:
    """Return the weights of a logistic regression on the features and their products."""
    rows, signs = expanded(features), np.where(truth, 1.0, -1.0)

    def loss(weights: Features) -> tuple[float, Features]:
        margins = signs * (rows @ weights)
        slope = -signs / (1 + np.exp(np.clip(margins, -30, 30)))
        total = np.logaddexp(0, -margins).sum() + 0.5 * weights @ weights
        return float(total), rows.T @ slope + weights

    found = optimize.minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)


def expanded(features: Features) -> Features:
    first, second = np.triu_indices(features.shape[1], k=1)
    products = features[:, first] * features[:, second]
    return np.hstack([np.ones((len(features), 1)), features, products])


def advantage(weights: Features, features: Features, truth: Truth, base_rate: float) -> float:
    guessed = 1 / (1 + np.exp(-expanded(features) @ weights)) > base_rate
    return float(guessed[truth].mean() - guessed[~truth].mean())


def learn(cases: list[tuple[Features, Truth]]) -> tuple[Features, float]:
    truth = np.concatenate([case[1] for case in cases])
    return fit(np.concatenate([case[0] for case in cases]), truth), float(truth.mean())


def attack(studies: list[list[SimulatedPlan]], number: int, source: LabelSource) -> Features:
    """Return the adversary's advantage and the stated one for each study, by their R."""
    cases = [attacked(plans[number], "R", source) for plans in studies]
    # Those with even numbers learn from those with odd ones, and the other way round.
    learned = [learn(cases[1::2]), learn(cases[::2])]
    results = []
    for place, (features, truth) in enumerate(cases):
        weights, base_rate = learned[place % 2]
        stated = next(
            a.value
            for a in studies[place][number].statement.advantages
            if a.reviewer == "R" and a.source is source
        )
        results.append((advantage(weights, features, truth, base_rate), stated))
    return np.array(results)


def simulated(*, leak: float | None) -> list[list[SimulatedPlan]]:
    return [
        list(SimulatedStudy(taxonomy(), seed=seed, images=60).plans(leak=leak, reviewers=2))
        for seed in range(STUDIES)
    ]


@pytest.fixture(scope="module")
def blinded() -> list[list[SimulatedPlan]]:
    return simulated(leak=DEFAULT_LEAK)


@pytest.fixture(scope="module")
def plain() -> list[list[SimulatedPlan]]:
    return simulated(leak=None)


ATTACKS = [(0, LabelSource.TARGET), (1, LabelSource.MODEL), (2, LabelSource.HUMAN)]


@pytest.mark.parametrize(("number", "source"), ATTACKS)
def test_the_adversary_gains_no_more_than_the_plan_states(
    blinded: list[list[SimulatedPlan]], number: int, source: LabelSource
) -> None:
    gained, stated = attack(blinded, number, source).T
    difference = gained - stated
    half_width = stats.t.ppf(0.995, STUDIES - 1) * stats.sem(difference)
    assert difference.mean() <= half_width, (gained.mean(), stated.mean(), half_width)


# Without decoys, every label of an extension is a model's: there is nothing to guess.
@pytest.mark.parametrize(("number", "source"), [ATTACKS[0], ATTACKS[2]])
def test_without_decoys_the_adversary_gains_what_is_stated_and_far_more(
    blinded: list[list[SimulatedPlan]],
    plain: list[list[SimulatedPlan]],
    number: int,
    source: LabelSource,
) -> None:
    hidden = attack(blinded, number, source)[:, 0].mean()
    gained, stated = attack(plain, number, source).T
    half_width = stats.t.ppf(0.995, STUDIES - 1) * stats.sem(gained - stated)
    assert gained.mean() == pytest.approx(stated.mean(), abs=half_width)
    assert gained.mean() > hidden + 0.3
