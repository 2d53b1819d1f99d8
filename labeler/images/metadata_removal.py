"""Removing everything from an image file that isn't needed to show its pixels.

The compressed pixels of JPEG and PNG files are copied as they are. Other formats are stored as
PNG, which loses nothing. Only the orientation is kept, and only where the study applies it.
"""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO

from labeler.images.decoder import decode
from labeler.images.pillow import open_header, orientation

_JPEG_START, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG_START = b"\x89PNG\r\n\x1a\n"
_SCAN, _END = 0xDA, 0xD9
_APP0, _APP14, _APP15, _COMMENT = 0xE0, 0xEE, 0xEF, 0xFE
_RESTARTS = range(0xD0, 0xD8)
# Version 1.1 without a density or thumbnail.
_JFIF = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
_PNG_PIXELS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")


class _Unusual(Exception):
    """The file isn't built as expected; its pixels are stored in another way."""


def without_metadata(data: bytes, *, apply_exif: bool) -> bytes:
    """Return a file with the same pixels and no metadata, or raise UnreadableImage.

    The result is to be shown with its orientation applied: it has one only if the study applies it.
    """
    turn = orientation(open_header(data)) if apply_exif else 1
    try:
        if data.startswith(_JPEG_START):
            return _plain_jpeg(data, turn)
        if data.startswith(_PNG_START) and turn == 1:
            return _plain_png(data)
    except (_Unusual, struct.error, IndexError):
        pass
    return _as_png(data, apply_exif=apply_exif)


def _plain_jpeg(data: bytes, turn: int) -> bytes:
    parts = [_JPEG_START]
    pieces = list(_jpeg_pieces(data))
    if any(marker == _APP0 and piece[4:9] == b"JFIF\0" for marker, piece in pieces):
        parts.append(_JFIF)
    if turn != 1:
        parts.append(_orientation_segment(turn))
    parts += [piece for marker, piece in pieces if _is_needed(marker, piece)]
    return b"".join((*parts, _JPEG_END))


def _is_needed(marker: int, piece: bytes) -> bool:
    """Return whether a decoder needs the piece; Adobe's segment says how colours are stored."""
    if marker == _APP14:
        return piece[4:9] == b"Adobe"
    return marker != _COMMENT and not _APP0 <= marker <= _APP15


def _jpeg_pieces(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the markers with their segments, and scans with their compressed pixels."""
    offset = len(_JPEG_START)
    while True:
        while data[offset : offset + 2] == b"\xff\xff":
            offset += 1
        prefix, marker, length = struct.unpack_from(">BBH", data, offset)
        if prefix != 0xFF or marker == 0:
            raise _Unusual
        if marker == _END:
            return
        end = offset + 2 + length
        if end > len(data) or length < 2:
            raise _Unusual
        if marker == _SCAN:
            end = _scan_end(data, end)
        yield marker, data[offset:end]
        offset = end
        if data[offset : offset + 2] == _JPEG_END:
            return


def _scan_end(data: bytes, offset: int) -> int:
    """Return where the compressed pixels end: at a marker that isn't part of them."""
    while True:
        offset = data.find(b"\xff", offset)
        if offset < 0 or offset + 1 >= len(data):
            raise _Unusual
        follows = data[offset + 1]
        if follows != 0 and follows not in _RESTARTS and follows != 0xFF:
            return offset
        offset += 1 if follows == 0xFF else 2


def _orientation_segment(turn: int) -> bytes:
    """Return an EXIF segment with nothing but the orientation."""
    exif = b"Exif\0\0II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, turn, 0, 0)
    return b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif


def _plain_png(data: bytes) -> bytes:
    parts, offset = [_PNG_START], len(_PNG_START)
    while True:
        length, kind = struct.unpack_from(">I4s", data, offset)
        end = offset + 12 + length
        if end > len(data):
            raise _Unusual
        if kind in _PNG_PIXELS:
            if (
                zlib.crc32(data[offset + 4 : end - 4])
                != struct.unpack(">I", data[end - 4 : end])[0]
            ):
                raise _Unusual
            parts.append(data[offset:end])
        if kind == b"IEND":
            return b"".join(parts)
        offset = end


def _as_png(data: bytes, *, apply_exif: bool) -> bytes:
    buffer = BytesIO()
    decode(data, apply_exif=apply_exif).save(buffer, format="PNG")
    return buffer.getvalue()
