"""The page that opens a bundle asks for what is missing before anything is tried."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from labeler.app.sharing.lead_keys import PASSPHRASES_DIFFER
from labeler.app.sharing.opening import BundleStart
from labeler.core.study.entities import Role
from labeler.ui.sharing.open_bundle_screen import (
    CODE_MISSING,
    PASSPHRASE_MISSING,
    BundleSecrets,
    OpenBundleScreen,
)
from labeler.ui.window.theme import Appearance


def screen_for(qtbot: QtBot, appearance: Appearance, *, is_new: bool) -> OpenBundleScreen:
    start = BundleStart(Path("A.labeler"), "Study", "A", Role.LABELER, is_new=is_new)
    screen = OpenBundleScreen(appearance, start)
    qtbot.addWidget(screen)
    screen.show()
    return screen


@pytest.mark.parametrize(
    ("entered", "refusal"),
    [
        (("", "some words", "some words"), CODE_MISSING),
        (("K7QWE", "", ""), PASSPHRASE_MISSING),
        (("K7QWE", "some words", "other words"), PASSPHRASES_DIFFER),
    ],
)
def test_a_new_bundle_needs_a_code_and_the_same_passphrase_twice(
    qtbot: QtBot, appearance: Appearance, entered: tuple[str, str, str], refusal: str
) -> None:
    code, passphrase, again = entered
    screen = screen_for(qtbot, appearance, is_new=True)
    with qtbot.assertNotEmitted(screen.open_wanted):
        screen.code.setText(code)
        screen.passphrase.setText(passphrase)
        screen.again.setText(again)
        screen.open.click()
    assert screen.error_banner.sentence == refusal


def test_a_known_bundle_opens_with_the_passphrase_only(
    qtbot: QtBot, appearance: Appearance
) -> None:
    screen = screen_for(qtbot, appearance, is_new=False)
    assert not screen.code.isVisible()
    with qtbot.waitSignal(screen.forgotten):
        screen.forgot.click()
    screen.passphrase.setText("some words")
    with qtbot.waitSignal(screen.open_wanted) as given:
        screen.open.click()
    assert given.args == [BundleSecrets("some words")]


def test_a_missing_pack_can_be_chosen(qtbot: QtBot, appearance: Appearance) -> None:
    screen = screen_for(qtbot, appearance, is_new=False)
    screen.passphrase.setText("some words")
    screen.refuse("The pack isn't here.", pack_missing=True)
    assert screen.pack.isVisible()
    with qtbot.waitSignal(screen.open_wanted) as given:
        screen.choose_pack("/elsewhere/x.labelerpack")
    assert given.args[0].pack == Path("/elsewhere/x.labelerpack")
