"""Families: five to twelve groups of related classes in each superclass, for maps and lists.

The rule: starting from the whole superclass, the largest group is divided into its larger branches
and what is left over of it, until there are five groups or more and none is large, or twelve.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from labeler.core.classes.branches import Branch, CanonicalBranches

MIN_FAMILIES, MAX_FAMILIES = 5, 12
# A group of this part of its superclass, or of this many classes, isn't divided without need.
_SMALL_PART, _SMALL = 1 / 4, 12
# A branch becomes a family if it has this part of its superclass, and no fewer classes than this.
_SMALLEST_PART, _FEWEST_CLASSES = 1 / 30, 3
_REST = ":other"


@dataclass(frozen=True, slots=True)
class Family:
    """Related classes of a superclass; `key` is its branch's, with a suffix for a rest of it."""

    key: str
    name: str
    wnids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuperclassFamilies:
    """A superclass and its families in order; together they have each of its classes once."""

    key: str
    name: str
    families: tuple[Family, ...]

    @property
    def wnids(self) -> tuple[str, ...]:
        return tuple(wnid for family in self.families for wnid in family.wnids)


def class_families(branches: CanonicalBranches) -> tuple[SuperclassFamilies, ...]:
    """Return the families of every superclass, always in the same order."""
    return tuple(
        SuperclassFamilies(top.key, branches.labels[top.key], tuple(_families(branches, top)))
        for top in branches.superclasses
    )


def _families(branches: CanonicalBranches, top: Branch) -> Iterator[Family]:
    groups = _divided(top)
    for group in sorted(groups, key=lambda group: _position(group, top)):
        yield _family(branches, group, top)


@dataclass(slots=True, eq=False)
class _Group:
    """A branch without the branches that were taken out of it."""

    branch: Branch
    above: "_Group | None"
    left: set[str]
    given_up: set[str]

    def largest_branch(self, fewest: int) -> Branch | None:
        """Return the largest child that can become a family, the first of equals."""
        children = [
            child
            for child in self.branch.children
            if child.key not in self.given_up and len(child.classes) >= fewest and child.children
        ]
        return max(children, key=lambda child: len(child.classes), default=None)


def _divided(top: Branch) -> list[_Group]:
    count = len(top.classes)
    fewest = max(_FEWEST_CLASSES, round(count * _SMALLEST_PART))
    groups = [_Group(top, None, set(top.classes), set())]
    while len(groups) < MAX_FAMILIES:
        large = sorted(groups, key=lambda group: -len(group.left))
        group = next((group for group in large if group.largest_branch(fewest)), None)
        if group is None or (len(groups) >= MIN_FAMILIES and _is_small(group, count)):
            break
        _divide(groups, group, fewest)
    return _without_scraps(groups, fewest)


def _is_small(group: _Group, count: int) -> bool:
    return len(group.left) <= max(count * _SMALL_PART, _SMALL)


def _divide(groups: list[_Group], group: _Group, fewest: int) -> None:
    """Make families of the group's branches, the largest first, as long as there may be more."""
    while (branch := group.largest_branch(fewest)) and len(groups) < MAX_FAMILIES:
        group.given_up.add(branch.key)
        group.left.difference_update(branch.classes)
        groups.append(_Group(branch, group, set(branch.classes), set()))
        if not group.left:
            groups.remove(group)


def _without_scraps(groups: list[_Group], fewest: int) -> list[_Group]:
    """Give what is left over of a branch to the branch above, if it is too small for a family."""
    # A branch comes after the one above it, so that the deepest are first here.
    for group in reversed(groups.copy()):
        if group.above is not None and group.given_up and len(group.left) < fewest:
            group.above.left |= group.left
            groups.remove(group)
            if group.above not in groups:
                groups.insert(0, group.above)
    return groups


def _position(group: _Group, top: Branch) -> tuple[bool, int]:
    """Order families by their place in the tree, and what is left over of the superclass last."""
    return group.branch is top, min(map(top.classes.index, group.left))


def _family(branches: CanonicalBranches, group: _Group, top: Branch) -> Family:
    wnids = tuple(wnid for wnid in top.classes if wnid in group.left)
    label = branches.labels[group.branch.key]
    if len(wnids) == len(group.branch.classes):
        return Family(group.branch.key, label, wnids)
    examples = [branches.labels[wnid] for wnid in wnids[:2]]
    name = _name_of_rest(label, examples, is_top=group.branch is top)
    return Family(f"{group.branch.key}{_REST}", name, wnids)


def _name_of_rest(label: str, examples: list[str], *, is_top: bool) -> str:
    """Return a name for what is left over; after a list of names, "other" would be unclear."""
    if "," in label:
        return "other" if is_top else ", ".join(examples)
    lowered = label[:1].lower() + label[1:]
    return lowered if lowered.startswith("other") else f"other {lowered}"
