"""What the lead is reported about the reviewers, from their blind verdicts."""

from pathlib import Path

import pytest

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import ResolutionSettings, preview_resolution, resolve_verdicts
from labeler.app.review.reviewer_statistics import Share, review_statistics
from labeler.app.study.phases import open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.resolution import ResolutionRule
from labeler.core.study.entities import Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore
from tests.proposals import INDIAN, PANDA, propose
from tests.unit.store.review.conftest import open_session

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG


@pytest.fixture
def reviewed(store: StudyStore, tmp_path: Path) -> StudyStore:
    """A, who was evaluated, and R judged everything twice; A accepts what A answered."""
    propose(store, tmp_path / "exchange", reviewers=("R",))
    with store.write() as study:
        study.participants.set_roles("A", [Role.LABELER, Role.REVIEWER])
    plan_review(store, PlanSettings(stage=Stage.FINAL, overlap=2, repeats=1.0))
    open_phase(store, Phase.REVIEW)
    open_session(store, "A", Stage.FINAL).judge_all(
        lambda wnid: CORRECT if wnid in (INDIAN, PANDA) else WRONG
    )
    open_session(store, "R", Stage.FINAL).judge_all(lambda _wnid: WRONG)
    return store


def test_a_reviewers_own_answers_are_told_apart_from_those_of_others(
    reviewed: StudyStore,
) -> None:
    figures = {one.code: one for one in review_statistics(reviewed).reviewers}
    # A answered Indian elephant, dog and panda; accepted the first and the last.
    assert figures["A"].own_accepted == Share(2, 3)
    assert figures["A"].others_accepted == Share(0, 2)
    assert figures["R"].own_accepted == Share(0, 0)


def test_agreement_confusion_and_pace_are_told_for_each(reviewed: StudyStore) -> None:
    figures = review_statistics(reviewed)
    one = figures.reviewers[0]
    assert one.judgements == figures.agreement.units
    assert one.with_others.total == one.judgements
    assert one.with_others.count < one.with_others.total
    assert one.median_seconds == 2.0
    assert sum(map(sum, one.confusion)) == one.judgements


def test_repeated_pairs_tell_the_agreement_with_oneself(reviewed: StudyStore) -> None:
    for one in review_statistics(reviewed).reviewers:
        assert one.with_self.total == one.judgements
        assert one.with_self.fraction == 1.0


def test_before_any_verdict_there_is_nothing_to_tell(store: StudyStore) -> None:
    with pytest.raises(RefusedError, match="No label has been reviewed"):
        review_statistics(store)


def test_confusion_is_with_the_majority_until_a_rule_has_resolved(reviewed: StudyStore) -> None:
    figures = review_statistics(reviewed)
    assert "nothing is resolved yet" in figures.consensus
    assert figures.labels is None
    # Both differ on what A accepted: no majority, so unclear.
    accepted = {one.code: one.confusion for one in figures.reviewers}["A"]
    assert accepted[1][2] > 0
    assert accepted[2] == (0, 0, 0)


def test_confusion_is_with_the_resolved_multilabels_where_there_are_any(
    reviewed: StudyStore,
) -> None:
    resolve_verdicts(reviewed, ResolutionSettings(rule=ResolutionRule.SINGLE, reviewer="A"))
    figures = review_statistics(reviewed)
    assert figures.consensus == "the multi-labels resolved by the rule single"
    confusion = {one.code: one.confusion for one in figures.reviewers}
    assert all(confusion["A"][row][col] == 0 for row in range(3) for col in range(3) if row != col)
    assert confusion["R"][2][0] == confusion["A"][2][2] > 0
    assert figures.labels is not None
    assert figures.labels.images > 0


def test_labels_that_a_rule_leaves_open_are_held_against_the_majority(
    reviewed: StudyStore,
) -> None:
    resolve_verdicts(reviewed, ResolutionSettings(rule=ResolutionRule.MAJORITY, quorum=3))
    figures = review_statistics(reviewed)
    assert f"for {figures.agreement.units} open labels" in figures.consensus


def test_each_reviewers_agreement_is_that_of_the_labels_they_share(reviewed: StudyStore) -> None:
    figures = review_statistics(reviewed)
    for one in figures.reviewers:
        assert one.fleiss == pytest.approx(figures.agreement.fleiss)
        assert one.krippendorff == pytest.approx(figures.agreement.krippendorff)


def test_a_preview_is_what_the_resolution_then_gives(reviewed: StudyStore) -> None:
    for rule in ResolutionRule:
        wish = ResolutionSettings(rule=rule)
        expected = preview_resolution(reviewed, wish)
        assert resolve_verdicts(reviewed, wish) == expected
