"""What the lead is told about the reviewers, from their blind verdicts."""

from pathlib import Path

import pytest

from labeler.app.phases import open_phase
from labeler.app.review.planning import PlanWish, plan_review
from labeler.app.review.reviewer_figures import Share, review_figures
from labeler.core.errors import Refused
from labeler.core.phases import Phase
from labeler.core.study import Role, Stage, Verdict
from labeler.store.study import StudyStore
from tests.proposals import INDIAN, PANDA, propose
from tests.unit.store.review.conftest import sit_down

CORRECT, WRONG = Verdict.CORRECT, Verdict.WRONG


@pytest.fixture
def reviewed(store: StudyStore, tmp_path: Path) -> StudyStore:
    """A, who was evaluated, and R judged everything twice; A accepts what A answered."""
    propose(store, tmp_path / "exchange", reviewers=("R",))
    with store.write() as study:
        study.participants.set_roles("A", [Role.LABELER, Role.REVIEWER])
    plan_review(store, PlanWish(stage=Stage.FINAL, overlap=2, repeats=1.0))
    open_phase(store, Phase.REVIEW)
    sit_down(store, "A", Stage.FINAL).judge_all(
        lambda wnid: CORRECT if wnid in (INDIAN, PANDA) else WRONG
    )
    sit_down(store, "R", Stage.FINAL).judge_all(lambda _wnid: WRONG)
    return store


def test_a_reviewers_own_answers_are_told_apart_from_those_of_others(
    reviewed: StudyStore,
) -> None:
    figures = {one.code: one for one in review_figures(reviewed).reviewers}
    # A answered Indian elephant, dog and panda; accepted the first and the last.
    assert figures["A"].own_accepted == Share(2, 3)
    assert figures["A"].others_accepted == Share(0, 2)
    assert figures["R"].own_accepted == Share(0, 0)


def test_agreement_confusion_and_pace_are_told_for_each(reviewed: StudyStore) -> None:
    figures = review_figures(reviewed)
    one = figures.reviewers[0]
    assert one.judgements == figures.agreement.units
    assert one.with_others.total == one.judgements
    assert one.with_others.count < one.with_others.total
    assert one.median_seconds == 2.0
    assert sum(map(sum, one.confusion)) == one.judgements


def test_repeated_pairs_tell_the_agreement_with_oneself(reviewed: StudyStore) -> None:
    for one in review_figures(reviewed).reviewers:
        assert one.with_self.total == one.judgements
        assert one.with_self.fraction == 1.0


def test_before_any_verdict_there_is_nothing_to_tell(store: StudyStore) -> None:
    with pytest.raises(Refused, match="Nobody has reviewed"):
        review_figures(store)
