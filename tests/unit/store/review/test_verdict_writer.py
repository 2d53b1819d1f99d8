"""The raw time of verdicts: kept once for all that were given together, and never doubled."""

from dataclasses import replace

from sqlalchemy import select

from labeler.core.labeling.active_time import AttentionInterval
from labeler.core.review.blind_types import Lap, OwnFlag
from labeler.core.study.entities import AttentionPlace, ProblemReason, Verdict
from labeler.store.labeling.trial_time import unpack_inputs
from labeler.store.schema import LapIntervalRow, ReviewRow
from labeler.store.study_store import StudyStore
from tests.unit.store.review.conftest import ReviewerDriver

SHORT = Lap(1, (AttentionInterval(AttentionPlace.IMAGE, 100, 1_100, (500,)),))
WHOLE = Lap(
    1,
    (
        AttentionInterval(AttentionPlace.IMAGE, 100, 2_100, (500, 2_000)),
        AttentionInterval(AttentionPlace.GUIDE, 2_100, 3_100),
    ),
)


def stored(store: StudyStore) -> list[tuple[int, AttentionPlace, int, int]]:
    query = select(
        LapIntervalRow.lap,
        LapIntervalRow.place,
        LapIntervalRow.started_ms,
        LapIntervalRow.ended_ms,
    ).order_by(LapIntervalRow.lap, LapIntervalRow.number)
    with store.read() as study:
        return [tuple(row) for row in study.session.execute(query)]


def test_verdicts_given_together_name_one_lap_which_is_stored_once(driver: ReviewerDriver) -> None:
    pairs = [(v.visit_id, label.wnid) for v in driver.visits() for label in v.labels][:3]
    given = [replace(driver.said(*pair, Verdict.WRONG), lap=WHOLE) for pair in pairs]
    with driver.store.write() as study:
        study.review.reviewing.commit(given)
    assert stored(driver.store) == [
        (1, AttentionPlace.IMAGE, 100, 2_100),
        (1, AttentionPlace.GUIDE, 2_100, 3_100),
    ]
    with driver.store.read() as study:
        named = study.session.execute(select(ReviewRow.session_id, ReviewRow.lap)).all()
        inputs = study.session.scalars(select(LapIntervalRow.inputs)).all()
    assert [tuple(row) for row in named] == [(driver.session_id, 1)] * 3
    assert [unpack_inputs(packed) for packed in inputs] == [(500, 2_000), ()]


def test_a_lap_kept_while_it_ran_is_replaced_by_the_whole_of_it(driver: ReviewerDriver) -> None:
    visit = driver.visits()[0]
    given = replace(driver.said(visit.visit_id, visit.labels[0].wnid, Verdict.WRONG), lap=WHOLE)
    with driver.store.write() as study:
        study.review.reviewing.keep_lap(driver.session_id, SHORT)
    assert len(stored(driver.store)) == 1
    for _replayed in range(2):
        with driver.store.write() as study:
            study.review.reviewing.commit([given])
    assert len(stored(driver.store)) == 2


def test_a_second_look_keeps_its_time_too(driver: ReviewerDriver, other: ReviewerDriver) -> None:
    with driver.store.write() as study:
        study.review.flag_checks.prepare(driver.stage, seed=1)
        study.review.reviewing.flag(
            other.visits()[0].visit_id, OwnFlag(frozenset({ProblemReason.DRAWING}))
        )
        study.review.flag_checks.prepare(driver.stage, seed=1)
        check = study.review.flag_checks.waiting("R", driver.stage)[0]
        study.review.flag_checks.answer(
            check.check_id, OwnFlag(frozenset()), session_id=driver.session_id, lap=SHORT
        )
    assert stored(driver.store) == [(1, AttentionPlace.IMAGE, 100, 1_100)]
