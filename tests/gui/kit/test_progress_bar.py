"""The strip that tells how far long work is."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labeler.ui.kit.charts.progress_bar import WorkProgressCard
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def strip(appearance: Appearance, qtbot: QtBot) -> WorkProgressCard:
    made = WorkProgressCard(appearance, "Work under way")
    qtbot.addWidget(made)
    return made


def test_nothing_is_seen_before_there_is_work(strip: WorkProgressCard) -> None:
    assert not strip.isVisible()


def test_work_of_known_length_is_counted_and_fills_the_line(strip: WorkProgressCard) -> None:
    strip.show_state(1_250, 5_000, "Reading images · about 2 min left")
    assert strip.isVisible()
    assert strip.sentence.text() == "Reading images · about 2 min left · 1,250 of 5,000"
    assert strip.line.part == 0.25
    assert strip.line.accessibleName() == "Work under way: 1,250 of 5,000"


def test_work_of_unknown_length_is_named_and_leaves_the_line_empty(strip: WorkProgressCard) -> None:
    strip.show_state(1_250, 5_000, "Reading images")
    strip.show_state(0, 0, "Listing images")
    assert strip.sentence.text() == "Listing images"
    assert strip.line.part == 0
    assert strip.line.accessibleName() == "Work under way"


def test_the_work_can_be_cancelled_by_key(strip: WorkProgressCard, qtbot: QtBot) -> None:
    strip.show_state(0, 0, "Listing images")
    with qtbot.waitSignal(strip.cancel.clicked):
        qtbot.keyClick(strip.cancel, Qt.Key.Key_Return)
