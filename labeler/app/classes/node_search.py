"""Finding classes and branches of the taxonomy by name, for training."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy

NAME_SEPARATOR = ","
MAX_CANDIDATES = 6
_BRANCHES_FIRST = 2


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A class or a branch, with the number of its classes to train on."""

    wnid: str
    name: str
    classes: int


class NodeNames:
    """Names every class and branch that training offers, and finds them by name."""

    def __init__(self, taxonomy: Taxonomy, offered: Collection[str]) -> None:
        self._taxonomy = taxonomy
        self._offered = set(offered)

    def candidates(self, typed: str, limit: int = MAX_CANDIDATES) -> tuple[NamedNode, ...]:
        """Return what the typed name may mean, the likeliest first."""
        wanted = _folded(typed)
        if not wanted:
            return ()
        branches = self._branches(wanted)
        ranked = [
            *self._exact(wanted),
            *branches[:_BRANCHES_FIRST],
            *self._classes(typed),
            *branches,
        ]
        return tuple(self.named(wnid) for wnid in list(dict.fromkeys(ranked))[:limit])

    def meant(self, text: str) -> tuple[tuple[str, NamedNode | None], ...]:
        """Return the comma-separated names, each with its node, or None if it has no match."""
        parts = (part.strip() for part in text.split(NAME_SEPARATOR))
        return tuple(
            (part, next(iter(self.candidates(part, limit=1)), None)) for part in parts if part
        )

    def exactly(self, name: str) -> str | None:
        """Return the class or branch with exactly this name, the likeliest if there are several."""
        return next(iter(self._exact(_folded(name))), None)

    def named(self, wnid: str) -> NamedNode:
        return NamedNode(wnid, self._names[wnid], len(self._under(wnid)))

    @cached_property
    def _search(self) -> ClassSearch:
        return ClassSearch(self._taxonomy)

    @cached_property
    def _names(self) -> dict[str, str]:
        """A name for each node; branches with the same name get their parent's in brackets."""
        names = dict(self._taxonomy.display_names)
        taken = {_folded(name) for name in names.values()}
        for wnid, node in self._taxonomy.nodes.items():
            if wnid not in names:
                above = node.parents[0] if node.parents else None
                is_taken = _folded(node.name) in taken and above is not None
                suffix = f" ({self._taxonomy[above].name})" if is_taken and above else ""
                names[wnid] = f"{node.name}{suffix}"
                taken.add(_folded(names[wnid]))
        return names

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        by_name: dict[str, list[str]] = {}
        for wnid, node in self._taxonomy.nodes.items():
            if self._under(wnid):
                # The displayed name comes first.
                for name in dict.fromkeys((self._names[wnid], *node.lemmas)):
                    by_name.setdefault(_folded(name), []).append(wnid)
        return by_name

    def _exact(self, wanted: str) -> list[str]:
        found = self._by_name.get(wanted, [])
        shown_first = [_folded(self._names[wnid]) != wanted for wnid in found]
        ranked = sorted(zip(shown_first, (-len(self._under(w)) for w in found), found, strict=True))
        return [wnid for _shown, _size, wnid in ranked]

    def _classes(self, typed: str) -> Iterator[str]:
        hits = self._search.search(typed, limit=MAX_CANDIDATES * 4)
        return (hit.wnid for hit in hits if hit.wnid in self._offered)

    def _branches(self, wanted: str) -> list[str]:
        names = sorted((name for name in self._by_name if name.startswith(wanted)), key=len)
        nodes = [wnid for name in names for wnid in self._by_name[name]]
        shown = [w for w in nodes if _folded(self._names[w]).startswith(wanted)]
        return [wnid for wnid in shown if not self._taxonomy.is_class(wnid)]

    def _under(self, wnid: str) -> list[str]:
        return [each for each in self._taxonomy.classes_under(wnid) if each in self._offered]


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


_FOUND = 40


@dataclass(frozen=True, slots=True)
class FoundSubtree:
    """A node with its name, the number of its classes, and its path."""

    key: str
    name: str
    classes: int
    path: str


class SubtreeSearch:
    """Finds nodes by name; an empty query finds the largest."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._names = NodeNames(taxonomy, taxonomy.class_wnids)

    def find(self, typed: str) -> tuple[FoundSubtree, ...]:
        """Return what the typed words may mean, the likeliest first; a wnid finds its node."""
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
