"""Agreement between raters: percent, Cohen's and Fleiss' kappa, Krippendorff's alpha (nominal).

A kappa or alpha is None where it is undefined: no units in common, or everyone gave the same value
everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]

_NOT_JUDGED = -1


@dataclass(frozen=True)
class Judgements:
    """Values given by raters to units, as three arrays of the same length, coded from 0.

    A rater judges a unit at most once; not every rater has to judge every unit.
    """

    units: Codes
    raters: Codes
    values: Codes

    def __post_init__(self) -> None:
        keys = self.units * (self.raters.max(initial=0) + 1) + self.raters
        if np.bincount(keys, minlength=1).max() > 1:
            raise ValueError("a rater judges a unit at most once")

    @cached_property
    def rater_count(self) -> int:
        return int(self.raters.max(initial=-1)) + 1

    def of_shared_units(self) -> "Judgements":
        """Return the judgements of units with at least two raters; others are not informative."""
        shared = np.bincount(self.units, minlength=1)[self.units] > 1
        return Judgements(self.units[shared], self.raters[shared], self.values[shared])

    def table(self) -> npt.NDArray[np.int32]:
        """Return the values by judged unit and rater, -1 where missing."""
        judged, rows = np.unique(self.units, return_inverse=True)
        table = np.full((len(judged), self.rater_count), _NOT_JUDGED, np.int32)
        table[rows, self.raters] = self.values
        return table


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterPair:
    """Two raters on the units that both judged."""

    one: int
    other: int
    units: int
    agreeing: int
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The usual measures; `cohen` is the mean over the pairs of raters for which it is defined."""

    raters: int
    units: int
    percent: float | None
    cohen: float | None
    fleiss: float | None
    krippendorff: float | None


def agreement(judgements: Judgements) -> Agreement:
    """Compute all measures over the units with at least two raters."""
    shared = judgements.of_shared_units()
    kappas = [pair.kappa for pair in rater_pairs(shared) if pair.kappa is not None]
    return Agreement(
        raters=len(np.unique(shared.raters)),
        units=len(np.unique(shared.units)),
        percent=percent_agreement(shared),
        cohen=float(np.mean(kappas)) if kappas else None,
        fleiss=fleiss_kappa(shared),
        krippendorff=krippendorff_alpha(shared),
    )


def percent_agreement(judgements: Judgements) -> float | None:
    """Return the share of agreeing pairs among all pairs of judgements of a unit, from 0 to 1."""
    counted = _UnitCounts.of(judgements)
    pairs = int((counted.judgements * (counted.judgements - 1)).sum())
    return float((counted.squares - counted.judgements).sum() / pairs) if pairs else None


def cohen_kappa(one: Codes, other: Codes) -> float | None:
    """Return Cohen's kappa of two raters' values on the same units, in the same order."""
    total = len(one)
    if not total:
        return None
    size = int(max(one.max(), other.max())) + 1
    by_chance = float(np.bincount(one, minlength=size) @ np.bincount(other, minlength=size)) / (
        total * total
    )
    return _chance_corrected(float((one == other).mean()), by_chance)


def rater_pairs(judgements: Judgements) -> Iterator[RaterPair]:
    """Yield every two raters with units in common."""
    columns = np.ascontiguousarray(judgements.table().T)
    judged = columns != _NOT_JUDGED
    for one, other in combinations(range(judgements.rater_count), 2):
        both = judged[one] & judged[other]
        units = int(np.count_nonzero(both))
        if units:
            given = columns[one][both], columns[other][both]
            agreeing = int(np.count_nonzero(given[0] == given[1]))
            kappa = cohen_kappa(given[0].astype(np.int64), given[1].astype(np.int64))
            yield RaterPair(one=one, other=other, units=units, agreeing=agreeing, kappa=kappa)


def fleiss_kappa(judgements: Judgements) -> float | None:
    """Return Fleiss' kappa over units with at least two judgements.

    If all units have the same number of judgements this is the original definition. Otherwise each
    unit's share of agreeing pairs has the same weight, and chance is computed from all these
    judgements.
    """
    counted = _UnitCounts.of(judgements)
    if not len(counted.judgements):
        return None
    pairs = counted.judgements * (counted.judgements - 1)
    observed = float(((counted.squares - counted.judgements) / pairs).mean())
    shares = counted.values / counted.values.sum()
    return _chance_corrected(observed, float(shares @ shares))


def krippendorff_alpha(judgements: Judgements) -> float | None:
    """Return Krippendorff's alpha for nominal values; judgements may be missing."""
    counted = _UnitCounts.of(judgements)
    total = int(counted.judgements.sum())
    expected = total * total - int((counted.values**2).sum())
    if not expected:
        return None
    differing = (counted.judgements**2 - counted.squares) / (counted.judgements - 1)
    return 1.0 - (total - 1) * float(differing.sum()) / expected


@dataclass(frozen=True, slots=True)
class _UnitCounts:
    """By unit with at least two judgements: their number, and the sum of squared value counts."""

    judgements: Codes
    squares: Codes
    values: Codes

    @staticmethod
    def of(judgements: Judgements) -> "_UnitCounts":
        shared = judgements.of_shared_units()
        size = int(shared.values.max(initial=0)) + 1
        # Only cells that occur, because a table of all units and classes would be too large.
        cells, counts = np.unique(shared.units * size + shared.values, return_counts=True)
        per_unit = np.bincount(shared.units, minlength=1)
        squares = np.bincount(cells // size, weights=counts.astype(np.float64) ** 2, minlength=1)
        judged = per_unit > 0
        return _UnitCounts(
            judgements=per_unit[judged],
            squares=squares[judged].astype(np.int64),
            values=np.bincount(shared.values, minlength=size),
        )


def _chance_corrected(observed: float, by_chance: float) -> float | None:
    return None if by_chance == 1.0 else (observed - by_chance) / (1.0 - by_chance)
