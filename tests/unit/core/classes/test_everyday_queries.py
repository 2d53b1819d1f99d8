"""How well the search understands everyday words: a fixed list, written before the ranking.

A wanted result is a class or a branch of the taxonomy.
"""

import csv
from pathlib import Path

import pytest

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy, load_default

EVERYDAY_QUERIES = Path(__file__).parents[3] / "data" / "everyday-queries.csv"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


@pytest.fixture(scope="module")
def queries() -> list[tuple[str, frozenset[str]]]:
    with EVERYDAY_QUERIES.open(encoding="utf-8", newline="") as file:
        return [(r["query"], frozenset(r["wanted"].split("|"))) for r in csv.DictReader(file)]


def test_the_list_is_long_and_names_real_classes_and_branches(
    queries: list[tuple[str, frozenset[str]]], taxonomy: Taxonomy
) -> None:
    assert len({query for query, _ in queries}) == len(queries) >= 150
    assert all(wnid in taxonomy for _, wanted in queries for wnid in wanted)


def test_the_wanted_result_comes_first_or_nearly_so(
    queries: list[tuple[str, frozenset[str]]], taxonomy: Taxonomy
) -> None:
    search = ClassSearch(taxonomy)
    first = among_five = 0
    for query, wanted in queries:
        found = [hit.wnid for hit in search.find(query)[:5]]
        first += bool(found) and found[0] in wanted
        among_five += bool(wanted.intersection(found))
        if not found or found[0] not in wanted:
            print(
                f"{query!r} finds {', '.join(taxonomy[wnid].name for wnid in found) or 'nothing'}"
            )
    print(f"of {len(queries)}: first {first}, among the first five {among_five}")
    assert first >= 0.85 * len(queries)
    assert among_five >= 0.97 * len(queries)
