"""A page becomes plain data in which every link has a place and every picture is there."""

from collections.abc import Callable

import pytest

from labeler.guide.links import GuidePicture, PictureFile
from labeler.guide.rendering.document_tree import DocumentData, LinkResolver, page_tree

MARMOT = "n02361337"


def known_picture(picture: GuidePicture) -> DocumentData | None:
    return {"name": "a.jpg"} if picture == PictureFile("tails.png") else None


LINKS = LinkResolver(
    to_class=lambda wnid: "class-marmot" if wnid == MARMOT else None,
    to_page=lambda slug: "page-foxes" if slug == "foxes" else None,
    picture=known_picture,
)

Tree = Callable[[str], list[DocumentData]]


@pytest.fixture
def tree() -> Tree:
    return lambda body: page_tree(body, LINKS)


def text(words: str) -> DocumentData:
    return {"kind": "text", "text": words}


def test_a_link_has_the_place_that_it_leads_to(tree: Tree) -> None:
    (block,) = tree(f"[m](class:{MARMOT})[f](foxes.md)")
    assert block["inline"] == [
        {"kind": "class", "to": "class-marmot", "inline": [text("m")]},
        {"kind": "page", "to": "page-foxes", "inline": [text("f")]},
    ]


@pytest.mark.parametrize(
    "address", ["class:n00000001", "nowhere.md", "javascript:x", "file:///etc/passwd", "../x.md"]
)
def test_of_a_link_to_nowhere_the_words_are_left(tree: Tree, address: str) -> None:
    (block,) = tree(f"[words]({address})")
    assert block["inline"] == [{"kind": "words", "inline": [text("words")]}]


def test_an_address_outside_is_reported(tree: Tree) -> None:
    (block,) = tree("[a study](https://example.org/a)")
    assert block["inline"] == [
        {"kind": "outside", "address": "https://example.org/a", "inline": [text("a study")]}
    ]


def test_pictures_by_themselves_stand_side_by_side(tree: Tree) -> None:
    (block,) = tree("![two tails](tails.png)\n![gone](gone.png)")
    assert block == {
        "kind": "pictures",
        "pictures": [
            {"kind": "picture", "words": "two tails", "name": "a.jpg"},
            {"kind": "missing", "words": "gone"},
        ],
    }


def test_references_of_which_none_is_there_are_left_out(tree: Tree) -> None:
    assert tree("![a](ref:n02363005/1) ![b](ref:n02363005/2)") == []
    (kept,) = tree("![a](ref:n02363005/1) ![gone](gone.png)")
    assert [picture["words"] for picture in kept["pictures"]] == ["a", "gone"]


def test_a_picture_among_words_stays_among_them(tree: Tree) -> None:
    (block,) = tree("see ![two tails](tails.png)")
    assert [part["kind"] for part in block["inline"]] == ["text", "picture"]


def test_sections_stand_below_the_title_which_is_left_out(tree: Tree) -> None:
    blocks = tree("# Title\n\n## Section\n\n### Below\n\n###### Deep")
    assert [block["level"] for block in blocks] == [3, 4, 4]


def test_a_table_of_distinctions_is_known_as_one(tree: Tree) -> None:
    head = "| Class | Look-alike | The trait that decides |\n|---|---|---|\n| a | b | c |"
    (distinctions,) = tree(head)
    (other,) = tree("| a |\n|---|")
    assert (distinctions["distinctions"], len(distinctions["rows"])) == (True, 1)
    assert (other["distinctions"], other["rows"]) == (False, [])


def test_blocks_keep_their_meaning(tree: Tree) -> None:
    blocks = tree("- a\n  1. b\n\n> q\n\n```\n<code>\n```\n\n---\n\n**s** *e* `c`  \nx\ny")
    kinds = [block["kind"] for block in blocks]
    assert kinds == ["list", "quote", "block_code", "rule", "paragraph"]
    assert blocks[2]["text"] == "<code>"
    parts = [part["kind"] for part in blocks[-1]["inline"] if part.get("text", "c").strip()]
    assert parts == ["strong", "em", "code", "break", "text", "text"]
