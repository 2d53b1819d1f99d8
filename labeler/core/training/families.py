"""The families for reporting progress: superclasses, saved families and small subtrees."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from labeler.core.classes.groups import ClassGroups
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource

# Two or three classes are better covered by confused pairs; more than this is no family.
MIN_CLASSES, MAX_CLASSES = 4, 30
_NEARLY_ALL = 0.75
_SUBTREE, _SAVED = "subtree:", "family:"


@dataclass(frozen=True, slots=True)
class ProgressFamily:
    """A named set of classes by wnid; `key` is the key of the group, as in groups.toml.

    `broad` families are the superclasses, which partition all classes; `saved` families were named
    by people to train on.
    """

    key: str
    title: str
    wnids: tuple[str, ...]
    broad: bool = False
    saved: bool = False

    @property
    def request(self) -> TrainingRequest:
        """The request for a training on the family; for a broad family, on its classes."""
        if self.saved:
            return TrainingRequest(TrainingSource.FAMILY, (self.title,))
        if self.key.startswith(_SUBTREE):
            return TrainingRequest(TrainingSource.SUBTREES, (self.key.removeprefix(_SUBTREE),))
        return TrainingRequest(TrainingSource.SUBTREES, self.wnids)


def progress_families(
    groups: ClassGroups, offered: Collection[str], saved: Iterable[SavedFamily] = ()
) -> tuple[ProgressFamily, ...]:
    """Return the families with classes in training: broad ones, saved ones, subtrees by name."""
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
    """Return whether the subtree is almost a whole broad family, and so adds no information."""
    own = set(family.wnids).intersection(offered)
    broad_classes = (set(whole.wnids).intersection(offered) for whole in broad)
    return any(len(own & whole) > _NEARLY_ALL * len(whole) for whole in broad_classes)


def family_subtrees(taxonomy: Taxonomy, offered: Collection[str]) -> tuple[ProgressFamily, ...]:
    """Return, for each class, the smallest subtree around it with a few classes in training."""
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
