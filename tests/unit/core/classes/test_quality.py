"""How well the search finds what people type: a fixed list of queries, written beforehand."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy, load_default

QUERIES = Path(__file__).parents[3] / "data" / "search-queries.csv"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


@pytest.fixture(scope="module")
def search(taxonomy: Taxonomy) -> ClassSearch:
    return ClassSearch(taxonomy)


@pytest.fixture(scope="module")
def queries() -> list[dict[str, str]]:
    with QUERIES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_list_is_long_varied_and_names_real_classes(
    queries: list[dict[str, str]], taxonomy: Taxonomy
) -> None:
    kinds = Counter(row["kind"] for row in queries)
    assert len(queries) >= 200
    assert all(kinds[kind] >= 25 for kind in ("prefix", "words", "synonym", "typo", "description"))
    assert sum("|" in row["wnid"] for row in queries) <= 0.15 * len(queries)
    assert all(taxonomy.is_class(wnid) for row in queries for wnid in row["wnid"].split("|"))


def test_the_wanted_class_comes_first_or_nearly_so(
    queries: list[dict[str, str]], search: ClassSearch, taxonomy: Taxonomy
) -> None:
    first = among_five = 0
    for row in queries:
        wanted = set(row["wnid"].split("|"))
        found = [hit.wnid for hit in search.search(row["query"])[:5]]
        first += bool(found) and found[0] in wanted
        among_five += bool(wanted.intersection(found))
        if not found or found[0] not in wanted:
            names = [taxonomy.display_names[wnid] for wnid in found]
            print(f"{row['kind']}: {row['query']!r} finds {', '.join(names) or 'nothing'}")
    print(f"of {len(queries)}: first {first}, among the first five {among_five}")
    assert first >= 0.90 * len(queries)
    assert among_five >= 0.98 * len(queries)


def test_every_class_is_found_first_by_its_name_its_wnid_and_its_index(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    for index, wnid in enumerate(taxonomy.class_wnids):
        for typed in (taxonomy.display_names[wnid], wnid, str(index)):
            assert search.search(typed)[0].wnid == wnid, typed


def test_every_other_name_finds_its_class_among_the_first_five(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    for wnid in taxonomy.class_wnids:
        for lemma in taxonomy[wnid].lemmas:
            assert wnid in [hit.wnid for hit in search.search(lemma)[:5]], lemma


def test_a_class_keeps_its_place_while_its_name_is_typed(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    """It may step back a little when another name turns out to be complete, and never leaves."""
    for wnid in taxonomy.class_wnids[::25]:
        name = taxonomy.display_names[wnid]
        place = len(taxonomy.class_wnids)
        for letters in range(1, len(name) + 1):
            found = [hit.wnid for hit in search.search(name[:letters], limit=1000)]
            assert found.index(wnid) <= place + 10, name[:letters]
            place = found.index(wnid)
        assert place == 0
