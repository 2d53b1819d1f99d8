"""A reviewer goes through the classes of a revision; every decision is stored."""

from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction

import pytest

from labeler.app.curation.building import build_dataset
from labeler.app.curation.class_review import (
    ALL_REVIEWED,
    FIRST_OF_PAIR,
    ClassReviewPresenter,
)
from labeler.app.curation.class_review_session import (
    NO_CANDIDATES,
    NOTHING_TO_REVIEW,
    PoolClasses,
    RevisionClasses,
    class_review_progress,
)
from labeler.app.curation.class_review_views import ReviewTile
from labeler.app.curation.revision_history import RevisionReader, declare_final
from labeler.app.curation.workspace import NO_CONTROLS, CurationStep, read_workspace
from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.study.settings import change_settings
from labeler.core.curation.entities import PairVerdict, RejectReason, RemovalReason
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH, PictureFolder
from tests.unit.app.curation.conftest import POOL, set_frequencies
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
    lead = presenter(store, classes=RevisionClasses(store, shows_frequencies=True))
    assert lead.view is not None
    assert {tile.frequency for tile in lead.view.tiles} == {"10 of 10"}


def shown_marks(review: ClassReviewPresenter) -> list[str]:
    assert review.view is not None
    return [tile.same_set for tile in review.view.tiles]


def test_two_images_are_marked_as_duplicates_and_one_leaves_with_the_next_revision(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    review.mark_duplicate(1)
    assert shown_marks(review) == [FIRST_OF_PAIR, ""]
    review.mark_duplicate(2)
    assert shown_marks(review) == ["same set", "same set"]
    assert review.view is not None
    assert review.view.summary == "1 set of 2"
    with store.read() as study:
        [judged] = study.near_duplicates.judged()
    assert (judged.verdict, judged.reviewer) == (PairVerdict.DUPLICATE, "R")
    review_all(store, 1)
    with pytest.raises(RefusedError, match="1 near-duplicate of its own"):
        declare_final(store, "mine", 1)
    _second, preview = build_dataset(store, replace(REQUEST, parent=1))
    assert list(preview.built.removed.values()) == [RemovalReason.NEAR_DUPLICATE]


def test_a_marked_pair_is_undone_and_a_first_image_can_be_taken_back(
    store: StudyStore, review: ClassReviewPresenter
) -> None:
    review.mark_duplicate(1)
    review.mark_duplicate(1)
    assert shown_marks(review) == ["", ""]
    review.mark_duplicate(2)
    review.undo()
    assert shown_marks(review) == ["", ""]
    review.mark_duplicate(1)
    review.mark_duplicate(2)
    review.undo()
    assert shown_marks(review) == ["", ""]
    with store.read() as study:
        assert study.near_duplicates.judged() == []


def test_a_duplicate_of_an_original_takes_no_candidate(
    store: StudyStore, pool: dict[str, ImageKey], pictures: Callable[[str], PictureFolder]
) -> None:
    originals = pictures("originals").fill(FISH, DOG, each=2)
    import_dataset(store, DatasetRequest(name="val", path=originals.path))
    build_dataset(store, REQUEST)
    review = presenter(store)
    review.mark_duplicate(1)
    review.mark_duplicate(2, original=True)
    assert review.view is not None
    assert review.view.originals[1] == shown_marks(review)[0] == "same set"
    with store.read() as study:
        assert RevisionReader(study, "mine").obstacles(1).duplicates == 1


def test_the_lead_can_let_reviewers_see_frequencies_and_their_order(
    store: StudyStore, pool: dict[str, ImageKey]
) -> None:
    set_frequencies(store, {key: 9 - n for n, key in enumerate(sorted(pool.values()))})
    build_dataset(store, replace(REQUEST, threshold=Fraction(0), per_class=1))
    hidden = presenter(store)
    hidden.show_all(True)
    others = hidden.keys[1:]
    assert others == sorted(others)
    set_frequencies(store, {key: n + 1 for n, key in enumerate(sorted(pool.values()))})
    change_settings(store, shows_frequencies=True)
    shown = presenter(store)
    shown.show_all(True)
    assert shown.keys[1:] == sorted(others, reverse=True)
    assert shown.view is not None
    assert all(tile.frequency for tile in shown.view.tiles)


def test_the_lead_rejects_candidates_of_a_pool_before_anything_is_built(
    store: StudyStore, pool: dict[str, ImageKey]
) -> None:
    set_frequencies(store, {key: n for n, key in enumerate(sorted(pool.values()))})
    review = presenter(store, classes=PoolClasses(store, POOL))
    view = review.view
    assert view is not None
    assert (view.is_pool, view.position, view.total, view.chosen) == (True, 1, 2, 0)
    assert review.keys == sorted(review.keys, reverse=True)
    assert len(view.tiles) == view.candidates == 4
    assert all(tile.frequency for tile in view.tiles)
    review.reject(2, RejectReason.DRAWING)
    with store.read() as study:
        assert study.pools.rejected(POOL) == {review.keys[1]}
    review.show_all(False)
    review.finish_class()
    assert review.view is not None
    assert (review.view.position, len(review.view.tiles), review.message) == (2, 4, "")
    review.finish_class(needs_work=True)
    assert review.view.position == 2
    review.move(1)
    assert review.view.position == 1
    assert review.view.tiles[1].mark
    begun = presenter(store, classes=PoolClasses(store, POOL, begins_with=DOG)).view
    assert begun is not None
    assert begun.position == 2
    review.take_back(2)
    with store.read() as study:
        assert study.pools.rejected(POOL) == set()
        assert study.built_datasets.names() == []


def test_a_pool_without_candidates_says_so(store: StudyStore) -> None:
    assert presenter(store, classes=PoolClasses(store, POOL)).message == NO_CANDIDATES


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


def test_the_workspace_asks_for_controls_before_a_round_is_planned(
    store: StudyStore, pool: dict[str, ImageKey], pictures: Callable[[str], PictureFolder]
) -> None:
    with store.write() as study:
        study.crowd.replace_frequencies({})

    def needed() -> str:
        return read_workspace(store).steps[1].needs

    assert needed() == NO_CONTROLS
    originals = pictures("originals").fill(FISH, DOG, each=2)
    import_dataset(store, DatasetRequest(name="val", path=originals.path))
    assert "plan a round" in needed()


def test_an_empty_study_has_a_workspace(store: StudyStore) -> None:
    view = read_workspace(store)
    assert view.pools == ()
    assert all(not step.done for step in view.steps)
