"""How a class is shown: as a row in a list, and in full."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from labeler.core.classes.branch_names import branch_name, has_everyday_name
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence, LookAlikeRanking, RankReason
from labeler.core.classes.neighbourhood import MAX_LOOK_ALIKES, class_siblings
from labeler.core.classes.search.hits import MatchedField, SearchHit, TextSpan
from labeler.core.classes.taxonomy import Taxonomy

PATH_SEPARATOR = " › "
_IN_NOTE = (
    MatchedField.OTHER_NAME,
    MatchedField.GLOSS,
    MatchedField.DESCRIPTION,
    MatchedField.RELATED,
)


@dataclass(frozen=True, slots=True)
class ClassListRow:
    """A class in a list: its name, note and path, with the matched parts."""

    wnid: str
    name: str
    note: str
    path: str
    name_spans: tuple[TextSpan, ...] = ()
    note_spans: tuple[TextSpan, ...] = ()
    path_spans: tuple[TextSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassLink:
    """A link to a class or to a node above classes; `reason` is why it is listed, if it says so."""

    wnid: str
    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClassDetails:
    """A class in full; a path has links to the nodes above it, the topmost first."""

    wnid: str
    name: str
    other_names: tuple[str, ...]
    gloss: str
    path_nodes: tuple[tuple[ClassLink, ...], ...]
    siblings: tuple[ClassLink, ...]


class ClassRows:
    """The rows of a taxonomy's classes, built once and shared by all lists."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._rows: dict[str, ClassListRow] = {}

    def __getitem__(self, wnid: str) -> ClassListRow:
        known = self._rows.get(wnid)
        if known is None:
            known = self._rows[wnid] = self._make(wnid)
        return known

    @cached_property
    def all(self) -> tuple[ClassListRow, ...]:
        """Every class, in the order of the taxonomy; may be used on any thread."""
        by_place = sorted(self._taxonomy.class_wnids, key=lambda w: self._taxonomy.paths(w)[0])
        return tuple(self[wnid] for wnid in by_place)

    def informative_nodes(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the nodes above the class, except those that contain most classes."""
        return tuple(wnid for wnid in path[:-1] if wnid not in self._uninformative)

    def path_nodes(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the nodes above the class that have an everyday name, or all that inform."""
        named = tuple(wnid for wnid in path[:-1] if has_everyday_name(self._taxonomy, wnid))
        return named or self.informative_nodes(path)

    def full_path(self, wnid: str) -> str:
        """Return WordNet's names of the nodes above the class."""
        nodes = self.informative_nodes(self._taxonomy.paths(wnid)[0])
        return PATH_SEPARATOR.join(self._taxonomy[node].name for node in nodes)

    def _make(self, wnid: str) -> ClassListRow:
        other_names = ", ".join(self._taxonomy[wnid].lemmas[1:])
        path = self._taxonomy.paths(wnid)[0]
        return ClassListRow(
            wnid=wnid,
            name=self._taxonomy.display_names[wnid],
            note=" — ".join(filter(None, (other_names, self._taxonomy[wnid].gloss))),
            path=PATH_SEPARATOR.join(
                branch_name(self._taxonomy, node) for node in self.path_nodes(path)
            ),
        )

    @cached_property
    def _uninformative(self) -> frozenset[str]:
        most = len(self._taxonomy.class_wnids) / 2
        under = self._taxonomy.classes_under
        return frozenset(wnid for wnid in self._taxonomy.nodes if len(under(wnid)) > most)


class ClassViewBuilder:
    """Builds the rows and details of a taxonomy's classes."""

    def __init__(
        self,
        taxonomy: Taxonomy,
        *,
        evidence: LookAlikeEvidence | None = None,
        rows: ClassRows | None = None,
    ) -> None:
        """`rows` can be shared with others that list the same taxonomy."""
        self._taxonomy = taxonomy
        self._ranking = LookAlikeRanking(taxonomy, evidence or LookAlikeEvidence())
        self.rows = rows or ClassRows(taxonomy)
        self._details: dict[str, ClassDetails] = {}
        self._look_alikes: dict[str, tuple[ClassLink, ...]] = {}

    def row(self, wnid: str) -> ClassListRow:
        """Return the class's row in the list of all classes."""
        return self.rows[wnid]

    def hit(self, hit: SearchHit) -> ClassListRow:
        """Return the class's row in a list of results; a matched gloss becomes the note."""
        plain = self.row(hit.wnid)
        note = _note(hit, plain)
        is_above = hit.field is MatchedField.ANCESTOR and hit.text not in plain.path
        path = self.rows.full_path(hit.wnid) if is_above else plain.path
        return ClassListRow(
            wnid=hit.wnid,
            name=plain.name,
            note=note,
            path=path,
            name_spans=hit.name_spans,
            note_spans=_matched(note, hit, among=_IN_NOTE),
            path_spans=_matched(path, hit, among=(MatchedField.ANCESTOR,)),
        )

    def details(self, wnid: str) -> ClassDetails:
        """Return everything about the class except its pictures and look-alikes; cached."""
        known = self._details.get(wnid)
        if known is None:
            known = self._details[wnid] = self._make_details(wnid)
        return known

    def look_alikes(self, wnid: str) -> tuple[ClassLink, ...]:
        """Return the look-alikes with their reasons; siblings have a list of their own."""
        known = self._look_alikes.get(wnid)
        if known is None:
            names = self._taxonomy.display_names
            known = self._look_alikes[wnid] = tuple(
                ClassLink(found.wnid, names[found.wnid], found.reason.value)
                for found in self._ranking.of(wnid, count=MAX_LOOK_ALIKES)
                if found.reason is not RankReason.SIBLING
            )
        return known

    def _make_details(self, wnid: str) -> ClassDetails:
        node, taxonomy = self._taxonomy[wnid], self._taxonomy
        return ClassDetails(
            wnid=wnid,
            name=self._taxonomy.display_names[wnid],
            other_names=node.lemmas[1:],
            gloss=node.gloss,
            path_nodes=self._distinct_paths(wnid),
            siblings=self._links(class_siblings(wnid, taxonomy)),
        )

    def _distinct_paths(self, wnid: str) -> tuple[tuple[ClassLink, ...], ...]:
        """Return the paths, without those that read the same."""
        paths: dict[tuple[str, ...], tuple[ClassLink, ...]] = {}
        for path in self._taxonomy.paths(wnid):
            nodes = tuple(
                ClassLink(w, branch_name(self._taxonomy, w)) for w in self.rows.path_nodes(path)
            )
            paths.setdefault(tuple(node.name for node in nodes), nodes)
        return tuple(paths.values())

    def _links(self, wnids: Iterable[str]) -> tuple[ClassLink, ...]:
        return tuple(ClassLink(wnid, self._taxonomy.display_names[wnid]) for wnid in wnids)


def _note(hit: SearchHit, plain: ClassListRow) -> str:
    """Return a note that contains what matched."""
    if hit.field in (MatchedField.GLOSS, MatchedField.DESCRIPTION):
        return hit.text
    # Everyday names are only shown where they matched.
    is_unlisted = hit.field is MatchedField.OTHER_NAME and hit.text not in plain.note
    if is_unlisted or hit.field is MatchedField.RELATED:
        return f"{hit.text} — {plain.note}"
    return plain.note


def _matched(
    shown: str, hit: SearchHit, *, among: tuple[MatchedField, ...]
) -> tuple[TextSpan, ...]:
    """Return the hit's spans, shifted to the position of the matched text."""
    offset = shown.find(hit.text)
    if hit.field not in among or offset < 0:
        return ()
    return tuple(TextSpan(offset + span.start, offset + span.end) for span in hit.spans)
