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
from labeler.core.input_files import require_regular_file
from labeler.locations import RESOURCES


@dataclass(frozen=True, slots=True)
class ClassNames:
    """Ordered names by wnid, and their language."""

    language: str
    names: Mapping[str, tuple[str, ...]]


def merge_by_language(*given: ClassNames) -> tuple[ClassNames, ...]:
    """Merge the names so that each language occurs once."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for entry in given:
        names = found.setdefault(entry.language, {})
        for wnid, more in entry.names.items():
            names[wnid] = append_names(names.get(wnid, ()), more)
    return tuple(ClassNames(language, names) for language, names in found.items())


def append_names(names: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    """Append the names that aren't present yet, ignoring case."""
    known = {name.casefold(): name for name in reversed(names)}
    for name in more:
        if name.casefold() not in known:
            known[name.casefold()] = name
            names = (*names, name)
    return names


FORMAT = 1
NOT_A_TAXONOMY = "this is not a taxonomy file."
CHANGED_OR_DAMAGED = "it was changed or damaged after it was built. Build it again, or restore it."
DEFAULT_FILE = RESOURCES / "taxonomy.json"


class TaxonomyNode(NamedTuple):
    """One node: a named tuple, because 1,860 of them must load in a few milliseconds."""

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
    """The graph over a list of classes; a class's index is its position in `class_wnids`.

    `nodes` include the names in other languages after their own, `plain_nodes` don't.
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
        """Return the class's index: its position among the sorted wnids."""
        return self._index[wnid]

    @cached_property
    def roots(self) -> tuple[str, ...]:
        return tuple(wnid for wnid, node in self.nodes.items() if not node.parents)

    @cached_property
    def version(self) -> str:
        """A short hash of the contents; equal versions mean equal taxonomies."""
        return hashlib.sha256(dump(self)).hexdigest()[:12]

    @cached_property
    def _paths(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        return {}

    def paths(self, wnid: str) -> tuple[tuple[str, ...], ...]:
        """Return every path from a root down to the node, inclusive; shortest first."""
        known = self._paths.get(wnid)
        if known is None:
            parents = self.nodes[wnid].parents
            paths = [(*path, wnid) for parent in parents for path in self.paths(parent)]
            known = tuple(sorted(paths, key=lambda path: (len(path), path))) or ((wnid,),)
            self._paths[wnid] = known
        return known

    @cached_property
    def _heights(self) -> dict[str, Mapping[str, int]]:
        return {}

    def heights(self, wnid: str) -> Mapping[str, int]:
        """Return the node and its ancestors, each with the fewest edges up from the node."""
        known = self._heights.get(wnid)
        if known is None:
            heights = {wnid: 0}
            for parent in self.nodes[wnid].parents:
                for ancestor, edges in self.heights(parent).items():
                    heights[ancestor] = min(edges + 1, heights.get(ancestor, edges + 1))
            known = self._heights[wnid] = MappingProxyType(heights)
        return known

    def is_under(self, wnid: str, ancestor: str) -> bool:
        """Return whether `wnid` is `ancestor` or below it."""
        return ancestor in self.heights(wnid)

    @cached_property
    def _classes_under(self) -> dict[str, tuple[str, ...]]:
        # Without `heights`, which knows more about each pair and takes several times as long.
        under: dict[str, list[str]] = {wnid: [] for wnid in self.nodes}
        known: dict[str, frozenset[str]] = {}
        for wnid in self.class_wnids:
            for ancestor in self._lineage(wnid, known):
                under[ancestor].append(wnid)
        return {wnid: tuple(classes) for wnid, classes in under.items()}

    def _lineage(self, wnid: str, known: dict[str, frozenset[str]]) -> frozenset[str]:
        """Return the node and its ancestors; `known` are those of nodes before."""
        lineage = known.get(wnid)
        if lineage is None:
            parents = [self._lineage(parent, known) for parent in self.nodes[wnid].parents]
            lineage = known[wnid] = frozenset((wnid,)).union(*parents)
        return lineage

    def classes_under(self, wnid: str) -> tuple[str, ...]:
        """Return the classes at or below the node, in class order."""
        return self._classes_under[wnid]

    def siblings(self, wnid: str) -> tuple[str, ...]:
        """Return the other children of the node's parents."""
        parents = self.nodes[wnid].parents
        return tuple(sorted({c for p in parents for c in self.nodes[p].children} - {wnid}))

    def distance(self, a: str, b: str) -> int:
        """Return the fewest edges between two nodes through a common ancestor."""
        up_from_a, up_from_b = self.heights(a), self.heights(b)
        shared = up_from_a.keys() & up_from_b.keys()
        if not shared:
            raise RefusedError(f"{a} and {b} have no common ancestor in this taxonomy.")
        return min(up_from_a[wnid] + up_from_b[wnid] for wnid in shared)

    def nearest_classes(self, wnid: str, count: int) -> tuple[str, ...]:
        """Return the `count` nearest classes, nearest first; ties keep class order."""
        distances = self.class_distances(wnid)
        ranked = sorted(distances, key=lambda other: (distances[other], self._index[other]))
        return tuple(ranked[:count])

    def class_distances(self, wnid: str) -> Mapping[str, int]:
        """Return the distance of every other class that shares an ancestor with the node."""
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
        longest_paths = {wnid: len(self.paths(wnid)[-1]) for wnid in self.nodes}
        return tuple(sorted(self.nodes.values(), key=lambda node: longest_paths[node.wnid]))

    @cached_property
    def display_names(self) -> Mapping[str, str]:
        """A unique name for every class, ignoring case."""
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
    """Return the nearest ancestor's name that no rival has too and that isn't the shared name."""
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
    """Return the taxonomy with names added; names in a language that it has are replaced."""
    given = tuple(_known(taxonomy, entry) for entry in merge_by_language(*added))
    replaced = {entry.language for entry in given}
    kept = (entry for entry in taxonomy.names if entry.language not in replaced)
    return Taxonomy(
        source=taxonomy.source,
        class_wnids=taxonomy.class_wnids,
        nodes=taxonomy.plain_nodes.values(),
        names=(*kept, *given),
    )


def _known(taxonomy: Taxonomy, given: ClassNames) -> ClassNames:
    """Return the names of nodes that are in the taxonomy."""
    known = {wnid: names for wnid, names in given.names.items() if wnid in taxonomy}
    if not any(map(taxonomy.is_class, known)):
        raise RefusedError(
            f"None of the names in {given.language} belong to a class of the taxonomy."
        )
    return ClassNames(given.language, known)


def dump(taxonomy: Taxonomy) -> bytes:
    """Return the bytes of the taxonomy file: sorted, one node per line, deterministic."""
    names = [[entry.language, dict(sorted(entry.names.items()))] for entry in taxonomy.names]
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
    header = f'{{\n"format": {FORMAT},\n"checksum": "{_checksum(body)}",\n'
    return header.encode() + body


def parse(data: bytes, *, file: Path | str) -> Taxonomy:
    """Parse the bytes of a taxonomy file; `file` is only used in error messages."""
    try:
        document = json.loads(data)
        found_format, checksum = document["format"], document["checksum"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            NOT_A_TAXONOMY, file=file, by_command="Build one with `labeler taxonomy build`."
        ) from error
    if found_format != FORMAT:
        problem = f"its format is {found_format}, but this program reads format {FORMAT}."
        raise InputError(problem, file=file)
    # One hash is cheaper than following every link, and detects every kind of damage.
    if checksum != _checksum(data.split(b"\n", maxsplit=3)[-1]):
        raise InputError(CHANGED_OR_DAMAGED, file=file)
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
    require_regular_file(file)
    try:
        return parse(file.read_bytes(), file=file)
    except OSError as error:
        raise RefusedError(f"The taxonomy '{file}' can't be read: {error.strerror}.") from error


@lru_cache(maxsize=1)
def load_default() -> Taxonomy:
    """Return the shipped taxonomy: ImageNet's 1,000 classes under WordNet 3.0."""
    return load(DEFAULT_FILE)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
