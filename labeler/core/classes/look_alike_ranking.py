"""The look-alikes that labelers see: which classes, in which order, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum

from labeler.core.classes.taxonomy import Taxonomy

# One mistake may be a slip of the hand; two of the group are a pattern.
MIN_MISTAKES = 2

ClassPair = tuple[str, str]


class RankReason(Enum):
    """The strongest reason to list a class as a look-alike; the value is what labelers read."""

    GUIDE = "guide"
    CONFUSED = "often confused"
    SIBLING = "sibling"


@dataclass(frozen=True, slots=True)
class RankedLookAlike:
    """A look-alike with its reason."""

    wnid: str
    reason: RankReason


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAlikeEvidence:
    """What is known of similar classes; none of it comes from this study's models.

    `mistakes` counts how often labelers confused two classes in trainings, `confusions` how often
    the file says so that the lead imported. The order of two classes has no meaning.
    """

    guide_pairs: Collection[ClassPair] = frozenset()
    mistakes: Mapping[ClassPair, int] = field(default_factory=dict)
    confusions: Mapping[ClassPair, int] = field(default_factory=dict)


class LookAlikeRanking:
    """Ranks look-alikes by the guide, then by mistakes, then by confusions; siblings are last."""

    def __init__(self, taxonomy: Taxonomy, evidence: LookAlikeEvidence) -> None:
        self._taxonomy = taxonomy
        self._guide = _by_class(dict.fromkeys(evidence.guide_pairs, 1), taxonomy)
        mistakes = _by_class(evidence.mistakes, taxonomy)
        self._mistakes = {
            wnid: {other: count for other, count in found.items() if count >= MIN_MISTAKES}
            for wnid, found in mistakes.items()
        }
        self._confusions = _by_class(evidence.confusions, taxonomy)

    def of(self, wnid: str, *, count: int) -> tuple[RankedLookAlike, ...]:
        """Return up to `count` look-alikes of a class, the strongest first; ties in class order."""
        guide = self._guide.get(wnid, {})
        mistakes = self._mistakes.get(wnid, {})
        confusions = self._confusions.get(wnid, {})
        siblings = set(filter(self._taxonomy.is_class, self._taxonomy.siblings(wnid)))

        def rank(other: str) -> tuple[bool, int, int, bool, int]:
            place = self._taxonomy.index_of(other)
            confused = -mistakes.get(other, 0), -confusions.get(other, 0)
            return other not in guide, *confused, other not in siblings, place

        def reason(other: str) -> RankReason:
            if other in guide:
                return RankReason.GUIDE
            confused = other in mistakes or other in confusions
            return RankReason.CONFUSED if confused else RankReason.SIBLING

        found = sorted(guide.keys() | mistakes.keys() | confusions.keys() | siblings, key=rank)
        return tuple(RankedLookAlike(other, reason(other)) for other in found[:count])


def _by_class(pairs: Mapping[ClassPair, int], taxonomy: Taxonomy) -> dict[str, dict[str, int]]:
    """Return the partners of each class, with counts summed over both orders of a pair."""
    partners: dict[str, dict[str, int]] = {}
    for (one, other), count in pairs.items():
        known = taxonomy.is_class(one) and taxonomy.is_class(other)
        if known and one != other and count > 0:
            for wnid, partner in ((one, other), (other, one)):
                counts = partners.setdefault(wnid, {})
                counts[partner] = counts.get(partner, 0) + count
    return partners
