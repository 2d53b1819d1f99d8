"""How well the search finds a class whose name a person doesn't know: a fixed list.

The queries were listed before the descriptions were written; any of the wanted classes will do.
"""

import csv
from pathlib import Path

import pytest

from labeler.core.classes.search.class_names import load_descriptions
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import Taxonomy, load_default

DESCRIBED_QUERIES = Path(__file__).parents[3] / "data" / "described-queries.csv"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


def test_every_class_and_nothing_else_is_described(taxonomy: Taxonomy) -> None:
    described = load_descriptions()
    assert set(described) == set(taxonomy.class_wnids)
    assert len(set(described.values())) == len(described)


def test_a_described_class_comes_first_or_nearly_so(taxonomy: Taxonomy) -> None:
    search = ClassSearch(taxonomy)
    with DESCRIBED_QUERIES.open(encoding="utf-8", newline="") as file:
        queries = [(row["query"], set(row["wanted"].split("|"))) for row in csv.DictReader(file)]
    found = [[hit.wnid for hit in search.search(query, limit=5)] for query, _ in queries]
    firsts = sum(
        set(hits[:1]) <= wanted and bool(hits)
        for hits, (_, wanted) in zip(found, queries, strict=True)
    )
    five = sum(
        bool(wanted.intersection(hits)) for hits, (_, wanted) in zip(found, queries, strict=True)
    )
    print(f"of {len(queries)}: first {firsts}, among the first five {five}")
    assert len(queries) >= 100
    assert firsts >= 0.75 * len(queries)
    assert five >= 0.9 * len(queries)
