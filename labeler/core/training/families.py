"""The families for reporting progress: superclasses, saved families and small subtrees."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from labeler.core.classes.branches import Branch, CanonicalBranches, canonical_branches
from labeler.core.classes.families import class_families
from labeler.core.classes.groups import ClassGroups
from labeler.core.training.request import SavedFamily, TrainingRequest, TrainingSource

# Two or three classes are better covered by confused pairs; more than this is no family.
MIN_CLASSES, MAX_CLASSES = 4, 30
# A branch of this many classes is named when it has all mistakes of a larger one.
FEWEST_EXPLAINING = 3
_NEARLY_ALL = 0.75
_SUBTREE, _SAVED, _MAPPED = "subtree:", "family:", "map:"


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
        """The request for a training on the family's classes.

        They are named one by one, because the node of a branch can have classes of other branches.
        """
        if self.saved:
            return TrainingRequest(TrainingSource.FAMILY, (self.title,))
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
    narrow = family_subtrees(groups, offered)
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


def family_subtrees(groups: ClassGroups, offered: Collection[str]) -> tuple[ProgressFamily, ...]:
    """Return, for each class, the smallest branch around it with a few classes in training."""
    branches = canonical_branches(groups)
    smallest: dict[str, Branch] = {}
    for branch in _candidates(branches, frozenset(offered), fewest=MIN_CLASSES):
        # Parents come before their children, which are smaller.
        smallest |= dict.fromkeys(branch.classes, branch)
    found = {smallest[wnid].key: smallest[wnid] for wnid in offered if wnid in smallest}
    families = (_family(branches, branch) for branch in found.values())
    return tuple(sorted(families, key=lambda family: (family.title.casefold(), family.key)))


def families_by_superclass(
    groups: ClassGroups, offered: Collection[str]
) -> tuple[tuple[str, tuple[ProgressFamily, ...]], ...]:
    """Return the families of the class map with their classes in training, by superclass."""
    found = []
    for superclass in class_families(canonical_branches(groups)):
        inside = [
            (family, tuple(wnid for wnid in family.wnids if wnid in offered))
            for family in superclass.families
        ]
        families = tuple(
            ProgressFamily(f"{_MAPPED}{family.key}", family.name, wnids)
            for family, wnids in inside
            if wnids
        )
        if families:
            found.append((superclass.name, families))
    return tuple(found)


def explaining_families(
    groups: ClassGroups, offered: Collection[str]
) -> tuple[ProgressFamily, ...]:
    """Return every branch that can explain mistakes, the larger before those inside it."""
    branches = canonical_branches(groups)
    found = _candidates(branches, frozenset(offered), fewest=FEWEST_EXPLAINING)
    return tuple(_family(branches, branch) for branch in found)


def _family(branches: CanonicalBranches, branch: Branch) -> ProgressFamily:
    title = branches.labels[branch.key]
    return ProgressFamily(f"{_SUBTREE}{branch.key}", title, branch.classes)


def _candidates(
    branches: CanonicalBranches, offered: frozenset[str], *, fewest: int
) -> Iterator[Branch]:
    tops = {branch.key for branch in branches.superclasses}
    for branch in branches.walk():
        inside = len(offered.intersection(branch.classes))
        if branch.key not in tops and fewest <= inside <= MAX_CLASSES:
            yield branch
