"""Simulate studies with known gaps, and see what the bootstrap makes of them.

An answer is right with probability Φ(ability − class − image), where the difficulties of class and
image are normal. The expected accuracy is then Φ(ability / √(1 + σ² + τ²)), so every gap is known
exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from labeler.core.statistics.arrays import Reals
from labeler.core.statistics.gap_bootstrap import (
    AnswerCounts,
    GapEstimate,
    GapResampler,
    ResampledGaps,
    resampling_units,
)
from labeler.core.statistics.multiple_tests import holm

CLASS_SD, IMAGE_SD = 0.6, 0.8
_BATCH = 50


@dataclass(frozen=True)
class Scenario:
    """A population of studies; accuracies are expected ones, humans first."""

    name: str
    original: tuple[float, ...]
    new: tuple[float, ...]
    humans: int
    images: int = 1_000
    balanced: bool = True

    @property
    def gaps(self) -> Reals:
        return np.array(self.original) - np.array(self.new)

    @property
    def weights(self) -> dict[str, Reals]:
        """The estimates that are checked: one human, one model, both means, the difference."""
        people = np.arange(len(self.original)) < self.humans
        humans, models = people / people.sum(), ~people / (~people).sum()
        one, other = np.eye(len(people))[0], np.eye(len(people))[-1]
        return {
            "one human": one,
            "one model": other,
            "mean of the humans": humans,
            "mean of the models": models,
            "difference": humans - models,
        }


_PEOPLE, _MODELS = (0.95, 0.93, 0.90), (0.90, 0.86, 0.82, 0.78, 0.72)
SCENARIOS = (
    Scenario(
        "classes drawn, effect",
        (*_PEOPLE, *_MODELS),
        (*(a - 0.01 for a in _PEOPLE), *(a - 0.11 for a in _MODELS)),
        humans=3,
    ),
    Scenario(
        "classes drawn, no difference",
        (*_PEOPLE, *_MODELS),
        (*(a - 0.06 for a in _PEOPLE), *(a - 0.06 for a in _MODELS)),
        humans=3,
    ),
    Scenario("classes drawn, no gaps", (*_PEOPLE, *_MODELS), (*_PEOPLE, *_MODELS), humans=3),
    Scenario(
        "images drawn, effect",
        (*_PEOPLE, *_MODELS),
        (*(a - 0.01 for a in _PEOPLE), *(a - 0.11 for a in _MODELS)),
        humans=3,
        balanced=False,
    ),
    Scenario(
        "images drawn, no gaps",
        (*_PEOPLE, *_MODELS),
        (*_PEOPLE, *_MODELS),
        humans=3,
        balanced=False,
    ),
    Scenario(
        "one person, one model, no gaps", (0.97, 0.80), (0.97, 0.80), humans=1, balanced=False
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What was found for one estimate of a scenario."""

    scenario: str
    estimate: str
    truth: float
    coverage: float
    rejected: float


@dataclass(frozen=True)
class ScenarioResult:
    outcomes: tuple[Outcome, ...]
    family_error: float | None


def simulate(scenario: Scenario, *, studies: int, resamples: int, seed: int) -> ScenarioResult:
    """Return coverage and rejection rates over many studies."""
    found: dict[str, list[tuple[bool, bool]]] = {name: [] for name in scenario.weights}
    null = bool(np.allclose(scenario.gaps, 0))
    family: list[bool] = []
    for resampled in _studies(scenario, studies, resamples, seed):
        for name, weights in scenario.weights.items():
            estimate, truth = resampled.of(weights), float(weights @ scenario.gaps)
            found[name].append((_covers(estimate, truth), estimate.p_value < 0.05))
        if null:
            rows = np.eye(len(scenario.original))
            p_values = np.array([resampled.of(row).p_value for row in rows])
            family.append(bool((holm(p_values) < 0.05).any()))
    return ScenarioResult(
        tuple(
            Outcome(
                scenario.name,
                name,
                float(scenario.weights[name] @ scenario.gaps),
                float(np.mean([covered for covered, _ in rows])),
                float(np.mean([rejected for _, rejected in rows])),
            )
            for name, rows in found.items()
        ),
        float(np.mean(family)) if null else None,
    )


def _covers(estimate: GapEstimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


def _studies(
    scenario: Scenario, studies: int, resamples: int, seed: int
) -> Iterator[ResampledGaps]:
    """Yield the resampled gaps of each study; a batch of studies shares its draws."""
    random = np.random.default_rng([seed, len(scenario.name)])
    people = len(scenario.original)
    for start in range(0, studies, _BATCH):
        count = min(_BATCH, studies - start)
        original, new = _answers(scenario, count, random)
        together = _resampler(scenario, resamples, seed + start).gaps(original, new)
        for study in range(count):
            part = slice(study * people, (study + 1) * people)
            yield ResampledGaps(
                together.gaps[part],
                together.drawn[:, part],
                together.correct[:, part],
                together.total[:, part],
            )


def _resampler(scenario: Scenario, resamples: int, seed: int) -> GapResampler:
    classes = np.arange(scenario.images)
    other = classes if scenario.balanced else np.zeros_like(classes)
    base = np.ones(scenario.images, bool)
    units = resampling_units(classes, other, original_base=base, new_base=base, seed=seed)
    assert units.joint == scenario.balanced
    return GapResampler(units, base, base, seed=seed, times=resamples)


def _answers(
    scenario: Scenario, studies: int, random: np.random.Generator
) -> tuple[AnswerCounts, AnswerCounts]:
    shape = studies, 1, scenario.images
    shared = random.normal(0, CLASS_SD, shape)
    both = []
    for accuracies in (scenario.original, scenario.new):
        classes = shared if scenario.balanced else random.normal(0, CLASS_SD, shape)
        images = random.normal(0, IMAGE_SD, shape)
        ability = ndtri(np.array(accuracies)) * np.sqrt(1 + CLASS_SD**2 + IMAGE_SD**2)
        chance = ndtr(ability[None, :, None] - classes - images)
        right = random.random(chance.shape) < chance
        flags = right.reshape(-1, scenario.images)
        both.append(AnswerCounts(flags, np.ones_like(flags)))
    return both[0], both[1]
