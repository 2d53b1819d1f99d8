"""Identifying reads a file once and says what it is, what is odd about it, or why it won't do."""

import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from labeler.images.identify import identify_image
from labeler.images.oddities import Oddity
from labeler.images.unreadable import UnreadableImage, UnreadableReason


def test_a_photograph_has_its_facts_and_no_oddity(gallery):
    path = gallery.photograph(size=(500, 375))
    facts = identify_image(path)
    assert facts.content_hash == hashlib.sha256(path.read_bytes()).digest()
    assert facts.byte_count == path.stat().st_size
    assert (facts.width, facts.height) == (500, 375)
    assert (facts.format, facts.mode) == ("JPEG", "RGB")
    assert facts.oddities == frozenset()


@pytest.mark.parametrize(
    ("kind", "format_name", "oddities"),
    [
        ("progressive", "JPEG", set()),
        ("png", "PNG", set()),
        ("cmyk", "JPEG", {Oddity.CMYK}),
        ("greyscale", "JPEG", {Oddity.GREYSCALE}),
        ("transparent_palette", "PNG", {Oddity.PALETTE, Oddity.TRANSPARENCY}),
        ("translucent", "PNG", {Oddity.TRANSPARENCY}),
        ("sixteen_bit_grey", "PNG", {Oddity.SIXTEEN_BIT, Oddity.GREYSCALE}),
        ("sixteen_bit_colour", "PNG", {Oddity.SIXTEEN_BIT}),
        ("animated", "GIF", {Oddity.PALETTE, Oddity.ANIMATED}),
    ],
)
def test_each_oddity_is_noted(gallery, kind, format_name, oddities):
    facts = identify_image(getattr(gallery, kind)())
    assert facts.format == format_name
    assert facts.oddities == oddities


def test_a_png_called_jpeg_is_fine_and_noted(gallery):
    facts = identify_image(gallery.png("n01440764_10026.JPEG"))
    assert facts.format == "PNG"
    assert facts.oddities == {Oddity.WRONG_EXTENSION}


def test_a_jpeg_with_further_pictures_behind_the_first_is_a_jpeg(tmp_path):
    frames = [Image.new("RGB", (32, 32), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "two.jpg", format="MPO", save_all=True, append_images=frames[1:])
    facts = identify_image(tmp_path / "two.jpg")
    assert facts.format == "JPEG"
    assert facts.oddities == {Oddity.ANIMATED}


def test_exif_rotation_is_noted_and_the_size_stays_as_stored(gallery):
    facts = identify_image(gallery.rotated(6))
    assert facts.oddities == {Oddity.EXIF_ROTATED}
    assert (facts.width, facts.height) == (64, 32)


def test_an_upright_exif_orientation_is_no_oddity(gallery):
    assert identify_image(gallery.rotated(1)).oddities == frozenset()


def test_each_unreadable_file_has_its_reason(gallery, tmp_path):
    files = {
        gallery.empty(): UnreadableReason.EMPTY,
        gallery.garbage(): UnreadableReason.NOT_AN_IMAGE,
        gallery.cut_short(gallery.photograph(size=(500, 375))): UnreadableReason.TRUNCATED,
        gallery.cut_short(gallery.progressive()): UnreadableReason.TRUNCATED,
        gallery.cut_short(gallery.png(size=(200, 200))): UnreadableReason.TRUNCATED,
        gallery.bomb(): UnreadableReason.TOO_LARGE,
        gallery.floating_point(): UnreadableReason.UNSUPPORTED_PIXELS,
        tmp_path / "nowhere.JPEG": UnreadableReason.MISSING,
    }
    found = {}
    for path in files:
        with pytest.raises(UnreadableImage) as caught:
            identify_image(path)
        found[path] = caught.value.reason
    assert found == files


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kept=st.floats(0, 0.95))
def test_a_photograph_cut_anywhere_is_found_out(gallery, kept):
    path = gallery.cut_short(gallery.photograph(size=(160, 120)), kept=kept)
    with pytest.raises(UnreadableImage):
        identify_image(path)


def test_every_oddity_and_reason_has_words_of_its_own():
    for closed_set in (Oddity, UnreadableReason):
        assert len({member.fragment for member in closed_set}) == len(closed_set)
    assert len({str(UnreadableImage(reason)) for reason in UnreadableReason}) == len(
        UnreadableReason
    )
