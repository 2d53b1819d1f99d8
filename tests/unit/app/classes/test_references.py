"""The references: the newest class asked for is shown, others are fetched ahead."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from labeler.app.classes.references import (
    DAMAGED_SHEET_SENTENCE,
    MAX_SHEETS_CACHED,
    NO_REFERENCES_SENTENCE,
    NOT_HERE_SENTENCE,
    DamagedSheet,
    References,
    ReferencesState,
    ReferencesView,
    TileRect,
    load_sheet,
)
from labeler.core.errors import EnvironmentFault
from labeler.images.contact_sheets import build_sheet
from labeler.images.file_reader import content_hash
from labeler.images.sheet_manifest import TILE_SIZE, SheetSource

BEAVER, MARMOT, TIGER = "n02363005", "n02361337", "n02129604"


def make_sheet(folder: Path, wnid: str, count: int) -> None:
    sources = []
    for number in range(count):
        file = folder.parent / f"{wnid}_{number}.png"
        Image.new("RGB", (160, 120), (number, 90, 90)).save(file)
        hashed = content_hash(file.read_bytes())
        sources.append(SheetSource(key=str(number), path=file, content_hash=hashed))
    build_sheet(folder, wnid, sources)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "thumbnails"
    made.mkdir()
    make_sheet(made, BEAVER, 12)
    make_sheet(made, MARMOT, 2)
    return made


@pytest.fixture
def views() -> list[ReferencesView[str]]:
    return []


def decoded(file: Path, slot: int) -> str:
    """What tells a sheet and its slots, in the place of a picture."""
    return file.stem if slot == TILE_SIZE else f"{file.stem} at {slot}"


@pytest.fixture
def references(folder: Path, runner: Any, views: list[ReferencesView[str]]) -> References[str]:
    made = References(
        folder=folder, runner=runner, decode=decoded, has_references=lambda _wnid: False
    )
    made.listen(views.append)
    return made


def shown(views: list[ReferencesView[str]]) -> list[tuple[ReferencesState, str]]:
    return [(view.state, view.wnid) for view in views]


def test_a_class_is_shown_as_loading_and_then_with_its_tiles(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    runner.finish_all()
    assert shown(views) == [(ReferencesState.LOADING, BEAVER), (ReferencesState.READY, BEAVER)]
    loaded = views[-1].loaded
    assert loaded is not None
    assert loaded.sheet == BEAVER
    assert loaded.tiles[10] == TileRect(x=0, y=128 + 16, width=128, height=96)


def test_a_class_seen_before_is_shown_at_once(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    runner.finish_all()
    references.open(BEAVER)
    assert shown(views)[-1] == (ReferencesState.READY, BEAVER)
    assert runner.tickets == []


def test_a_class_fetched_ahead_is_shown_at_once(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.prefetch([BEAVER, MARMOT])
    assert [ticket.urgent for ticket in runner.tickets] == [False, False]
    runner.finish_all()
    assert views == []
    references.open(MARMOT)
    assert shown(views) == [(ReferencesState.READY, MARMOT)]


def test_a_late_answer_for_an_earlier_class_is_not_shown(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    references.open(MARMOT)
    beaver, marmot = runner.tickets
    marmot.finish()
    beaver.finish()
    assert shown(views)[-1] == (ReferencesState.READY, MARMOT)


def test_after_closing_nothing_is_shown(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    references.close()
    runner.tickets[0].finish()
    assert shown(views) == [(ReferencesState.LOADING, BEAVER)]


def test_what_was_fetched_ahead_for_another_place_is_given_up(
    references: References[str], runner: Any
) -> None:
    references.prefetch([BEAVER])
    references.prefetch([MARMOT])
    assert [ticket.cancelled for ticket in runner.tickets] == [True, False]


def test_a_class_without_a_sheet_says_so(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(TIGER)
    runner.finish_all()
    assert views[-1] == ReferencesView(ReferencesState.NONE, TIGER, sentence=NO_REFERENCES_SENTENCE)


@pytest.mark.parametrize("answer", [True, EnvironmentFault("The server can't be reached.")])
def test_references_that_this_machine_lacks_are_not_denied_and_show_once_prepared(
    folder: Path, runner: Any, answer: bool | Exception
) -> None:
    def has_references(_wnid: str) -> bool:
        if isinstance(answer, Exception):
            raise answer
        return answer

    views: list[ReferencesView[str]] = []
    references = References(
        folder=folder,
        runner=runner,
        decode=lambda file, _slot: file.name,
        has_references=has_references,
    )
    references.listen(views.append)
    references.open(TIGER)
    runner.finish_all()
    sentence = NOT_HERE_SENTENCE if answer is True else str(answer)
    assert views[-1] == ReferencesView(ReferencesState.NOT_HERE, TIGER, sentence=sentence)

    make_sheet(folder, TIGER, 2)
    references.open(TIGER)
    runner.finish_all()
    assert views[-1].state is ReferencesState.READY


@pytest.mark.parametrize("suffix", [".json", ".jpg"])
def test_a_damaged_sheet_says_so_without_naming_a_file(
    folder: Path,
    references: References[str],
    runner: Any,
    views: list[ReferencesView[str]],
    suffix: str,
) -> None:
    (folder / f"{BEAVER}{suffix}").write_bytes(b"{")
    references.prefetch([BEAVER])
    runner.finish_all()
    references.open(BEAVER)
    runner.finish_all()
    assert views[-1] == ReferencesView(
        ReferencesState.DAMAGED, BEAVER, sentence=DAMAGED_SHEET_SENTENCE
    )
    assert "/" not in DAMAGED_SHEET_SENTENCE


def test_a_mended_sheet_is_shown_when_the_class_is_opened_again(
    folder: Path, references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    (folder / f"{BEAVER}.json").write_bytes(b"{")
    references.open(BEAVER)
    runner.finish_all()
    make_sheet(folder, BEAVER, 3)
    references.open(BEAVER)
    runner.finish_all()
    assert shown(views)[-1] == (ReferencesState.READY, BEAVER)


def test_slots_of_another_size_bring_the_open_class_again_and_nothing_in_between(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    runner.finish_all()
    references.show_at(96)
    runner.finish_all()
    assert shown(views)[1:] == [(ReferencesState.READY, BEAVER)] * 2
    loaded = views[-1].loaded
    assert loaded is not None
    assert (loaded.sheet, loaded.slot) == (f"{BEAVER} at 96", 96)
    assert loaded.tiles[10] == TileRect(x=0, y=96 + 12, width=96, height=72)


def test_classes_are_opened_and_fetched_ahead_with_the_slots_that_are_wanted_now(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.prefetch([MARMOT])
    references.show_at(64)
    references.prefetch([MARMOT])
    runner.finish_all()
    references.open(MARMOT)
    assert shown(views) == [(ReferencesState.READY, MARMOT)]
    loaded = views[-1].loaded
    assert loaded is not None
    assert loaded.sheet == f"{MARMOT} at 64"


def test_a_class_next_to_the_open_one_comes_as_it_is_stored(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.show_at(64)
    beside: list[ReferencesView[str]] = []
    references.fetch(MARMOT, beside.append)
    runner.finish_all()
    loaded = beside[-1].loaded
    assert loaded is not None
    assert (loaded.sheet, loaded.slot) == (MARMOT, TILE_SIZE)
    assert views == []


def test_a_class_that_was_closed_does_not_come_again(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    references.open(BEAVER)
    runner.finish_all()
    references.close()
    references.show_at(64)
    runner.finish_all()
    assert len(views) == 2


def test_an_image_that_could_not_be_drawn_has_no_tile(folder: Path) -> None:
    lost = SheetSource(key="lost", path=folder / "lost.png", content_hash=b"?")
    file = folder.parent / f"{BEAVER}_0.png"
    sound = SheetSource(key="0", path=file, content_hash=content_hash(file.read_bytes()))
    build_sheet(folder, TIGER, [lost, sound])
    loaded = load_sheet(folder, TIGER, decode=lambda found, _slot: found.stem)
    assert loaded is not None
    assert [tile.x for tile in loaded.tiles] == [128]


def test_only_so_many_sheets_are_kept(folder: Path, runner: Any) -> None:
    decoded: list[str] = []

    def decode(file: Path, _slot: int) -> str:
        decoded.append(file.stem)
        return file.stem

    references = References(
        folder=folder, runner=runner, decode=decode, has_references=lambda _wnid: False
    )
    references.prefetch([BEAVER])
    references.prefetch([BEAVER, *(f"n0000{number:04}" for number in range(MAX_SHEETS_CACHED))])
    runner.finish_all()
    references.open(BEAVER)
    runner.finish_all()
    assert decoded == [BEAVER, BEAVER]


def test_the_illustrated_classes_are_those_with_a_sheet(references: References[str]) -> None:
    assert references.illustrated == {BEAVER, MARMOT}


def test_a_sheet_that_decoding_refuses_is_damaged(folder: Path) -> None:
    def refuse(file: Path, _slot: int) -> str:
        raise DamagedSheet(file.stem)

    with pytest.raises(DamagedSheet):
        load_sheet(folder, BEAVER, decode=refuse)


def test_several_classes_are_fetched_next_to_the_open_one(
    references: References[str], runner: Any, views: list[ReferencesView[str]]
) -> None:
    beside: list[ReferencesView[str]] = []
    references.open(BEAVER)
    references.fetch(MARMOT, beside.append)
    references.fetch(TIGER, beside.append)
    runner.finish_all()
    assert shown(views)[-1] == (ReferencesState.READY, BEAVER)
    assert shown(beside)[2:] == [(ReferencesState.READY, MARMOT), (ReferencesState.NONE, TIGER)]


def test_a_class_fetched_and_given_up_is_not_shown_when_it_comes(
    references: References[str], runner: Any
) -> None:
    beside: list[ReferencesView[str]] = []
    give_up = references.fetch(MARMOT, beside.append)
    give_up()
    runner.tickets[0].finish()
    assert shown(beside) == [(ReferencesState.LOADING, MARMOT)]


def test_opening_a_class_gives_up_none_that_was_fetched_beside(
    references: References[str], runner: Any
) -> None:
    beside: list[ReferencesView[str]] = []
    references.fetch(MARMOT, beside.append)
    references.open(BEAVER)
    references.close()
    runner.finish_all()
    assert shown(beside)[-1] == (ReferencesState.READY, MARMOT)


def test_what_is_being_fetched_ahead_already_is_not_fetched_twice(
    references: References[str], runner: Any
) -> None:
    references.prefetch([BEAVER, MARMOT])
    references.prefetch([MARMOT, TIGER])
    assert [ticket.cancelled for ticket in runner.tickets] == [True, False, False]


def test_it_is_known_whether_any_class_has_pictures(
    references: References[str], tmp_path: Path, runner: Any
) -> None:
    empty = References(
        folder=tmp_path / "none", runner=runner, decode=decoded, has_references=lambda _wnid: False
    )
    assert references.has_pictures
    assert not empty.has_pictures
