"""A page leads to classes and pages and shows its own pictures; everything else is refused."""

from pathlib import Path

import pytest

from labeler.guide.links import (
    Link,
    OwnPicture,
    ReferencePicture,
    ToClass,
    ToOutside,
    ToPage,
    picture_file,
    read_link,
    read_picture,
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
        ("class:n02361337", ToClass("n02361337")),
        ("page:marmot-and-beaver", ToPage("marmot-and-beaver")),
        ("marmot-and-beaver.md", ToPage("marmot-and-beaver")),
        ("https://example.org/a?b=c", ToOutside("https://example.org/a?b=c")),
    ],
)
def test_a_link_leads_to_a_class_a_page_or_is_an_address_to_read(address: str, link: Link) -> None:
    assert read_link(address) == link


@pytest.mark.parametrize("address", HOSTILE)
def test_any_other_link_leads_nowhere(address: str) -> None:
    assert read_link(address) is None


def test_a_followed_address_reads_back_as_the_same_link() -> None:
    for link in (ToClass("n02361337"), ToPage("foxes")):
        assert read_link(link.address) == link


@pytest.mark.parametrize(
    "picture",
    [ReferencePicture("n02361337", 7), OwnPicture("tails.png"), OwnPicture("foxes/tail_2.JPEG")],
)
def test_a_picture_is_a_reference_image_or_a_file_of_the_guide(
    picture: ReferencePicture | OwnPicture,
) -> None:
    assert read_picture(picture.address) == picture


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
        "x.svg",
        "study.db",
        "ref:n02361337/0",
        "ref:../7",
    ],
)
def test_any_other_picture_is_refused(address: str) -> None:
    assert read_picture(address) is None


def test_a_picture_file_must_be_in_the_folder_even_through_links(tmp_path: Path) -> None:
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "own.png").write_bytes(b"picture")
    (tmp_path / "outside.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    assert picture_file(OwnPicture("own.png"), folder=folder) == (folder / "own.png").resolve()
    assert picture_file(OwnPicture("link.png"), folder=folder) is None
    assert picture_file(OwnPicture("absent.png"), folder=folder) is None
