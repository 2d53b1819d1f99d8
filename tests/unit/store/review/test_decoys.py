"""Decoys: stored apart, invisible to reviewers, and labels only if two reviewers accept them."""

from pathlib import Path

import pytest
from sqlalchemy import delete, select

from labeler.app.review.plan import PlanReport, PlanSettings, plan_review
from labeler.app.review.resolution import (
    ResolutionSettings,
    ReviewCoverage,
    resolve_verdicts,
    review_coverage,
)
from labeler.app.review.reviewer_statistics import Share, review_statistics
from labeler.app.review.session import ReviewSession
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.review.blinding import ImageLabelPair
from labeler.core.review.leak import DEFAULT_LEAK
from labeler.core.study.entities import ImageKey, ResolutionRule, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.schema import ReviewDecoyRow
from labeler.store.study_store import StudyStore
from tests.proposals import DATASET, HUMANS, MODELS, TARGETS, propose
from tests.unit.store.review.conftest import ReviewerDriver, open_session
from tests.unit.store.review.test_blind_queries import statements

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG
# Humans and models agree on this image: without a decoy, its only label would be the target.
SINGLE = "c.jpg"


def plan_initial(store: StudyStore, *, overlap: int) -> PlanReport:
    settings = PlanSettings(stage=Stage.INITIAL, overlap=overlap, leak=DEFAULT_LEAK)
    report = plan_review(store, settings)
    open_phase(store, Phase.ANNOTATE)
    return report


def only_decoy(report: PlanReport) -> ImageLabelPair:
    (decoy,) = report.draft.decoys
    return decoy


def judge(store: StudyStore, code: str, accepted: ImageLabelPair | None = None) -> None:
    """Reject everything as this reviewer, except one label."""
    label = None if accepted is None else accepted.label
    reviewer = open_session(store, code, Stage.INITIAL)
    reviewer.judge_all(lambda wnid: CORRECT if wnid == label else WRONG)


def multilabel(store: StudyStore) -> frozenset[str] | None:
    resolve_verdicts(store, ResolutionSettings(rule=ResolutionRule.MAJORITY))
    with store.read() as study:
        return study.review.resolutions.correct_labels().get(ImageKey(DATASET, SINGLE))


def test_an_image_with_one_label_gets_a_decoy_that_nobody_proposed(proposed: StudyStore) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=1))
    assert decoy.image.image == SINGLE
    answers = [TARGETS, *MODELS.values(), *HUMANS.values()]
    assert decoy.label not in {given[SINGLE] for given in answers}
    with proposed.read() as study:
        assert study.review.plans.planned(Stage.INITIAL).decoys == {decoy}
        assert study.review.plans.made()[0].decoys == 1


def test_a_decoy_that_one_reviewer_accepts_is_a_false_acceptance(proposed: StudyStore) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=2))
    judge(proposed, "R", accepted=decoy)
    judge(proposed, "S")
    assert multilabel(proposed) == frozenset()
    figures = {figure.code: figure for figure in review_statistics(proposed).reviewers}
    assert figures["R"].decoys_accepted == Share(1, 1)
    assert figures["S"].decoys_accepted == Share(0, 1)
    with proposed.read() as study:
        assert not study.review.decoys.added()


def test_a_decoy_that_two_reviewers_accept_is_an_added_label(proposed: StudyStore) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=2))
    for code in ("R", "S"):
        judge(proposed, code, accepted=decoy)
    assert multilabel(proposed) == {decoy.label}
    figures = review_statistics(proposed).reviewers
    assert [figure.decoys_accepted for figure in figures] == [Share(0, 0), Share(0, 0)]
    with proposed.read() as study:
        assert len(study.review.decoys.added()) == 1


def test_a_decoy_accepted_by_the_only_reviewer_goes_to_a_second_one(proposed: StudyStore) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=1))
    with proposed.read() as study:
        (first,) = study.review.plans.planned(Stage.INITIAL).reviewers[decoy.image]
    second = "S" if first == "R" else "R"
    before = len(open_session(proposed, second, Stage.INITIAL).visits())
    judge(proposed, first, accepted=decoy)
    assert multilabel(proposed) == frozenset()
    session = ReviewSession(proposed, second, Stage.INITIAL)
    visits = session.begin().visits
    session.end()
    assert len(visits) == before + 1
    assert any(decoy.label in {label.wnid for label in visit.labels} for visit in visits)
    judge(proposed, second, accepted=decoy)
    assert multilabel(proposed) == {decoy.label}
    with proposed.write() as study:
        assert not study.review.decoys.send_to_second_reviewer(Stage.INITIAL, seed=1)


def test_the_second_reviewer_is_asked_when_the_first_one_ends(proposed: StudyStore) -> None:
    """Someone who is done doesn't begin another session unless there is something to judge."""
    decoy = only_decoy(plan_initial(proposed, overlap=1))
    with proposed.read() as study:
        (first,) = study.review.plans.planned(Stage.INITIAL).reviewers[decoy.image]
    second = "S" if first == "R" else "R"
    judge(proposed, second)
    session = ReviewSession(proposed, first, Stage.INITIAL)
    session.begin()
    judge(proposed, first, accepted=decoy)
    session.end()
    with proposed.read() as study:
        done, total = study.review.reviewing.progress(second, Stage.INITIAL)
    assert total - done == 2, "the image's label and its decoy"


def test_nobody_is_asked_after_the_review_was_locked(proposed: StudyStore) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=1))
    with proposed.read() as study:
        planned = study.review.plans.planned(Stage.INITIAL).reviewers
    (first,) = planned[decoy.image]
    session = ReviewSession(proposed, first, Stage.INITIAL)
    session.begin()
    judge(proposed, first, accepted=decoy)
    lock_phase(proposed, Phase.ANNOTATE)
    session.end()
    with proposed.read() as study:
        assert study.review.plans.planned(Stage.INITIAL).reviewers == planned


def test_decoys_are_not_among_the_planned_labels_that_wait_to_be_resolved(
    proposed: StudyStore,
) -> None:
    report = plan_initial(proposed, overlap=2)
    for code in ("R", "S"):
        judge(proposed, code)
    labels = len(report.draft.pairs) - len(report.draft.decoys)
    assert review_coverage(proposed) == ReviewCoverage(judged=labels, planned=labels)


def test_a_rejected_decoy_goes_to_no_one_else(proposed: StudyStore) -> None:
    plan_initial(proposed, overlap=1)
    for code in ("R", "S"):
        judge(proposed, code)
    with proposed.write() as study:
        assert not study.review.decoys.send_to_second_reviewer(Stage.INITIAL, seed=1)


def test_a_decoy_that_a_model_proposes_later_is_an_ordinary_label(
    proposed: StudyStore, tmp_path: Path
) -> None:
    decoy = only_decoy(plan_initial(proposed, overlap=2))
    judge(proposed, "R", accepted=decoy)
    models = {"m3": {SINGLE: decoy.label}}
    propose(proposed, tmp_path / "m", targets={}, models=models, humans={}, reviewers=())
    plan_review(proposed, PlanSettings(stage=Stage.INITIAL, overlap=2, leak=DEFAULT_LEAK))
    with proposed.read() as study:
        assert not study.review.plans.planned(Stage.INITIAL).decoys
    assert multilabel(proposed) == {decoy.label}


@pytest.mark.parametrize("code", ["R", "S"])
def test_what_a_reviewer_sees_is_the_same_whatever_is_a_decoy(
    proposed: StudyStore, code: str
) -> None:
    """The strongest attack: change the origins, and compare everything that a session gets."""
    plan_initial(proposed, overlap=1)

    def session_start() -> tuple[object, ...]:
        session = ReviewSession(proposed, code, Stage.INITIAL)
        start = session.begin()
        session.end()
        return start.visits, start.checks, start.place, start.message

    with_decoys = session_start()
    with proposed.write() as study:
        assert study.session.scalars(select(ReviewDecoyRow.class_id)).all()
        study.session.execute(delete(ReviewDecoyRow))
    assert session_start() == with_decoys


def test_no_statement_of_a_reviewer_touches_the_decoys(driver: ReviewerDriver) -> None:
    with statements(driver.store) as asked:
        visits = driver.visits()
        driver.say(visits[0].visit_id, visits[0].labels[0].wnid, CORRECT)
        with driver.store.read() as study:
            study.review.reviewing.next_visits("R", driver.stage, count=2)
            study.review.reviewing.progress("R", driver.stage)
            study.review.reviewing.waiting_classes("R", driver.stage, wnid="", past=False, count=3)
            study.review.reviewing.visits_of_class("R", driver.stage, visits[0].labels[0].wnid)
    assert asked
    assert not [text for text in asked if "review_decoy" in text]
