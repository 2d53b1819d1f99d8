"""A person who forgot the passphrase saves a request, and sets a new one with the lead's reply."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER
from labeler.ui.sharing.forgotten_passphrase_dialog import (
    CODE_MISSING,
    PASSPHRASE_MISSING,
    REPLY_MISSING,
    ForgottenPassphraseDialog,
    NewPassphrase,
)
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
REPLY = "/elsewhere/reply.labelerkey"


@pytest.fixture
def dialog(qtbot: QtBot, appearance: Appearance) -> Iterator[ForgottenPassphraseDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ForgottenPassphraseDialog(appearance, parent, code="A")
    made.show()
    yield made
    made.close()


def fill(dialog: ForgottenPassphraseDialog, *texts: str) -> None:
    fields = (dialog.reply, dialog.code, dialog.passphrase, dialog.again)
    for field, text in zip(fields, texts, strict=True):
        field.setText(text)


@pytest.mark.parametrize(
    ("entered", "refusal"),
    [
        (("", "K7QWE", "words", "words"), REPLY_MISSING),
        ((REPLY, "", "words", "words"), CODE_MISSING),
        ((REPLY, "K7QWE", "", ""), PASSPHRASE_MISSING),
        ((REPLY, "K7QWE", "words", "other"), PASSPHRASES_DIFFER),
    ],
)
def test_what_is_missing_is_said(
    dialog: ForgottenPassphraseDialog, entered: tuple[str, ...], refusal: str
) -> None:
    fill(dialog, *entered)
    dialog.do.click()
    assert dialog.error_banner.sentence == refusal
    assert dialog.isVisible()


def test_the_reply_its_code_and_a_new_passphrase_are_given(
    dialog: ForgottenPassphraseDialog, qtbot: QtBot
) -> None:
    dialog.show_request(Path("A-request.labelerkey"))
    assert "Send it to the lead" in dialog.said.sentence
    fill(dialog, REPLY, "K7QWE", "words", "words")
    with qtbot.waitSignal(dialog.renewal_wanted) as given:
        dialog.do.click()
    assert given.args == [NewPassphrase(Path(REPLY), "K7QWE", "words")]
    dialog.refuse("This code doesn't fit the lead's reply.")
    assert (dialog.said.sentence, dialog.error_banner.isVisible()) == ("", True)
