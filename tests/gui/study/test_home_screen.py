"""The home screen: the main button has the focus, and every command has a key."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.study.home import NO_BACKUP, DayBar, HomeView
from labeler.app.study.home_cards import PHASE_STATE_NAMES, HomeCardKind, HomeCardView
from labeler.app.study.lead_home import (
    NOT_RUNNING_SENTENCE,
    SET_UP_BUTTON,
    HealthLine,
    LeadStep,
    PersonProgress,
)
from labeler.app.study.preferences import ThemeChoice
from labeler.core.study.entities import Role
from labeler.core.study.phases import PhaseState
from labeler.ui.kit.charts.progress_bar import ProgressBar
from labeler.ui.kit.input.command_button import CommandButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.study.home_cards import DaysChart
from labeler.ui.study.home_people import PeopleTable
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.window.theme import Appearance

EVALUATE = HomeCardView(
    card=HomeCardKind.EVALUATE,
    title="Evaluate",
    state=PhaseState.OPEN,
    word="open",
    sentence="You can answer.",
    number="137",
    counted="of 2,000 answered",
    facts=("1 h 2 min active", "2 flagged"),
    done=139,
    total=2000,
    button="Continue",
    waits=True,
)
TRAIN = HomeCardView(
    card=HomeCardKind.TRAIN,
    title="Train",
    state=PhaseState.CLOSED,
    word=PHASE_STATE_NAMES[PhaseState.CLOSED],
    sentence="Later.",
)
VIEW = HomeView(
    study_name="Birds",
    code="A",
    role=Role.LABELER,
    other_roles=(Role.REVIEWER,),
    cards=(TRAIN, EVALUATE),
    notice="",
    backup="12 min ago",
    backed_up=True,
)


@pytest.fixture
def show(qtbot: QtBot, qapp: QApplication) -> Callable[..., HomeScreen]:
    windows: list[QMainWindow] = []  # no one else keeps them

    def shown(view: HomeView, *, width: int = 1264) -> HomeScreen:
        screen = HomeScreen(Appearance(qapp, ThemeChoice.LIGHT), load_keymap())
        screen.render_view(view)
        window = QMainWindow()
        window.setCentralWidget(screen)
        windows.append(window)
        qtbot.addWidget(window)
        window.setMinimumSize(width, 736)
        window.show()
        qtbot.waitUntil(window.isActiveWindow)
        return screen

    return shown


Show = Callable[..., HomeScreen]


def words(screen: HomeScreen) -> list[str]:
    return [each.text() for each in screen.findChildren(QLabel) if each.isVisibleTo(screen)]


def test_the_main_button_has_the_focus_and_takes_enter(show: Show, qtbot: QtBot) -> None:
    screen = show(VIEW)
    button = screen.cards[HomeCardKind.EVALUATE].button
    assert QApplication.focusWidget() is button
    with qtbot.waitSignal(screen.entered) as entered:
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert entered.args == [HomeCardKind.EVALUATE]


def test_enter_is_shown_on_the_one_button_that_it_presses(show: Show, qtbot: QtBot) -> None:
    training = replace(TRAIN, button="Start", state=PhaseState.OPEN)
    screen = show(replace(VIEW, cards=(training, EVALUATE)))
    train, evaluate = (
        screen.cards[card].button for card in (HomeCardKind.TRAIN, HomeCardKind.EVALUATE)
    )
    assert train is not None
    assert evaluate is not None
    assert QApplication.focusWidget() is evaluate
    assert (shows_enter(train), shows_enter(evaluate)) == (False, True)
    train.setFocus()
    assert (shows_enter(train), shows_enter(evaluate)) == (True, False)
    with qtbot.waitSignal(screen.entered) as entered:
        qtbot.keyClick(train, Qt.Key.Key_Return)
    assert entered.args == [HomeCardKind.TRAIN]


def shows_enter(button: CommandButton) -> bool:
    return any(caps.isVisible() for caps in button.findChildren(KeyCaps))


def test_a_card_shows_its_state_numbers_and_sentence(show: Show) -> None:
    screen = show(VIEW)
    texts = words(screen)
    for text in ("open", "137", "of 2,000 answered", "1 h 2 min active", "2 flagged"):
        assert text in texts
    assert screen.cards[HomeCardKind.EVALUATE].accessibleName() == "Evaluate: open"
    line = screen.cards[HomeCardKind.EVALUATE].findChild(ProgressBar)
    assert line.part == pytest.approx(139 / 2000)


def test_a_card_without_work_has_a_reason_but_no_button(show: Show) -> None:
    screen = show(replace(VIEW, cards=(TRAIN,)))
    assert screen.cards[HomeCardKind.TRAIN].button is None
    assert "Later." in words(screen)
    assert QApplication.focusWidget() is screen.classes


def test_every_command_works_by_key_and_by_mouse(show: Show, qtbot: QtBot) -> None:
    screen = show(VIEW)
    control = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(screen.classes_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F, control)
    with qtbot.waitSignal(screen.guide_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F1)
    with qtbot.waitSignal(screen.settings_wanted):
        qtbot.mouseClick(screen.settings, Qt.MouseButton.LeftButton)


def test_the_person_can_change_role_and_sign_out(show: Show, qtbot: QtBot) -> None:
    screen = show(VIEW)
    assert screen.person.accessibleName() == "Signed in as A, labeler"
    change, leave = screen.person.menu().actions()
    assert (change.text(), leave.text()) == ("Switch to reviewer", "Sign out")
    with qtbot.waitSignal(screen.role_wanted) as wanted:
        change.trigger()
    assert wanted.args == [Role.REVIEWER]
    with qtbot.waitSignal(screen.sign_out_wanted):
        leave.trigger()


PERSON = PersonProgress(
    code="B",
    role=Role.LABELER,
    done=3,
    total=60,
    progress="3 of 60",
    pace="27 s",
    seen="2 min ago",
    state="",
)
LEAD = replace(
    VIEW,
    role=Role.LEAD,
    cards=(TRAIN,),
    people=(PERSON,),
    step=LeadStep(
        headline="B is answering.", button="Copy a reminder for B", reminder="B: 3 of 60"
    ),
    health=(HealthLine("Only 1.0 GB are free.", problem=True),),
)


def test_a_lead_sees_peoples_progress_and_the_health(show: Show) -> None:
    screen = show(LEAD)
    texts = [each.text() for each in screen.findChild(PeopleTable).findChildren(QLabel)]
    for text in ("B", "labeler", "3 of 60", "27 s", "2 min ago"):
        assert text in texts
    assert "Only 1.0 GB are free." in words(screen)
    assert "Backups: 12 min ago" in words(screen)


def test_the_next_step_of_a_lead_is_the_one_primary_button(show: Show, qtbot: QtBot) -> None:
    screen = show(LEAD)
    assert screen.step is not None
    assert QApplication.focusWidget() is screen.step.button
    primary = [b for b in screen.findChildren(CommandButton) if b.property("kind") == "primary"]
    assert primary == [screen.step.button]
    qtbot.keyClick(screen.step.button, Qt.Key.Key_Return)
    assert QApplication.clipboard().text() == "B: 3 of 60"


def test_a_labeler_sees_the_images_of_each_day(show: Show) -> None:
    days = tuple(DayBar(date(2026, 3, day), day) for day in range(1, 11))
    screen = show(replace(VIEW, days=days))
    assert screen.findChild(DaysChart).accessibleName().endswith("10 Mar 10")


@pytest.mark.parametrize("view", [VIEW, LEAD], ids=["labeler", "lead"])
def test_a_backup_made_meanwhile_is_shown(show: Show, view: HomeView, qtbot: QtBot) -> None:
    screen = show(replace(view, backup=NO_BACKUP, backed_up=False))
    assert f"Backups: {NO_BACKUP}" in words(screen)
    screen.show_backup("just now", backed_up=True)
    qtbot.waitUntil(lambda: "Backups: just now" in words(screen))
    qtbot.waitUntil(lambda: f"Backups: {NO_BACKUP}" not in words(screen))


def test_the_home_follows_what_changed(show: Show, qtbot: QtBot) -> None:
    screen = show(LEAD)
    finished = replace(EVALUATE, button="", word="finished", state=PhaseState.LOCKED)
    screen.render_view(replace(VIEW, cards=(finished,), notice="A trial waits.", backup="just now"))
    assert list(screen.cards) == [HomeCardKind.EVALUATE]
    assert "finished" in words(screen)
    assert "Backups: just now" in words(screen)
    assert screen.notice.sentence == "A trial waits."
    qtbot.waitUntil(lambda: screen.findChild(PeopleTable) is None)


def test_a_failure_is_reported_in_place(show: Show) -> None:
    screen = show(VIEW)
    screen.say("The evaluation was locked meanwhile.")
    assert screen.error_banner.isVisible()
    assert screen.error_banner.sentence == "The evaluation was locked meanwhile."


def test_the_focus_follows_the_button_when_home_is_rendered_again(show: Show) -> None:
    screen = show(replace(VIEW, cards=(TRAIN,)))
    screen.render_view(VIEW)
    assert QApplication.focusWidget() is screen.cards[HomeCardKind.EVALUATE].button


@pytest.mark.parametrize("width", [1280, 1920])
def test_no_button_of_a_lead_is_alone_in_its_line(show: Show, qtbot: QtBot, width: int) -> None:
    screen = show(replace(VIEW, role=Role.LEAD), width=width)
    room = screen.settings.parentWidget()

    def held() -> list[int]:
        """Return how many buttons each line has."""
        ways = [way for way in room.findChildren(CommandButton) if way.isVisible()]
        return list(Counter(way.y() for way in ways).values())

    qtbot.waitUntil(lambda: sum(held()) == 8 and max(held()) - min(held()) <= 1)


def test_a_lead_whose_study_is_not_running_has_one_large_button_that_sets_it_up(
    show: Show, qtbot: QtBot
) -> None:
    step = LeadStep(headline=NOT_RUNNING_SENTENCE, button=SET_UP_BUTTON, is_first=True)
    screen = show(replace(LEAD, step=step))
    assert screen.step is not None
    assert screen.step.button is not None
    assert QApplication.focusWidget() is screen.step.button
    with qtbot.waitSignal(screen.set_up_wanted):
        qtbot.mouseClick(screen.step.button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(screen.set_up_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F9)


def test_in_a_running_study_set_up_is_a_plain_command(show: Show, qtbot: QtBot) -> None:
    screen = show(replace(VIEW, role=Role.LEAD))
    assert screen.set_up.isVisible()
    with qtbot.waitSignal(screen.set_up_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F9)


def test_a_labeler_can_read_the_rules_once_the_evaluation_started(show: Show, qtbot: QtBot) -> None:
    screen = show(replace(VIEW, has_rules=True))
    with qtbot.waitSignal(screen.rules_wanted):
        qtbot.mouseClick(screen.rules, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(screen.rules_wanted):
        qtbot.keyClick(screen, Qt.Key.Key_F2)
    other = show(VIEW)
    assert not other.rules.isVisible()
    with qtbot.assertNotEmitted(other.rules_wanted):
        qtbot.keyClick(other, Qt.Key.Key_F2)


def test_a_labeler_cannot_open_set_up(show: Show) -> None:
    screen = show(VIEW)
    assert not screen.set_up.isVisible()


def test_a_long_study_name_is_elided(show: Show) -> None:
    screen = show(replace(VIEW, study_name="Birds of the northern and the southern seas " * 6))
    assert screen.person.mapTo(screen, screen.person.rect().topRight()).x() < screen.width()
    assert screen.study.toolTip().startswith("Birds of the northern")


def test_models_are_for_the_lead_only(show: Show, qtbot: QtBot) -> None:
    labeler = show(VIEW)
    assert not labeler.models.isVisible()
    with qtbot.assertNotEmitted(labeler.models_wanted):
        qtbot.keyClick(labeler, Qt.Key.Key_F10)
    lead = show(replace(VIEW, role=Role.LEAD))
    assert lead.models.isVisible()
    with qtbot.waitSignal(lead.models_wanted):
        qtbot.keyClick(lead, Qt.Key.Key_F10)
