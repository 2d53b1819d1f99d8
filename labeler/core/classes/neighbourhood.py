"""The neighbourhood of a class: its siblings, its look-alikes and its cousins."""

from dataclasses import dataclass
from itertools import islice

from labeler.core.classes.look_alike_ranking import LookAlikeRanking, RankReason
from labeler.core.classes.taxonomy import Taxonomy

MAX_LOOK_ALIKES = 12
MAX_COUSINS = 24


@dataclass(frozen=True, slots=True)
class ClassNeighbourhood:
    """A class and the classes around it; no cousin is in one of the other lists."""

    centre: str
    siblings: tuple[str, ...]
    look_alikes: tuple[str, ...]
    cousins: tuple[str, ...]


def class_neighbourhood(
    wnid: str, *, taxonomy: Taxonomy, ranking: LookAlikeRanking
) -> ClassNeighbourhood:
    """Return the classes around a class; siblings are look-alikes only for another reason."""
    siblings = class_siblings(wnid, taxonomy)
    ranked = ranking.of(wnid, count=MAX_LOOK_ALIKES)
    alike = tuple(each.wnid for each in ranked if each.reason is not RankReason.SIBLING)
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


def _cousins(wnid: str, taxonomy: Taxonomy) -> list[str]:
    """Return the classes under a grandparent, nearest first; ties keep class order."""
    grandparents = {above for p in taxonomy[wnid].parents for above in taxonomy[p].parents}
    under = {other for above in grandparents for other in taxonomy.classes_under(above)} - {wnid}
    distances = taxonomy.class_distances(wnid)
    return sorted(under, key=lambda other: (distances[other], taxonomy.index_of(other)))
