"""A page leads to classes and pages and shows its own pictures; everything else is refused."""

from pathlib import Path

import pytest

from labeler.guide.links import (
    ExternalLink,
    GuideClassLink,
    GuideLink,
    GuidePageLink,
    PictureFile,
    ReferencePicture,
    find_picture_file,
    parse_link,
    parse_picture,
)

HOSTILE = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "vbscript:x",
    "file:///etc/passwd",
    "/etc/passwd",
    "../../etc/passwd",
    "..",
    "data:image/png;base64,AAAA",
    "class:n0236133",
    "class:n02361337/../x",
    "qrc:/icons/x.png",
    "",
]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("class:n02361337", GuideClassLink("n02361337")),
        ("page:marmot-and-beaver", GuidePageLink("marmot-and-beaver")),
        ("marmot-and-beaver.md", GuidePageLink("marmot-and-beaver")),
        ("https://example.org/a?b=c", ExternalLink("https://example.org/a?b=c")),
    ],
)
def test_a_link_leads_to_a_class_a_page_or_is_an_address_to_read(
    address: str, link: GuideLink
) -> None:
    assert parse_link(address) == link


@pytest.mark.parametrize("address", HOSTILE)
def test_any_other_link_leads_nowhere(address: str) -> None:
    assert parse_link(address) is None


def test_a_followed_address_reads_back_as_the_same_link() -> None:
    for link in (GuideClassLink("n02361337"), GuidePageLink("foxes")):
        assert parse_link(link.address) == link


@pytest.mark.parametrize(
    "picture",
    [
        ReferencePicture("n02361337", 7),
        PictureFile("tails.png"),
        PictureFile("foxes/tail_2.JPEG"),
        PictureFile("schematics/tails.svg"),
    ],
)
def test_a_picture_is_a_reference_image_or_a_file_of_the_guide(
    picture: ReferencePicture | PictureFile,
) -> None:
    assert parse_picture(picture.address) == picture


@pytest.mark.parametrize(
    "address",
    [
        *HOSTILE,
        "http://example.org/x.png",
        "//example.org/x.png",
        "file:///tmp/x.png",
        "/tmp/x.png",
        "../x.png",
        "pictures/../../x.png",
        "pictures/%2e%2e/%2e%2e/x.png",
        "..%2fx.png",
        "x.gif",
        "study.db",
        "ref:n02361337/0",
        "ref:../7",
    ],
)
def test_any_other_picture_is_refused(address: str) -> None:
    assert parse_picture(address) is None


def test_a_picture_file_must_be_in_the_folder_even_through_links(tmp_path: Path) -> None:
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "own.png").write_bytes(b"picture")
    (tmp_path / "outside.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    assert (
        find_picture_file(PictureFile("own.png"), folder=folder) == (folder / "own.png").resolve()
    )
    assert find_picture_file(PictureFile("link.png"), folder=folder) is None
    assert find_picture_file(PictureFile("absent.png"), folder=folder) is None
