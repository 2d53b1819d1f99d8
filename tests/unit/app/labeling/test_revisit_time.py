"""Time of a look at a finished trial counts, although the look led to no new answer."""

import pytest
from sqlalchemy import select

from labeler.app.study.phases import lock_phase
from labeler.core.labeling.answers import TrialFlag
from labeler.core.study.entities import SessionTask
from labeler.core.study.phases import Phase
from labeler.store.schema import IntervalRow, PredictionRow, TrialRow

DOG, CAT = "n02085620", "n02123045"


def look_again(driver, position: int, *, start_ms: int = 5_000, end_ms: int = 7_000, **changes):
    """Open a finished trial, look, perhaps consider another class, and leave it."""
    since = driver.spent(start_ms, end_ms)
    driver.session.keep(driver.trial(position), driver.kept(since=since, **changes))


def revisions(store, trial_id: str) -> list[tuple[int, int, int]]:
    columns = PredictionRow.revision, PredictionRow.active_ms, PredictionRow.wall_ms
    query = select(*columns).where(PredictionRow.trial_id == trial_id)
    with store.read() as study:
        return [tuple(row) for row in study.session.execute(query.order_by(columns[0]))]


def test_a_look_adds_its_time_to_the_answer_when_the_labeler_locks(store, driver) -> None:
    driver.answer_all()
    look_again(driver, 2, label=CAT)

    driver.session.lock()

    assert revisions(store, driver.trial(2)) == [(1, 900, 900), (2, 2_900, 2_900)]
    assert revisions(store, driver.trial(1)) == [(1, 900, 900)]


def test_a_look_changes_nothing_of_the_answer_but_its_time(store, driver) -> None:
    driver.answer_all()
    driver.session.answers.commit(
        driver.answer(1, label=DOG, alternative=CAT, note="sure", confidence=4)
    )
    look_again(driver, 1, label=CAT, note="half typed")

    driver.session.lock()

    columns = (
        PredictionRow.class_id,
        PredictionRow.alternative_id,
        PredictionRow.escape_hatch,
        PredictionRow.confidence,
        PredictionRow.note,
    )
    query = select(*columns).where(PredictionRow.trial_id == driver.trial(1))
    with store.read() as study:
        answers = study.session.execute(query.order_by(PredictionRow.revision)).all()
    assert len(answers) == 3
    assert answers[2] == answers[1]
    assert answers[1][2:] == (True, 4, "sure")


def test_the_raw_intervals_of_a_look_are_stored_behind_those_of_the_answer(store, driver) -> None:
    driver.answer_all()
    look_again(driver, 3)

    driver.session.lock()

    query = select(IntervalRow.started_ms, IntervalRow.ended_ms).where(
        IntervalRow.trial_id == driver.trial(3)
    )
    with store.read() as study:
        stored = [tuple(row) for row in study.session.execute(query.order_by(IntervalRow.number))]
    assert stored == [(0, 450), (450, 900), (5_000, 6_000), (6_000, 7_000)]


def test_the_leads_lock_counts_looks_too_and_leaves_half_done_trials_alone(store, driver) -> None:
    driver.session.answers.commit(driver.answer(1))
    look_again(driver, 1)
    look_again(driver, 2)

    lock_phase(store, Phase.EVALUATE, unfinished=True)

    assert revisions(store, driver.trial(1)) == [(1, 900, 900), (2, 2_900, 2_900)]
    assert revisions(store, driver.trial(2)) == []
    with store.read() as study:
        assert study.drafts.subjects("A", task=SessionTask.EVALUATE) == [driver.trial(2)]


def test_a_look_at_a_flagged_image_adds_to_its_time(store, driver) -> None:
    for position in (2, 3, 4):
        driver.session.answers.commit(driver.answer(position))
    driver.session.flag(
        driver.trial(1),
        TrialFlag.INAPPROPRIATE,
        note="",
        spent=driver.spent(),
        shown_at="2026",
    )
    look_again(driver, 1, label=None)

    driver.session.lock()

    with store.read() as study:
        assert study.session.get_one(TrialRow, driver.trial(1)).flagged_wall_ms == 2_900
        assert study.labeling.active_ms("A", idle_after_ms=120_000) == 3 * 900 + 2_900


def test_a_draft_that_cant_be_read_doesnt_hold_the_lock_up(store, driver) -> None:
    driver.answer_all()
    with store.write() as study:
        study.drafts.put(
            "A", task=SessionTask.EVALUATE, subject=driver.trial(1), contents={"odd": 1}
        )

    driver.session.lock()

    assert revisions(store, driver.trial(1)) == [(1, 900, 900)]


@pytest.mark.parametrize("locks_first", [True, False])
def test_a_look_is_counted_once(store, driver, locks_first: bool) -> None:
    driver.answer_all()
    look_again(driver, 2)

    if locks_first:
        driver.session.lock()
    lock_phase(store, Phase.EVALUATE, unfinished=True)

    assert revisions(store, driver.trial(2)) == [(1, 900, 900), (2, 2_900, 2_900)]
