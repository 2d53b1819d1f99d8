"""Trial images become pixels that Qt paints, scaled for the view and whole for zooming."""

from io import BytesIO
from threading import Thread

import numpy as np
import pytest
from PIL import Image
from PySide6.QtGui import QImage

from labeler.core.labeling.blind_types import EncodedImage
from labeler.core.view_geometry import PixelSize, Viewport
from labeler.images.decoder import decode
from labeler.images.unreadable import UnreadableImage
from labeler.ui.kit.pictures import image_pyramid
from labeler.ui.kit.pictures.image_pyramid import build_pyramid, refit_pyramid
from tests.gui.trial_pictures import RED, coordinates, encoded, plain

WINDOW = Viewport(400, 300)


def rgb(image: QImage) -> np.ndarray:
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4)[..., 2::-1]


def size(image: QImage) -> tuple[int, int]:
    return image.width(), image.height()


def test_the_pixels_are_those_of_the_one_decoder() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (61, 47, 3), dtype=np.uint8)
    buffer = BytesIO()
    Image.fromarray(noise).save(buffer, "JPEG", quality=90)
    picture = EncodedImage(buffer.getvalue(), apply_exif=False)
    prepared = build_pyramid(picture, WINDOW)
    assert np.array_equal(rgb(prepared.full), np.asarray(decode(picture.data)))
    same_size = build_pyramid(picture, Viewport(47, 61))
    assert np.array_equal(rgb(same_size.fitted), rgb(prepared.full))


@pytest.mark.parametrize(
    ("picture", "viewport", "fitted"),
    [
        ((800, 600), WINDOW, (400, 300)),
        ((800, 200), WINDOW, (400, 100)),
        ((200, 100), WINDOW, (400, 200)),
        ((20, 20), WINDOW, (60, 60)),
        ((100, 50), Viewport(800, 600, ratio=2.0), (600, 300)),
        ((1000, 500), Viewport(800, 600, ratio=2.0), (800, 400)),
        ((1000, 500), Viewport(500, 375, ratio=1.25), (500, 250)),
    ],
)
def test_the_fitted_image_has_exactly_the_pixels_that_the_device_shows(
    picture: tuple[int, int], viewport: Viewport, fitted: tuple[int, int]
) -> None:
    prepared = build_pyramid(encoded(plain(*picture)), viewport)
    assert size(prepared.fitted) == fitted
    assert prepared.fitted.devicePixelRatio() == viewport.ratio
    assert size(prepared.full) == picture
    assert prepared.full.devicePixelRatio() == 1


def test_shrinking_takes_the_mean_of_all_pixels() -> None:
    lines = np.zeros((300, 800, 3), np.uint8)
    lines[:, ::2] = 200
    prepared = build_pyramid(encoded(Image.fromarray(lines)), Viewport(400, 300))
    assert np.abs(rgb(prepared.fitted).astype(int) - 100).max() <= 2


def test_a_large_image_has_halves_so_that_zooming_passes_over_no_pixel() -> None:
    prepared = build_pyramid(encoded(plain(1700, 1300)), Viewport(400, 300))
    assert [size(level) for level in prepared.levels] == [(1700, 1300), (850, 650), (425, 325)]
    assert size(prepared.level_for(1.0)) == (1700, 1300)
    assert size(prepared.level_for(0.51)) == (1700, 1300)
    assert size(prepared.level_for(0.5)) == (850, 650)
    assert size(prepared.level_for(0.2)) == (425, 325)
    assert size(prepared.level_for(3.0)) == (1700, 1300)


def test_another_viewport_gets_another_fit_from_the_same_pixels() -> None:
    prepared = build_pyramid(encoded(plain(1600, 1200)), Viewport(800, 600))
    smaller = refit_pyramid(prepared, Viewport(200, 150, ratio=2.0))
    assert size(smaller.fitted) == (200, 150)
    assert smaller.fitted.devicePixelRatio() == 2
    assert [size(level) for level in smaller.levels] == [
        (1600, 1200),
        (800, 600),
        (400, 300),
        (200, 150),
    ]
    assert size(refit_pyramid(smaller, Viewport(2000, 2000)).fitted) == (2000, 1500)


@pytest.mark.parametrize("orientation", [1, 6])
def test_a_gigantic_image_is_shrunk_within_the_limit(
    monkeypatch: pytest.MonkeyPatch, orientation: int
) -> None:
    monkeypatch.setattr(image_pyramid, "MAX_PIXELS", 5_000)
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = BytesIO()
    plain(400, 100).save(buffer, "JPEG", exif=exif)
    prepared = build_pyramid(EncodedImage(buffer.getvalue(), apply_exif=True), WINDOW)
    assert prepared.size == (PixelSize(141, 35) if orientation == 1 else PixelSize(35, 141))
    assert np.abs(rgb(prepared.full).astype(int) - RED).max() <= 6


def test_the_datasets_rule_for_turned_pictures_is_kept() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = BytesIO()
    plain(60, 40).save(buffer, "JPEG", exif=exif)
    assert build_pyramid(
        EncodedImage(buffer.getvalue(), apply_exif=False), WINDOW
    ).size == PixelSize(60, 40)
    assert build_pyramid(
        EncodedImage(buffer.getvalue(), apply_exif=True), WINDOW
    ).size == PixelSize(40, 60)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(UnreadableImage):
        build_pyramid(EncodedImage(b"no picture", apply_exif=False), WINDOW)


def test_images_can_be_prepared_on_several_threads_at_once() -> None:
    picture, prepared = encoded(coordinates(250, 200)), []
    threads = [
        Thread(target=lambda: prepared.extend(build_pyramid(picture, WINDOW) for _ in range(10)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(prepared) == 40
    assert all(np.array_equal(rgb(it.full), np.asarray(coordinates(250, 200))) for it in prepared)


def test_prepared_pixels_say_nothing_of_themselves() -> None:
    assert repr(build_pyramid(encoded(plain(20, 20)), WINDOW)) == "ImagePyramid()"
