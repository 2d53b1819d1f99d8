"""The frozen taxonomy: the classes and the WordNet nodes above them, as an immutable graph."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from labeler.core.errors import InputError, RefusedError
from labeler.locations import RESOURCES


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Names by wnid, in their order, with the language they are in."""

    language: str
    names: Mapping[str, tuple[str, ...]]


def merge_by_language(*given: ClassNames) -> tuple[ClassNames, ...]:
    """Each language once: what is given twice in one is put together."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in given:
        names = found.setdefault(one.language, {})
        for wnid, more in one.names.items():
            names[wnid] = append_names(names.get(wnid, ()), more)
    return tuple(ClassNames(language, names) for language, names in found.items())


def append_names(names: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    """The names with those behind them that aren't there in any case of the letters."""
    known = {name.casefold(): name for name in reversed(names)}
    for name in more:
        if name.casefold() not in known:
            known[name.casefold()] = name
            names = (*names, name)
    return names


FORMAT = 1
DEFAULT_FILE = RESOURCES / "taxonomy.json"


class TaxonomyNode(NamedTuple):
    """One node: a named tuple, since 1,860 of them must load in a few milliseconds."""

    wnid: str
    lemmas: tuple[str, ...]
    gloss: str
    parents: tuple[str, ...]
    children: tuple[str, ...]

    @property
    def name(self) -> str:
        """WordNet's first name for the node; several nodes may share it."""
        return self.lemmas[0]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Taxonomy:
    """The graph over a list of classes; a class's index is its place in `class_wnids`.

    `nodes` have the names in other languages behind their own, `plain_nodes` lack them.
    """

    source: str
    class_wnids: tuple[str, ...]
    plain_nodes: Mapping[str, TaxonomyNode]
    names: tuple[ClassNames, ...]
    nodes: Mapping[str, TaxonomyNode]

    def __init__(
        self,
        *,
        source: str,
        class_wnids: Sequence[str],
        nodes: Iterable[TaxonomyNode],
        names: Iterable[ClassNames] = (),
    ) -> None:
        plain = MappingProxyType({node.wnid: node for node in nodes})
        further = tuple(names)
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "class_wnids", tuple(class_wnids))
        object.__setattr__(self, "plain_nodes", plain)
        object.__setattr__(self, "names", further)
        object.__setattr__(self, "nodes", _named(plain, further))

    @cached_property
    def _index(self) -> dict[str, int]:
        return {wnid: index for index, wnid in enumerate(self.class_wnids)}

    def __getitem__(self, wnid: str) -> TaxonomyNode:
        return self.nodes[wnid]

    def __contains__(self, wnid: object) -> bool:
        return wnid in self.nodes

    def __len__(self) -> int:
        return len(self.nodes)

    def is_class(self, wnid: str) -> bool:
        return wnid in self._index

    def index_of(self, wnid: str) -> int:
        """The class's index: its place among the sorted wnids."""
        return self._index[wnid]

    @cached_property
    def roots(self) -> tuple[str, ...]:
        return tuple(wnid for wnid, node in self.nodes.items() if not node.parents)

    @cached_property
    def version(self) -> str:
        """A short hash of the contents: two taxonomies with one version are the same."""
        return hashlib.sha256(dump(self)).hexdigest()[:12]

    @cached_property
    def _paths(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        return {}

    def paths(self, wnid: str) -> tuple[tuple[str, ...], ...]:
        """Every way from a root down to the node, itself included; sorted, shortest first."""
        known = self._paths.get(wnid)
        if known is None:
            parents = self.nodes[wnid].parents
            ways = [(*path, wnid) for parent in parents for path in self.paths(parent)]
            known = tuple(sorted(ways, key=lambda path: (len(path), path))) or ((wnid,),)
            self._paths[wnid] = known
        return known

    @cached_property
    def _heights(self) -> dict[str, Mapping[str, int]]:
        return {}

    def heights(self, wnid: str) -> Mapping[str, int]:
        """The node and everything above it, each with its fewest edges up from the node."""
        known = self._heights.get(wnid)
        if known is None:
            heights = {wnid: 0}
            for parent in self.nodes[wnid].parents:
                for ancestor, edges in self.heights(parent).items():
                    heights[ancestor] = min(edges + 1, heights.get(ancestor, edges + 1))
            known = self._heights[wnid] = MappingProxyType(heights)
        return known

    def is_under(self, wnid: str, ancestor: str) -> bool:
        """Whether `wnid` is `ancestor` or is below it."""
        return ancestor in self.heights(wnid)

    @cached_property
    def _classes_under(self) -> dict[str, tuple[str, ...]]:
        under: dict[str, list[str]] = {wnid: [] for wnid in self.nodes}
        for wnid in self.class_wnids:
            for ancestor in self.heights(wnid):
                under[ancestor].append(wnid)
        return {wnid: tuple(classes) for wnid, classes in under.items()}

    def classes_under(self, wnid: str) -> tuple[str, ...]:
        """The classes at or below the node, in the order of their indices."""
        return self._classes_under[wnid]

    def siblings(self, wnid: str) -> tuple[str, ...]:
        """The other children of the node's parents."""
        parents = self.nodes[wnid].parents
        return tuple(sorted({c for p in parents for c in self.nodes[p].children} - {wnid}))

    def distance(self, a: str, b: str) -> int:
        """The fewest edges between two nodes on a way through a common ancestor."""
        up_from_a, up_from_b = self.heights(a), self.heights(b)
        shared = up_from_a.keys() & up_from_b.keys()
        if not shared:
            raise RefusedError(f"{a} and {b} have no common ancestor in this taxonomy.")
        return min(up_from_a[wnid] + up_from_b[wnid] for wnid in shared)

    def nearest_classes(self, wnid: str, count: int) -> tuple[str, ...]:
        """The classes at the smallest distance, nearest first; ties in the order of indices."""
        distances = self.class_distances(wnid)
        ranked = sorted(distances, key=lambda other: (distances[other], self._index[other]))
        return tuple(ranked[:count])

    def class_distances(self, wnid: str) -> Mapping[str, int]:
        """The distance of every other class that shares an ancestor with the node."""
        edges = dict(self.heights(wnid))
        for node in self._parents_first:
            for parent in node.parents:
                if parent in edges:
                    down = edges[parent] + 1
                    edges[node.wnid] = min(down, edges.get(node.wnid, down))
        del edges[wnid]
        return {other: edges[other] for other in self.class_wnids if other in edges}

    @cached_property
    def _parents_first(self) -> tuple[TaxonomyNode, ...]:
        longest_ways = {wnid: len(self.paths(wnid)[-1]) for wnid in self.nodes}
        return tuple(sorted(self.nodes.values(), key=lambda node: longest_ways[node.wnid]))

    @cached_property
    def display_names(self) -> Mapping[str, str]:
        """A name for every class that no other class has, whatever the case of the letters."""
        return MappingProxyType(_display_names(self))


def _display_names(taxonomy: Taxonomy) -> dict[str, str]:
    sharing: dict[str, list[str]] = {}
    for wnid in taxonomy.class_wnids:
        sharing.setdefault(taxonomy[wnid].name.casefold(), []).append(wnid)
    names: dict[str, str] = {}
    for wnid in taxonomy.class_wnids:
        name = taxonomy[wnid].name
        rivals = [other for other in sharing[name.casefold()] if other != wnid]
        names[wnid] = (
            f"{name} ({_distinguishing_ancestor(taxonomy, wnid, rivals)})" if rivals else name
        )
    return names


def _distinguishing_ancestor(taxonomy: Taxonomy, wnid: str, rivals: Sequence[str]) -> str:
    """The nearest ancestor's name that isn't above a rival too and isn't the shared name."""
    own_name = taxonomy[wnid].name.casefold()
    heights = taxonomy.heights(wnid)
    for ancestor in sorted(heights, key=lambda a: (heights[a], a)):
        name = taxonomy[ancestor].name
        if name.casefold() != own_name and not any(taxonomy.is_under(r, ancestor) for r in rivals):
            return name
    return wnid


def _named(
    nodes: Mapping[str, TaxonomyNode], names: Sequence[ClassNames]
) -> Mapping[str, TaxonomyNode]:
    if not names:
        return nodes
    named = dict(nodes)
    for language in names:
        for wnid, more in language.names.items():
            node = named[wnid]
            named[wnid] = node._replace(lemmas=append_names(node.lemmas, more))
    return MappingProxyType(named)


def with_names(taxonomy: Taxonomy, added: Iterable[ClassNames]) -> Taxonomy:
    """The taxonomy with names behind its own; of a language that it has, in place of those."""
    given = tuple(_known(taxonomy, one) for one in merge_by_language(*added))
    replaced = {one.language for one in given}
    kept = (one for one in taxonomy.names if one.language not in replaced)
    return Taxonomy(
        source=taxonomy.source,
        class_wnids=taxonomy.class_wnids,
        nodes=taxonomy.plain_nodes.values(),
        names=(*kept, *given),
    )


def _known(taxonomy: Taxonomy, given: ClassNames) -> ClassNames:
    """Those of the names that are of something in the taxonomy."""
    known = {wnid: names for wnid, names in given.names.items() if wnid in taxonomy}
    if not any(map(taxonomy.is_class, known)):
        raise RefusedError(f"The names in {given.language} are of no class of the taxonomy.")
    return ClassNames(given.language, known)


def dump(taxonomy: Taxonomy) -> bytes:
    """The taxonomy as a file's bytes: sorted, a node a line, always the same."""
    names = [[one.language, dict(sorted(one.names.items()))] for one in taxonomy.names]
    lines = [
        f'"source": {_json(taxonomy.source)},',
        f'"classes": {_json(taxonomy.class_wnids)},',
        f'"columns": {_json(TaxonomyNode._fields)},',
        '"nodes": [',
        ",\n".join(_json(node) for _wnid, node in sorted(taxonomy.plain_nodes.items())),
        "]",
        *([f',"names": {_json(names)}'] if names else []),
        "}\n",
    ]
    body = "\n".join(lines).encode()
    head = f'{{\n"format": {FORMAT},\n"checksum": "{_checksum(body)}",\n'
    return head.encode() + body


def parse(data: bytes, *, file: Path | str) -> Taxonomy:
    """The taxonomy of a file's bytes; `file` is only named in errors."""
    try:
        document = json.loads(data)
        found_format, checksum = document["format"], document["checksum"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        typed = "Build one with `labeler taxonomy build`."
        raise InputError("this is no taxonomy file.", file=file, by_command=typed) from error
    if found_format != FORMAT:
        problem = f"its format is {found_format}; this program reads format {FORMAT}."
        raise InputError(problem, file=file)
    # One hash is cheaper than following every link, and it finds every kind of damage.
    if checksum != _checksum(data.split(b"\n", maxsplit=3)[-1]):
        problem = "it was changed or damaged since it was built. Build it again, or restore it."
        raise InputError(problem, file=file)
    nodes = [
        TaxonomyNode(wnid, tuple(lemmas), gloss, tuple(parents), tuple(children))
        for wnid, lemmas, gloss, parents, children in document["nodes"]
    ]
    names = [
        ClassNames(language, {wnid: tuple(each) for wnid, each in named.items()})
        for language, named in document.get("names", ())
    ]
    return Taxonomy(
        source=document["source"], class_wnids=document["classes"], nodes=nodes, names=names
    )


def _checksum(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def load(file: Path) -> Taxonomy:
    """Load a taxonomy file."""
    try:
        return parse(file.read_bytes(), file=file)
    except OSError as error:
        raise RefusedError(f"The taxonomy '{file}' can't be read: {error.strerror}.") from error


@lru_cache(maxsize=1)
def load_default() -> Taxonomy:
    """The taxonomy that ships with the program: ImageNet's 1,000 classes under WordNet 3.0."""
    return load(DEFAULT_FILE)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
