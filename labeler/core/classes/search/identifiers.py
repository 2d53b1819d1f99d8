"""Finding classes by wnid or by class index."""

import re
from collections.abc import Iterator

from labeler.core.classes.search.hits import MatchedField, MatchKind, SearchHit, TextSpan
from labeler.core.classes.taxonomy import Taxonomy

_INDEX = re.compile(r"[0-9]{1,6}")
_WNID = re.compile(r"n[0-9]{1,8}")


def find_by_identifier(taxonomy: Taxonomy, typed: str) -> Iterator[SearchHit]:
    """The class with this index or wnid, then those whose index or wnid begins so.

    An inner node's wnid finds the classes under it.
    """
    identifier = typed.strip().lower()
    if _INDEX.fullmatch(identifier):
        yield from _find_indices(taxonomy, identifier)
    elif _WNID.fullmatch(identifier):
        yield from _find_wnids(taxonomy, identifier)


def _find_indices(taxonomy: Taxonomy, identifier: str) -> Iterator[SearchHit]:
    index = int(identifier)
    if index < len(taxonomy.class_wnids):
        text = str(index)
        yield _hit(taxonomy.class_wnids[index], text, len(text))
    for other, wnid in enumerate(taxonomy.class_wnids):
        if other != index and str(other).startswith(identifier):
            yield _hit(wnid, str(other), len(identifier))


def _find_wnids(taxonomy: Taxonomy, identifier: str) -> Iterator[SearchHit]:
    if identifier in taxonomy:
        for wnid in taxonomy.classes_under(identifier):
            yield _hit(wnid, identifier, len(identifier))
        return
    for wnid in taxonomy.class_wnids:
        if wnid.startswith(identifier):
            yield _hit(wnid, wnid, len(identifier))


def _hit(wnid: str, text: str, letters: int) -> SearchHit:
    spans = (TextSpan(0, letters),)
    return SearchHit(
        wnid, MatchKind.IDENTIFIER, MatchedField.IDENTIFIER, text, spans, name_spans=()
    )
