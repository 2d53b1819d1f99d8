"""Near-duplicate sets: connected components, who survives, and how a large set can be split."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from labeler.core.curation.entities import Candidate, PairVerdict
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair
from labeler.core.study.entities import ImageKey

LARGE_SET = 10
_GOOD, _FAIR = Fraction(7, 10), Fraction(6, 10)


class UnionFind:
    """Joins images into sets; each set is represented by its smallest image."""

    def __init__(self) -> None:
        self._parent: dict[ImageKey, ImageKey] = {}
        self._size: dict[ImageKey, int] = {}

    def find(self, image: ImageKey) -> ImageKey:
        self._size.setdefault(image, 1)
        root = image
        while (parent := self._parent.get(root, root)) != root:
            root = parent
        while (parent := self._parent.get(image, image)) != root:
            self._parent[image] = root
            image = parent
        return root

    def join(self, pair: ImagePair) -> None:
        one, other = self.find(pair.first), self.find(pair.second)
        if one != other:
            root, child = min(one, other), max(one, other)
            self._parent[child] = root
            self._size[root] += self._size[child]

    def joined_size(self, pair: ImagePair) -> int:
        """Return how large the set of the pair would be."""
        one, other = self.find(pair.first), self.find(pair.second)
        return self._size[one] if one == other else self._size[one] + self._size[other]

    def sets(self) -> list[tuple[ImageKey, ...]]:
        """Return the sets of two or more images, each sorted, in the order of their first."""
        members: dict[ImageKey, list[ImageKey]] = defaultdict(list)
        for image in self._size:
            members[self.find(image)].append(image)
        return sorted(tuple(sorted(found)) for found in members.values() if len(found) > 1)


def duplicate_sets(pairs: Iterable[ImagePair]) -> list[tuple[ImageKey, ...]]:
    """Return the connected components of duplicate pairs."""
    joined = UnionFind()
    for pair in pairs:
        joined.join(pair)
    return joined.sets()


def duplicate_pairs(verdicts: Mapping[ImagePair, JudgedPair]) -> list[ImagePair]:
    """Return the pairs whose verdict joins them."""
    return sorted(p for p, judged in verdicts.items() if judged.verdict is PairVerdict.DUPLICATE)


def losing_candidates(
    sets: Iterable[Collection[ImageKey]],
    candidates: Mapping[ImageKey, Candidate],
    *,
    chosen: Collection[ImageKey] = (),
) -> frozenset[ImageKey]:
    """Return the candidates that lose their place; an image that is no candidate is protected.

    A set that touches a protected image loses every candidate. Of any other set one survives.
    """
    good = good_candidates(candidates.values())
    losing: set[ImageKey] = set()
    for members in sets:
        pool = [candidates[image] for image in members if image in candidates]
        losing.update(candidate.image for candidate in pool)
        if pool and len(pool) == len(members):
            losing.discard(survivor(pool, good=good, chosen=chosen))
    return frozenset(losing)


def good_candidates(candidates: Iterable[Candidate]) -> dict[str, int]:
    """Return how many candidates of each class were selected by at least 7 of 10 annotators."""
    counts: dict[str, int] = defaultdict(int)
    for candidate in candidates:
        counts[candidate.label] += frequency(candidate) >= _GOOD
    return dict(counts)


def frequency(candidate: Candidate) -> Fraction:
    """Return the selection frequency; a rejected candidate scores 0."""
    return Fraction(0) if candidate.rejected else candidate.value


def survivor(
    members: Collection[Candidate],
    *,
    good: Mapping[str, int],
    chosen: Collection[ImageKey] = (),
) -> ImageKey:
    """Return the member that stays: the lead's choice unless it is rejected, or by the rule.

    The rule: of the classes whose best member has a frequency of at least 0.7 (or else 0.6, or
    else the highest), the class with the fewest good candidates, and its most frequent member.
    """
    preferred = [c.image for c in members if c.image in chosen and not c.rejected]
    if preferred:
        return max(preferred)
    best: dict[str, Fraction] = {}
    for candidate in members:
        score = frequency(candidate)
        best[candidate.label] = max(best.get(candidate.label, score), score)
    least = _threshold(best.values())
    wnid = min(
        (wnid for wnid, score in best.items() if score >= least),
        key=lambda wnid: (good.get(wnid, 0), wnid),
    )
    of_class = [candidate for candidate in members if candidate.label == wnid]
    return max(of_class, key=lambda candidate: (frequency(candidate), candidate.image)).image


def _threshold(best: Collection[Fraction]) -> Fraction:
    highest = max(best)
    return next((least for least in (_GOOD, _FAIR) if highest >= least), highest)


@dataclass(frozen=True, slots=True)
class SetSplit:
    """How a large set could be split: the parts, and the duplicate pairs between them."""

    parts: tuple[tuple[ImageKey, ...], ...]
    cut: tuple[ImagePair, ...]


def suggest_split(
    members: Collection[ImageKey],
    distances: Mapping[ImagePair, float],
    *,
    largest: int = LARGE_SET,
) -> SetSplit:
    """Suggest parts of at most `largest` images that keep the nearest pairs together.

    Pairs are joined from the smallest distance on, unless that would make a part too large.
    """
    inside = set(members)
    pairs = [p for p in distances if p.first in inside and p.second in inside]
    joined = UnionFind()
    for pair in sorted(pairs, key=lambda pair: (distances[pair], pair)):
        if joined.joined_size(pair) <= largest:
            joined.join(pair)
    cut = tuple(sorted(p for p in pairs if joined.find(p.first) != joined.find(p.second)))
    parts: dict[ImageKey, list[ImageKey]] = defaultdict(list)
    for image in sorted(inside):
        parts[joined.find(image)].append(image)
    return SetSplit(tuple(sorted(tuple(part) for part in parts.values())), cut)
