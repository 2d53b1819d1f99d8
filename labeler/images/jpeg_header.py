"""Read the size of plain JPEG files from their markers; nearly all photographs are plain.

Pillow takes several times as long to read a header and holds the GIL in that time. Files that
aren't clearly plain are left to Pillow.
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
# The minimum length of segments that say nothing about the pixels: Huffman tables, restart
# intervals, JFIF, Adobe, comments.
_SHORTEST = {0xC4: 2, 0xDD: 4, 0xE0: 9, 0xEE: 14, 0xFE: 2}


class PlainJpeg(NamedTuple):
    """A complete JPEG without unusual properties except that it may be grey."""

    width: int
    height: int
    mode: str


def parse_plain_jpeg(data: bytes) -> PlainJpeg | None:
    """Return the header of a plain JPEG, or None for any other or damaged file."""
    if not (data.startswith(_START) and data.endswith(JPEG_END_MARKER)):
        return None
    frame: PlainJpeg | None = None
    offset = len(_START)
    while offset + _SEGMENT.size <= len(data):
        prefix, marker, length = _SEGMENT.unpack_from(data, offset)
        contents, offset = offset + _SEGMENT.size, offset + 2 + length
        if prefix != _PREFIX or offset > len(data):
            return None
        if marker == _SCAN:
            return frame
        if marker in _FRAMES and frame is None:
            frame = _frame(data[contents:offset])
            if frame is None:
                return None
        elif not _is_irrelevant(marker, length, data[contents:offset]):
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
    """Return whether a segment contains quantization tables of 64 one- or two-byte numbers."""
    offset = 0
    while offset < len(contents):
        offset += 1 + 64 * (1 if contents[offset] < 16 else 2)
    return offset == len(contents)
