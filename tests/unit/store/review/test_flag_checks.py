"""A second look at flagged images, by someone who doesn't know which were flagged."""

import pytest
from sqlalchemy import select

from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnFlag
from labeler.core.study.entities import ProblemReason, Stage
from labeler.store.review.blind_review import TARGET_UNKNOWN
from labeler.store.schema import ExposureRow, FlagCheckRow, ProblematicRow, ReviewFlagRow
from labeler.store.study_store import StudyStore
from tests.unit.store.review.conftest import ReviewerDriver

DRAWING, EDITED = ProblemReason.DRAWING, ProblemReason.EDITED


def flag(driver: ReviewerDriver, *reasons: ProblemReason) -> None:
    with driver.store.write() as study:
        visit_id = driver.visits()[0].visit_id
        study.review.reviewing.flag(visit_id, OwnFlag(frozenset(reasons), "look"))


def prepare(store: StudyStore) -> int:
    with store.write() as study:
        return study.review.flag_checks.prepare(Stage.FINAL, seed=7)


def answer_all(driver: ReviewerDriver, *reasons: ProblemReason) -> None:
    with driver.store.write() as study:
        for check in study.review.flag_checks.waiting(driver.code, Stage.FINAL):
            found = OwnFlag(frozenset(reasons))
            study.review.flag_checks.answer(check.check_id, found, session_id=driver.session_id)


def problematic(store: StudyStore) -> list[ProblemReason]:
    with store.read() as study:
        rows = select(ProblematicRow.reason).where(ProblematicRow.withdrawn_at.is_(None))
        return sorted(study.session.scalars(rows))


def test_a_flagged_image_goes_to_another_reviewer_among_unflagged_ones(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING)
    assert prepare(driver.store) == 2
    with driver.store.read() as study:
        checks = study.review.flag_checks
        assert len(checks.waiting("S", Stage.FINAL)) == 2
        assert checks.waiting("R", Stage.FINAL) == []
        flagged = set(study.session.scalars(select(ReviewFlagRow.image_id)))
        put = set(study.session.scalars(select(FlagCheckRow.image_id)))
        assert flagged < put
    assert prepare(other.store) == 0, "nobody is asked twice"


def test_nothing_counts_before_a_second_reviewer_agrees(driver: ReviewerDriver) -> None:
    flag(driver, DRAWING)
    assert problematic(driver.store) == []
    with driver.store.read() as study:
        assert study.review.flag_checks.unconfirmed() == 1


def test_a_reason_that_both_gave_makes_the_flagged_image_problematic(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING, EDITED)
    prepare(driver.store)
    answer_all(other, DRAWING)
    assert problematic(driver.store) == [DRAWING], "and the unflagged one stays what it was"
    with driver.store.read() as study:
        assert study.review.flag_checks.unconfirmed() == 0


def test_a_second_reviewer_who_finds_nothing_or_something_else_confirms_nothing(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING)
    prepare(driver.store)
    answer_all(other)
    answer_all(other, EDITED)
    assert problematic(driver.store) == []


def test_a_changed_answer_takes_its_confirmation_back(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING)
    prepare(driver.store)
    answer_all(other, DRAWING)
    answer_all(other)
    assert problematic(driver.store) == []


def test_nobody_can_confirm_a_wrong_target(driver: ReviewerDriver, other: ReviewerDriver) -> None:
    flag(driver, DRAWING)
    prepare(driver.store)
    with pytest.raises(RefusedError, match=TARGET_UNKNOWN):
        answer_all(other, ProblemReason.TARGET_WRONG)


def test_an_answer_taken_back_confirms_nothing_and_is_asked_for_again(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING)
    prepare(driver.store)
    answer_all(other, DRAWING)
    with driver.store.write() as study:
        checks = study.review.flag_checks
        for check in checks.waiting("S", Stage.FINAL):
            assert check.answered
            checks.take_back(check.check_id, session_id=other.session_id)
        assert not any(check.answered for check in checks.waiting("S", Stage.FINAL))
    assert problematic(driver.store) == []
    answer_all(other, DRAWING)
    assert problematic(driver.store) == [DRAWING]


def test_a_second_look_is_the_last_time_the_image_was_seen(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    flag(driver, DRAWING)
    prepare(driver.store)
    answer_all(other)
    with driver.store.read() as study:
        checked = set(study.session.scalars(select(FlagCheckRow.image_id)))
        seen = set(study.session.scalars(select(ExposureRow.image_id)))
    assert len(checked) == 2
    assert seen == checked
