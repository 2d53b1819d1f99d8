"""What tests of shared widgets have in common."""

import pytest
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.ui.kit.pictures.image_view import ImageView
from labeler.ui.window.theme import Appearance


@pytest.fixture
def view(appearance: Appearance, qtbot: QtBot) -> ImageView:
    """A shown image view with the keyboard."""
    made = ImageView(appearance, load_keymap())
    qtbot.addWidget(made)
    made.resize(516, 456)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    made.setFocus()
    return made
