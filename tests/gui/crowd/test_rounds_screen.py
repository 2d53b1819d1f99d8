"""The lead plans, watches, closes and aggregates rounds in the window."""

import pytest

from labeler.app.crowd.aggregation import NOTHING_TO_AGGREGATE
from labeler.app.crowd.image_inspector import ImageFilter
from labeler.app.crowd.planning import NO_MODELS, read_plan_choices
from labeler.app.crowd.rounds_overview import NO_ROUNDS, NOT_AGGREGATED
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.studies import open_study
from labeler.core.crowd.entities import ImageLabel, SelectionFrequency
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.study.entities import Role
from labeler.ui.crowd.plan_round_dialog import PlanRoundDialog
from labeler.ui.crowd.rounds_screen import CrowdRoundsScreen
from tests.crowd_study import annotate


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


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_a_round_is_planned_and_closed(rounds):
    session, screen = rounds
    assert screen.statuses.text() == NOT_AGGREGATED
    session.click(screen.plan_buttons[CrowdTask.CONTAINS])
    session.wait(lambda: bool(screen.findChildren(PlanRoundDialog)))
    dialog = session.dialog(PlanRoundDialog)
    session.wait(lambda: dialog.banner.sentence == NO_MODELS)
    assert not dialog.plan.isEnabled()
    dialog.labels.setCurrentIndex(dialog.labels.findData(LabelChoice.TARGET))
    session.wait(dialog.plan.isEnabled)
    assert not dialog.models.isEnabled()
    session.click(dialog.plan)
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


def test_annotated_images_are_filtered_and_opened_from_their_frequencies(rounds, study, clock):
    session, screen = rounds
    with open_study(study.folder, clock=clock) as store:
        with store.read() as reading:
            datasets = read_plan_choices(store).evaluation
            targets = reading.crowd_rounds.targets(datasets, sampled=False)
        first, second = sorted(targets)[:2]
        other = next(w for w in store.taxonomy.class_wnids if w != targets[first])
        asked = {
            ImageLabel(first, targets[first]): SelectionFrequency(9, 9),
            ImageLabel(first, other): SelectionFrequency(8, 9),
            ImageLabel(second, targets[second]): SelectionFrequency(0, 9),
        }
        annotate(store, asked, {first: [f"{other}|{targets[first]}"] * 3})
    screen.refresh()
    session.wait(lambda: screen.images.list.model().rowCount() == 2)
    screen.tabs.setCurrentWidget(screen.images)
    session.wait(lambda: len(screen.images.objects.rows) == 2)
    assert screen.images.answers.topLevelItemCount() == 3
    screen.images.filter.setCurrentIndex(screen.images.filter.findData(ImageFilter.NEVER_SELECTED))
    assert screen.images.list.model().rowCount() == 1

    screen.tabs.setCurrentWidget(screen.frequencies)
    screen.frequencies.search.setText(first.image)
    assert screen.frequencies.table.rows == 2
    screen.frequencies.table.go_to(0, 1)
    screen.frequencies.table.open_current()
    assert screen.tabs.currentWidget() is screen.images
    session.wait(lambda: first.image in screen.images.title.text())
