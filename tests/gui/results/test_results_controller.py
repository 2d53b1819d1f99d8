"""The way to the results in the real window: for the lead alone, and after the lock."""

from collections.abc import Callable
from typing import cast

import pytest
from PySide6.QtCore import Qt

from labeler.app.results.results_data import RESULTS_NOT_OPEN
from labeler.app.results.selection_table import NOTHING_SELECTED
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study
from labeler.ui.results.results_screen import ResultsScreen
from labeler.ui.study.home_screen import HomeScreen
from tests.adjustable_clock import AdjustableClock
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import ALT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def study(study: SmallStudy, clock: AdjustableClock) -> SmallStudy:
    """The study with someone who may lead it alone."""
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "boss", roles=[Role.LEAD])
    return study


def signed_in_as_lead(session: WindowSession) -> HomeScreen:
    screen = session.sign_in_screen()
    screen.code.selectAll()
    session.type_in("boss")
    session.press(Qt.Key(Qt.Key.Key_1 + list(screen.roles).index(Role.LEAD)), ALT)
    session.press(Qt.Key.Key_Return)
    return session.home()


def test_a_labeler_has_no_way_to_the_results(at_home: WindowSession, study: SmallStudy) -> None:
    with open_study(study.folder, clock=at_home.clock) as store:
        lock_phase(store, Phase.EVALUATE, unfinished=True)
    assert HomeCardKind.RESULTS not in at_home.home().cards
    at_home.navigation.show_results()
    assert isinstance(at_home.window.screen_shown, HomeScreen)


def test_before_the_lock_the_lead_sees_only_progress(
    open_session: Callable[..., WindowSession],
) -> None:
    session = open_session()
    home = signed_in_as_lead(session)
    assert home.cards[HomeCardKind.RESULTS].button is None
    session.navigation.show_results()
    screen = cast(ResultsScreen, session.wait_for(ResultsScreen))
    session.wait(lambda: screen.computing.sentence.text() == RESULTS_NOT_OPEN)
    assert not screen.export.isEnabled()


def test_after_the_lock_the_card_leads_to_results_even_where_no_one_answered(
    open_session: Callable[..., WindowSession], study: SmallStudy, clock: AdjustableClock
) -> None:
    with open_study(study.folder, clock=clock) as store:
        lock_phase(store, Phase.EVALUATE, unfinished=True)
    session = open_session()
    button = signed_in_as_lead(session).cards[HomeCardKind.RESULTS].button
    assert button is not None
    session.click(button)
    screen = cast(ResultsScreen, session.wait_for(ResultsScreen))
    session.wait(screen.nothing.isVisible)
    assert screen.nothing.sentence == NOTHING_SELECTED
    screen.home.click()
    session.home()
