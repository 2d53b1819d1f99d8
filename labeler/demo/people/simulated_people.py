"""Simulated labelers: truthful as far as their skill goes, and slower on what is hard."""

from dataclasses import dataclass
from math import exp
from random import Random

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.study.entities import AttentionPlace
from labeler.demo.people.seen import PictureContents, seeded_chance

# Looking, then finding the class, then comparing: the shares of an answer's time.
_PLACES = (
    (AttentionPlace.IMAGE, 0.3),
    (AttentionPlace.SEARCH, 0.3),
    (AttentionPlace.REFERENCES, 0.4),
)
_A_DAY = 0.15  # skill gained by a day of training
_INPUTS_APART_MS = 15_000


@dataclass(frozen=True, slots=True)
class SimulatedLabeler:
    """`skill` is the hardness that is told half of the time, in the end; `pace` is in seconds."""

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
    """What the person says to the picture, and how long it takes."""
    luck = seeded_chance(person.code, seen.key)
    skill = person.skill - _A_DAY * days_to_train
    spent = round(1000 * person.pace * exp(0.45 * seen.hardness + luck.gauss(0.0, 0.35)))
    if skill + luck.gauss(0.0, 0.6) > seen.hardness:
        known = [seen.target] * 4 + seen.others
        return SimulatedAnswer(luck.choice(known), None, spent)
    mistaken = luck.choice(taxonomy.nearest_classes(seen.target, 3))
    if seen.others and luck.random() < 0.3:
        meant = seen.target if luck.random() < 0.3 else mistaken
        return SimulatedAnswer(luck.choice(seen.others), meant, spent)
    return SimulatedAnswer(mistaken, None, spent)


def simulated_attention(
    started_ms: int, spent_ms: int, luck: Random
) -> tuple[AttentionInterval, ...]:
    """Where the person's attention was, with keys pressed often enough not to count as idle."""
    intervals, at = [], started_ms
    for place, share in _PLACES:
        end = at + round(spent_ms * share * luck.uniform(0.8, 1.2))
        inputs = tuple(range(at, end, _INPUTS_APART_MS))
        intervals.append(AttentionInterval(place, at, end, inputs))
        at = end
    return tuple(intervals)
