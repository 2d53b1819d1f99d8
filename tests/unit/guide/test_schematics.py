"""A schematic is a plain drawing: it has a size, follows an ink, and can't act or load."""

from pathlib import Path

import pytest

from labeler.guide.schematics import SCHEMATIC_INK, schematic_size, with_ink
from labeler.images.unreadable import UnreadableImage
from tests.guides import SHIPPED_GUIDE

NAMESPACE = "http://www.w3.org/2000/svg"
SHIPPED = sorted((SHIPPED_GUIDE / "schematics").glob("*.svg"))


def drawing(inside: str = '<path d="M0 0h9"/>', size: str = 'width="360" height="120"') -> bytes:
    head = f'<svg xmlns="{NAMESPACE}" color="{SCHEMATIC_INK}" viewBox="0 0 360 120" {size}>'
    return f"{head}{inside}</svg>".encode()


def test_a_drawing_gives_its_size() -> None:
    assert schematic_size(drawing()) == (360, 120)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no drawing",
        drawing()[:-3],
        b"<html><body/></html>",
        drawing("<script>alert(1)</script>"),
        drawing('<image href="file:///etc/passwd"/>'),
        drawing('<path onclick="alert(1)" d="M0 0h9"/>'),
        drawing('<path fill="url(https://example.org/x)" d="M0 0h9"/>'),
        drawing("<style>@import 'https://example.org/x'</style>"),
        drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
        b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + drawing("<text>&a;</text>"),
        drawing(size=""),
        drawing(size='width="0" height="120"'),
        drawing(size='width="360" height="99999"'),
        drawing(size='width="100%" height="120"'),
    ],
)
def test_what_is_no_plain_drawing_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableImage):
        schematic_size(content)


def test_the_ink_is_replaced_once_and_nothing_else() -> None:
    accent = '<path stroke="#d2691e" d="M0 0h9"/>'
    changed = with_ink(drawing(accent), "#ffffff")
    assert changed == drawing(accent).replace(SCHEMATIC_INK.encode(), b"#ffffff")


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_every_shipped_schematic_follows_the_ink_and_is_as_wide_as_the_others(
    file: Path,
) -> None:
    content = file.read_bytes()
    assert schematic_size(content)[0] == 360
    assert with_ink(content, "#ffffff") != content
