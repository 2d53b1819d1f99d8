"""The cheat-sheet over a real screen: it knows what works there, and for whom."""

import pytest
from PySide6.QtWidgets import QLabel

from labeler.ui.window.key_sheet_dialog import KeySheetDialog
from tests.gui.sitting import Sitting

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

GUESSING = "Confidence: guessing"


def listed(sitting: Sitting) -> tuple[set[str], set[str]]:
    """What the sheet says works here, and elsewhere."""
    sitting.window.show_keys()
    sheet = sitting.dialog(KeySheetDialog)
    assert isinstance(sheet, KeySheetDialog)
    here, elsewhere = (
        {each.text() for each in part.findChildren(QLabel)}
        for part in (sheet.here, sheet.elsewhere)
    )
    sheet.close()
    sitting.come_back()
    return here, elsewhere


def test_at_a_trial_nothing_of_reviewing_or_training_is_said_to_work(at_work: Sitting) -> None:
    here, elsewhere = listed(at_work)
    assert {"Answering", "In the taxonomy", "In the guide", "Everywhere"} <= here
    assert {"Reviewing", "Training", "In the group discussion"} <= elsewhere
    assert GUESSING not in here | elsewhere


def test_confidence_has_keys_where_the_study_asks_for_it(asked_how_sure: Sitting) -> None:
    assert GUESSING in listed(asked_how_sure)[0]


def test_a_labelers_home_has_no_key_of_the_leads(at_home: Sitting) -> None:
    here, elsewhere = listed(at_home)
    assert "Training progress" in here
    assert "Set up" not in here | elsewhere
