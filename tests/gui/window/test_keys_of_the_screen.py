"""The key sheet of a real screen: it lists the keys that work there, for this person."""

import pytest
from PySide6.QtWidgets import QLabel

from labeler.ui.window.key_sheet_dialog import KeySheetDialog
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

GUESSING = "Confidence: guessing"


def listed(session: WindowSession) -> tuple[set[str], set[str]]:
    """Return the texts of the keys on this screen, and of those on other screens."""
    session.window.show_keys()
    sheet = session.dialog(KeySheetDialog)
    assert isinstance(sheet, KeySheetDialog)
    here, elsewhere = (
        {each.text() for each in part.findChildren(QLabel)}
        for part in (sheet.here, sheet.elsewhere)
    )
    sheet.close()
    session.come_back()
    return here, elsewhere


def test_at_a_trial_nothing_of_reviewing_or_training_is_said_to_work(
    at_work: WindowSession,
) -> None:
    here, elsewhere = listed(at_work)
    assert {"Answering", "Taxonomy", "Guide", "Everywhere"} <= here
    assert {"Review", "Training", "Group discussion"} <= elsewhere
    assert GUESSING not in here | elsewhere


def test_confidence_has_keys_where_the_study_asks_for_it(asked_how_sure: WindowSession) -> None:
    assert GUESSING in listed(asked_how_sure)[0]


def test_a_labelers_home_has_no_key_of_the_leads(at_home: WindowSession) -> None:
    here, elsewhere = listed(at_home)
    assert "Training progress" in here
    assert "Set up" not in here | elsewhere
