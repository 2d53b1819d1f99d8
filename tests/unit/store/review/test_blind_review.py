"""What a reviewer is asked, and how verdicts are kept."""

import pytest
from sqlalchemy import select

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnFlag, OwnVerdict
from labeler.core.study.entities import CorrectKind, ExposureOccasion, ProblemReason, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.review.blind_review import TARGET_UNKNOWN
from labeler.store.schema import ExposureRow, ReviewRow
from labeler.store.study_store import StudyStore
from tests.proposals import DOG, PANDA, TUSKER
from tests.unit.store.review.conftest import ReviewerDriver, open_session

CORRECT, WRONG, UNCLEAR = Verdict.CORRECT, Verdict.WRONG, Verdict.UNCLEAR


def verdicts_of(driver: ReviewerDriver) -> dict[tuple[str, str], OwnVerdict | None]:
    return {
        (visit.visit_id, label.wnid): label.own
        for visit in driver.visits()
        for label in visit.labels
    }


def test_every_human_answer_is_asked_with_a_models_beside_it(driver: ReviewerDriver) -> None:
    asked = {frozenset(label.wnid for label in visit.labels) for visit in driver.visits()}
    assert len(asked) == 3
    assert all(len(labels) >= 2 for labels in asked)


def test_two_reviewers_meet_the_same_labels_by_other_ids(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    def labels(of: ReviewerDriver) -> list[list[str]]:
        return sorted(sorted(label.wnid for label in visit.labels) for visit in of.visits())

    assert labels(driver) == labels(other)
    assert not {v.visit_id for v in driver.visits()} & {v.visit_id for v in other.visits()}


def test_a_verdict_is_there_when_the_reviewer_comes_back(driver: ReviewerDriver) -> None:
    visit = driver.visits()[0]
    label = visit.labels[0].wnid
    driver.say(visit.visit_id, label, CORRECT, kind=CorrectKind.AMBIGUOUS)
    again = open_session(driver.store, "R", Stage.FINAL)
    assert verdicts_of(again)[visit.visit_id, label] == OwnVerdict(CORRECT, CorrectKind.AMBIGUOUS)


def test_a_change_of_mind_and_an_undo_are_revisions_that_leave_the_first(
    driver: ReviewerDriver,
) -> None:
    visit = driver.visits()[0]
    label = visit.labels[0].wnid
    for verdict in (CORRECT, WRONG, None):
        driver.say(visit.visit_id, label, verdict)
    assert verdicts_of(driver)[visit.visit_id, label] is None
    with driver.store.read() as study:
        rows = study.session.scalars(select(ReviewRow).order_by(ReviewRow.revision)).all()
        kept = [(row.verdict, row.withdrawn) for row in rows]
    assert kept == [(CORRECT, False), (WRONG, False), (UNCLEAR, True)]


def test_what_one_reviewer_says_is_not_seen_by_another(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    driver.judge_all(lambda _wnid: CORRECT)
    assert set(verdicts_of(other).values()) == {None}


def test_several_verdicts_are_kept_together_or_not_at_all(driver: ReviewerDriver) -> None:
    visit = driver.visits()[0]
    given = [
        driver.said(visit.visit_id, visit.labels[0].wnid, CORRECT),
        driver.said(visit.visit_id, "n99999999", CORRECT),
    ]
    with (
        pytest.raises(RefusedError, match="isn't part of the review"),
        driver.store.write() as study,
    ):
        study.review.reviewing.commit(given)
    assert set(verdicts_of(driver).values()) == {None}


def test_nobody_can_give_a_verdict_in_anothers_name(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    theirs = other.visits()[0]
    with pytest.raises(RefusedError, match="Sign in again"):
        driver.say(theirs.visit_id, theirs.labels[0].wnid, CORRECT)


def test_a_locked_review_takes_no_verdict(driver: ReviewerDriver) -> None:
    visit = driver.visits()[0]
    lock_phase(driver.store, Phase.REVIEW)
    with pytest.raises(RefusedError, match="locked"):
        driver.say(visit.visit_id, visit.labels[0].wnid, CORRECT)


def test_a_review_that_is_not_open_takes_no_verdict(proposed: StudyStore) -> None:
    plan_review(proposed, PlanSettings(stage=Stage.FINAL))
    driver = open_session(proposed, "R", Stage.FINAL)
    visit = driver.visits()[0]
    with pytest.raises(RefusedError, match="isn't open yet"):
        driver.say(visit.visit_id, visit.labels[0].wnid, CORRECT)


def test_an_added_label_is_asked_of_every_reviewer_of_the_image(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    added = "n02123045"
    for _twice in range(2):
        with driver.store.write() as study:
            study.review.reviewing.add_label(driver.visits()[0].visit_id, added)
    for reviewer in (driver, other):
        asked = [label.wnid for visit in reviewer.visits() for label in visit.labels]
        assert asked.count(added) == 1


def test_a_class_that_the_study_lacks_cannot_be_added(driver: ReviewerDriver) -> None:
    with pytest.raises(RefusedError, match="not a class"), driver.store.write() as study:
        study.review.reviewing.add_label(driver.visits()[0].visit_id, "n00000000")


def test_a_planned_repeat_is_a_visit_of_its_own_and_leaves_the_verdict_alone(
    proposed: StudyStore,
) -> None:
    plan_review(proposed, PlanSettings(stage=Stage.FINAL, reviewers=("R",), repeats=1.0))
    open_phase(proposed, Phase.REVIEW)
    driver = open_session(proposed, "R", Stage.FINAL)
    first = {v.visit_id: v for v in driver.visits()}
    asked = sum(len(visit.labels) for visit in first.values())
    repeat = next(v for v in reversed(driver.visits()) if len(v.labels) == 1)
    driver.judge_all(lambda wnid: CORRECT if wnid in (DOG, TUSKER) else WRONG)
    driver.say(repeat.visit_id, repeat.labels[0].wnid, UNCLEAR)
    with proposed.read() as study:
        reviewed = study.session.scalars(select(ReviewRow)).all()
        assert len(reviewed) == asked // 2, "every pair is asked twice, and judged once"
        assert {row.revision for row in reviewed} == {1}
        assert UNCLEAR not in {row.verdict for row in reviewed}


def test_an_exposure_is_noted_once_for_each_image(driver: ReviewerDriver) -> None:
    driver.judge_all(lambda _wnid: WRONG)
    with driver.store.read() as study:
        query = select(ExposureRow.image_id).where(ExposureRow.occasion == ExposureOccasion.REVIEW)
        seen = study.session.scalars(query).all()
    assert len(seen) == len(set(seen)) == 3


def test_a_flag_is_ones_own_and_can_be_changed_and_taken_back(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    visit_id = driver.visits()[0].visit_id
    drawing = OwnFlag(frozenset({ProblemReason.DRAWING}), "a sketch")
    edited = OwnFlag(frozenset({ProblemReason.EDITED, ProblemReason.DRAWING}))
    for flag in (drawing, edited):
        with driver.store.write() as study:
            study.review.reviewing.flag(visit_id, flag)
            assert study.review.reviewing.flag_of(visit_id) == flag
    with driver.store.write() as study:
        study.review.reviewing.flag(visit_id, OwnFlag(frozenset()))
        assert study.review.reviewing.flag_of(visit_id) is None
        assert all(study.review.reviewing.flag_of(v.visit_id) is None for v in other.visits())


def test_no_reviewer_can_say_that_a_target_is_wrong(driver: ReviewerDriver) -> None:
    flag = OwnFlag(frozenset({ProblemReason.TARGET_WRONG}))
    with (
        pytest.raises(RefusedError, match=TARGET_UNKNOWN),
        driver.store.write() as study,
    ):
        study.review.reviewing.flag(driver.visits()[0].visit_id, flag)


def test_a_plan_that_grows_leaves_every_verdict_in_place(driver: ReviewerDriver) -> None:
    driver.judge_all(lambda wnid: WRONG if wnid == PANDA else CORRECT)
    before = verdicts_of(driver)
    report = plan_review(driver.store, PlanSettings(stage=Stage.FINAL, overlap=2, model_seeds=3))
    assert not report.draft.pairs, "no image has a new human answer"
    assert verdicts_of(driver) == before


def test_the_next_visits_are_the_first_of_all_that_wait(proposed: StudyStore) -> None:
    plan_review(proposed, PlanSettings(stage=Stage.FINAL, reviewers=("R",), repeats=0.5))
    open_phase(proposed, Phase.REVIEW)
    driver = open_session(proposed, "R", Stage.FINAL)
    asked = [(visit.visit_id, label.wnid) for visit in driver.visits() for label in visit.labels]
    # The third is taken back, and so it waits in front of others that are judged.
    for number, (visit_id, wnid) in enumerate(asked):
        check_next_visits(driver)
        driver.say(visit_id, wnid, WRONG)
        if number == 2:
            driver.say(visit_id, wnid, None)
    check_next_visits(driver)
    with proposed.read() as study:
        assert study.review.reviewing.count_visits("R", Stage.FINAL) == len(driver.visits())
        assert study.review.reviewing.count_visits("S", Stage.FINAL) == 0


def check_next_visits(driver: ReviewerDriver) -> None:
    """However many are wanted, none that waits is left out between those told."""
    waiting = [visit for visit in driver.visits() if visit.waits]
    for count in (1, 2, 3, 100):
        with driver.store.read() as study:
            result = study.review.reviewing.next_visits("R", Stage.FINAL, count=count)
        assert result == waiting[: len(result)]
        assert len(result) >= min(count, len(waiting))
