"""Originals of reference images: the newest wanted is shown, the next is fetched ahead."""

from typing import Any

import pytest

from labeler.app.classes.reference_originals import ORIGINALS_KEPT, OriginalPlace, Originals
from labeler.core.labeling.blind_types import EncodedPicture

FISH = "n01440764"
GONE = 7


@pytest.fixture
def read() -> list[int]:
    return []


@pytest.fixture
def originals(runner: Any, read: list[int]) -> Originals[str]:
    def fetch(wnid: str, number: int) -> EncodedPicture | None:
        read.append(number)
        data = f"{wnid} {number}".encode()
        return None if number == GONE else EncodedPicture(data=data, apply_exif=False)

    return Originals(runner=runner, read=fetch, decode=lambda encoded: encoded.data.decode())


def test_an_original_is_shown_when_it_is_there(originals: Originals[str], runner: Any) -> None:
    shown: list[str] = []
    originals.show(OriginalPlace(FISH, 3), shown.append)
    assert shown == []
    runner.finish_all()
    assert shown == [f"{FISH} 3"]


def test_an_original_asked_for_before_the_last_is_not_shown(
    originals: Originals[str], runner: Any
) -> None:
    shown: list[str] = []
    originals.show(OriginalPlace(FISH, 0), shown.append)
    originals.show(OriginalPlace(FISH, 1), shown.append)
    first, second = runner.tickets
    second.finish()
    first.finish()
    assert shown == [f"{FISH} 1"]


def test_the_next_one_is_there_at_once_and_so_is_the_one_before(
    originals: Originals[str], runner: Any
) -> None:
    shown: list[str] = []
    originals.show(OriginalPlace(FISH, 0), shown.append)
    runner.finish_all()
    runner.finish_all()
    originals.show(OriginalPlace(FISH, 1), shown.append)
    originals.show(OriginalPlace(FISH, 0), shown.append)
    assert shown == [f"{FISH} 0", f"{FISH} 1", f"{FISH} 0"]


def test_an_original_that_is_gone_shows_nothing(originals: Originals[str], runner: Any) -> None:
    shown: list[str] = []
    originals.show(OriginalPlace(FISH, GONE), shown.append)
    runner.finish_all()
    assert shown == []


def test_only_so_many_are_kept(originals: Originals[str], runner: Any, read: list[int]) -> None:
    for number in range(10, 10 + ORIGINALS_KEPT + 1):
        originals.show(OriginalPlace(FISH, number), lambda _picture: None)
        runner.finish_all()
        runner.finish_all()
    read.clear()
    originals.show(OriginalPlace(FISH, 10), lambda _picture: None)
    runner.finish_all()
    assert read == [10]
