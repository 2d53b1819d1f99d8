"""Disagreements are settled when the blind verdicts are frozen, and the history stays."""

import pytest
from sqlalchemy import select

from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.review.resolution import ResolutionRule
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.review.disagreements import DisputedLabel
from labeler.store.schema import AdjudicationRow, ReviewRow
from labeler.store.study_store import StudyStore
from tests.proposals import PANDA
from tests.unit.store.review.conftest import ReviewerDriver

CORRECT, WRONG, UNCLEAR = Verdict.CORRECT, Verdict.WRONG, Verdict.UNCLEAR


@pytest.fixture
def frozen(driver: ReviewerDriver, other: ReviewerDriver) -> StudyStore:
    """Both judged everything: they differ on the panda, which is on two images."""
    driver.judge_all(lambda wnid: CORRECT if wnid == PANDA else WRONG)
    other.judge_all(lambda _wnid: WRONG)
    lock_phase(driver.store, Phase.REVIEW)
    add_person(driver.store, "L", roles=[Role.LEAD])
    return driver.store


def disputed(store: StudyStore, code: str = "R") -> list[DisputedLabel]:
    with store.read() as study:
        return study.review.discussing.disputed(Stage.FINAL, code)


def test_nothing_is_discussed_before_the_verdicts_are_frozen(driver: ReviewerDriver) -> None:
    with pytest.raises(RefusedError, match="Lock the final review first"):
        disputed(driver.store)


def test_what_reviewers_differ_on_is_shown_without_names(frozen: StudyStore) -> None:
    found = disputed(frozen)
    assert {pair.wnid for pair in found} == {PANDA}
    assert all(pair.verdicts == (WRONG, CORRECT) for pair in found)
    assert all(pair.own == OwnVerdict(CORRECT) and pair.is_open for pair in found)


def test_a_shared_doubt_is_a_disagreement_too(
    driver: ReviewerDriver, other: ReviewerDriver
) -> None:
    for reviewer in (driver, other):
        reviewer.judge_all(lambda wnid: UNCLEAR if wnid == PANDA else WRONG)
    lock_phase(driver.store, Phase.REVIEW)
    assert {pair.wnid for pair in disputed(driver.store)} == {PANDA}


def test_a_changed_verdict_settles_a_pair_and_the_blind_one_stays(
    frozen: StudyStore, driver: ReviewerDriver
) -> None:
    pair = disputed(frozen)[0]
    with frozen.write() as study:
        study.review.discussing.change(
            Stage.FINAL,
            (pair.image_id, pair.class_id),
            OwnVerdict(WRONG),
            participant="R",
            session=driver.session_id,
        )
    assert [found.is_open for found in disputed(frozen)].count(True) == len(disputed(frozen)) - 1
    with frozen.read() as study:
        key = {"image_id": pair.image_id, "class_id": pair.class_id}
        rows = study.session.scalars(
            select(ReviewRow)
            .filter_by(**key)
            .order_by(ReviewRow.participant_id, ReviewRow.revision)
        ).all()
        assert [(row.verdict, row.discussed) for row in rows] == [
            (CORRECT, False),
            (WRONG, True),
            (WRONG, False),
        ]
        blind = study.review.verdicts.of_stage(Stage.FINAL, blind_only=True)
        now = study.review.verdicts.of_stage(Stage.FINAL)
    assert blind.table.counts().tolist() != now.table.counts().tolist()


def test_who_gave_no_verdict_has_none_to_change(frozen: StudyStore, driver: ReviewerDriver) -> None:
    pair = disputed(frozen)[0]
    with pytest.raises(RefusedError, match="nothing to change"), frozen.write() as study:
        study.review.discussing.change(
            Stage.FINAL,
            (pair.image_id, pair.class_id),
            OwnVerdict(WRONG),
            participant="L",
            session=driver.session_id,
        )


def test_the_groups_verdict_is_recorded_with_its_history_and_resolves(frozen: StudyStore) -> None:
    pair = disputed(frozen)[0]
    for verdict in (UNCLEAR, CORRECT):
        with frozen.write() as study:
            study.review.discussing.adjudicate(
                Stage.FINAL, (pair.image_id, pair.class_id), OwnVerdict(verdict), lead="L"
            )
    with frozen.read() as study:
        recorded = study.session.scalars(select(AdjudicationRow.verdict)).all()
    assert recorded == [UNCLEAR, CORRECT]
    assert not disputed(frozen)[0].is_open
    report = resolve_verdicts(frozen, ResolutionSettings(rule=ResolutionRule.ADJUDICATED))
    assert report.resolution.correct == 1
    assert report.resolution.unsettled == len(disputed(frozen)) - 1


def test_a_label_that_was_discussed_takes_no_blind_verdict_when_the_review_opens_again(
    frozen: StudyStore, driver: ReviewerDriver
) -> None:
    for pair in disputed(frozen):
        with frozen.write() as study:
            study.review.discussing.adjudicate(
                Stage.FINAL, (pair.image_id, pair.class_id), OwnVerdict(WRONG), lead="L"
            )
    open_phase(frozen, Phase.REVIEW)
    visit = next(v for v in driver.visits() if PANDA in {label.wnid for label in v.labels})
    with pytest.raises(RefusedError, match="frozen"):
        driver.say(visit.visit_id, PANDA, CORRECT)
