"""Measuring plain JPEG files by their markers, as nearly all photographs are plain.

Pillow's header takes several times as long, and holds the interpreter's lock meanwhile. Whatever
isn't beyond doubt is left to it.
"""

import struct
from typing import NamedTuple

from labeler.images.pillow import MAX_PIXELS

JPEG_END_MARKER = b"\xff\xd9"

_START = b"\xff\xd8"
_SEGMENT = struct.Struct(">BBH")
_FRAME = struct.Struct(">BHHB")
_PREFIX = 0xFF
_SCAN, _TABLES = 0xDA, 0xDB
# Baseline, extended and progressive.
_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
_MODES = {1: "L", 3: "RGB"}
# The least length of what tells nothing about the pixels: Huffman tables, restart intervals,
# JFIF, Adobe, comments.
_SHORTEST = {0xC4: 2, 0xDD: 4, 0xE0: 9, 0xEE: 14, 0xFE: 2}


class PlainJpeg(NamedTuple):
    """A JPEG that ends with its end marker, and that nothing is odd about but perhaps its grey."""

    width: int
    height: int
    mode: str


def parse_plain_jpeg(data: bytes) -> PlainJpeg | None:
    """What a plain JPEG is; None for anything else, damaged or not."""
    if not (data.startswith(_START) and data.endswith(JPEG_END_MARKER)):
        return None
    frame: PlainJpeg | None = None
    place = len(_START)
    while place + _SEGMENT.size <= len(data):
        prefix, marker, length = _SEGMENT.unpack_from(data, place)
        contents, place = place + _SEGMENT.size, place + 2 + length
        if prefix != _PREFIX or place > len(data):
            return None
        if marker == _SCAN:
            return frame
        if marker in _FRAMES and frame is None:
            frame = _frame(data[contents:place])
            if frame is None:
                return None
        elif not _is_irrelevant(marker, length, data[contents:place]):
            return None
    return None


def _is_irrelevant(marker: int, length: int, contents: bytes) -> bool:
    if marker == _TABLES:
        return _are_complete_tables(contents)
    return marker in _SHORTEST and length >= _SHORTEST[marker]


def _frame(contents: bytes) -> PlainJpeg | None:
    if len(contents) < _FRAME.size:
        return None
    bits, height, width, layers = _FRAME.unpack_from(contents)
    is_complete = len(contents) == _FRAME.size + 3 * layers
    if bits != 8 or layers not in _MODES or not is_complete or not 0 < width * height <= MAX_PIXELS:
        return None
    return PlainJpeg(width, height, _MODES[layers])


def _are_complete_tables(contents: bytes) -> bool:
    """Whether a segment holds quantization tables of 64 numbers of one or two bytes each."""
    place = 0
    while place < len(contents):
        place += 1 + 64 * (1 if contents[place] < 16 else 2)
    return place == len(contents)
