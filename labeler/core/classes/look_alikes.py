"""Look-alikes: the classes that are most easily confused with a class, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError

_SIBLINGS_APART = 2


class LookAlikeReason(Enum):
    """Why two classes are considered look-alikes."""

    GUIDE = "guide"
    CONFUSED = "confused"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A class easily confused with another; a higher score is stronger, the maximum is 3."""

    wnid: str
    reasons: frozenset[LookAlikeReason]
    score: float


def find_look_alikes(
    wnid: str,
    *,
    taxonomy: Taxonomy,
    guide_pairs: Collection[tuple[str, str]],
    confusions: Mapping[tuple[str, str], int],
    count: int,
) -> tuple[LookAlike, ...]:
    """Return the `count` strongest look-alikes of a class, strongest first.

    A look-alike's score is the sum of three parts, each between 0 and 1:

    - guide: 1 if the guide distinguishes the two classes, in either order;
    - confused: how often the study's models confused the two, in both directions, as a fraction of
    the same count for the class's most confused partner;
    - near: 2 divided by the distance in the taxonomy, so 1 for siblings, ½ for cousins.

    Candidates are the partners in the guide, those in the confusions, and the `count` nearest
    classes including ties; the reasons say which of the three apply. Ties keep class order. Pairs
    of a class with itself and pairs with unknown classes are ignored.
    """
    if not taxonomy.is_class(wnid):
        raise RefusedError(f"'{wnid}' is not a class of the taxonomy, so it has no look-alikes.")
    distinguished = _partners(wnid, dict.fromkeys(guide_pairs, 1), taxonomy)
    confused = _partners(wnid, confusions, taxonomy)
    distances = taxonomy.class_distances(wnid)
    near = _nearest(distances, count)
    parts = {
        LookAlikeReason.GUIDE: dict.fromkeys(distinguished, 1.0),
        LookAlikeReason.CONFUSED: _fractions_of_largest(confused),
        LookAlikeReason.NEAR: {other: _nearness(edges) for other, edges in distances.items()},
    }
    considered = distinguished.keys() | confused.keys() | near
    ranked = sorted(
        (_look_alike(other, parts, near) for other in considered),
        key=lambda found: (-found.score, taxonomy.index_of(found.wnid)),
    )
    return tuple(ranked[: max(count, 0)])


def _partners(
    wnid: str, pairs: Mapping[tuple[str, str], int], taxonomy: Taxonomy
) -> dict[str, int]:
    """Return the classes paired with `wnid`, with their counts summed over both directions."""
    partners: dict[str, int] = {}
    for (one, other), times in pairs.items():
        if one != other and wnid in (one, other) and times > 0:
            partner = other if one == wnid else one
            if taxonomy.is_class(partner):
                partners[partner] = partners.get(partner, 0) + times
    return partners


def _fractions_of_largest(counts: Mapping[str, int]) -> dict[str, float]:
    largest = max(counts.values(), default=1)
    return {wnid: times / largest for wnid, times in counts.items()}


def _nearness(edges: int) -> float:
    # A class directly above another is closer than a sibling, but no more alike.
    return min(1.0, _SIBLINGS_APART / edges)


def _nearest(distances: Mapping[str, int], count: int) -> frozenset[str]:
    """Return the `count` nearest classes, including ties."""
    ranked = sorted(distances.values())
    if count <= 0 or not ranked:
        return frozenset()
    limit = ranked[min(count, len(ranked)) - 1]
    return frozenset(wnid for wnid, edges in distances.items() if edges <= limit)


def _look_alike(
    wnid: str, parts: Mapping[LookAlikeReason, Mapping[str, float]], near: frozenset[str]
) -> LookAlike:
    reasons = {reason for reason, scores in parts.items() if wnid in scores}
    if wnid not in near:
        reasons.discard(LookAlikeReason.NEAR)
    score = sum(scores.get(wnid, 0.0) for scores in parts.values())
    return LookAlike(wnid=wnid, reasons=frozenset(reasons), score=score)
