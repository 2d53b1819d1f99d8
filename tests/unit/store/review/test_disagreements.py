"""Disagreements are settled when the blind verdicts are frozen, and the history stays."""

import pytest
from sqlalchemy import select

from labeler.app.review.disagreement_session import DisagreementSession
from labeler.app.review.resolution import ResolutionSettings, resolve_verdicts
from labeler.app.study.people import add_person
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.blind_types import OwnVerdict
from labeler.core.study.entities import ResolutionRule, Role, SessionTask, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.review.disagreements import DisputedLabel
from labeler.store.schema import AdjudicationRow, ExposureRow, ParticipantRow, ReviewRow
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
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


@pytest.fixture
def lead_session(frozen: StudyStore) -> str:
    with frozen.write() as study:
        return study.sessions.begin(
            "L", role=Role.LEAD, task=SessionTask.REVIEW, program_version="test"
        )


def last_sights(store: StudyStore, code: str) -> dict[int, str]:
    """When the person last saw each image with a label."""
    query = (
        select(ExposureRow.image_id, ExposureRow.at)
        .join(ParticipantRow, ParticipantRow.id == ExposureRow.participant_id)
        .where(ParticipantRow.code == code)
        .order_by(ExposureRow.at)
    )
    with store.read() as study:
        return dict(study.session.execute(query).all())


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


def test_reviewers_see_only_what_they_judged_and_the_lead_sees_all(frozen: StudyStore) -> None:
    """An image that someone has seen with its labels is no new one for them in a later review."""
    add_person(frozen, "N", roles=[Role.REVIEWER])

    def seen(code: str, role: Role) -> int:
        return len(DisagreementSession(frozen, code, role, Stage.FINAL).disputes())

    assert seen("R", Role.REVIEWER) == seen("L", Role.LEAD) == 2
    assert seen("N", Role.REVIEWER) == 0


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


def test_the_groups_verdict_is_recorded_with_its_history_and_resolves(
    frozen: StudyStore, lead_session: str
) -> None:
    pair = disputed(frozen)[0]
    for verdict in (UNCLEAR, CORRECT):
        with frozen.write() as study:
            study.review.discussing.adjudicate(
                Stage.FINAL,
                (pair.image_id, pair.class_id),
                OwnVerdict(verdict),
                lead="L",
                session=lead_session,
                note=f"Because {verdict}.",
            )
    with frozen.read() as study:
        rows = study.session.execute(select(AdjudicationRow.verdict, AdjudicationRow.note))
        recorded = [tuple(row) for row in rows]
    assert recorded == [(UNCLEAR, "Because unclear."), (CORRECT, "Because correct.")]
    assert not disputed(frozen)[0].is_open
    report = resolve_verdicts(frozen, ResolutionSettings(rule=ResolutionRule.ADJUDICATED))
    assert report.resolution.correct == 1
    assert report.resolution.unsettled == len(disputed(frozen)) - 1


def test_a_label_that_was_discussed_takes_no_blind_verdict_when_the_review_opens_again(
    frozen: StudyStore, driver: ReviewerDriver, lead_session: str
) -> None:
    for pair in disputed(frozen):
        with frozen.write() as study:
            study.review.discussing.adjudicate(
                Stage.FINAL,
                (pair.image_id, pair.class_id),
                OwnVerdict(WRONG),
                lead="L",
                session=lead_session,
            )
    open_phase(frozen, Phase.REVIEW)
    visit = next(v for v in driver.visits() if PANDA in {label.wnid for label in v.labels})
    with pytest.raises(RefusedError, match="frozen"):
        driver.say(visit.visit_id, PANDA, CORRECT)


def test_the_leads_decision_is_an_exposure(frozen: StudyStore, lead_session: str) -> None:
    pair = disputed(frozen)[0]
    assert not last_sights(frozen, "L")
    with frozen.write() as study:
        study.review.discussing.adjudicate(
            Stage.FINAL,
            (pair.image_id, pair.class_id),
            OwnVerdict(WRONG),
            lead="L",
            session=lead_session,
        )
    assert set(last_sights(frozen, "L")) == {pair.image_id}


def test_a_decision_in_the_discussion_is_the_last_time_the_image_was_seen(
    frozen: StudyStore, driver: ReviewerDriver, clock: AdjustableClock
) -> None:
    pair = disputed(frozen)[0]
    before = last_sights(frozen, "R")
    for _decision in range(2):
        clock.go_on(days=10)
        with frozen.write() as study:
            study.review.discussing.change(
                Stage.FINAL,
                (pair.image_id, pair.class_id),
                OwnVerdict(WRONG),
                participant="R",
                session=driver.session_id,
            )
        seen = last_sights(frozen, "R")
        assert seen[pair.image_id] > before[pair.image_id]
        before = seen


def test_the_split_before_the_discussion_stays_visible(
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
    (changed,) = [p for p in disputed(frozen) if p.image_id == pair.image_id]
    assert changed.verdicts == (WRONG, WRONG)
    assert changed.blind == (WRONG, CORRECT)
