"""The lead plans, watches, closes and aggregates rounds in the window."""

import pytest

from labeler.app.crowd.aggregation import NOTHING_TO_AGGREGATE
from labeler.app.crowd.planning import NO_MODELS
from labeler.app.crowd.rounds_overview import NO_ROUNDS, NOT_AGGREGATED
from labeler.app.study.home import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.studies import open_study
from labeler.core.study.entities import Role
from labeler.ui.crowd.rounds_screen import CrowdRoundsScreen


@pytest.fixture
def rounds(study, clock, open_session):
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "K", roles=[Role.ANNOTATOR])
        add_person(store, "Q", roles=[Role.LEAD])
    session = open_session()
    session.sign_in("Q")
    session.click(session.home().cards[HomeCardKind.CROWD].button)
    screen = session.wait_for(CrowdRoundsScreen)
    session.wait(lambda: screen.progress.text() == NO_ROUNDS)
    return session, screen


def test_a_round_is_planned_and_closed(rounds):
    session, screen = rounds
    assert screen.statuses.text() == NOT_AGGREGATED
    session.click(screen.plan_contains)
    session.wait(lambda: screen.error_banner.sentence == NO_MODELS)
    session.click(screen.targets_only)
    session.click(screen.plan_contains)
    session.wait(lambda: screen.rounds.topLevelItemCount() == 1)
    assert not screen.error_banner.isVisible()
    assert not screen.close_chosen.isEnabled()
    row = screen.rounds.topLevelItem(0)
    assert row.text(2) == "open"
    screen.rounds.setCurrentItem(row)
    session.click(screen.close_chosen)
    session.wait(lambda: screen.rounds.topLevelItem(0).text(2) == "closed")
    assert not screen.close_chosen.isEnabled()


def test_aggregating_without_answers_says_why_not(rounds):
    session, screen = rounds
    session.click(screen.aggregate)
    session.wait(screen.error_banner.isVisible)
    assert screen.error_banner.sentence == NOTHING_TO_AGGREGATE


def test_the_card_is_only_on_the_home_of_a_lead_with_annotators(study, clock, open_session):
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "Q", roles=[Role.LEAD])
    session = open_session()
    session.sign_in("Q")
    assert HomeCardKind.CROWD not in session.home().cards
