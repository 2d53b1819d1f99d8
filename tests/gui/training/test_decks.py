"""Decks at home and on the start page: what they show, and that they start the right training."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt

from labeler.app.study.home_cards import HomeCardKind
from labeler.ui.training.class_mosaic import MAX_PICTURES, mosaic_shape
from labeler.ui.training.deck_tiles import DeckGrid, DeckTile
from labeler.ui.window.main_window import MainWindow
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.training_session import Training
from tests.gui.window_session import ALT, CONTROL


def decks_at_home(training: Training) -> DeckGrid:
    home = training.session.home()
    training.session.wait(lambda: bool(home.findChildren(DeckGrid)))
    return home.findChildren(DeckGrid)[0]


def open_start_page(training: Training) -> None:
    training.session.click(training.session.home().cards[HomeCardKind.TRAIN].button)


def test_home_suggests_decks_and_one_is_started_by_mouse(
    open_home: Callable[[], Training],
) -> None:
    training = open_home()
    decks = decks_at_home(training)
    assert decks.tiles[0].view.pictures
    training.session.click(decks.tiles[0])
    training.wait_for_trial()


def test_a_deck_at_home_is_started_by_its_key(open_home: Callable[[], Training]) -> None:
    training = open_home()
    decks_at_home(training)
    training.session.press(Qt.Key.Key_1, CONTROL)
    training.wait_for_trial()


def test_every_deck_of_the_start_page_can_be_trained(open_home: Callable[[], Training]) -> None:
    training = open_home()
    open_start_page(training)
    start = training.start
    for tile in start.findChildren(DeckTile):
        assert tile.view.pictures
        assert tile.accessibleName()
        assert tile.accessibleDescription()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_start_is_in_sight_without_scrolling(
    open_home: Callable[[], Training], size: tuple[int, int]
) -> None:
    training = open_home()
    window: MainWindow = training.session.window
    window.resize(*size)
    open_start_page(training)
    start = training.start
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_5):
        training.session.press(key, ALT)
        training.session.wait(lambda: start.begin.width() > 0)
        below = start.begin.mapTo(start, QPoint(0, start.begin.height())).y()
        assert below <= start.viewport().height()


def test_a_deck_on_mistakes_asks_for_what_was_missed(training: Training) -> None:
    training.answer(right=False)
    training.session.press(Qt.Key.Key_W, CONTROL)
    open_start_page(training)
    tiles = {tile.view.title: tile for tile in training.start.findChildren(DeckTile)}
    assert {BEAVER, MARMOT} & set(tiles["Due today"].view.pictures)


@given(st.integers(0, MAX_PICTURES))
def test_a_mosaic_has_a_cell_for_each_picture_and_hardly_more(count: int) -> None:
    columns, rows = mosaic_shape(count)
    assert max(count, 1) <= columns * rows <= max(count, 1) + 1
