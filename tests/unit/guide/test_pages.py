"""A folder of pages becomes a guide that knows its classes, its pairs and its version."""

from pathlib import Path

import pytest

from labeler.core.errors import InputError
from labeler.guide.pages import Guide, load_guide

LION = """\
+++
title = "Lion"
wnids = ["n02129165"]
version = 1
status = "unverified"
sources = []
+++
## What it is
A cat.
## How to tell it from
| Class | Look-alike | The trait that decides |
|---|---|---|
| [lion](class:n02129165) | [cougar](class:n02125311) | The mane. |
## Typical scenes
Savanna.
## Also-valid labels
None.
## Traps in the labels
None.
"""


@pytest.fixture
def folder(tmp_path: Path, page: str) -> Path:
    folder = tmp_path / "guide"
    folder.mkdir()
    (folder / "rodents.md").write_bytes(page.encode())
    (folder / "lion.md").write_bytes(LION.encode())
    (folder / "README.md").write_bytes(b"About the guide, not a page of it.")
    return folder


def rewrite(file: Path, old: str, new: str) -> None:
    file.write_bytes(file.read_bytes().decode().replace(old, new).encode())


def test_pages_are_ordered_and_the_readme_is_none_of_them(folder: Path) -> None:
    assert [page.slug for page in load_guide(folder).pages] == ["lion", "rodents"]


def test_a_class_leads_to_the_page_that_covers_it(folder: Path) -> None:
    guide = load_guide(folder)
    page = guide.page_for("n02363005")
    assert page is not None
    assert page.slug == "rodents"
    assert guide.page_for("n02444819") is None


def test_pairs_are_sorted_within_and_among_themselves(folder: Path) -> None:
    assert load_guide(folder).pairs() == (
        ("n02125311", "n02129165"),
        ("n02361337", "n02363005"),
        ("n02363005", "n02444819"),
    )


def test_an_empty_folder_is_an_empty_guide(tmp_path: Path) -> None:
    guide = load_guide(tmp_path)
    assert guide.pages == ()
    assert guide.pairs() == ()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder of the guide"):
        load_guide(tmp_path / "absent")


def test_a_class_covered_twice_names_both_pages_and_the_line(folder: Path) -> None:
    rewrite(folder / "rodents.md", '"n02363005",\n]', '"n02363005",\n  "n02129165",\n]')
    with pytest.raises(InputError, match=r"rodents\.md, line 6: n02129165 .* lion\.md"):
        load_guide(folder)


def test_the_version_changes_with_any_page(folder: Path) -> None:
    before = load_guide(folder).version
    rewrite(folder / "lion.md", "The mane.", "The mane!")
    assert load_guide(folder).version != before


def test_the_version_changes_with_the_front_matter(folder: Path) -> None:
    before = load_guide(folder).version
    rewrite(folder / "lion.md", "version = 1", "version = 2")
    assert load_guide(folder).version != before


def test_the_version_changes_with_a_page_s_name(folder: Path) -> None:
    before = load_guide(folder).version
    (folder / "lion.md").rename(folder / "lions.md")
    assert load_guide(folder).version != before


def test_the_version_ignores_line_ends_byte_order_mark_and_readme(folder: Path) -> None:
    before = load_guide(folder).version
    rewrite(folder / "lion.md", "\n", "\r\n")
    (folder / "rodents.md").write_bytes(b"\xef\xbb\xbf" + (folder / "rodents.md").read_bytes())
    (folder / "README.md").write_bytes(b"Rewritten.")
    assert load_guide(folder).version == before


def test_the_version_does_not_depend_on_the_order_or_the_place(folder: Path) -> None:
    guide = load_guide(folder)
    moved = load_guide(folder.rename(folder.with_name("elsewhere")))
    assert Guide(guide.pages[::-1]).version == guide.version == moved.version


def test_the_version_is_short_and_stable(folder: Path) -> None:
    assert load_guide(folder).version == "c67b8331542e"


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(LION.replace("n02129165", "n02129604").encode())
    (folder / "tiger.md").symlink_to(outside)
    with pytest.raises(InputError, match=r"tiger\.md: .* outside the guide's folder"):
        load_guide(folder)


def test_a_circle_of_links_is_refused(folder: Path) -> None:
    (folder / "a.md").symlink_to(folder / "b.md")
    (folder / "b.md").symlink_to(folder / "a.md")
    with pytest.raises(InputError, match=r"a\.md: .* not a regular file"):
        load_guide(folder)


def test_a_folder_named_like_a_page_is_refused(folder: Path) -> None:
    (folder / "cats.md").mkdir()
    with pytest.raises(InputError, match=r"cats\.md: .* not a regular file"):
        load_guide(folder)


def test_an_odd_file_name_is_refused(folder: Path) -> None:
    (folder / "lion.md").rename(folder / "The Lion.md")
    with pytest.raises(InputError, match="may only have a-z"):
        load_guide(folder)


def test_a_page_in_another_encoding_is_refused_at_its_line(folder: Path) -> None:
    rewrite(folder / "lion.md", "A cat.", "A cat.\r\nBesides: @")
    content = (folder / "lion.md").read_bytes().replace(b"@", b"\xe9")
    (folder / "lion.md").write_bytes(content)
    with pytest.raises(InputError, match=r"lion\.md, line 10: .* UTF-8"):
        load_guide(folder)
