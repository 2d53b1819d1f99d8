"""What the lead is reported about the reviewers, from their blind verdicts."""

from pathlib import Path

import pytest

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.resolution import ResolutionSettings, preview_resolution, resolve_verdicts
from labeler.app.review.reviewer_statistics import Share, consensus_words, review_statistics
from labeler.app.study.phases import open_phase
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ResolutionRule, Role, Stage, Verdict
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


def test_confusion_leaves_the_reviewers_own_verdict_out(reviewed: StudyStore) -> None:
    figures = review_statistics(reviewed)
    assert figures.consensus == consensus_words(None)
    assert figures.labels is None
    confusion = {one.code: one.confusion for one in figures.reviewers}
    accepted = confusion["A"][0][2]
    rejected = figures.agreement.units - accepted
    assert accepted > 0
    # R said wrong to everything, so that A's consensus is wrong; R's is what A said.
    assert confusion["A"] == ((rejected, 0, accepted), (0, 0, 0), (0, 0, 0))
    assert confusion["R"] == ((rejected, 0, 0), (0, 0, 0), (accepted, 0, 0))


@pytest.mark.parametrize("rule", ResolutionRule)
def test_the_other_reviewers_consensus_is_by_the_recorded_rule(
    reviewed: StudyStore, rule: ResolutionRule
) -> None:
    before = [one.confusion for one in review_statistics(reviewed).reviewers]
    resolve_verdicts(reviewed, ResolutionSettings(rule=rule, quorum=2))
    figures = review_statistics(reviewed)
    named = "the majority" if rule is ResolutionRule.DAWID_SKENE else f"by the rule {rule}"
    assert named in figures.consensus
    # With one other reviewer, every rule follows that reviewer.
    assert [one.confusion for one in figures.reviewers] == before
    assert figures.labels is not None
    assert figures.labels.judged > 0


def test_labels_that_nobody_else_judged_are_in_no_confusion(
    store: StudyStore, tmp_path: Path
) -> None:
    propose(store, tmp_path / "exchange", reviewers=("R",))
    plan_review(store, PlanSettings(stage=Stage.INITIAL))
    open_phase(store, Phase.ANNOTATE)
    open_session(store, "R", Stage.INITIAL).judge_all(lambda _wnid: CORRECT)
    (only,) = review_statistics(store).reviewers
    assert only.judgements > 0
    assert only.confusion == ((0, 0, 0),) * 3


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
