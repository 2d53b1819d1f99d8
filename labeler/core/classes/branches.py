"""The canonical branches: every class has one place, through its superclass by the shortest path.

The taxonomy is a graph in which a class may have several parents. People need one place for each
class, so that branches can be counted, browsed and drawn.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from labeler.core.classes.branch_names import branch_name, unique_labels
from labeler.core.classes.groups import ClassGroup, ClassGroups
from labeler.core.classes.taxonomy import Taxonomy

# A branch with more of its superclass than this says nothing new, and is replaced by its children.
_NEARLY_ALL = 0.65
# With fewer superclasses than this, the shipped ones don't describe the taxonomy.
_MIN_SUPERCLASSES = 3
OTHER_CLASSES = "Other classes"
_OTHER_KEY = "superclass:other"
_BRANCH_KEY = "branch:"


class Branch(NamedTuple):
    """A superclass, a node or a class, with what is below it.

    `key` is a wnid or the key of a group. `folded` are the nodes above that have no other child.
    `classes` are all classes of the branch, in the order in which the tree shows them.
    """

    key: str
    folded: tuple[str, ...]
    children: tuple["Branch", ...]
    classes: tuple[str, ...]
    is_class: bool


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalBranches:
    """The superclasses with their branches, and a unique label for each branch and class."""

    taxonomy: Taxonomy
    superclasses: tuple[Branch, ...]
    labels: Mapping[str, str]

    def walk(self) -> Iterator[Branch]:
        """Yield every branch and class, parents first."""
        pending = list(reversed(self.superclasses))
        while pending:
            branch = pending.pop()
            yield branch
            pending.extend(reversed(branch.children))


def canonical_branches(groups: ClassGroups) -> CanonicalBranches:
    """Return the branches of every class, from the superclasses of the groups."""
    taxonomy = groups.taxonomy
    superclasses = tuple(_superclasses(groups))
    tops = tuple(_top_branch(taxonomy, group) for group in superclasses)
    found = CanonicalBranches(taxonomy, tops, {})
    titles = {group.key: group.title for group in superclasses}
    return CanonicalBranches(taxonomy, tops, _labels(found, titles))


def _superclasses(groups: ClassGroups) -> Iterator[ClassGroup]:
    """Yield non-empty superclasses that share no class and together have all classes."""
    found = [group for group in groups.superclasses.values() if group.wnids]
    if len(found) < min(_MIN_SUPERCLASSES, len(groups.superclasses)):
        found = _own_superclasses(groups.taxonomy)
    taken: set[str] = set()
    for group in found:
        wnids = tuple(wnid for wnid in group.wnids if wnid not in taken)
        taken.update(wnids)
        if wnids:
            yield ClassGroup(group.key, group.title, wnids, group.nodes)
    missing = tuple(wnid for wnid in groups.taxonomy.class_wnids if wnid not in taken)
    if missing:
        yield ClassGroup(_OTHER_KEY, OTHER_CLASSES, missing)


def _own_superclasses(taxonomy: Taxonomy) -> list[ClassGroup]:
    """Return the topmost branches of a taxonomy that the shipped superclasses don't describe."""
    whole = _top_branch(taxonomy, ClassGroup(_OTHER_KEY, "", taxonomy.class_wnids))
    own = [child for child in whole.children if child.children]
    return [
        ClassGroup(
            f"{_BRANCH_KEY}{child.key}", _capitalised(taxonomy, child), child.classes, (child.key,)
        )
        for child in own
    ]


def _capitalised(taxonomy: Taxonomy, branch: Branch) -> str:
    name = branch_name(taxonomy, branch.key)
    return name[:1].upper() + name[1:]


def _top_branch(taxonomy: Taxonomy, group: ClassGroup) -> Branch:
    below = _canonical_children(taxonomy, group)
    branches = [_branch(taxonomy, below, wnid) for wnid in below[group.key]]
    return _made(group.key, (), _without_large(branches, len(group.wnids)), is_class=False)


def _canonical_children(taxonomy: Taxonomy, group: ClassGroup) -> dict[str, list[str]]:
    """Return the children of each node on the shortest path from the group to one of its classes.

    The paths start at the group's nodes; classes below none of them are found from the roots.
    """
    inside = {ancestor for wnid in group.wnids for ancestor in taxonomy.heights(wnid)}
    parents: dict[str, str] = {}
    for start in (group.nodes, taxonomy.roots):
        _spread(taxonomy, start, inside, parents, top=group.key)
    used: dict[str, list[str]] = {group.key: []}
    placed: set[str] = set()
    for wnid in group.wnids:
        node = wnid
        while node != group.key and node not in placed:
            placed.add(node)
            used.setdefault(parents[node], []).append(node)
            node = parents[node]
    return used


def _spread(
    taxonomy: Taxonomy,
    start: Iterable[str],
    inside: set[str],
    parents: dict[str, str],
    *,
    top: str,
) -> None:
    """Give each node that isn't reached yet its parent on the shortest path, breadth first."""
    fresh = [wnid for wnid in dict.fromkeys(start) if wnid in inside and wnid not in parents]
    parents.update(dict.fromkeys(fresh, top))
    queue = deque(fresh)
    while queue:
        wnid = queue.popleft()
        for child in taxonomy[wnid].children:
            if child in inside and child not in parents:
                parents[child] = wnid
                queue.append(child)


def _branch(taxonomy: Taxonomy, below: Mapping[str, Sequence[str]], wnid: str) -> Branch:
    """Return the branch of a node; a chain of only children is one branch."""
    folded: list[str] = []
    while len(below.get(wnid, ())) == 1 and not taxonomy.is_class(wnid):
        folded.append(wnid)
        wnid = below[wnid][0]
    children = [_branch(taxonomy, below, child) for child in below.get(wnid, ())]
    return _made(wnid, tuple(folded), children, is_class=taxonomy.is_class(wnid))


def _without_large(branches: Sequence[Branch], count: int) -> list[Branch]:
    """Replace branches with nearly all classes of the superclass by their children."""
    found: list[Branch] = []
    for branch in branches:
        large = len(branch.classes) > _NEARLY_ALL * count and not branch.is_class
        found += _without_large(branch.children, count) if large else [branch]
    return found


def _made(
    key: str, folded: tuple[str, ...], children: Sequence[Branch], *, is_class: bool
) -> Branch:
    """Return a branch with its large children first and its single classes last."""
    ordered = tuple(sorted(children, key=lambda child: (not child.children, -len(child.classes))))
    own = (key,) if is_class else ()
    classes = (*own, *(wnid for child in ordered for wnid in child.classes))
    return Branch(key, folded, ordered, classes, is_class)


def _labels(found: CanonicalBranches, titles: Mapping[str, str]) -> Mapping[str, str]:
    branches = [branch for branch in found.walk() if branch.key not in titles]
    return unique_labels(
        found.taxonomy,
        titles=titles,
        branches={b.key: tuple(c.key for c in b.children) for b in branches if not b.is_class},
    )
