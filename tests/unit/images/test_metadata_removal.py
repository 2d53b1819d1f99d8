"""Metadata is removed without touching pixels."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from labeler.images.decoder import decode
from labeler.images.metadata_removal import without_metadata

SECRET = b"n01440764 tench.JPEG"


def picture(mode: str = "RGB") -> Image.Image:
    pixels = np.random.default_rng(1).integers(0, 255, (24, 40, 3), dtype=np.uint8)
    return Image.fromarray(pixels).convert(mode)


def jpeg(mode: str = "RGB", *, turn: int = 1, **options) -> bytes:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = turn, SECRET.decode()
    buffer = BytesIO()
    picture(mode).save(buffer, "JPEG", exif=exif, comment=SECRET, **options)
    return buffer.getvalue() + SECRET


@pytest.mark.parametrize("apply_exif", [False, True])
@pytest.mark.parametrize("turn", [1, 3, 6])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"icc_profile": SECRET * 9}])
def test_a_jpeg_keeps_its_pixels_and_loses_everything_else(
    turn: int, apply_exif: bool, options: dict
) -> None:
    data = jpeg(turn=turn, **options)
    plain = without_metadata(data, apply_exif=apply_exif)
    assert SECRET not in plain
    assert plain.startswith(b"\xff\xd8")
    shown = decode(data, apply_exif=apply_exif)
    assert decode(plain, apply_exif=True).tobytes() == shown.tobytes()
    assert decode(plain, apply_exif=True).size == shown.size


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_grey_and_cmyk_jpegs_keep_their_colours(mode: str) -> None:
    data = jpeg(mode)
    plain = without_metadata(data, apply_exif=False)
    assert decode(plain, apply_exif=True).tobytes() == decode(data).tobytes()


@pytest.mark.parametrize("mode", ["RGB", "P", "L", "RGBA"])
def test_a_png_keeps_its_pixels_and_loses_its_texts(mode: str) -> None:
    info = PngInfo()
    info.add_text("Comment", SECRET.decode())
    buffer = BytesIO()
    picture(mode).save(buffer, "PNG", pnginfo=info)
    data = buffer.getvalue() + SECRET
    plain = without_metadata(data, apply_exif=False)
    assert SECRET not in plain
    assert decode(plain, apply_exif=True).tobytes() == decode(data).tobytes()


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "BMP", "TIFF"])
def test_other_formats_are_stored_without_loss(kind: str) -> None:
    buffer = BytesIO()
    picture().save(buffer, kind)
    plain = without_metadata(buffer.getvalue(), apply_exif=False)
    assert decode(plain, apply_exif=True).tobytes() == decode(buffer.getvalue()).tobytes()
