"""The shortlist's bar: chips to go to a class or take it off, and the way to the comparison."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.classes.class_view import ClassLink
from labeler.app.classes.shortlist import SHORTLIST_FULL, ShortlistView
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.classes.shortlist_bar import ShortlistBar
from labeler.ui.window.theme import Appearance

# A bare widget as a window tells the system its limits, which the offscreen platform remarks upon.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

LONG = "a class with a name that goes on and on for longer than any bar is wide"
STORKS = (ClassLink("n1", "black stork"), ClassLink("n2", "white stork"))


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> ShortlistBar:
    made = ShortlistBar(Appearance(qapp, ThemeChoice.LIGHT), load_keymap())
    qtbot.addWidget(made)
    made.resize(620, 40)
    made.show()
    return made


def names(bar: ShortlistBar) -> list[str]:
    return [chip.name.toolTip() for chip in bar.chips if chip.isVisible()]


def test_an_empty_list_says_how_a_class_comes_onto_it(bar: ShortlistBar) -> None:
    assert bar.hint.isVisible()
    assert names(bar) == []


def test_the_classes_stand_in_their_order_in_place_of_the_hint(
    bar: ShortlistBar, qtbot: QtBot
) -> None:
    bar.render_shortlist(ShortlistView(STORKS))
    assert names(bar) == ["black stork", "white stork"]
    qtbot.waitUntil(lambda: bar.chips[0].name.text() == "black stork")
    assert not bar.hint.isVisible()
    bar.render_shortlist(ShortlistView(STORKS[1:]))
    assert names(bar) == ["white stork"]


def test_a_chip_leads_to_its_class_and_its_cross_takes_it_off(
    bar: ShortlistBar, qtbot: QtBot
) -> None:
    bar.render_shortlist(ShortlistView(STORKS))
    with qtbot.waitSignal(bar.chosen) as chosen:
        qtbot.mouseClick(bar.chips[1].name, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(bar.removed) as removed:
        qtbot.mouseClick(bar.chips[0].cross, Qt.MouseButton.LeftButton)
    assert (chosen.args, removed.args) == (["n2"], ["n1"])


def test_a_refusal_is_reported_until_something_changes(bar: ShortlistBar) -> None:
    bar.render_shortlist(ShortlistView(STORKS, refusal=SHORTLIST_FULL))
    assert bar.refusal.isVisible()
    assert bar.refusal.text() == SHORTLIST_FULL
    assert bar.accessibleDescription() == SHORTLIST_FULL
    bar.render_shortlist(ShortlistView(STORKS))
    assert not bar.refusal.isVisible()
    assert bar.accessibleDescription() == "black stork, white stork"


def test_long_names_are_cut_but_shown_in_full(bar: ShortlistBar, qtbot: QtBot) -> None:
    four = tuple(ClassLink(f"n{number}", LONG) for number in range(4))
    bar.render_shortlist(ShortlistView(four))
    qtbot.waitUntil(lambda: bar.chips[0].name.text().endswith("…"))
    assert bar.chips[0].name.accessibleName() == f"On the shortlist: {LONG}"
    assert bar.width() == 620
