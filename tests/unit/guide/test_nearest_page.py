"""Which page opens for a class, and under which heading pages are listed."""

import pytest

from labeler.core.classes.taxonomy import Taxonomy, load_default
from labeler.guide.contents import build_contents, render_contents
from labeler.guide.nearest_page import PageRelation, nearest_page
from labeler.guide.pages import Guide, load_guide
from labeler.locations import GUIDE


@pytest.fixture(scope="module")
def guide() -> Guide:
    return load_guide(GUIDE)


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_default()


def named(taxonomy: Taxonomy, name: str) -> str:
    return next(w for w, shown in taxonomy.display_names.items() if shown == name)


@pytest.mark.parametrize(
    ("name", "slug", "nearness"),
    [
        ("marmot", "marmot-and-beaver", PageRelation.COVERS),
        ("fox squirrel", "marmot-and-beaver", PageRelation.TELLS_APART),
        ("Arctic fox", "foxes", PageRelation.RELATED),
        ("hamster", "marmot-and-beaver", PageRelation.RELATED),
        ("platypus", "echidna-and-porcupine", PageRelation.RELATED),
        ("bittern", "wading-birds-and-pelican", PageRelation.RELATED),
        ("bighorn", "bison-ox-and-water-buffalo", PageRelation.RELATED),
    ],
)
def test_the_nearest_page_covers_tells_apart_or_is_on_relatives(
    guide: Guide, taxonomy: Taxonomy, name: str, slug: str, nearness: PageRelation
) -> None:
    near = nearest_page(guide, named(taxonomy, name), taxonomy=taxonomy)
    assert near is not None
    assert (near.page.slug, near.nearness) == (slug, nearness)


@pytest.mark.parametrize("name", ["tench", "broccoli", "ballplayer", "toilet tissue", "Chihuahua"])
def test_a_far_page_is_not_offered(guide: Guide, taxonomy: Taxonomy, name: str) -> None:
    assert nearest_page(guide, named(taxonomy, name), taxonomy=taxonomy) is None


def test_a_class_that_no_one_knows_has_no_page(guide: Guide, taxonomy: Taxonomy) -> None:
    assert nearest_page(guide, "n99999999", taxonomy=taxonomy) is None
    assert nearest_page(Guide(()), named(taxonomy, "marmot"), taxonomy=taxonomy) is None


def test_every_covered_class_opens_its_own_page(guide: Guide, taxonomy: Taxonomy) -> None:
    for page in guide.pages:
        for wnid in page.wnids:
            near = nearest_page(guide, wnid, taxonomy=taxonomy)
            assert near is not None
            assert near.page is page


def test_the_contents_list_every_page_once_under_its_superclass(
    guide: Guide, taxonomy: Taxonomy
) -> None:
    groups = {
        group.title: [e.slug for e in group.entries]
        for group in build_contents(guide, taxonomy=taxonomy)
    }
    assert sorted(slug for slugs in groups.values() for slug in slugs) == [
        page.slug for page in guide.pages
    ]
    assert set(groups["Birds"]) >= {"cock-and-hen", "ducks-and-geese", "wading-birds-and-pelican"}
    assert "trucks" in groups["Vehicles"]


def test_relatives_stand_together_in_the_contents(guide: Guide, taxonomy: Taxonomy) -> None:
    mammals = next(
        g for g in build_contents(guide, taxonomy=taxonomy) if g.title == "Other mammals"
    )
    slugs = [entry.slug for entry in mammals.entries]
    assert abs(slugs.index("foxes") - slugs.index("wolves-and-wild-dogs")) == 1


def test_contents_link_to_pages_and_escape_titles(guide: Guide, taxonomy: Taxonomy) -> None:
    html = render_contents(build_contents(guide, taxonomy=taxonomy))
    assert html.count('<a href="page:') == len(guide.pages)
    assert "<script" not in html


def test_pages_on_classes_of_another_taxonomy_are_listed_too(guide: Guide) -> None:
    empty = Taxonomy(source="", class_wnids=(), nodes=())
    listed = [entry for group in build_contents(guide, taxonomy=empty) for entry in group.entries]
    assert len(listed) == len(guide.pages)
