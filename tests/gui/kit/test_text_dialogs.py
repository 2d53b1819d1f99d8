"""Messages are shown whole, however long they are."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.ui.kit.text.text_dialogs import MessageDialog
from labeler.ui.window.theme import Appearance

SENTENCE = "The results are in a file, which can be read by the lead only."


@pytest.mark.parametrize("count", [1, 4, 20])
def test_a_message_is_as_high_as_its_text(qtbot: QtBot, appearance: Appearance, count: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = MessageDialog("\n\n".join([SENTENCE] * count), window)
    dialog.grab()
    text = dialog.label
    assert text.height() >= text.heightForWidth(text.width())
