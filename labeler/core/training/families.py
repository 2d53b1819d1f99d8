"""The families by which progress is reported: the superclasses, and the smallest telling
subtrees."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from labeler.core.classes.groups import ClassGroups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource

# Fewer classes are a pair or a trio, which the confused pairs tell better; more are no family.
MIN_CLASSES, MAX_CLASSES = 4, 30
_NEARLY_ALL = 0.75
_SUBTREE, _SAVED = "subtree:", "family:"


@dataclass(frozen=True, slots=True)
class ProgressFamily:
    """A named set of classes by wnid; `key` is what a group is called, as in groups.toml.

    `broad` families are the superclasses, which divide all classes between them; `saved` ones
    are those that people train on by name.
    """

    key: str
    title: str
    wnids: tuple[str, ...]
    broad: bool = False
    saved: bool = False

    @property
    def request(self) -> TrainingRequest:
        """What a labeler asks for who wants to train on the family; a broad one, by its classes."""
        if self.saved:
            return TrainingRequest(TrainingSource.FAMILY, (self.title,))
        if self.key.startswith(_SUBTREE):
            return TrainingRequest(TrainingSource.SUBTREES, (self.key.removeprefix(_SUBTREE),))
        return TrainingRequest(TrainingSource.SUBTREES, self.wnids)


def progress_families(
    groups: ClassGroups, offered: Collection[str], saved: Iterable[SavedFamily] = ()
) -> tuple[ProgressFamily, ...]:
    """Those of which training offers a class: broad ones, saved ones, then subtrees by name."""
    broad = tuple(
        ProgressFamily(group.key, group.title, group.wnids, broad=True)
        for group in groups.superclasses.values()
        if not set(group.wnids).isdisjoint(offered)
    )
    narrow = family_subtrees(groups.taxonomy, offered)
    own = tuple(
        ProgressFamily(f"{_SAVED}{family.name}", family.name, family.wnids, saved=True)
        for family in saved
        if not set(family.wnids).isdisjoint(offered)
    )
    return (
        *broad,
        *own,
        *(family for family in narrow if not _is_nearly_broad(family, broad, offered)),
    )


def _is_nearly_broad(
    family: ProgressFamily, broad: Collection[ProgressFamily], offered: Collection[str]
) -> bool:
    """Whether the subtree is nearly all of a broad family, and so says nothing more."""
    own = set(family.wnids).intersection(offered)
    wholes = (set(whole.wnids).intersection(offered) for whole in broad)
    return any(len(own & whole) > _NEARLY_ALL * len(whole) for whole in wholes)


def family_subtrees(taxonomy: Taxonomy, offered: Collection[str]) -> tuple[ProgressFamily, ...]:
    """For each class the smallest subtree around it that holds a few offered classes."""
    nodes = {_smallest_family(taxonomy, wnid, frozenset(offered)) for wnid in offered}
    found = [_family(taxonomy, wnid) for wnid in nodes if wnid is not None]
    return tuple(sorted(found, key=lambda family: (family.title.casefold(), family.key)))


def _smallest_family(taxonomy: Taxonomy, wnid: str, offered: frozenset[str]) -> str | None:
    heights = taxonomy.heights(wnid)
    sizes = {node: len(offered.intersection(taxonomy.classes_under(node))) for node in heights}
    candidates = [node for node in heights if MIN_CLASSES <= sizes[node] <= MAX_CLASSES]
    return min(candidates, key=lambda node: (sizes[node], heights[node], node), default=None)


def _family(taxonomy: Taxonomy, wnid: str) -> ProgressFamily:
    return ProgressFamily(f"{_SUBTREE}{wnid}", taxonomy[wnid].name, taxonomy.classes_under(wnid))
