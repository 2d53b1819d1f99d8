"""What people type, and what they get."""

import pytest

from labeler.core.classes.search.class_search import ClassSearch
from labeler.core.classes.search.hits import MatchedField, MatchKind, SearchHit
from labeler.core.classes.taxonomy import Taxonomy, TaxonomyNode, load_default

TERRIER = "n02092468"
KITCHEN_APPLIANCE = "n03620052"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


@pytest.fixture(scope="module")
def search(taxonomy: Taxonomy) -> ClassSearch:
    return ClassSearch(taxonomy)


def first_name(search: ClassSearch, typed: str) -> str:
    return load_default().display_names[search.search(typed)[0].wnid]


def marked(hit: SearchHit) -> list[str]:
    return [hit.text[span.start : span.end] for span in hit.spans]


@pytest.mark.parametrize(
    ("typed", "name", "match"),
    [
        ("golden retriever", "golden retriever", MatchKind.EXACT_NAME),
        ("Panthera leo", "lion", MatchKind.EXACT_NAME),
        ("golden r", "golden retriever", MatchKind.NAME_PREFIX),
        ("cic nig", "black stork", MatchKind.WORD_PREFIXES),
        ("retriever golden", "golden retriever", MatchKind.WORD_PREFIXES),
        ("owl", "great grey owl", MatchKind.WORDS_IN_NAME),
        ("avocado dip", "guacamole", MatchKind.GLOSS_OR_ANCESTOR),
        ("labradoor", "Labrador retriever", MatchKind.TYPO),
        ("chiuaua", "Chihuahua", MatchKind.TYPO),
        ("dalmation", "dalmatian", MatchKind.TYPO),
        ("goldn retriver", "golden retriever", MatchKind.TYPO),
        ("yorkshire terier", "Yorkshire terrier", MatchKind.TYPO),
        ("shitzu", "Shih-Tzu", MatchKind.TYPO),
        ("oscilloscop", "oscilloscope", MatchKind.NAME_PREFIX),
        ("osciloscop", "oscilloscope", MatchKind.TYPO),
        ("praying grasshopper mantid", "mantis", MatchKind.SOME_WORDS),
        ("207", "golden retriever", MatchKind.IDENTIFIER),
        ("n02099601", "golden retriever", MatchKind.IDENTIFIER),
    ],
)
def test_each_way_to_match_finds_its_class_first(
    search: ClassSearch, typed: str, name: str, match: MatchKind
) -> None:
    assert first_name(search, typed) == name
    assert search.search(typed)[0].match is match


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bear", {"ice bear", "brown bear", "sloth bear", "American black bear"}),
        ("cat", {"tiger cat", "Persian cat", "Siamese cat", "Egyptian cat", "Madagascar cat"}),
    ],
)
def test_what_is_shown_as_a_word_comes_before_longer_words_and_other_names(
    search: ClassSearch, taxonomy: Taxonomy, typed: str, meant: set[str]
) -> None:
    first = [taxonomy.display_names[hit.wnid] for hit in search.search(typed)[: len(meant)]]
    assert set(first) == meant


def test_a_description_finds_terriers(search: ClassSearch, taxonomy: Taxonomy) -> None:
    hits = search.search("breed small terrier")[:5]
    assert len(hits) == 5
    assert all(taxonomy.is_under(hit.wnid, TERRIER) for hit in hits)


def test_an_ancestors_name_finds_what_is_under_it(search: ClassSearch, taxonomy: Taxonomy) -> None:
    hits = search.search("kitchen appliance")
    appliances = set(taxonomy.classes_under(KITCHEN_APPLIANCE))
    assert {hit.wnid for hit in hits[: len(appliances)]} == appliances
    toaster = next(hit for hit in hits if taxonomy.display_names[hit.wnid] == "toaster")
    assert (toaster.field, marked(toaster)) == (MatchedField.GLOSS, ["kitchen", "appliance"])


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("CONSOMMÉ", "consomme"),
        ("bull-mastiff", "bull mastiff"),
        ("bullmastiff", "bull mastiff"),
        ("shih tzu", "Shih-Tzu"),
        ("jelly fish", "jellyfish"),
        ("hot dogs", "hotdog"),
        ("carpenters kit", "carpenter's kit"),
        ("red foxes", "red fox"),
        ("timber wolves", "timber wolf"),
        ("strawberries", "strawberry"),
        ("mice", "mouse"),
        ("geese", "goose"),
    ],
)
def test_accents_case_hyphens_gaps_and_plurals_dont_matter(
    search: ClassSearch, typed: str, name: str
) -> None:
    assert first_name(search, typed) == name
    assert search.search(typed)[0].match is MatchKind.EXACT_NAME


def test_the_form_that_was_typed_comes_before_its_plural(search: ClassSearch) -> None:
    assert first_name(search, "sunglass") == "sunglass"
    assert first_name(search, "sunglasses") == "sunglasses"


def test_a_shown_name_comes_before_the_same_other_name(search: ClassSearch) -> None:
    first, second = search.search("partridge")[:2]
    assert (first.field, second.field) == (MatchedField.NAME, MatchedField.OTHER_NAME)
    assert first.match is second.match is MatchKind.EXACT_NAME


def test_whole_words_come_before_beginnings_of_words(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    names = [taxonomy.display_names[hit.wnid] for hit in search.search("car")]
    assert names.index("car wheel") < names.index("carton")


def test_names_that_two_classes_share_find_both(search: ClassSearch, taxonomy: Taxonomy) -> None:
    names = [taxonomy.display_names[hit.wnid] for hit in search.search("crane")[:2]]
    assert sorted(names) == ["crane (lifting device)", "crane (wading bird)"]
    assert first_name(search, "crane lift") == "crane (lifting device)"


def test_typos_are_only_looked_for_when_no_name_has_what_was_typed(search: ClassSearch) -> None:
    assert all(hit.match is not MatchKind.TYPO for hit in search.search("puma"))


def test_an_inner_nodes_wnid_finds_the_classes_under_it(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    found = [hit.wnid for hit in search.search(TERRIER)]
    assert found == list(taxonomy.classes_under(TERRIER))


def test_the_beginning_of_an_index_or_a_wnid_finds_those_that_begin_so(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    indices = [taxonomy.index_of(hit.wnid) for hit in search.search("20")[:11]]
    assert indices == [20, *range(200, 210)]
    assert all(hit.wnid.startswith("n0209") for hit in search.search("n0209"))


@pytest.mark.parametrize(
    ("typed", "text", "pieces"),
    [
        ("cic nig", "Ciconia nigra", ["Cic", "nig"]),
        ("slip ladys", "yellow lady's slipper", ["lady's", "slip"]),
        ("storks black", "black stork", ["black", "stork"]),
        ("jelly f", "jellyfish", ["jellyf"]),
        ("pingpong", "ping-pong ball", ["ping", "pong"]),
        ("goldn retr", "golden retriever", ["golden", "retr"]),
        ("buddhist shrine", "a dome-shaped shrine erected by Buddhists", ["shrine", "Buddhists"]),
    ],
)
def test_what_matched_is_marked(
    search: ClassSearch, typed: str, text: str, pieces: list[str]
) -> None:
    hit = search.search(typed)[0]
    assert (hit.text, marked(hit)) == (text, pieces)


def test_an_ancestors_name_is_given_and_marked(search: ClassSearch, taxonomy: Taxonomy) -> None:
    hits = {taxonomy.display_names[hit.wnid]: hit for hit in search.search("parrot")}
    lorikeet = hits["lorikeet"]
    assert (lorikeet.field, lorikeet.text) == (MatchedField.ANCESTOR, "parrot")
    assert marked(lorikeet) == ["parrot"]


def test_the_shown_name_is_marked_too_when_something_else_matched(search: ClassSearch) -> None:
    hit = search.search("white bear")[0]
    name = load_default().display_names[hit.wnid]
    assert (name, hit.field) == ("ice bear", MatchedField.GLOSS)
    assert [name[span.start : span.end] for span in hit.name_spans] == ["bear"]


def test_what_people_say_about_a_class_is_shown_and_marked(search: ClassSearch) -> None:
    hit = search.search("striped horse")[0]
    assert load_default().display_names[hit.wnid] == "zebra"
    assert hit.field is MatchedField.DESCRIPTION
    assert marked(hit) == ["horse", "striped"]


def test_letters_within_a_word_come_after_whole_words(search: ClassSearch) -> None:
    names = [load_default().display_names[hit.wnid] for hit in search.search("rain")]
    assert names.index("umbrella") < names.index("bullet train")
    assert names.index("umbrella") < names.index("strainer")


def test_the_name_of_a_branch_finds_nothing_by_descriptions(
    search: ClassSearch, taxonomy: Taxonomy
) -> None:
    found = {taxonomy.display_names[hit.wnid] for hit in search.search("fish", limit=1000)}
    assert "otter" not in found, "although it eats fish"


def test_an_empty_or_blank_query_finds_nothing(search: ClassSearch) -> None:
    assert search.search("") == search.search("  \t") == search.search("-'.") == ()


def test_nonsense_finds_nothing(search: ClassSearch) -> None:
    assert search.search("qqqxzxzqqq") == ()


def test_a_long_text_pasted_by_mistake_is_read_from_its_beginning(search: ClassSearch) -> None:
    text = "terrier " * 10_000
    assert search.search(text) == search.search(text[:200])


def test_names_of_another_taxonomy_are_marked_as_they_are_written() -> None:
    root = TaxonomyNode("n00000001", ("food",), "what is eaten", (), ("n00000002", "n00000003"))
    crepe = TaxonomyNode("n00000002", ("Crêpe Suzette",), "flambéed pancake", ("n00000001",), ())
    latte = TaxonomyNode("n00000003", ("Café-au-lait",), "drink", ("n00000001",), ())
    taxonomy = Taxonomy(
        source="a test", class_wnids=["n00000002", "n00000003"], nodes=[root, crepe, latte]
    )
    search = ClassSearch(taxonomy)
    (hit,) = search.search("suz crep")
    assert (hit.wnid, marked(hit)) == ("n00000002", ["Crêp", "Suz"])
    assert marked(search.search("cafe au l")[0]) == ["Café", "au", "l"]
    assert marked(search.search("flambeed")[0]) == ["flambéed"]


def test_close_matches_leave_out_the_branch_of_a_related_word(search: ClassSearch) -> None:
    """WordNet's horn is a device too, but a person who types it doesn't mean all devices."""
    names = load_default().display_names
    close = [names[wnid] for wnid in search.find("horn").close_classes()]
    assert {"French horn", "cornet", "hornbill"} <= set(close)
    assert len(close) < search.find("horn").class_count / 4
    # A branch that was typed by its name is meant as a whole, and so is the only thing found.
    assert len(list(search.find("bug").close_classes())) == search.find("bug").class_count
    assert len(list(search.find("headphone").close_classes())) == 2
