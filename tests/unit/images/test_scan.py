"""Scanning identifies in parallel, keeps order, stays within bounds and stops when told."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from labeler.images.dataset_files import ListedImage
from labeler.images.identify import identify_image, scan_images
from labeler.images.unreadable import UnreadableReason

TARGET = "n01440764"


def listed(*paths: Path) -> list[ListedImage]:
    return [ListedImage(path.name, str(path), TARGET) for path in paths]


def scanning_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("scan")]


class Counted:
    """Listed images, and how many of them have been asked for."""

    def __init__(self, image: ListedImage, count: int) -> None:
        self.image, self.count, self.taken = image, count, 0

    def __iter__(self) -> Iterator[ListedImage]:
        for _ in range(self.count):
            self.taken += 1
            yield self.image


@pytest.mark.parametrize("workers", [None, 1, 4])
@pytest.mark.parametrize("in_flight", [1, 3, 256])
def test_results_come_in_the_order_of_the_input(gallery, workers, in_flight):
    sizes = [(8 + 40 * (number % 3), 8 + number) for number in range(12)]
    images = listed(*(gallery.png(f"{n}.png", size=size) for n, size in enumerate(sizes)))
    scanned = list(scan_images(images, workers=workers, in_flight=in_flight))
    assert [result.listed for result in scanned] == images
    assert [(result.facts.width, result.facts.height) for result in scanned] == sizes
    assert [result.facts for result in scanned] == [identify_image(image.path) for image in images]


def test_an_unreadable_image_is_a_result_and_not_an_end(gallery, tmp_path):
    files = [gallery.photograph(), gallery.garbage(), tmp_path / "gone.JPEG", gallery.png()]
    scanned = list(scan_images(listed(*files)))
    reasons = [result.problem and result.problem.reason for result in scanned]
    assert reasons == [None, UnreadableReason.NOT_AN_IMAGE, UnreadableReason.MISSING, None]
    assert [result.facts is None for result in scanned] == [False, True, True, False]


def test_an_empty_listing_gives_nothing():
    assert list(scan_images([])) == []


def test_no_more_than_the_bound_is_ever_listed_ahead(gallery):
    images = Counted(listed(gallery.photograph())[0], count=200)
    for done, _ in enumerate(scan_images(images, in_flight=8)):
        assert images.taken - done <= 8


def test_a_consumer_that_stops_leaves_no_thread(gallery):
    images = Counted(listed(gallery.photograph())[0], count=1000)
    results = scan_images(images, in_flight=16)
    next(results)
    assert scanning_threads()
    results.close()
    assert not scanning_threads()
    assert images.taken < 1000


def test_an_interrupt_in_the_consumer_leaves_no_thread(gallery):
    images = Counted(listed(gallery.photograph())[0], count=1000)

    def consume() -> None:
        for _ in scan_images(images, in_flight=16):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consume()
    assert not scanning_threads()


def test_an_error_in_the_listing_reaches_the_consumer_and_leaves_no_thread(gallery):
    def broken() -> Iterator[ListedImage]:
        yield from listed(gallery.photograph())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(scan_images(broken()))
    assert not scanning_threads()


@pytest.mark.parametrize("in_flight", [1, 4, 256])
def test_cancelling_ends_the_scan_at_once(gallery, in_flight):
    images = Counted(listed(gallery.photograph())[0], count=100)
    done: list[object] = []
    for result in scan_images(images, in_flight=in_flight, cancelled=lambda: len(done) >= 3):
        done.append(result)
    assert len(done) == 3
    assert not scanning_threads()
