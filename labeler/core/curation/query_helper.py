"""Suggest what to search for: the queries for a class, and how many images of each to take."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from labeler.core.classes.taxonomy import Taxonomy

# How many images of a class to collect first, and how many if these aren't enough.
FIRST_IMAGES = 100
MORE_IMAGES = 200

_WORD = re.compile(r"[\w'-]+")
_JOINTS = re.compile(r"[\s-]+")


class QueryKind(StrEnum):
    """How a query was made from the names of a class."""

    SYNONYM = "synonym"
    WITH_PARENT = "with_parent"
    JOINED = "joined"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedQuery:
    """A text to search for; `synonym` is the name of the class that it belongs to.

    `images` is the share of the synonym, which its other queries have in common.
    """

    text: str
    kind: QueryKind
    synonym: str = ""
    images: int = 0


def suggest_queries(
    taxonomy: Taxonomy, wnid: str, *, images: int = FIRST_IMAGES, free: Iterable[str] = ()
) -> tuple[SuggestedQuery, ...]:
    """Return the queries for a class, without repetitions.

    Each synonym gets an equal share of the images; those that don't divide go to the first.
    """
    node = taxonomy[wnid]
    share, rest = divmod(images, len(node.lemmas))
    parents = [lemma for parent in node.parents for lemma in taxonomy[parent].lemmas]
    said = set(_words(node.gloss))
    found: dict[str, SuggestedQuery] = {}
    for place, synonym in enumerate(node.lemmas):
        for text, kind in _variants(synonym, parents, said):
            query = SuggestedQuery(
                text=text, kind=kind, synonym=synonym, images=share + (place < rest)
            )
            found.setdefault(text.casefold(), query)
    for text in filter(None, map(str.strip, free)):
        found.setdefault(text.casefold(), SuggestedQuery(text=text, kind=QueryKind.FREE))
    return tuple(found.values())


def _variants(
    synonym: str, parents: Iterable[str], gloss: set[str]
) -> Iterable[tuple[str, QueryKind]]:
    yield synonym, QueryKind.SYNONYM
    own = set(_words(synonym))
    for word in dict.fromkeys(word for lemma in parents for word in _words(lemma)):
        if word in gloss and word not in own:
            yield f"{synonym} {word}", QueryKind.WITH_PARENT
    if _JOINTS.search(synonym):
        yield _JOINTS.sub("", synonym), QueryKind.JOINED


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
