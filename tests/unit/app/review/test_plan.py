"""The lead's plan of a review: what it asks, how long it takes, how it grows."""

from pathlib import Path
from typing import Any

import pytest

from labeler.app.review import plan
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.study.phases import open_phase
from labeler.core.errors import RefusedError
from labeler.core.review.plan import ReviewPlanDraft, draft_review_plan
from labeler.core.study.entities import Stage, Verdict
from labeler.core.study.phases import NO_REVIEWERS, Phase
from labeler.store.study_store import StudyStore
from tests.proposals import HUMANS, MODELS, PANDA, TARGETS, propose
from tests.unit.store.review.conftest import open_session

INITIAL = PlanSettings(stage=Stage.INITIAL)
FINAL = PlanSettings(stage=Stage.FINAL)


@pytest.fixture
def proposed(store: StudyStore, tmp_path: Path) -> StudyStore:
    propose(store, tmp_path / "exchange")
    return store


def test_the_initial_plan_asks_targets_and_first_predictions_once(proposed: StudyStore) -> None:
    report = plan_review(proposed, INITIAL)
    asked = {(pair.image.image, pair.label) for pair in report.draft.pairs}
    expected = {*TARGETS.items()} | {item for model in MODELS.values() for item in model.items()}
    assert asked == expected
    assert report.draft.total == len(expected)


def test_the_final_plan_asks_what_humans_gave_and_nobody_judged(proposed: StudyStore) -> None:
    report = plan_review(proposed, FINAL)
    asked = {(pair.image.image, pair.label) for pair in report.draft.pairs}
    assert {item for human in HUMANS.values() for item in human.items()} <= asked
    assert report.one_source == 0


def test_images_to_which_no_model_gave_another_label_are_told(
    store: StudyStore, tmp_path: Path
) -> None:
    propose(store, tmp_path / "exchange", models={"m1": {"a.jpg": PANDA}})
    assert plan_review(store, FINAL).one_source == 2


def test_done_again_it_asks_nothing(proposed: StudyStore) -> None:
    plan_review(proposed, INITIAL)
    again = plan_review(proposed, INITIAL)
    assert again.draft.total == 0
    assert again.size.pairs == 5


def test_what_comes_in_while_a_plan_is_drawn_is_in_it(
    proposed: StudyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No one waits for the drawing, and nothing that they did is missed."""
    drawn: list[ReviewPlanDraft] = []

    def draw_slowly(*given: Any, **more: Any) -> ReviewPlanDraft:
        if not drawn:
            models = {"m3": {"a.jpg": PANDA}}
            propose(proposed, tmp_path / "m", targets={}, models=models, humans={}, reviewers=())
        drawn.append(draft_review_plan(*given, **more))
        return drawn[-1]

    monkeypatch.setattr(plan, "draft_review_plan", draw_slowly)
    report = plan_review(proposed, INITIAL)
    assert len(drawn) == 2
    assert PANDA in {pair.label for pair in report.draft.pairs if pair.image.image == "a.jpg"}
    assert plan_review(proposed, INITIAL).draft.total == 0
    assert len(drawn) == 3, "nothing changed meanwhile"


def test_models_that_come_later_add_their_labels_only(proposed: StudyStore, tmp_path: Path) -> None:
    before = plan_review(proposed, INITIAL)
    more = {"m3": {"a.jpg": PANDA, "b.jpg": TARGETS["b.jpg"]}}
    propose(proposed, tmp_path / "more", targets={}, models=more, humans={}, reviewers=())
    after = plan_review(proposed, INITIAL)
    assert [(pair.image.image, pair.label) for pair in after.draft.pairs] == [("a.jpg", PANDA)]
    assert after.extended
    assert after.draft.request.seed == before.draft.request.seed
    assert not after.draft.visits, "the image has its reviewer already"


def test_the_pace_so_far_tells_how_long_it_takes(proposed: StudyStore) -> None:
    assert plan_review(proposed, INITIAL).takes_ms is None
    open_phase(proposed, Phase.ANNOTATE)
    presenter = open_session(proposed, "R", Stage.INITIAL)
    visit = presenter.visits()[0]
    presenter.say(visit.visit_id, visit.labels[0].wnid, Verdict.WRONG, active_ms=3_000)
    report = plan_review(proposed, FINAL)
    assert report.pace_ms == 3_000
    assert report.takes_ms == 3_000 * report.draft.total


def test_what_an_initial_review_judged_is_not_asked_in_the_final_one(proposed: StudyStore) -> None:
    plan_review(proposed, PlanSettings(stage=Stage.INITIAL, reviewers=("R",)))
    open_phase(proposed, Phase.ANNOTATE)
    open_session(proposed, "R", Stage.INITIAL).judge_all(lambda _wnid: Verdict.WRONG)
    asked = {(pair.image.image, pair.label) for pair in plan_review(proposed, FINAL).draft.pairs}
    by_humans_alone = {
        ("a.jpg", HUMANS["A"]["a.jpg"]),
        ("b.jpg", HUMANS["B"]["b.jpg"]),
        ("c.jpg", HUMANS["A"]["c.jpg"]),
    }
    assert by_humans_alone <= asked
    assert len(asked) == 6, "three answers, each with one seed of a model"


def test_an_unknown_reviewer_is_refused_by_name(proposed: StudyStore) -> None:
    with pytest.raises(RefusedError, match="'Z' is not a reviewer"):
        plan_review(proposed, PlanSettings(stage=Stage.INITIAL, reviewers=("Z",)))


def test_a_study_without_labels_has_nothing_to_plan(store: StudyStore) -> None:
    with pytest.raises(RefusedError, match=NO_REVIEWERS):
        plan_review(store, INITIAL)
