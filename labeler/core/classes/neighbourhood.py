"""The neighbourhood of a class: its siblings, its look-alikes and its cousins."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from labeler.core.classes.look_alikes import LookAlikeReason, find_look_alikes
from labeler.core.classes.taxonomy import Taxonomy

MAX_LOOK_ALIKES = 12
MAX_COUSINS = 24
# Classes of a larger branch have little visible in common: a tabby is no more like a Newfoundland
# because both are domestic animals.
_FAMILY = 25


@dataclass(frozen=True, slots=True)
class ClassNeighbourhood:
    """A class and the classes around it; no cousin is in one of the other lists."""

    centre: str
    siblings: tuple[str, ...]
    look_alikes: tuple[str, ...]
    cousins: tuple[str, ...]


def class_neighbourhood(
    wnid: str, *, taxonomy: Taxonomy, guide_pairs: Collection[tuple[str, str]]
) -> ClassNeighbourhood:
    """Return the classes around a class, as a labeler may see them."""
    siblings = class_siblings(wnid, taxonomy)
    alike = strongest_look_alikes(wnid, taxonomy=taxonomy, guide_pairs=guide_pairs)
    nearer = {wnid, *siblings, *alike}
    return ClassNeighbourhood(
        centre=wnid,
        siblings=siblings,
        look_alikes=alike,
        cousins=tuple(
            islice((c for c in _cousins(wnid, taxonomy) if c not in nearer), MAX_COUSINS)
        ),
    )


def class_siblings(wnid: str, taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the siblings that are classes themselves."""
    return tuple(filter(taxonomy.is_class, taxonomy.siblings(wnid)))


def strongest_look_alikes(
    wnid: str, *, taxonomy: Taxonomy, guide_pairs: Collection[tuple[str, str]]
) -> tuple[str, ...]:
    """Return the strongest look-alikes: pairs of the guide, and relatives other than siblings."""
    siblings = taxonomy.siblings(wnid)
    family = _family(wnid, taxonomy).difference(siblings)
    found = find_look_alikes(
        wnid,
        taxonomy=taxonomy,
        guide_pairs=guide_pairs,
        confusions={},  # a model's opinion must not reach a labeler
        count=MAX_LOOK_ALIKES + len(siblings),
    )
    relevant = (f for f in found if f.wnid in family or LookAlikeReason.GUIDE in f.reasons)
    return tuple(f.wnid for f in islice(relevant, MAX_LOOK_ALIKES))


def _family(wnid: str, taxonomy: Taxonomy) -> set[str]:
    """Return the classes of the small branches that contain the class."""
    above = {node for path in taxonomy.paths(wnid) for node in path if node != wnid}
    branches = (taxonomy.classes_under(node) for node in above)
    return {other for branch in branches if len(branch) <= _FAMILY for other in branch}


def _cousins(wnid: str, taxonomy: Taxonomy) -> list[str]:
    """Return the classes under a grandparent, nearest first; ties keep class order."""
    grandparents = {above for p in taxonomy[wnid].parents for above in taxonomy[p].parents}
    under = {other for above in grandparents for other in taxonomy.classes_under(above)} - {wnid}
    distances = taxonomy.class_distances(wnid)
    return sorted(under, key=lambda other: (distances[other], taxonomy.index_of(other)))
