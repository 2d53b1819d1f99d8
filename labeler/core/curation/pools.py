"""Candidate pools: which found images become candidates, and what each class still needs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from labeler.core.curation.entities import Candidate
from labeler.core.study.entities import ImageKey


class CandidateFilter:
    """Lets each image into a pool once per class, by its source id and its content.

    The same image in several classes is a candidate of each of them.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[str, str, str | bytes]] = set()

    def is_new(
        self, *, label: str, source: str, source_id: str, content_hash: bytes | None
    ) -> bool:
        """Return whether the class has no such image yet, and remember it."""
        keys: list[tuple[str, str, str | bytes]] = []
        if source_id:
            keys.append((label, source, source_id))
        if content_hash is not None:
            keys.append((label, "", content_hash))
        known = any(key in self._seen for key in keys)
        self._seen.update(keys)
        return not known


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceIdentity:
    """What tells that two candidates are the same image."""

    image: ImageKey
    label: str
    source: str = ""
    source_id: str = ""
    content_hash: bytes | None = None


def source_pairs(identities: Iterable[SourceIdentity]) -> list[tuple[ImageKey, ImageKey]]:
    """Return the pairs of candidates of different classes with one source id or content."""
    groups: dict[tuple[str, str | bytes], list[SourceIdentity]] = defaultdict(list)
    for each in identities:
        if each.source_id:
            groups[each.source, each.source_id].append(each)
        if each.content_hash is not None:
            groups["", each.content_hash].append(each)
    pairs = {
        (min(one.image, other.image), max(one.image, other.image))
        for group in groups.values()
        for one, other in combinations(group, 2)
        if one.label != other.label
    }
    return sorted(pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolClass:
    """How far the candidates of one class are; `missing` more eligible ones are needed."""

    label: str
    candidates: int
    rejected: int
    annotated: int
    eligible: int
    missing: int


def pool_classes(
    candidates: Iterable[Candidate],
    eligible: Collection[ImageKey],
    *,
    per_class: int,
    min_shown: int,
) -> tuple[PoolClass, ...]:
    """Count the candidates of each class, in wnid order."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in candidates:
        count = counts[each.label]
        count["candidates"] += 1
        count["rejected"] += each.rejected is not None
        count["annotated"] += each.shown >= min_shown
        count["eligible"] += each.image in eligible
    return tuple(_pool_class(label, counts[label], per_class) for label in sorted(counts))


def _pool_class(label: str, count: Mapping[str, int], per_class: int) -> PoolClass:
    return PoolClass(
        label=label,
        candidates=count["candidates"],
        rejected=count["rejected"],
        annotated=count["annotated"],
        eligible=count["eligible"],
        missing=max(0, per_class - count["eligible"]),
    )
