"""Pools take each image once per class, and suggest what to search for."""

from labeler.core.classes.taxonomy import load_default
from labeler.core.curation.entities import Candidate
from labeler.core.curation.pools import (
    CandidateFilter,
    SourceIdentity,
    pool_classes,
    source_pairs,
)
from labeler.core.curation.query_helper import QueryKind, suggest_queries
from labeler.core.study.entities import ImageKey

FISH, DOG = "n01440764", "n02085620"


def identity(name: str, label: str, **more: object) -> SourceIdentity:
    return SourceIdentity(image=ImageKey("pool", name), label=label, **more)


def test_an_image_is_new_once_per_class_by_source_id_and_by_content() -> None:
    seen = CandidateFilter()

    def is_new(label: str, source_id: str, content: bytes) -> bool:
        return seen.is_new(label=label, source="s", source_id=source_id, content_hash=content)

    assert is_new(FISH, "1", b"a")
    assert not is_new(FISH, "1", b"b")
    assert not is_new(FISH, "2", b"a")
    assert is_new(DOG, "1", b"a")
    assert is_new(FISH, "", b"c")


def test_the_same_image_in_two_classes_is_a_pair_by_source() -> None:
    found = [
        identity("1", FISH, source="s", source_id="7"),
        identity("2", DOG, source="s", source_id="7"),
        identity("3", DOG, content_hash=b"x"),
        identity("4", FISH, content_hash=b"x"),
        identity("5", FISH, source="other", source_id="7"),
    ]
    pairs = [(one.image, other.image) for one, other in source_pairs(found)]
    assert pairs == [("1", "2"), ("3", "4")]


def test_a_class_misses_what_its_eligible_candidates_lack() -> None:
    keys = [ImageKey("pool", name) for name in "abc"]
    candidates = [Candidate(image=key, label=FISH) for key in keys]
    [counted] = pool_classes(candidates, {keys[0]}, per_class=10, min_shown=10)
    assert (counted.candidates, counted.annotated, counted.eligible) == (3, 0, 1)
    assert counted.missing == 9


def test_queries_share_the_images_among_the_synonyms() -> None:
    taxonomy = load_default()
    queries = suggest_queries(taxonomy, FISH, free=["tench river", "tench river"])
    synonyms = [query for query in queries if query.kind is QueryKind.SYNONYM]
    assert [query.text for query in synonyms] == list(taxonomy[FISH].lemmas)
    assert sum(query.images for query in synonyms) == 100
    assert [query.text for query in queries if query.kind is QueryKind.FREE] == ["tench river"]
    assert len({query.text.casefold() for query in queries}) == len(queries)


def test_queries_add_a_parents_word_from_the_gloss_and_join_compounds() -> None:
    taxonomy = load_default()
    kinds = {
        query.kind for wnid in taxonomy.class_wnids for query in suggest_queries(taxonomy, wnid)
    }
    assert kinds == {QueryKind.SYNONYM, QueryKind.WITH_PARENT, QueryKind.JOINED}
    for query in suggest_queries(taxonomy, "n01484850"):
        if query.kind is QueryKind.WITH_PARENT:
            assert query.text.rpartition(" ")[2] in taxonomy["n01484850"].gloss
        if query.kind is QueryKind.JOINED:
            assert " " not in query.text
