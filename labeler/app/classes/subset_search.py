"""Finding a part of the taxonomy by name: any class, and any node above one."""

from dataclasses import dataclass
from functools import cached_property

from labeler.app.classes.node_search import NamedNode, NodeNames
from labeler.core.classes.taxonomy import Taxonomy

_FOUND = 40


@dataclass(frozen=True, slots=True)
class FoundSubtree:
    """A node with its name, how many classes it holds, and what lies above it."""

    key: str
    name: str
    classes: int
    path: str


class SubtreeSearch:
    """Knows every node by its names; where nothing is typed, it offers the widest."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._names = NodeNames(taxonomy, taxonomy.class_wnids)

    def find(self, typed: str) -> tuple[FoundSubtree, ...]:
        """What the typed words may mean, the likeliest first; a wnid means its node."""
        wanted = typed.strip().removeprefix("subtree:")
        if wanted in self._taxonomy:
            return (self._part(self._names.named(wanted)),)
        if not wanted:
            return self._widest
        return tuple(map(self._part, self._names.candidates(typed, limit=_FOUND)))

    @cached_property
    def _widest(self) -> tuple[FoundSubtree, ...]:
        inner = [w for w in self._taxonomy.nodes if not self._taxonomy.is_class(w)]
        named = sorted(map(self._names.named, inner), key=lambda node: -node.classes)
        return tuple(map(self._part, named[:_FOUND]))

    def _part(self, node: NamedNode) -> FoundSubtree:
        above = self._taxonomy.paths(node.wnid)[0][:-1]
        path = " › ".join(self._taxonomy[wnid].name for wnid in above[-3:])
        return FoundSubtree(f"subtree:{node.wnid}", node.name, node.classes, path)
