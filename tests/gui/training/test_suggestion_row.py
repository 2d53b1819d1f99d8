"""What to train next: a title, its reason, and one key that begins it."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.app.keymap import Action, load_keymap
from labeler.app.training.start_view import SuggestedTraining
from labeler.core.training.request import TrainingRequest, TrainingSource
from labeler.ui.training.suggestion_row import SuggestionRow
from labeler.ui.window.theme import Appearance

TERRIERS = TrainingRequest(TrainingSource.SUBTREES, ("n02092468",))
BIRDS = TrainingRequest(TrainingSource.SUBTREES, ("n01503061",))
VIEWS = (
    SuggestedTraining("Terrier", "3 of 5 missed in the last 7 days", TERRIERS),
    SuggestedTraining("Bird", "2 of its 2 classes never seen", BIRDS),
)


@pytest.fixture
def row(qtbot: QtBot, appearance: Appearance) -> Iterator[SuggestionRow]:
    window = QWidget()
    qtbot.addWidget(window)
    made = SuggestionRow(appearance, load_keymap())
    made.setParent(window)
    made.resize(1200, 80)
    yield made
    window.close()


def wanted_of(row: SuggestionRow) -> list[TrainingRequest]:
    wanted: list[TrainingRequest] = []
    row.wanted.connect(wanted.append)
    return wanted


def test_a_key_and_a_click_want_the_same_training(row: SuggestionRow) -> None:
    wanted = wanted_of(row)
    row.render_suggestions(VIEWS, can_begin=True)
    row.buttons[1].click()
    row.handlers()[Action.TRAIN_SECOND]()
    row.handlers()[Action.TRAIN_FIRST]()
    row.handlers()[Action.TRAIN_THIRD]()
    assert wanted == [BIRDS, BIRDS, TERRIERS]
    assert row.buttons[0].accessibleDescription() == "3 of 5 missed in the last 7 days"


def test_suggestions_for_another_person_cannot_be_started(row: SuggestionRow) -> None:
    wanted = wanted_of(row)
    row.render_suggestions(VIEWS, can_begin=False)
    row.handlers()[Action.TRAIN_FIRST]()
    assert wanted == []
    assert row.buttons[0].words == "Terrier"


def test_other_suggestions_replace_those_before(row: SuggestionRow) -> None:
    row.render_suggestions(VIEWS, can_begin=True)
    row.render_suggestions(VIEWS[1:], can_begin=True)
    assert [button.words for button in row.buttons] == ["Bird"]
    row.render_suggestions((), can_begin=True)
    assert row.isHidden()


def test_where_there_is_no_room_the_last_give_way_with_their_keys(row: SuggestionRow) -> None:
    wanted = wanted_of(row)
    row.resize(240, 80)
    row.render_suggestions(VIEWS, can_begin=True)
    assert [button.isHidden() for button in row.buttons] == [False, True]
    row.handlers()[Action.TRAIN_SECOND]()
    assert wanted == []
