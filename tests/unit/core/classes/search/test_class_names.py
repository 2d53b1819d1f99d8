"""Names that people type and WordNet doesn't have."""

import pytest

from labeler.core.classes.search.class_names import load_everyday_names
from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.taxonomy import load_default


@pytest.fixture(scope="module")
def search() -> ClassSearch:
    return ClassSearch(load_default())


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("rooster", "cock"),
        ("TV", "television"),
        ("clownfish", "anemone fish"),
        ("baguette", "French loaf"),
        ("praying mantis", "mantis"),
        ("hairdryer", "hand blower"),
    ],
)
def test_an_everyday_name_finds_its_class_first(search: ClassSearch, typed: str, name: str) -> None:
    hit = search.search(typed)[0]
    assert load_default().display_names[hit.wnid] == name


def test_every_everyday_name_belongs_to_a_node_and_says_something_new() -> None:
    taxonomy = load_default()
    for wnid, names in load_everyday_names().items():
        assert wnid in taxonomy
        assert names
        known = {lemma.casefold() for lemma in taxonomy[wnid].lemmas}
        assert not known & {name.casefold() for name in names}


def test_every_everyday_name_finds_its_node_among_the_first_five(search: ClassSearch) -> None:
    missed = [
        (name, wnid)
        for wnid, names in load_everyday_names().items()
        for name in names
        if wnid not in [hit.wnid for hit in search.find(name)[:5]]
    ]
    assert missed == []
