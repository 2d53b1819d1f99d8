"""A reviewer goes through the classes of a revision; every decision is stored."""

from dataclasses import fields

import pytest

from labeler.app.curation.building import build_dataset
from labeler.app.curation.class_review import (
    ALL_REVIEWED,
    NOTHING_TO_REVIEW,
    ClassReviewPresenter,
    ReviewTile,
    class_review_progress,
)
from labeler.app.curation.revision_history import RevisionReader, declare_final
from labeler.app.curation.workspace import CurationStep, read_workspace
from labeler.core.curation.entities import RejectReason
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH
from tests.unit.app.curation.conftest import POOL
from tests.unit.app.curation.test_building import REQUEST, review_all


class DirectRunner:
    """Runs jobs in place."""

    def run(self, _name, work, *, done, failed, **_more):
        try:
            result = work()
        except Exception as error:
            failed(error)
        else:
            done(result)


def presenter(store: StudyStore, code: str = "R", **more: object) -> ClassReviewPresenter:
    made = ClassReviewPresenter(
        store=store, reviewer=code, runner=DirectRunner(), describe=str, **more
    )
    made.start()
    return made


@pytest.fixture
def review(store: StudyStore, pool: dict[str, ImageKey]) -> ClassReviewPresenter:
    build_dataset(store, REQUEST)
    return presenter(store)


def test_the_queue_ends_when_every_class_is_reviewed(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    first = review.view
    assert first is not None
    assert (first.total, first.reviewed, len(first.tiles)) == (2, 0, 2)
    review.finish_class()
    assert review.view is not None
    assert review.view.name != first.name
    review.finish_class(needs_work=True)
    assert review.message == ALL_REVIEWED
    with store.read() as study:
        states = RevisionReader(study, "mine").states(1)
        progress = class_review_progress(study)
    assert sorted(state.needs_work for state in states.values()) == [False, True]
    assert progress is not None
    assert (progress.reviewed, progress.needs_work) == (2, 1)


def test_a_rejection_is_stored_shown_and_undone(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    review.reject(1, RejectReason.BLURRY)
    key = review.keys[0]
    assert review.view is not None
    assert review.view.tiles[0].mark
    with store.read() as study:
        assert study.pools.rejected(POOL) == {key}
        assert study.pools.rejections(POOL)[0].by == "R"
    review.undo()
    assert not review.view.tiles[0].mark
    with store.read() as study:
        assert study.pools.rejected(POOL) == set()


def test_all_candidates_show_the_chosen_ones_first(review: ClassReviewPresenter) -> None:
    review.show_all(True)
    view = review.view
    assert view is not None
    assert [tile.chosen for tile in view.tiles] == [True, True, False, False]


def test_what_the_reviewer_sees_has_no_file_name_and_by_default_no_frequency(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    names = {each.name for each in fields(ReviewTile)}
    assert names.isdisjoint({"image", "path", "source", "dataset", "key"})
    assert review.view is not None
    assert all(tile.frequency == "" for tile in review.view.tiles)
    lead = presenter(store, shows_frequencies=True)
    assert lead.view is not None
    assert {tile.frequency for tile in lead.view.tiles} == {"10 of 10"}


def test_a_final_revision_is_no_longer_reviewed(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    review_all(store, 1)
    declare_final(store, "mine", 1)
    assert presenter(store).message == NOTHING_TO_REVIEW
    review.finish_class()
    assert "final" in review.message


def test_the_workspace_says_what_each_step_needs(
    store: StudyStore, pool: dict[str, ImageKey]
) -> None:
    def needs() -> dict[CurationStep, bool]:
        return {step.step: not step.done for step in read_workspace(store).steps}

    before = needs()
    assert before[CurationStep.COLLECT]
    assert not before[CurationStep.ANNOTATE]
    assert before[CurationStep.BUILD]
    build_dataset(store, REQUEST)
    built = needs()
    assert not built[CurationStep.BUILD]
    assert built[CurationStep.REVIEW]
    review_all(store, 1)
    declare_final(store, "mine", 1)
    assert not needs()[CurationStep.FINAL]
    assert {row[0] for row in read_workspace(store).classes} == {FISH, DOG}


def test_an_empty_study_has_a_workspace(store: StudyStore) -> None:
    view = read_workspace(store)
    assert view.pools == ()
    assert all(not step.done for step in view.steps)
