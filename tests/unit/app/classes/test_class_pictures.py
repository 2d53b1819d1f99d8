"""Small pictures of classes: fetched one at a time, the newest wish first."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from labeler.app.classes.references import ClassThumbnails, DamagedSheet, TileRect
from labeler.app.thumbnail_loader import MAX_THUMBNAIL_REQUESTS, MAX_THUMBNAILS_CACHED
from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import SheetSource

BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"
LOST = SheetSource(key="lost", path=Path("lost.png"), content_hash=b"?")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    file = tmp_path / "picture.png"
    Image.new("RGB", (160, 120), (9, 90, 90)).save(file)
    hashed = content_hash(file.read_bytes())
    sound = SheetSource(key="sound", path=file, content_hash=hashed)
    made = tmp_path / "thumbnails"
    build_sheet(made, BEAVER, [sound, sound])
    build_sheet(made, MARMOT, [LOST, sound])
    return made


@pytest.fixture
def decoded() -> list[str]:
    return []


@pytest.fixture
def pictures(folder: Path, runner: Any, decoded: list[str]) -> ClassThumbnails[TileRect]:
    def decode(file: Path, tile: TileRect) -> TileRect:
        decoded.append(file.stem)
        return tile

    return ClassThumbnails(folder=folder, runner=runner, decode=decode)


def finish_everything(runner: Any) -> None:
    while runner.tickets:
        runner.finish_all()


def test_a_picture_is_the_first_sound_image_of_its_sheet(
    pictures: ClassThumbnails[TileRect], runner: Any
) -> None:
    pictures.request([BEAVER, MARMOT])
    assert pictures.get(BEAVER) is None
    finish_everything(runner)
    assert pictures.get(BEAVER) == TileRect(0, 16, 128, 96)
    assert pictures.get(MARMOT) == TileRect(128, 16, 128, 96)


def test_all_listeners_are_called_when_a_picture_arrives(
    pictures: ClassThumbnails[TileRect], runner: Any
) -> None:
    first: list[str] = []
    second: list[str] = []
    pictures.listen(first.append)
    pictures.listen(second.append)
    pictures.request([BEAVER, TIGER, MARMOT])
    finish_everything(runner)
    assert first == second == [BEAVER, MARMOT]


def test_pictures_are_fetched_one_at_a_time_without_hurry_and_the_newest_wish_first(
    pictures: ClassThumbnails[TileRect], runner: Any, decoded: list[str]
) -> None:
    pictures.request([TIGER, BEAVER])
    pictures.request([MARMOT])
    assert [ticket.urgent for ticket in runner.tickets] == [False]
    finish_everything(runner)
    assert decoded == [MARMOT, BEAVER]


def test_what_is_known_is_not_fetched_again_and_neither_is_what_there_is_none_of(
    pictures: ClassThumbnails[TileRect], runner: Any
) -> None:
    pictures.request([BEAVER, TIGER])
    finish_everything(runner)
    pictures.request([BEAVER, TIGER])
    assert runner.tickets == []
    assert pictures.get(TIGER) is None


def test_wishes_from_long_ago_are_given_up(
    pictures: ClassThumbnails[TileRect], runner: Any, decoded: list[str]
) -> None:
    pictures.request([TIGER, BEAVER])
    pictures.request([f"n1000{number:04}" for number in range(MAX_THUMBNAIL_REQUESTS)])
    finish_everything(runner)
    assert decoded == []
    assert pictures.get(BEAVER) is None


def test_a_sheet_that_cannot_be_decoded_is_in_no_ones_way(folder: Path, runner: Any) -> None:
    def decode(file: Path, tile: TileRect) -> TileRect:
        if file.stem == BEAVER:
            raise DamagedSheet(file.stem)
        return tile

    pictures = ClassThumbnails(folder=folder, runner=runner, decode=decode)
    pictures.request([BEAVER, MARMOT])
    finish_everything(runner)
    assert pictures.get(BEAVER) is None
    assert pictures.get(MARMOT) is not None


def test_only_so_many_are_kept(
    pictures: ClassThumbnails[TileRect], runner: Any, decoded: list[str]
) -> None:
    pictures.request([BEAVER])
    finish_everything(runner)
    for number in range(MAX_THUMBNAILS_CACHED):
        pictures.request([f"n1000{number:04}"])
        finish_everything(runner)
    pictures.request([BEAVER])
    finish_everything(runner)
    assert decoded == [BEAVER, BEAVER]
