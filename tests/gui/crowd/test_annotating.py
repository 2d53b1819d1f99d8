"""An annotator in the window: contains and classify tasks by keyboard and mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from labeler.app.crowd.planning import RoundRequest, plan_round, store_plan
from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.people import add_person
from labeler.app.study.studies import open_study
from labeler.core.crowd.grids import GridRules
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.core.study.entities import Role
from labeler.ui.crowd.classify_screen import ClassifyScreen
from labeler.ui.crowd.contains_screen import ContainsScreen
from labeler.ui.crowd.explanation_page import AllDonePage, ExplanationPage
from labeler.ui.kit.text.confirm_dialog import ConfirmDialog
from tests.gui.small_study import EVALUATED, TELL_TALES

RULES = GridRules(images=8, positive=2, negative=1)


@pytest.fixture
def annotators_study(study, clock):
    """A study with a contains and a classify round, without a test."""
    with open_study(study.folder, clock=clock) as store:
        add_person(store, "K", roles=[Role.ANNOTATOR])
        request = RoundRequest(
            task=CrowdTask.CONTAINS,
            labels=LabelChoice.TARGET,
            seed=1,
            rules=RULES,
            qualification=0,
        )
        store_plan(store, plan_round(store, request))
        with store.write() as changed:
            images = changed.crowd_rounds.targets(
                request.datasets or ("tattledataset",), sampled=True
            )
            changed.crowd_rounds.add_classify(
                dict.fromkeys(images, EVALUATED), answers=1, seed=1, parameters={}
            )
    return study


def enter(session, card, screen):
    session.sign_in("K")
    session.click(session.home().cards[card].button)
    session.wait_for(ExplanationPage)
    session.press(Qt.Key.Key_Return)
    shown = session.wait_for(screen)
    session.wait(lambda: not shown._tasks.busy)
    return shown


def read(study, query):
    return study.read(query)


@pytest.fixture
def contains(annotators_study, open_session):
    session = open_session()
    return session, enter(session, HomeCardKind.CONTAINS, ContainsScreen)


@pytest.fixture
def classify(annotators_study, open_session):
    session = open_session()
    return session, enter(session, HomeCardKind.CLASSIFY, ClassifyScreen)


def test_a_grid_is_answered_with_the_keyboard_alone(contains, study):
    session, screen = contains
    first = screen._tasks.task_id
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space):
        session.press(key)
    assert screen._presenter.state == {1, 3}
    session.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert screen._presenter.state == {1}
    session.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    session.wait(lambda: screen._tasks.task_id != first)
    assert read(study, "SELECT selected, state FROM contains_answer") == [("1", "submitted")]


def test_a_click_selects_and_a_second_click_takes_it_back(contains, qtbot):
    _session, screen = contains
    middle = screen.grid.tile(4).center()
    qtbot.mouseClick(screen.grid, Qt.MouseButton.LeftButton, pos=middle)
    assert screen._presenter.state == {4}
    qtbot.mouseClick(screen.grid, Qt.MouseButton.LeftButton, pos=middle)
    assert screen._presenter.state == frozenset()


def test_enter_enlarges_the_image_and_goes_back_to_the_grid(contains):
    session, screen = contains
    session.wait(lambda: screen._pictures.get(1) is not None)
    session.press(Qt.Key.Key_Return)
    assert screen.enlarged.isVisible()
    session.press(Qt.Key.Key_Return)
    assert screen.grid.isVisible()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_an_empty_grid_is_submitted_only_after_a_confirmation(contains, study):
    session, screen = contains
    session.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    session.wait(lambda: screen.findChild(ConfirmDialog) is not None)
    assert read(study, "SELECT count(*) FROM contains_answer") == [(0,)]
    session.click(screen.findChild(ConfirmDialog).do)
    session.wait(lambda: read(study, "SELECT count(*) FROM contains_answer") == [(1,)])


def test_all_grids_fit_without_scrolling_and_no_tile_overlaps(contains):
    _session, screen = contains
    tiles = [screen.grid.tile(position) for position in range(1, 9)]
    assert all(screen.grid.rect().contains(tile) for tile in tiles)
    assert not any(a.intersects(b) for a in tiles for b in tiles if a is not b)


def test_nothing_on_the_screens_tells_where_an_image_comes_from(contains):
    session, screen = contains
    texts = [part.text() for part in screen.findChildren(QLabel)]
    texts += [part.toolTip() for part in screen.findChildren(QLabel)]
    texts += [session.window.windowTitle(), screen.grid.accessibleDescription()]
    assert not [text for text in texts for tale in TELL_TALES if tale in text]


def test_the_end_says_that_nothing_is_left(contains, study):
    session, screen = contains
    while not screen._tasks.is_finished:
        before = screen._tasks.task_id
        session.press(Qt.Key.Key_Space)
        session.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        session.wait(lambda before=before: screen._tasks.task_id != before)
    session.wait_for(AllDonePage)
    assert read(study, "SELECT count(*) FROM contains_answer") == [(3,)]


def test_labels_are_ticked_by_digits_and_the_main_one_by_key(classify, study):
    session, screen = classify
    first = screen._tasks.task_id
    labels = screen._presenter.question.task.labels
    session.press(Qt.Key.Key_2)
    assert not screen.submit_button.isEnabled()
    session.press(Qt.Key.Key_M)
    session.press(Qt.Key.Key_Up)
    session.press(Qt.Key.Key_Space)
    assert screen.submit_button.isEnabled()
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: screen._tasks.task_id != first)
    ticked = "|".join(sorted(labels[:2]))
    assert read(study, "SELECT labels, main FROM classify_answer") == [(ticked, labels[1])]


def test_the_label_with_the_cursor_stays_in_sight(classify):
    session, screen = classify
    # Room for one label only.
    last = screen.labels.rows[-1]
    screen._scroll.setFixedHeight(last.height() * 3 // 2)
    session.wait(lambda: last.visibleRegion().isEmpty())
    for _ in screen.labels.rows:
        session.press(Qt.Key.Key_Down)
    assert last.visibleRegion().boundingRect() == last.rect()


def test_the_home_button_keeps_the_unfinished_answer(classify):
    session, screen = classify
    session.press(Qt.Key.Key_2)
    session.click(screen.home)
    session.click(session.home().cards[HomeCardKind.CLASSIFY].button)
    again = session.wait_for(ClassifyScreen)
    session.wait(lambda: again._presenter.question is not None)
    assert again._presenter.state.labels == {again._presenter.question.task.labels[1]}


def test_the_mouse_ticks_and_marks(classify, qtbot):
    _session, screen = classify
    qtbot.mouseClick(screen.labels.rows[0].tick, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(screen.labels.rows[2].main, Qt.MouseButton.LeftButton)
    labels = screen._presenter.question.task.labels
    assert screen._presenter.state.labels == {labels[0], labels[2]}
    assert screen._presenter.state.main == labels[2]


def test_an_annotator_cant_look_up_classes_because_controls_are_references(
    annotators_study, open_session
):
    session = open_session()
    home = session.sign_in("K")
    assert not home.classes.isVisible()
    assert not home.guide.isVisible()


def test_the_image_to_classify_zooms_by_keys_and_buttons_and_the_next_one_fits(classify, qtbot):
    session, screen = classify
    session.wait(lambda: screen.image.canvas.transform is not None)
    assert screen.image.canvas.fits
    session.press(Qt.Key.Key_F3)
    assert screen.image.canvas.transform.scale == 1
    session.press(Qt.Key.Key_F2)
    assert screen.image.canvas.fits
    qtbot.mouseClick(screen.image.zoom_bar.larger, Qt.MouseButton.LeftButton)
    assert not screen.image.canvas.fits
    first = screen._tasks.task_id
    # The keys of the answer still work after a click.
    for key in (Qt.Key.Key_1, Qt.Key.Key_M, Qt.Key.Key_Return):
        session.press(key)
    session.wait(lambda: screen._tasks.task_id != first)
    session.wait(lambda: screen.image.canvas.transform is not None)
    assert screen.image.canvas.fits


def test_an_image_to_classify_that_cant_be_shown_says_so(classify):
    _session, screen = classify
    screen._pictures._take(1, None)
    assert screen.image.message.isVisible()
    assert not screen.image.zoom_bar.isEnabled()
