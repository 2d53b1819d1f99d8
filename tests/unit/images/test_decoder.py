"""One decoder, with defined pixels for every kind of image and a typed refusal for the rest."""

import os
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from labeler.images.decoder import decode, decode_scaled, fit_size
from labeler.images.file_reader import MAX_BYTES
from labeler.images.pillow import MAX_PIXELS, open_header
from labeler.images.unreadable import UnreadableImage, UnreadableReason

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)

OUTCOMES = {"RGB", *UnreadableReason}

# How files of each format begin, so that random bytes get past the first look.
MAGIC = (
    b"",
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    b"GIF89a",
    b"RIFF\x10\x00\x00\x00WEBPVP8 ",
    b"BM",
    b"II*\x00\x08\x00\x00\x00",
    b"P6 4 4 255\n",
)


def refusal(read: Callable[[], object]) -> UnreadableReason:
    with pytest.raises(UnreadableImage) as caught:
        read()
    return caught.value.reason


def outcome(read: Callable[[], Image.Image]) -> str:
    """The mode of the image that was read, or the reason why there is none."""
    try:
        return read().mode
    except UnreadableImage as problem:
        return problem.reason


def published_pixels(path: Path) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(Image.open(path).convert("RGB"))


def is_near(pixel: object, colour: tuple[int, int, int]) -> bool:
    return bool(np.abs(np.subtract(pixel, colour)).max() < 24)


@pytest.mark.parametrize(
    "kind",
    [
        "photograph",
        "progressive",
        "png",
        "cmyk",
        "greyscale",
        "transparent_palette",
        "translucent",
        "sixteen_bit_colour",
        "animated",
    ],
)
def test_pixels_are_those_of_published_evaluations(gallery, kind):
    path = getattr(gallery, kind)()
    image = decode(path)
    assert image.mode == "RGB"
    np.testing.assert_array_equal(np.asarray(image), published_pixels(path))


def test_bytes_and_file_decode_alike(gallery):
    path = gallery.photograph()
    assert decode(path).tobytes() == decode(path.read_bytes()).tobytes()


@pytest.mark.parametrize(
    ("stored", "shown"), [(0, 0), (0x4000, 0x40), (0x8000, 0x80), (0xFFFF, 0xFF)]
)
def test_sixteen_bit_grey_is_scaled_and_not_clipped(gallery, stored, shown):
    pixels = np.asarray(decode(gallery.sixteen_bit_grey(value=stored)))
    assert pixels.shape == (40, 60, 3)
    assert set(pixels.ravel()) == {shown}


def test_sixteen_bit_colour_and_grey_agree(gallery):
    grey = decode(gallery.sixteen_bit_grey(value=0xABCD))
    assert grey.tobytes() == decode(gallery.sixteen_bit_colour(value=0xABCD)).tobytes()


def test_sixteen_bit_tiff_and_portable_greymap_are_scaled_too(tmp_path):
    pixels = Image.fromarray(np.full((4, 4), 0x8000, dtype=np.uint16))
    for name in ("deep.tif", "deep.pgm"):
        pixels.save(tmp_path / name)
        assert set(decode(tmp_path / name).tobytes()) == {0x80}


def test_the_first_frame_of_an_animation_is_decoded(gallery):
    assert is_near(decode(gallery.animated()).getpixel((5, 5)), RED)


def test_exif_rotation_is_ignored_unless_asked_for(gallery):
    path = gallery.rotated(6)
    as_stored, turned = decode(path), decode(path, apply_exif=True)
    assert as_stored.size == (64, 32)
    assert is_near(as_stored.getpixel((8, 8)), RED)
    assert turned.size == (32, 64)
    assert is_near(turned.getpixel((24, 8)), RED)
    assert is_near(turned.getpixel((8, 8)), BLUE)


@pytest.mark.parametrize(
    ("orientation", "size", "top_left", "top_right"),
    [
        (1, (64, 32), RED, GREEN),
        (2, (64, 32), GREEN, RED),
        (3, (64, 32), (255, 255, 255), BLUE),
        (4, (64, 32), BLUE, (255, 255, 255)),
        (5, (32, 64), RED, BLUE),
        (6, (32, 64), BLUE, RED),
        (7, (32, 64), (255, 255, 255), GREEN),
        (8, (32, 64), GREEN, (255, 255, 255)),
    ],
)
def test_every_exif_orientation_is_put_upright(gallery, orientation, size, top_left, top_right):
    path = gallery.rotated(orientation)
    for image in (decode(path, apply_exif=True), decode_scaled(path, size=size, apply_exif=True)):
        assert image.size == size
        assert is_near(image.getpixel((6, 6)), top_left)
        assert is_near(image.getpixel((size[0] - 7, 6)), top_right)


def test_damaged_exif_leaves_the_image_upright_and_readable(gallery):
    data = gallery.photograph().read_bytes()
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x05\x01\x12\x00\x03"
    app1 = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    assert decode(data[:2] + app1 + data[2:], apply_exif=True).size == (60, 40)


@pytest.mark.parametrize("read", [decode, lambda path: decode_scaled(path, size=(32, 32))])
def test_each_unreadable_file_has_its_reason(gallery, tmp_path, read):
    files = {
        gallery.empty(): UnreadableReason.EMPTY,
        gallery.garbage(): UnreadableReason.NOT_AN_IMAGE,
        gallery.cut_short(gallery.photograph(size=(200, 200))): UnreadableReason.TRUNCATED,
        gallery.cut_short(gallery.progressive()): UnreadableReason.TRUNCATED,
        gallery.cut_short(gallery.png(size=(200, 200))): UnreadableReason.TRUNCATED,
        gallery.bomb(): UnreadableReason.TOO_LARGE,
        gallery.floating_point(): UnreadableReason.UNSUPPORTED_PIXELS,
        tmp_path / "nowhere.JPEG": UnreadableReason.MISSING,
        gallery.empty("file") / "inside.JPEG": UnreadableReason.MISSING,
        tmp_path: UnreadableReason.NOT_A_FILE,
    }
    assert {path: refusal(lambda path=path: read(path)) for path in files} == files


def test_a_pixel_bomb_is_refused_from_its_header_whatever_pillows_own_limit_says(gallery):
    for side in (12_300, 20_000, 2_000_000):
        assert side**2 > MAX_PIXELS
        assert (
            refusal(lambda side=side: decode(gallery.bomb(side=side))) is UnreadableReason.TOO_LARGE
        )


def test_an_image_below_the_limit_is_opened_although_pillow_would_warn(gallery):
    image = open_header(gallery.bomb(side=12_000).read_bytes())
    assert Image.MAX_IMAGE_PIXELS < image.width * image.height < MAX_PIXELS


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path):
    os.mkfifo(tmp_path / "pipe.JPEG")
    assert refusal(lambda: decode(tmp_path / "pipe.JPEG")) is UnreadableReason.NOT_A_FILE


def test_pixels_without_an_8_bit_meaning_are_refused(tmp_path):
    images = {
        "float.tif": Image.new("F", (4, 4), 0.5),
        "deeper.tif": Image.new("I", (4, 4), 1 << 20),
        "negative.tif": Image.new("I", (4, 4), -1),
    }
    for name, image in images.items():
        image.save(tmp_path / name)
        assert (
            refusal(lambda name=name: decode(tmp_path / name))
            is UnreadableReason.UNSUPPORTED_PIXELS
        )


def test_a_file_too_long_to_be_a_picture_is_refused_unread(tmp_path):
    path = tmp_path / "long.JPEG"
    path.touch()
    os.truncate(path, MAX_BYTES + 1)
    assert refusal(lambda: decode(path)) is UnreadableReason.TOO_LARGE


def test_a_path_that_the_system_rejects_is_a_failed_read(tmp_path):
    assert refusal(lambda: decode(tmp_path / ("x" * 300))) is UnreadableReason.READ_FAILED


def test_a_file_that_may_not_be_read_says_so(gallery):
    path = gallery.photograph()
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read every file")
    assert refusal(lambda: decode(path)) is UnreadableReason.NO_PERMISSION


def test_no_refusal_names_the_file(gallery):
    path = gallery.garbage("n01440764_secret.JPEG")
    with pytest.raises(UnreadableImage) as caught:
        decode(path)
    assert "secret" not in str(caught.value)
    assert "n01440764" not in str(caught.value)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(magic=st.sampled_from(MAGIC), rest=st.binary(max_size=400))
def test_random_bytes_never_raise_anything_but_unreadable(magic, rest):
    for read in (decode, lambda data: decode_scaled(data, size=(16, 16), apply_exif=True)):
        assert outcome(lambda read=read: read(magic + rest)) in OUTCOMES


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_image_decodes_or_is_unreadable(gallery, data):
    kind = data.draw(st.sampled_from(["photograph", "transparent_palette", "animated", "rotated"]))
    path = gallery.rotated(6) if kind == "rotated" else getattr(gallery, kind)()
    damaged = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(st.integers(0, 255))
    assert outcome(lambda: decode(bytes(damaged), apply_exif=True)) in OUTCOMES


@given(
    width=st.integers(1, 5000),
    height=st.integers(1, 5000),
    box=st.tuples(st.integers(1, 600), st.integers(1, 600)),
)
def test_a_fitted_size_fills_its_box_keeps_its_shape_and_never_grows(width, height, box):
    w, h = fit_size((width, height), box)
    assert 1 <= w <= min(width, box[0])
    assert 1 <= h <= min(height, box[1])
    assert (w, h) == (width, height) or w == box[0] or h == box[1]
    assert abs(w * height - h * width) <= max(width, height)


def test_a_scaled_image_shows_the_same_picture(gallery):
    path = gallery.photograph(size=(500, 375))
    scaled = decode_scaled(path, size=(128, 128))
    exact = decode(path).resize((128, 96), Image.Resampling.LANCZOS)
    assert scaled.size == (128, 96)
    difference = np.abs(np.asarray(scaled, dtype=int) - np.asarray(exact, dtype=int))
    assert difference.mean() < 3


def test_a_small_image_is_never_enlarged(gallery):
    assert decode_scaled(gallery.photograph(), size=(128, 128)).size == (60, 40)


def test_threads_decode_large_and_small_images_without_disturbing_warnings(gallery):
    paths = [gallery.photograph(), gallery.bomb(side=12_300), gallery.transparent_palette()] * 10
    before = list(warnings.filters)
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(lambda path: outcome(lambda: decode(path)), paths))
    assert outcomes == ["RGB", UnreadableReason.TOO_LARGE, "RGB"] * 10
    assert warnings.filters == before
