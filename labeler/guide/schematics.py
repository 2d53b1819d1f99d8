"""Schematics: SVG drawings in one ink, which follows the colours of whatever shows them."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from labeler.images.unreadable import UnreadableImage, UnreadableReason

# What the root of a schematic names as its `color`; lines and words are drawn in `currentColor`.
SCHEMATIC_INK = "#1d2129"
# Room for words of the usual size in print and on a page: a schematic's units are no pixels.
SCHEMATIC_SCALE = 1.4
_INK = re.compile(rf'\bcolor="{SCHEMATIC_INK}"'.encode())
_MAX_SIDE = 2000
_LENGTH = re.compile(r"[0-9]{1,4}")
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_SHAPES = ("path", "circle", "ellipse", "rect", "line", "polyline", "polygon", "text", "tspan")
_ELEMENTS = frozenset(_NAMESPACE + name for name in ("svg", "g", "title", "style", *_SHAPES))
# Declarations can define entities that grow without end, or that name files.
_DECLARATION = re.compile(rb"<!(?!--)")
_LEADS_ELSEWHERE = re.compile(r"url\s*\(|@import", re.IGNORECASE)


def schematic_size(content: bytes) -> tuple[int, int]:
    """The size that the drawing gives itself; UnreadableImage unless it has nothing but shapes."""
    if _DECLARATION.search(content):
        raise UnreadableImage(UnreadableReason.NOT_AN_IMAGE)
    try:
        root = ET.fromstring(content)
    except (ET.ParseError, ValueError, RecursionError):
        raise UnreadableImage(UnreadableReason.TRUNCATED) from None
    if root.tag != f"{_NAMESPACE}svg" or not all(map(_is_plain, root.iter())):
        raise UnreadableImage(UnreadableReason.NOT_AN_IMAGE)
    width, height = _sides(root)
    return width, height


def _sides(root: ET.Element) -> Iterator[int]:
    for side in ("width", "height"):
        written = root.get(side, "")
        if not _LENGTH.fullmatch(written) or not 0 < int(written) <= _MAX_SIDE:
            raise UnreadableImage(UnreadableReason.TOO_LARGE)
        yield int(written)


def _is_plain(element: ET.Element) -> bool:
    """Whether an element only draws: nothing that acts, loads or refers to anything else."""
    texts = (element.text or "", *element.attrib.values())
    named = (name.rpartition("}")[2].lower() for name in element.attrib)
    return (
        element.tag in _ELEMENTS
        and not any(_LEADS_ELSEWHERE.search(text) for text in texts)
        and not any(name == "href" or name.startswith("on") for name in named)
    )


def with_ink(content: bytes, ink: str) -> bytes:
    """The drawing in another ink, as `#rrggbb`."""
    return _INK.sub(f'color="{ink}"'.encode(), content, count=1)
