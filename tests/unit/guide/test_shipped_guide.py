"""The guide that ships with the program is right in form and speaks of classes that exist."""

import re

import pytest

from labeler.core.classes.taxonomy import load_default
from labeler.guide.pages import Guide, load_guide
from tests.guides import SHIPPED_GUIDE

PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LINK_TARGET = re.compile(r"(?<=\])\([^)]*\)")
TABLE = "| Class |"
CLASS_LINK = re.compile(r"\]\(class:([^)]*)\)")


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(SHIPPED_GUIDE)


@pytest.fixture(scope="module")
def classes() -> frozenset[str]:
    return frozenset(load_default().class_wnids)


def test_every_page_covers_classes_of_the_taxonomy(guide: Guide, classes: frozenset[str]) -> None:
    assert [wnid for page in guide.pages for wnid in page.wnids if wnid not in classes] == []


def test_every_class_has_a_page(guide: Guide, classes: frozenset[str]) -> None:
    assert classes - {wnid for page in guide.pages for wnid in page.wnids} == set()


def test_every_page_shows_a_picture(guide: Guide) -> None:
    assert [page.slug for page in guide.pages if "![" not in page.body] == []


def test_no_page_has_more_than_400_words_outside_its_tables(guide: Guide) -> None:
    lengths = {page.slug: len(_words_outside_tables(page.body)) for page in guide.pages}
    assert {slug: words for slug, words in lengths.items() if words > 400} == {}


def _words_outside_tables(body: str) -> list[str]:
    lines = (line for line in body.split("\n") if not line.startswith(("|", "#")))
    return LINK_TARGET.sub("", PICTURE.sub("", "\n".join(lines))).split()


def test_a_page_starts_with_its_table_or_with_a_key(guide: Guide) -> None:
    """A key is a list of traits with arrows to the classes, the table follows it."""
    late = [
        page.slug
        for page in guide.pages
        if TABLE not in (before := page.body.partition("\n## ")[2].partition("\n## ")[0])
        and "→" not in before
    ]
    assert late == []


def test_the_table_is_above_all_pictures(guide: Guide) -> None:
    late = [page.slug for page in guide.pages if "![" in page.body.partition(TABLE)[0]]
    assert late == []


def test_every_schematic_is_shown_by_a_page(guide: Guide) -> None:
    drawn = {f"schematics/{file.name}" for file in (SHIPPED_GUIDE / "schematics").iterdir()}
    assert drawn == {path for path in guide.pictures if path.endswith(".svg")}
    assert len(drawn) >= 60


def test_every_link_leads_to_a_class(guide: Guide, classes: frozenset[str]) -> None:
    links = [link for page in guide.pages for link in CLASS_LINK.findall(page.body)]
    assert [link for link in links if link not in classes] == []


def test_every_class_has_a_row_or_is_named_on_its_own_page(guide: Guide) -> None:
    """A class that no one confuses with another needs no row."""
    taxonomy = load_default()
    for page in guide.pages:
        with_row = {wnid for row in page.distinctions for wnid in row.pair}
        for wnid in set(page.wnids) - with_row:
            assert taxonomy[wnid].name.casefold() in page.body.casefold(), (page.slug, wnid)


@pytest.mark.parametrize(
    "pair",
    [
        ("n01514668", "n01514859"),
        ("n01871265", "n02504458"),
        ("n02361337", "n02363005"),
        ("n03063599", "n07930864"),
        ("n02096585", "n02108915"),
        ("n02110063", "n02110185"),
        ("n03642806", "n03832673"),
        ("n04355933", "n04356056"),
        ("n09332890", "n09428293"),
    ],
    ids=[
        "cock and hen",
        "tusker and African elephant",
        "marmot and beaver",
        "mug and cup",
        "Boston bull and French bulldog",
        "malamute and husky",
        "laptop and notebook",
        "sunglass and sunglasses",
        "lakeside and seashore",
    ],
)
def test_the_classic_confusions_are_distinguished(guide: Guide, pair: tuple[str, str]) -> None:
    assert pair in guide.pairs()
