"""Plain JPEG files are measured by their markers, with the same result as Pillow's."""

from io import BytesIO
from pathlib import PurePath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from labeler.images.jpeg_header import parse_plain_jpeg
from labeler.images.oddities import (
    Oddity,
    format_of,
    jpeg_oddities,
    loaded_oddities,
    stored_oddities,
)
from labeler.images.pillow import open_header

NAME = PurePath("n01440764_18.JPEG")


def jpeg(mode: str = "RGB", size: tuple[int, int] = (48, 32), **options: object) -> bytes:
    buffer = BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(buffer, "JPEG", **options)
    return buffer.getvalue()


def with_segment(data: bytes, marker: int, contents: bytes) -> bytes:
    """The file with one more segment right behind its start."""
    length = (len(contents) + 2).to_bytes(2, "big")
    return data[:2] + bytes((0xFF, marker)) + length + contents + data[2:]


PLAIN = {
    "baseline": jpeg(),
    "progressive": jpeg(progressive=True),
    "grey": jpeg("L"),
    "commented": jpeg(comment=b"from a camera"),
    "restarting": jpeg(restart_marker_rows=1),
    "Adobe": with_segment(jpeg(), 0xEE, b"Adobe\0\x64\0\0\0\0\x01"),
}
ODD = {
    "CMYK": jpeg("CMYK"),
    "with EXIF": jpeg(exif=b"Exif\0\0MM\0\x2a\0\0\0\x08\0\0"),
    "with a profile": jpeg(icc_profile=b"profile"),
    "with further pictures": with_segment(jpeg(), 0xE2, b"MPF\0MM\0\x2a\0\0\0\x08\0\0"),
    "cut short": jpeg()[:-2],
    "with a tail": jpeg() + b"\0",
    "a start and an end": b"\xff\xd8\xff\xd9",
    "a header alone": jpeg()[:160] + b"\xff\xd9",
    "of twelve bits": jpeg().replace(b"\xff\xc0\0\x11\x08", b"\xff\xc0\0\x11\x0c"),
    "without width": jpeg().replace(b"\0\x20\0\x30\x03", b"\0\x20\0\0\x03"),
    "too large": jpeg().replace(b"\0\x20\0\x30\x03", b"\xff\xff\xff\xff\x03"),
    "nothing": b"",
}


@pytest.mark.parametrize("kind", PLAIN)
def test_a_plain_file_is_measured(kind: str) -> None:
    measured = parse_plain_jpeg(PLAIN[kind])
    assert measured is not None
    assert (measured.width, measured.height) == (48, 32)
    assert measured.mode == ("L" if kind == "grey" else "RGB")


@pytest.mark.parametrize("kind", ODD)
def test_anything_else_is_left_to_pillow(kind: str) -> None:
    assert parse_plain_jpeg(ODD[kind]) is None


def test_a_wrong_name_and_grey_are_odd_about_a_plain_file_too() -> None:
    grey = parse_plain_jpeg(PLAIN["grey"])
    assert grey is not None
    assert jpeg_oddities(grey, PurePath("grey.png")) == {
        Oddity.GREYSCALE,
        Oddity.WRONG_EXTENSION,
    }


@settings(max_examples=400)
@given(
    kind=st.sampled_from([*PLAIN, *ODD]),
    changes=st.lists(st.tuples(st.integers(0, 700), st.integers(0, 255)), max_size=4),
    cut=st.none() | st.tuples(st.integers(0, 700), st.integers(0, 80)),
)
def test_whatever_is_accepted_pillow_measures_alike(
    kind: str, changes: list[tuple[int, int]], cut: tuple[int, int] | None
) -> None:
    data = bytearray({**PLAIN, **ODD}[kind])
    for place, value in changes:
        if place < len(data):
            data[place] = value
    if cut is not None:
        del data[cut[0] : sum(cut)]
    measured = parse_plain_jpeg(bytes(data))
    if measured is not None:
        image = open_header(bytes(data))
        assert (image.width, image.height, image.mode) == measured
        assert format_of(image) == "JPEG"
        stored = stored_oddities(image, NAME)
        assert jpeg_oddities(measured, NAME) == stored | loaded_oddities(image)
