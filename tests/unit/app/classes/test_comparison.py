"""Classes side by side: columns in order, references as they come, the guide's word on pairs."""

from pathlib import Path
from typing import Any

import pytest

from labeler.app.classes.class_view import ClassViewBuilder
from labeler.app.classes.comparison import ComparedClasses, Comparison, DistinguishingTrait
from labeler.app.classes.references import References, ReferencesState
from labeler.core.classes.taxonomy import load_default
from tests.gui.reference_kit import BEAVER, MARMOT, OTTER, write_sheet

TAIL = "The beaver’s tail is broad, flat and scaly."


@pytest.fixture(scope="module")
def views() -> ClassViewBuilder:
    return ClassViewBuilder(load_default())


@pytest.fixture
def references(tmp_path: Path, runner: Any) -> References[str]:
    folder = tmp_path / "thumbnails"
    write_sheet(folder, BEAVER, 3, (200, 40, 40))
    write_sheet(folder, MARMOT, 2, (40, 160, 60))
    return References(
        folder=folder,
        runner=runner,
        decode=lambda file, _slot: file.stem,
        has_references=lambda _wnid: False,
    )


@pytest.fixture
def shown() -> list[ComparedClasses[str]]:
    return []


@pytest.fixture
def comparison(
    views: ClassViewBuilder, references: References[str], shown: list[ComparedClasses[str]]
) -> Comparison[str]:
    def distinction(one: str, other: str) -> str | None:
        return TAIL if {one, other} == {BEAVER, MARMOT} else None

    made = Comparison(describe=views.row, references=references, distinction=distinction)
    made.listen(shown.append)
    return made


def states(view: ComparedClasses[str]) -> list[tuple[str, ReferencesState]]:
    return [(column.name, column.references.state) for column in view.columns]


def test_the_columns_are_there_at_once_and_their_references_follow(
    comparison: Comparison[str], runner: Any, shown: list[ComparedClasses[str]]
) -> None:
    comparison.compare([MARMOT, BEAVER, OTTER])
    loading = ReferencesState.LOADING
    assert states(shown[-1]) == [("marmot", loading), ("beaver", loading), ("otter", loading)]
    runner.finish_all()
    assert [state for _name, state in states(shown[-1])] == [
        ReferencesState.READY,
        ReferencesState.READY,
        ReferencesState.NONE,
    ]
    loaded = shown[-1].columns[1].references.loaded
    assert loaded is not None
    assert (loaded.sheet, len(loaded.tiles)) == (BEAVER, 3)


def test_a_column_says_the_last_steps_of_its_path(comparison: Comparison[str]) -> None:
    comparison.compare([BEAVER])
    assert comparison.view.columns[0].path == "placental mammals › rodents"


def test_the_guides_word_is_reported_for_the_pairs_it_tells_apart(
    comparison: Comparison[str],
) -> None:
    comparison.compare([OTTER, MARMOT, BEAVER])
    assert comparison.view.differences == (DistinguishingTrait("marmot", "beaver", TAIL),)
    comparison.compare([OTTER, MARMOT])
    assert comparison.view.differences == ()


def test_the_guides_word_is_reported_without_its_marks(
    views: ClassViewBuilder, references: References[str]
) -> None:
    marked = "A *flat* tail **and** [webbed](otters.md) feet"
    comparison = Comparison(
        describe=views.row, references=references, distinction=lambda _one, _other: marked
    )
    comparison.compare([BEAVER, MARMOT])
    (result,) = comparison.view.differences
    assert result.trait == "A flat tail and webbed feet"


def test_a_class_added_leaves_the_others_as_they_are(
    comparison: Comparison[str], runner: Any, shown: list[ComparedClasses[str]]
) -> None:
    comparison.compare([BEAVER])
    runner.finish_all()
    comparison.compare([BEAVER, MARMOT])
    assert [state for _name, state in states(shown[-1])] == [
        ReferencesState.READY,
        ReferencesState.LOADING,
    ]
    assert len(runner.tickets) == 1


def test_a_class_dropped_before_its_references_come_shows_nothing_of_them(
    comparison: Comparison[str], runner: Any, shown: list[ComparedClasses[str]]
) -> None:
    comparison.compare([BEAVER, MARMOT])
    beaver = runner.tickets[0]
    comparison.compare([MARMOT])
    before = len(shown)
    beaver.finish()
    assert len(shown) == before
    assert [column.wnid for column in comparison.view.columns] == [MARMOT]


def test_closing_gives_up_everything(
    comparison: Comparison[str], runner: Any, shown: list[ComparedClasses[str]]
) -> None:
    comparison.compare([BEAVER, MARMOT])
    comparison.close()
    assert shown[-1].columns == ()
    assert all(ticket.cancelled for ticket in runner.tickets)


def test_a_class_taken_up_again_is_fetched_again(
    comparison: Comparison[str], runner: Any, shown: list[ComparedClasses[str]]
) -> None:
    comparison.compare([BEAVER])
    comparison.close()
    comparison.compare([BEAVER])
    runner.finish_all()
    assert states(shown[-1]) == [("beaver", ReferencesState.READY)]
