"""One person in two windows: the second takes over or only looks, as the person chooses."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.window_session import READ_ONLY
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study.sessions import TAKEN_OVER
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import BEAVER, MARMOT, SmallStudy
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
OpenSession = Callable[..., WindowSession]


def question(session: WindowSession) -> ConfirmDialog:
    """The question whether to take over, as soon as it is asked."""
    session.wait(
        lambda: any(dialog.isVisible() for dialog in session.window.findChildren(ConfirmDialog))
    )
    dialog = session.dialog(ConfirmDialog)
    assert isinstance(dialog, ConfirmDialog)
    return dialog


def enter(session: WindowSession, card: HomeCardKind) -> ConfirmDialog:
    button = session.home().cards[card].button
    assert button is not None
    session.click(button)
    return question(session)


@pytest.fixture
def second(at_work: WindowSession, open_session: OpenSession) -> WindowSession:
    """Labeler A at home in a second window; the first one is at its first trial."""
    session = open_session()
    session.sign_in()
    return session


def test_a_labeler_takes_over_and_the_first_window_stores_nothing_more(
    at_work: WindowSession, second: WindowSession
) -> None:
    second.click(enter(second, HomeCardKind.EVALUATE).do)
    second.wait_for_trial(1)
    at_work.come_back()
    at_work.choose("beaver")
    at_work.press(Qt.Key.Key_Return)
    at_work.home()
    assert TAKEN_OVER in at_work.texts()
    assert at_work.study.labels() == []
    second.come_back()
    second.answer("marmot")
    assert second.study.labels() == [(1, MARMOT)]


def test_a_labeler_only_looks_in_the_second_window(
    at_work: WindowSession, second: WindowSession
) -> None:
    second.click(enter(second, HomeCardKind.EVALUATE).instead)
    second.wait_for_trial(1)
    assert READ_ONLY in second.texts()
    second.come_back()
    second.choose("marmot")
    second.press(Qt.Key.Key_Return)
    assert second.chosen is None
    assert READ_ONLY in second.texts()
    at_work.come_back()
    at_work.answer("beaver")
    assert at_work.study.labels() == [(1, BEAVER)]


def test_a_labeler_who_decides_for_neither_goes_home(second: WindowSession) -> None:
    second.click(enter(second, HomeCardKind.EVALUATE).cancel)
    second.home()


@pytest.fixture
def reviewing(study: SmallStudy, tmp_path: Path, open_session: OpenSession) -> Reviewing:
    """Reviewer R at the first image."""
    put_into_review(study, tmp_path / "answers")
    reviewing = Reviewing(open_session())
    reviewing.begin()
    return reviewing


def second_review(open_session: OpenSession) -> tuple[Reviewing, ConfirmDialog]:
    session = open_session()
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in("R")
    session.click(screen.roles[Role.REVIEWER])
    session.press(Qt.Key.Key_Return)
    return Reviewing(session), enter(session, HomeCardKind(Phase.REVIEW.value))


def test_a_reviewer_takes_over_and_the_first_window_stores_nothing_more(
    reviewing: Reviewing, open_session: OpenSession
) -> None:
    second, asked = second_review(open_session)
    second.session.click(asked.do)
    second.session.wait(lambda: second.review.screen is not None)
    second.wait_for_image()
    first = reviewing.session
    first.come_back()
    reviewing.press(Qt.Key.Key_1)
    first.home()
    assert TAKEN_OVER in first.texts()
    assert first.study.read("SELECT verdict FROM review") == []
    second.session.come_back()
    second.press(Qt.Key.Key_2)
    assert list(second.verdicts().values()) == ["wrong"]


def test_a_reviewer_only_looks_in_the_second_window(
    reviewing: Reviewing, open_session: OpenSession
) -> None:
    second, asked = second_review(open_session)
    second.session.click(asked.instead)
    second.session.wait(lambda: second.review.screen is not None)
    second.wait_for_image()
    second.session.come_back()
    second.press(Qt.Key.Key_1)
    assert READ_ONLY in second.session.texts()
    assert second.verdicts() == {}
    reviewing.session.come_back()
    reviewing.press(Qt.Key.Key_2)
    assert list(reviewing.verdicts().values()) == ["wrong"]
