"""Signing in by keyboard and by mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.study.preferences import ThemeChoice
from labeler.app.study.sign_in import (
    CODE_NEEDED,
    WRONG_PASSPHRASE,
    Credentials,
    SignInFacts,
    SignInForm,
    unknown_code_text,
)
from labeler.core.study.entities import Role
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.window.theme import Appearance

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication) -> SignInScreen:
    facts = SignInFacts(study_name="Birds", roles=tuple(Role), has_lead_passphrase=True)
    made = SignInScreen(Appearance(qapp, ThemeChoice.LIGHT), SignInForm(facts, code="A"))
    qtbot.addWidget(made)
    made.resize(1264, 736)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_the_remembered_code_is_selected(screen: SignInScreen, qtbot: QtBot) -> None:
    assert screen.code.hasFocus()
    assert screen.code.selectedText() == "A"
    qtbot.keyClicks(screen.code, "B7")
    with qtbot.waitSignal(screen.signed_in_wanted) as wanted:
        qtbot.keyClick(screen.code, Qt.Key.Key_Return)
    assert wanted.args == [Credentials(code="B7", role=Role.LABELER, chosen=False)]


def test_a_role_is_one_key_away_and_the_lead_is_asked_for_the_passphrase(
    screen: SignInScreen, qtbot: QtBot
) -> None:
    assert not screen.passphrase.isVisible()
    qtbot.keyClick(screen.code, Qt.Key.Key_3, ALT)
    assert screen.roles[Role.LEAD].isChecked()
    assert screen.passphrase.hasFocus()
    qtbot.keyClicks(screen.passphrase, "heron")
    assert "heron" not in screen.passphrase.displayText()
    with qtbot.waitSignal(screen.signed_in_wanted) as wanted:
        qtbot.keyClick(screen.passphrase, Qt.Key.Key_Return)
    assert wanted.args == [Credentials(code="A", role=Role.LEAD, passphrase="heron")]


def test_the_mouse_does_the_same(screen: SignInScreen, qtbot: QtBot) -> None:
    qtbot.mouseClick(screen.roles[Role.REVIEWER], Qt.MouseButton.LeftButton)
    assert screen.code.hasFocus()
    with qtbot.waitSignal(screen.signed_in_wanted) as wanted:
        qtbot.mouseClick(screen.enter, Qt.MouseButton.LeftButton)
    assert wanted.args == [Credentials(code="A", role=Role.REVIEWER)]


def test_a_missing_code_is_reported_in_place(screen: SignInScreen, qtbot: QtBot) -> None:
    screen.code.clear()
    qtbot.keyClicks(screen.code, " ")
    with qtbot.assertNotEmitted(screen.signed_in_wanted):
        qtbot.keyClick(screen.code, Qt.Key.Key_Return)
    assert screen.error_banner.sentence == CODE_NEEDED
    assert screen.error_banner.isVisible()
    qtbot.keyClicks(screen.code, "A")
    assert not screen.error_banner.isVisible()


def test_a_refusal_is_shown_and_selects_the_entry(screen: SignInScreen, qtbot: QtBot) -> None:
    screen.refuse(unknown_code_text("A"))
    assert screen.error_banner.accessibleName() == unknown_code_text("A")
    assert screen.code.hasFocus()
    assert screen.code.selectedText() == "A"
    screen.roles[Role.LEAD].click()
    screen.refuse(WRONG_PASSPHRASE)
    assert screen.passphrase.hasFocus()


def test_typing_a_passphrase_clears_the_error(screen: SignInScreen, qtbot: QtBot) -> None:
    screen.roles[Role.LEAD].click()
    screen.refuse(WRONG_PASSPHRASE)
    assert screen.error_banner.isVisible()
    qtbot.keyClicks(screen.passphrase, "h")
    assert not screen.error_banner.isVisible()


def test_nothing_moves_on_a_change_of_role_or_a_refusal(
    screen: SignInScreen, qapp: QApplication
) -> None:
    def places() -> list[QPoint]:
        qapp.processEvents()
        return [part.mapTo(screen, QPoint()) for part in (screen.code, screen.enter, screen.other)]

    before = places()
    screen.roles[Role.LEAD].click()
    assert places() == before
    screen.refuse(
        "'A-with-a-long-code' doesn't have the role reviewer (roles: labeler, lead). "
        "Choose another role, or ask the lead to assign it."
    )
    assert places() == before


def test_a_code_selects_its_last_role(appearance: Appearance, qtbot: QtBot) -> None:
    facts = SignInFacts(study_name="Birds", roles=tuple(Role), has_lead_passphrase=False)
    roles = {"L": Role.LEAD, "R": Role.REVIEWER}
    screen = SignInScreen(
        appearance, SignInForm(facts, code="A", role=Role.LABELER, role_of=roles.get)
    )
    qtbot.addWidget(screen)
    screen.show()
    qtbot.keyClicks(screen.code, "R")
    assert screen.roles[Role.REVIEWER].isChecked()
    qtbot.keyClicks(screen.code, "2")
    assert screen.roles[Role.LABELER].isChecked()


def test_only_roles_that_are_held_are_offered(qtbot: QtBot, qapp: QApplication) -> None:
    facts = SignInFacts(study_name="Birds", roles=(Role.LABELER,), has_lead_passphrase=False)
    screen = SignInScreen(Appearance(qapp, ThemeChoice.DARK), SignInForm(facts))
    qtbot.addWidget(screen)
    assert list(screen.roles) == [Role.LABELER]


def test_enter_held_down_signs_in_once_until_it_is_refused(
    screen: SignInScreen, qtbot: QtBot
) -> None:
    wanted: list[str] = []
    screen.signed_in_wanted.connect(lambda given: wanted.append(given.code))
    for _ in range(5):
        qtbot.keyClick(screen.code, Qt.Key.Key_Return)
    assert wanted == ["A"]
    screen.refuse(unknown_code_text("A"))
    qtbot.keyClick(screen.code, Qt.Key.Key_Return)
    assert wanted == ["A", "A"]
