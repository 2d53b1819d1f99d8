"""A lead in the window: near-duplicates by keyboard and by mouse."""

import pytest
from PySide6.QtCore import Qt

from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.studies import open_study
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.study.entities import Role
from labeler.ui.curation.duplicates_screen import DuplicatesScreen

VERDICTS = "SELECT verdict FROM near_duplicate_verdict WHERE NOT withdrawn ORDER BY verdict"


@pytest.fixture
def searched(study, clock):
    """Every pair of images is within the limit."""
    with open_study(study.folder, clock=clock) as store:
        options = SearchOptions(metrics=(DuplicateMetric.L2,), limits={DuplicateMetric.L2: 1e12})
        search_near_duplicates(store, options)
        add_person(store, "C", roles=[Role.LEAD])
    return study


@pytest.fixture
def review(searched, open_session):
    session = open_session()
    session.sign_in("C")
    session.click(session.home().cards[HomeCardKind.DUPLICATES].button)
    screen = session.wait_for(DuplicatesScreen)
    session.wait(screen.search.review.isEnabled)
    session.click(screen.search.review)
    session.wait(lambda: screen.is_reviewing)
    return session, screen


def test_a_row_is_reviewed_with_the_keyboard_alone(review, study):
    session, screen = review
    presenter = screen._presenter
    session.press(Qt.Key.Key_1)
    session.wait(lambda: presenter.view.focused == 1 and not presenter.view.busy)
    session.press(Qt.Key.Key_Right)
    assert presenter.view.focused == 2
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: presenter.view.number == 2)
    assert study.read(VERDICTS) == [("distinct",)] * 9 + [("duplicate",)]
    session.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    session.wait(lambda: presenter.view.number == 1 and not presenter.view.busy)


def test_a_row_is_reviewed_with_the_mouse_alone(review, study, qtbot):
    session, screen = review
    presenter = screen._presenter
    middle = screen.grid.tile(3).center()
    qtbot.mouseClick(screen.grid, Qt.MouseButton.LeftButton, pos=middle)
    assert presenter.view.focused == 3
    session.click(next(iter(screen.verdicts.values())))
    session.wait(lambda: study.read(VERDICTS) == [("duplicate",)])
    session.wait(screen.finish.isEnabled)
    session.click(screen.finish)
    session.wait(lambda: presenter.view.number == 2)


def test_both_images_zoom_in_step_and_change_places(review):
    session, screen = review
    pair = screen.pair
    session.wait(lambda: None not in (pair.upper_view.transform, pair.lower_view.transform))
    session.press(Qt.Key.Key_Plus)
    session.press(Qt.Key.Key_Plus)
    scales = [view.transform.scale for view in (pair.upper_view, pair.lower_view)]
    assert scales[0] == scales[1]
    assert not pair.lower_view.fits
    above = pair.upper_view.caption.text()
    session.press(Qt.Key.Key_B)
    assert pair.lower_view.caption.text() == above
    assert pair.upper_view.transform.scale == scales[0]
    session.press(Qt.Key.Key_Space)
    assert not screen.grid.isVisible()
    session.press(Qt.Key.Key_Space)
    assert screen.grid.isVisible()


def test_all_neighbours_fit_without_overlap(review):
    _session, screen = review
    tiles = [screen.grid.tile(index) for index in range(10)]
    assert all(screen.grid.rect().contains(tile) for tile in tiles)
    assert not any(a.intersects(b) for a in tiles for b in tiles if a is not b)


def test_the_search_runs_from_the_window_and_can_be_estimated(searched, open_session):
    session = open_session()
    session.sign_in("C")
    session.click(session.home().cards[HomeCardKind.DUPLICATES].button)
    screen = session.wait_for(DuplicatesScreen)
    session.wait(screen.search.search.isEnabled)
    screen.search.pixels.setChecked(False)
    session.click(screen.search.estimate)
    session.wait(lambda: "pairs" in screen.search.estimated.text())
    session.click(screen.search.search)
    session.wait(lambda: bool(screen.search.notice.sentence))
    session.wait(lambda: screen.search.found.topLevelItemCount() == 2)
    assert screen.search.error.sentence == ""
