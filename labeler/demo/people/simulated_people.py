"""Simulated labelers and reviewers, whose errors and times depend on skill and difficulty."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from pathlib import Path
from random import Random

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.study.entities import (
    AttentionPlace,
    CorrectKind,
    ImageKey,
    ProblemReason,
    Stage,
    Verdict,
)
from labeler.demo.identity import DEMO_SEED

_ORGANISM = "n00004475"
_HARDER_NEW, _HARDER_ORGANISM = 0.35, 0.45


def seeded_random(*about: str) -> Random:
    """Return random numbers that are the same on every machine for the same texts."""
    return Random(" ".join((str(DEMO_SEED), *about)))


@dataclass(frozen=True, slots=True)
class PictureContents:
    """An image with its target, all classes visible in it, and how hard it is."""

    key: str
    target: str
    truth: frozenset[str]
    hardness: float

    @property
    def others(self) -> list[str]:
        return sorted(self.truth - {self.target})


class PictureReader:
    """Looks up an image by its file: the folders of the demo are named after the targets."""

    def __init__(self, truth: Mapping[ImageKey, frozenset[str]], taxonomy: Taxonomy) -> None:
        self._truth = truth
        self._taxonomy = taxonomy

    def look_at(self, file: Path) -> PictureContents:
        dataset, target, name = file.parts[-3:]
        image = ImageKey(dataset, f"{target}/{name}")
        key = f"{dataset}/{image.image}"
        truth = self._truth.get(image, frozenset({target}))
        return PictureContents(key, target, truth, self._hardness(key, dataset, target))

    def _hardness(self, key: str, dataset: str, target: str) -> float:
        """Return the difficulty, which is the same for all people."""
        organism = self._taxonomy.is_under(target, _ORGANISM)
        harder = _HARDER_NEW * (dataset == "new") + _HARDER_ORGANISM * organism
        return seeded_random("hardness", key).gauss(0.0, 1.0) + harder


_NEAR = 3  # steps in the taxonomy, within which two classes are easily confused
_FLAGGED = 0.03
_MISTAKEN, _UNSURE, _UNSURE_OF_NEAR = 0.02, 0.03, 0.1


def simulated_verdict(
    reviewer: str, stage: Stage, seen: PictureContents, label: str, taxonomy: Taxonomy
) -> OwnVerdict:
    """Return the verdict of the reviewer on a label of the image."""
    drawn = seeded_random(reviewer, stage, seen.key, label).random()
    near = label != seen.target and taxonomy.distance(label, seen.target) <= _NEAR
    right = (label in seen.truth) != (drawn < _MISTAKEN)
    if _MISTAKEN <= drawn < _MISTAKEN + (_UNSURE_OF_NEAR if near else _UNSURE):
        return OwnVerdict(Verdict.UNCLEAR)
    if not right:
        return OwnVerdict(Verdict.WRONG)
    return OwnVerdict(Verdict.CORRECT, _kind(seen, label, near=near))


def simulated_flag(seen: PictureContents) -> OwnFlag | None:
    """Return a flag for the few images that every reviewer considers edited."""
    if seeded_random("problematic", seen.key).random() < _FLAGGED:
        return OwnFlag(frozenset({ProblemReason.EDITED}), "simulated")
    return None


def _kind(seen: PictureContents, label: str, *, near: bool) -> CorrectKind | None:
    if label == seen.target:
        return None
    return CorrectKind.SYNONYM_OR_SUBSET if near else CorrectKind.SEVERAL_OBJECTS


# The share of the time of an answer for each place of attention.
_PLACES = (
    (AttentionPlace.IMAGE, 0.3),
    (AttentionPlace.SEARCH, 0.3),
    (AttentionPlace.REFERENCES, 0.4),
)
_SKILL_PER_DAY = 0.15  # skill gained by a day of training
_INPUT_INTERVAL_MS = 15_000


@dataclass(frozen=True, slots=True)
class SimulatedLabeler:
    """A labeler who, once trained, gets images of hardness `skill` right half of the time.

    `pace` is the typical time for an answer in seconds.
    """

    code: str
    skill: float
    pace: float


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    label: str
    alternative: str | None
    active_ms: int


def simulated_answer(
    person: SimulatedLabeler, seen: PictureContents, taxonomy: Taxonomy, *, days_to_train: int
) -> SimulatedAnswer:
    """Return the answer of the person to the image, and how long it takes."""
    rng = seeded_random(person.code, seen.key)
    skill = person.skill - _SKILL_PER_DAY * days_to_train
    spent = round(1000 * person.pace * exp(0.45 * seen.hardness + rng.gauss(0.0, 0.35)))
    if skill + rng.gauss(0.0, 0.6) > seen.hardness:
        right = [seen.target] * 4 + seen.others
        return SimulatedAnswer(rng.choice(right), None, spent)
    mistaken = rng.choice(taxonomy.nearest_classes(seen.target, 3))
    if seen.others and rng.random() < 0.3:
        meant = seen.target if rng.random() < 0.3 else mistaken
        return SimulatedAnswer(rng.choice(seen.others), meant, spent)
    return SimulatedAnswer(mistaken, None, spent)


def simulated_attention(
    started_ms: int, spent_ms: int, rng: Random
) -> tuple[AttentionInterval, ...]:
    """Return the intervals of attention, with enough inputs not to count as idle."""
    intervals, at = [], started_ms
    for place, share in _PLACES:
        end = at + round(spent_ms * share * rng.uniform(0.8, 1.2))
        inputs = tuple(range(at, end, _INPUT_INTERVAL_MS))
        intervals.append(AttentionInterval(place, at, end, inputs))
        at = end
    return tuple(intervals)
