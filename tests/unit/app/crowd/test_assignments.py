"""Handing out grids and images, and storing what annotators answer."""

from collections import Counter

import pytest

from labeler.app.crowd.annotator_session import AnnotatorSession
from labeler.app.crowd.planning import close_round
from labeler.app.study.people import add_person
from labeler.core.crowd.entities import ContainsState, GridRole
from labeler.core.crowd.rounds import RESERVED_HOURS, CrowdTask, LabelChoice
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role
from labeler.store.crowd.assignments import (
    ALREADY_SUBMITTED,
    NO_SUCH_IMAGE,
    NO_SUCH_LABEL,
    NOTHING_TICKED,
    ROUND_CLOSED,
    UNKNOWN_TASK,
)
from tests.crowd_study import ANNOTATORS, GOLDFISH, SHARK, add_model


def next_grid(store, code):
    with store.write() as study:
        return study.crowd_assignments.next_contains(code)


def next_image(store, code):
    with store.write() as study:
        return study.crowd_assignments.next_classify(code)


def submit(store, code, task, selected=(), *, revise=False):
    with store.write() as study:
        study.crowd_assignments.submit_contains(
            code, task.id, selected, active_ms=1500, revise=revise
        )


def tick(store, code, task, labels, main, *, revise=False):
    with store.write() as study:
        study.crowd_assignments.submit_classify(
            code, task.id, labels, main, active_ms=900, revise=revise
        )


def finish_all(store, code) -> list[str]:
    """Answer grids until there are no more; return their labels."""
    labels = []
    while (task := next_grid(store, code)) is not None:
        labels.append(task.label)
        submit(store, code, task, task.positions[:2])
    return labels


def answers(store):
    with store.read() as study:
        return study.crowd.contains_answers()


def test_each_grid_gets_as_many_answers_as_wanted_and_no_annotator_two(crowd_study, planned):
    planned(answers=3)
    for code in ANNOTATORS:
        finish_all(crowd_study, code)

    given = answers(crowd_study)
    assert set(Counter(answer.grid for answer in given).values()) == {3}
    assert len({(answer.participant, answer.grid) for answer in given}) == len(given) == 9


def test_work_goes_where_the_answers_are_fewest(crowd_study, planned):
    planned(answers=2)
    first = next_grid(crowd_study, "K")
    submit(crowd_study, "K", first)
    for _turn in range(2):
        other = next_grid(crowd_study, "L")
        assert other.label != first.label
        submit(crowd_study, "L", other)
    assert next_grid(crowd_study, "L").label == first.label


def test_annotators_at_work_at_the_same_time_count_as_answers(crowd_study, planned):
    planned(answers=1)
    given = [next_grid(crowd_study, code) for code in ANNOTATORS]
    assert len({task.label for task in given[:3]}) == 3
    assert given[3] is None


def test_an_abandoned_grid_is_given_to_someone_else(crowd_study, planned, clock):
    planned(answers=1)
    for code in ANNOTATORS[:3]:
        next_grid(crowd_study, code)
    clock.go_on(hours=RESERVED_HOURS, minutes=1)
    assert next_grid(crowd_study, "N") is not None


def test_an_unfinished_grid_comes_back_with_its_draft(crowd_study, planned):
    planned()
    task = next_grid(crowd_study, "K")
    with crowd_study.write() as study:
        study.crowd_assignments.save_draft("K", task.id, '{"selected": [2]}')
    again = next_grid(crowd_study, "K")
    assert (again.id, again.draft) == (task.id, '{"selected": [2]}')


def test_no_annotator_meets_a_control_twice(crowd_study, planned):
    """The class has controls for two grids only, so a third grid isn't offered."""
    for seed in range(4):
        planned(seed=seed, answers=9)
    finish_all(crowd_study, "K")
    with crowd_study.read() as study:
        grids = study.crowd.grids()
    met = Counter(
        shown.image
        for answer in answers(crowd_study)
        for shown in grids[answer.grid].images.values()
        if shown.role is not GridRole.CANDIDATE
    )
    assert set(met.values()) == {1}
    assert len(answers(crowd_study)) < len(grids)
    with crowd_study.read() as study:
        assert study.crowd_assignments.progress("K", CrowdTask.CONTAINS).left == 0


def test_a_returned_grid_counts_as_not_shown_and_goes_to_others(crowd_study, planned):
    planned(answers=1)
    task = next_grid(crowd_study, "K")
    with crowd_study.write() as study:
        study.crowd_assignments.return_grid("K", task.id, active_ms=10)
    assert finish_all(crowd_study, "K").count(task.label) == 0
    assert finish_all(crowd_study, "L") == [task.label]
    (returned,) = [a for a in answers(crowd_study) if a.state is ContainsState.RETURNED]
    assert returned.participant == "K"


def test_a_correction_is_a_further_revision_and_needs_to_be_meant(crowd_study, planned):
    planned()
    task = next_grid(crowd_study, "K")
    submit(crowd_study, "K", task, (1,))
    with pytest.raises(RefusedError, match=ALREADY_SUBMITTED.split(".")[0]):
        submit(crowd_study, "K", task, (2,))
    submit(crowd_study, "K", task, (2, 3), revise=True)
    (answer,) = answers(crowd_study)
    assert answer.selected == {2, 3}
    with crowd_study.read() as study:
        assert study.crowd_assignments.contains_task("K", task.id).selected == {2, 3}
        assert study.crowd_assignments.submitted_tasks("K", CrowdTask.CONTAINS) == [task.id]


def test_a_closed_round_takes_no_answers(crowd_study, planned):
    added = planned()
    task = next_grid(crowd_study, "K")
    close_round(crowd_study, added.id)
    with pytest.raises(RefusedError, match=ROUND_CLOSED[:20]):
        submit(crowd_study, "K", task)
    assert next_grid(crowd_study, "K") is None


def test_other_peoples_tasks_and_foreign_positions_are_refused(crowd_study, planned):
    planned()
    task = next_grid(crowd_study, "K")
    with pytest.raises(RefusedError, match=UNKNOWN_TASK[:20]):
        submit(crowd_study, "L", task)
    with pytest.raises(RefusedError, match=NO_SUCH_IMAGE[:20]):
        submit(crowd_study, "K", task, (99,))
    add_person(crowd_study, "A", roles=[Role.LABELER])
    with pytest.raises(RefusedError, match="annotator"):
        next_grid(crowd_study, "A")
    assert answers(crowd_study) == []


def test_a_classify_image_has_its_labels_in_an_order_of_each_annotator(crowd_study, planned):
    add_model(crowd_study, "resnet", *crowd_study.taxonomy.class_wnids[100:105])
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, answers=4)
    orders = set()
    for code in ANNOTATORS:
        while (task := next_image(crowd_study, code)) is not None:
            orders.add(task.labels)
            tick(crowd_study, code, task, task.labels[:2], task.labels[0])
    assert len(orders) > 9
    with crowd_study.read() as study:
        given = study.crowd.classify_answers()
    assert set(Counter(answer.image for answer in given).values()) == {4}


def test_a_contradictory_classify_answer_is_refused(crowd_study, planned):
    add_model(crowd_study, "resnet", SHARK)
    planned(CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL)
    task = next_image(crowd_study, "K")
    for labels, main, message in [
        ((), "", NOTHING_TICKED),
        (task.labels[:1], "", NOTHING_TICKED),
        ((GOLDFISH, "n99999999"), GOLDFISH, NO_SUCH_LABEL),
    ]:
        with pytest.raises(RefusedError, match=message[:20]):
            tick(crowd_study, "K", task, labels, main)


def test_references_are_shown_only_where_allowed_and_never_as_controls_later(crowd_study, planned):
    planned(qualification=0)
    add_model(crowd_study, "resnet", SHARK, GOLDFISH)
    planned(
        CrowdTask.CLASSIFY, labels=LabelChoice.POTENTIAL, qualification=0, shows_references=True
    )
    session = AnnotatorSession(crowd_study, "K")
    question = session.next_classify()
    shown = [place for own in question.references for place in own]
    assert len(question.references) == len(question.labels)
    assert shown
    assert all(session.picture(question.task.id, place) for place in (1, *shown))
    with crowd_study.read() as study:
        met = study.crowd_qualifications.met("K")
        assert len(met) == len(shown)
        assert not met & study.crowd_rounds.control_uses().keys()
    other = AnnotatorSession(crowd_study, "L")
    with pytest.raises(RefusedError):
        other.picture(question.task.id, shown[0])
