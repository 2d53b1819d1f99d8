"""Presenters of annotators' tasks: answers, drafts, undo, corrections, the test, active time."""

from io import BytesIO

import pytest
from PIL import Image

from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.classify import MARK_MAIN, TICK_FIRST, ClassifyPresenter
from labeler.app.crowd.contains import ContainsPresenter
from labeler.app.crowd.planning import close_round
from labeler.core.crowd.entities import ContainsState
from labeler.core.crowd.rounds import CrowdTask, LabelChoice
from labeler.store.crowd.assignments import ROUND_CLOSED
from tests.crowd_study import SHARK, add_model
from tests.unit.app.late_runner import LateRunner


class AtWork:
    """An annotator at a presenter whose work is finished when a test says so."""

    def __init__(self, store, clock, kind=ContainsPresenter, code="K") -> None:
        self.store, self.runner = store, LateRunner()
        self.session = AnnotatorSession(store, code)
        self.presenter = kind(
            session=self.session,
            runner=self.runner,
            clock=clock,
            idle_after_ms=60_000,
            describe=str,
        )
        self.presenter.start()
        self.settle()

    def settle(self) -> None:
        while self.runner.tickets:
            self.runner.finish_all()

    def answers(self):
        with self.store.read() as study:
            return study.crowd.contains_answers()

    def ticks(self):
        with self.store.read() as study:
            return study.crowd.classify_answers()


@pytest.fixture
def contains(crowd_study, planned, clock) -> AtWork:
    planned(qualification=0)
    return AtWork(crowd_study, clock)


@pytest.fixture
def classify(crowd_study, planned, clock) -> AtWork:
    add_model(crowd_study, "resnet", SHARK)
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0)
    return AtWork(crowd_study, clock, ClassifyPresenter)


def test_a_submitted_selection_is_stored_before_the_next_grid_is_shown(contains, clock):
    presenter = contains.presenter
    first = presenter.task_id
    presenter.toggle(1)
    presenter.toggle(3)
    presenter.timer.input()
    clock.go_on(seconds=5)
    presenter.submit()
    assert presenter.task_id == first
    assert not presenter.saved
    contains.settle()
    assert presenter.task_id != first
    (answer,) = contains.answers()
    assert (answer.selected, answer.active_ms) == ({1, 3}, 5000)


def test_input_while_an_answer_is_stored_changes_nothing(contains):
    contains.presenter.toggle(1)
    contains.presenter.submit()
    contains.presenter.toggle(2)
    contains.presenter.submit()
    contains.settle()
    (answer,) = contains.answers()
    assert answer.selected == {1}
    assert contains.presenter.state == frozenset()


def test_an_empty_selection_needs_a_confirmation(contains):
    presenter = contains.presenter
    assert presenter.needs_confirmation
    presenter.submit()
    contains.settle()
    assert contains.answers() == []
    presenter.submit(confirmed=True)
    contains.settle()
    assert [answer.selected for answer in contains.answers()] == [frozenset()]


def test_an_unfinished_grid_is_continued_with_its_selection_time_and_undo(
    contains, crowd_study, clock
):
    presenter = contains.presenter
    presenter.toggle(2)
    presenter.toggle(4)
    clock.go_on(seconds=7)
    presenter.leave(lambda: None)
    contains.settle()

    again = AtWork(crowd_study, clock).presenter
    assert again.task_id == presenter.task_id
    assert again.state == {2, 4}
    assert again.timer.active_ms == 7000
    again.undo()
    assert again.state == {2}


def test_a_selection_survives_the_program_without_leaving_the_screen(contains, crowd_study, clock):
    contains.presenter.toggle(5)
    contains.settle()
    assert AtWork(crowd_study, clock).presenter.state == {5}


def test_going_back_shows_the_own_answer_and_a_correction_replaces_it(contains):
    presenter = contains.presenter
    presenter.toggle(1)
    presenter.submit()
    contains.settle()
    second = presenter.task_id
    presenter.back()
    contains.settle()
    assert presenter.revises
    assert presenter.state == {1}
    presenter.toggle(2)
    presenter.submit()
    contains.settle()
    assert [answer.selected for answer in contains.answers()] == [{1, 2}]
    assert presenter.task_id == second


def test_a_returned_grid_is_not_offered_again(contains):
    returned = contains.presenter.task_id
    contains.presenter.return_grid()
    contains.settle()
    assert contains.presenter.task_id != returned
    assert [answer.state for answer in contains.answers()] == [ContainsState.RETURNED]


def test_an_answer_that_is_refused_stays_on_the_screen_with_the_reason(contains, crowd_study):
    presenter = contains.presenter
    presenter.toggle(1)
    contains.settle()
    with crowd_study.read() as study:
        (added,) = study.crowd_rounds.all()
    close_round(crowd_study, added.id)
    presenter.submit()
    contains.settle()
    assert presenter.message == ROUND_CLOSED
    assert presenter.state == {1}
    assert not presenter.saved


def test_the_work_ends_when_nothing_is_left(contains):
    while not contains.presenter.is_finished:
        contains.presenter.submit(confirmed=True)
        contains.settle()
    assert len(contains.answers()) == 3


def test_the_test_comes_first_and_a_failure_brings_other_images(crowd_study, planned, clock):
    planned(qualification=75)
    at_work = AtWork(crowd_study, clock)
    presenter, session = at_work.presenter, at_work.session
    assert presenter.question.is_test
    failed = presenter.task_id
    wrong = set(presenter.question.task.positions) - session._test.right
    for position in wrong:
        presenter.toggle(position)
    presenter.submit()
    at_work.settle()
    assert presenter.question.is_test
    assert presenter.task_id != failed
    assert "75" in presenter.message

    for position in session._test.right:
        presenter.toggle(position)
    presenter.submit()
    at_work.settle()
    assert not session.needs_test()
    assert at_work.answers() == []


def test_images_of_the_test_are_never_controls_of_the_annotators_grids(crowd_study, planned, clock):
    planned(qualification=75)
    at_work = AtWork(crowd_study, clock)
    with crowd_study.read() as study:
        tested = study.crowd_qualifications.met("K")
    for position in at_work.session._test.right:
        at_work.presenter.toggle(position)
    at_work.presenter.submit()
    at_work.settle()
    while not at_work.presenter.is_finished:
        at_work.presenter.submit(confirmed=True)
        at_work.settle()
    with crowd_study.read() as study:
        grids = study.crowd.grids()
        shown = [
            i.image for a in study.crowd.contains_answers() for i in grids[a.grid].images.values()
        ]
    assert tested
    assert not tested & set(shown)


def test_a_classify_answer_needs_a_tick_and_a_main_label(classify):
    presenter = classify.presenter
    presenter.submit()
    assert presenter.message == TICK_FIRST
    presenter.toggle(0)
    presenter.submit()
    assert presenter.message == MARK_MAIN
    assert classify.ticks() == []
    labels = presenter.question.task.labels
    presenter.make_main(len(labels) - 1)
    presenter.submit()
    classify.settle()
    (answer,) = classify.ticks()
    assert answer.labels == {labels[0], labels[-1]}
    assert answer.main == labels[-1]


def test_taking_back_the_tick_of_the_main_label_leaves_none_main(classify):
    presenter = classify.presenter
    presenter.make_main(0)
    presenter.toggle(0)
    assert presenter.state.missing == TICK_FIRST
    presenter.undo()
    assert presenter.state.main == presenter.question.task.labels[0]


def test_every_image_has_one_size_and_no_metadata(contains):
    task = contains.presenter.question.task
    sizes = set()
    for position in task.positions:
        data = contains.session.picture(task.id, position)
        image = Image.open(BytesIO(data))
        sizes.add(max(image.size))
        assert not image.getexif()
        assert b"Exif" not in data
        assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert sizes == {500}
