"""Look-alikes: the classes that a class is most easily taken for, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError

_SIBLINGS_APART = 2


class LookAlikeReason(Enum):
    """Why a class is taken for another."""

    GUIDE = "guide"
    CONFUSED = "confused"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A class that another is taken for; a higher score is a stronger case, at most 3."""

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
    """The `count` strongest look-alikes of a class, strongest first.

    A look-alike's score is the sum of three parts, each between 0 and 1:

    - guide: 1 if the guide tells the two classes apart, in whichever order it names them;
    - confused: how often the study's models took one for the other, both directions summed, as a
      fraction of the same number for the class's most confused partner;
    - near: 2 divided by the distance in the taxonomy, so 1 for siblings, ½ for cousins.

    Considered are the partners in the guide, those in the confusions, and the `count` nearest
    classes with all that are as near as the last of them; the reasons say which of the three a
    class is. Equal scores stay in the order of the classes. Pairs of a class with itself and
    pairs with something that is no class of the taxonomy are passed over.
    """
    if not taxonomy.is_class(wnid):
        raise RefusedError(f"'{wnid}' is no class of the taxonomy, so that it has no look-alikes.")
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
    """The classes paired with `wnid`, each with its count over both directions."""
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
    # A class right above another is closer than a sibling, and no more alike.
    return min(1.0, _SIBLINGS_APART / edges)


def _nearest(distances: Mapping[str, int], count: int) -> frozenset[str]:
    """The `count` nearest and all as near as the last: none is left out for its index alone."""
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
