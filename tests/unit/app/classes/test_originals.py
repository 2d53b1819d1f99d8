"""Originals of reference images: the newest wanted is shown, the next is fetched ahead."""

from typing import Any

import pytest

from labeler.app.classes.reference_originals import (
    MAX_ORIGINALS_CACHED,
    OriginalKey,
    OriginalLoader,
)
from labeler.core.labeling.blind_types import EncodedImage

FISH = "n01440764"
GONE = 7


@pytest.fixture
def read() -> list[int]:
    return []


@pytest.fixture
def originals(runner: Any, read: list[int]) -> OriginalLoader[str]:
    def fetch(wnid: str, number: int) -> EncodedImage | None:
        read.append(number)
        data = f"{wnid} {number}".encode()
        return None if number == GONE else EncodedImage(data=data, apply_exif=False)

    return OriginalLoader(runner=runner, read=fetch, decode=lambda encoded: encoded.data.decode())


def test_an_original_is_shown_when_it_is_there(originals: OriginalLoader[str], runner: Any) -> None:
    shown: list[str] = []
    originals.show(OriginalKey(FISH, 3), shown.append)
    assert shown == []
    runner.finish_all()
    assert shown == [f"{FISH} 3"]


def test_an_original_asked_for_before_the_last_is_not_shown(
    originals: OriginalLoader[str], runner: Any
) -> None:
    shown: list[str] = []
    originals.show(OriginalKey(FISH, 0), shown.append)
    originals.show(OriginalKey(FISH, 1), shown.append)
    first, second = runner.tickets
    second.finish()
    first.finish()
    assert shown == [f"{FISH} 1"]


def test_the_next_one_is_there_at_once_and_so_is_the_one_before(
    originals: OriginalLoader[str], runner: Any
) -> None:
    shown: list[str] = []
    originals.show(OriginalKey(FISH, 0), shown.append)
    runner.finish_all()
    runner.finish_all()
    originals.show(OriginalKey(FISH, 1), shown.append)
    originals.show(OriginalKey(FISH, 0), shown.append)
    assert shown == [f"{FISH} 0", f"{FISH} 1", f"{FISH} 0"]


def test_an_original_that_is_gone_shows_nothing(
    originals: OriginalLoader[str], runner: Any
) -> None:
    shown: list[str] = []
    originals.show(OriginalKey(FISH, GONE), shown.append)
    runner.finish_all()
    assert shown == []


def test_only_so_many_are_kept(
    originals: OriginalLoader[str], runner: Any, read: list[int]
) -> None:
    for number in range(10, 10 + MAX_ORIGINALS_CACHED + 1):
        originals.show(OriginalKey(FISH, number), lambda _picture: None)
        runner.finish_all()
        runner.finish_all()
    read.clear()
    originals.show(OriginalKey(FISH, 10), lambda _picture: None)
    runner.finish_all()
    assert read == [10]
