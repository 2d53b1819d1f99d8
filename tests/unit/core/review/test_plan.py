"""The plan of a review: what is asked, of whom, and that nothing is asked twice."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.errors import RefusedError
from labeler.core.review.blinding import ImageLabelPair
from labeler.core.review.plan import (
    PlannedReview,
    ReviewPlanDraft,
    ReviewPlanRequest,
    count_single_source_images,
    draft_review_plan,
    final_pairs,
    initial_pairs,
)
from labeler.core.study.entities import ImageKey, Stage
from labeler.core.study.phases import NO_REVIEWERS

IMAGES = [ImageKey("original", f"{number}.jpg") for number in range(40)]
REQUEST = ReviewPlanRequest(stage=Stage.INITIAL, seed=7, reviewers=("R", "S", "T"))

pair_sets = st.frozensets(
    st.builds(ImageLabelPair, st.sampled_from(IMAGES), st.sampled_from(["a", "b", "c", "d"])),
    max_size=60,
)


def planned_with(*drafts: ReviewPlanDraft) -> PlannedReview:
    """What a study holds after the drafts were kept."""
    reviewers: dict[ImageKey, list[str]] = defaultdict(list)
    for draft in drafts:
        for visit in draft.visits:
            reviewers[visit.image].append(visit.reviewer)
    return PlannedReview(
        pairs=frozenset(pair for draft in drafts for pair in draft.pairs),
        reviewers={image: tuple(codes) for image, codes in reviewers.items()},
        repeats=frozenset(
            (repeat.visit.reviewer, repeat.pair) for draft in drafts for repeat in draft.repeats
        ),
    )


def test_an_initial_review_asks_targets_and_distinct_first_predictions() -> None:
    one, other = IMAGES[:2]
    predicted = [
        ImageLabelPair(one, "a"),
        ImageLabelPair(one, "b"),
        ImageLabelPair(one, "b"),
        ImageLabelPair(IMAGES[9], "x"),
    ]
    asked = initial_pairs({one: "a", other: "c"}, predicted)
    assert asked == {ImageLabelPair(one, "a"), ImageLabelPair(one, "b"), ImageLabelPair(other, "c")}


def test_a_final_review_asks_human_answers_that_nobody_judged_beside_model_seeds() -> None:
    image, done = IMAGES[:2]
    request = replace(REQUEST, stage=Stage.FINAL)
    human = {ImageLabelPair(image, "h"), ImageLabelPair(done, "j")}
    models = {ImageLabelPair(image, "m"), ImageLabelPair(image, "n"), ImageLabelPair(done, "m")}
    asked = final_pairs(
        request, human=human, models=models, judged=frozenset({ImageLabelPair(done, "j")})
    )
    assert ImageLabelPair(image, "h") in asked
    assert len(asked & {ImageLabelPair(image, "m"), ImageLabelPair(image, "n")}) == 1
    assert not any(pair.image == done for pair in asked)
    assert count_single_source_images(asked, human=human, models=models) == 0


def test_more_seeds_keep_those_that_fewer_drew() -> None:
    human = {ImageLabelPair(IMAGES[0], "h")}
    models = {ImageLabelPair(IMAGES[0], label) for label in "klmnop"}
    drawn = [
        final_pairs(
            replace(REQUEST, stage=Stage.FINAL, model_seeds=count),
            human=human,
            models=models,
            judged=frozenset(),
        )
        for count in range(5)
    ]
    assert [len(pairs) for pairs in drawn] == [1, 2, 3, 4, 5]
    assert all(few < more for few, more in pairwise(drawn))


def test_labels_judged_before_are_mixed_in_as_the_lead_chooses() -> None:
    judged = frozenset(ImageLabelPair(image, label) for image in IMAGES for label in "abcde")
    request = replace(REQUEST, stage=Stage.FINAL, again=0.25)
    asked = final_pairs(request, human=(), models=(), judged=judged)
    assert 25 < len(asked) < 75
    assert final_pairs(replace(request, again=1.0), human=(), models=(), judged=judged) == judged


def test_an_image_without_a_models_label_is_told_to_the_lead() -> None:
    asked = {
        ImageLabelPair(IMAGES[0], "h"),
        ImageLabelPair(IMAGES[1], "h"),
        ImageLabelPair(IMAGES[1], "m"),
    }
    human = {ImageLabelPair(IMAGES[0], "h"), ImageLabelPair(IMAGES[1], "h")}
    assert (
        count_single_source_images(asked, human=human, models={ImageLabelPair(IMAGES[1], "m")}) == 1
    )


def test_an_overlap_beyond_the_reviewers_is_refused() -> None:
    with pytest.raises(RefusedError, match=r"there are 3 \(R, S, T\)"):
        draft_review_plan(replace(REQUEST, overlap=4), {ImageLabelPair(IMAGES[0], "a")})


def test_without_reviewers_there_is_no_plan() -> None:
    with pytest.raises(RefusedError, match=NO_REVIEWERS):
        draft_review_plan(replace(REQUEST, reviewers=()), {ImageLabelPair(IMAGES[0], "a")})


@settings(max_examples=40, deadline=None)
@given(pair_sets, st.integers(1, 3), st.integers(0, 99))
def test_every_image_goes_to_as_many_reviewers_as_were_asked(
    pairs: frozenset[ImageLabelPair], overlap: int, seed: int
) -> None:
    draft = draft_review_plan(replace(REQUEST, overlap=overlap, seed=seed), pairs)
    visitors = Counter(visit.image for visit in draft.visits)
    assert set(visitors) == {pair.image for pair in pairs}
    assert set(visitors.values()) <= {overlap}
    assert len({(v.reviewer, v.image) for v in draft.visits}) == len(draft.visits)
    assert draft.total == overlap * len(pairs)


def test_images_go_to_reviewers_who_have_not_judged_them_where_the_overlap_allows() -> None:
    pairs = frozenset(ImageLabelPair(image, "a") for image in IMAGES)
    first = draft_review_plan(REQUEST, pairs)
    seen = planned_with(first).reviewers
    known = {
        code: frozenset(pair for pair in pairs if code in seen[pair.image])
        for code in REQUEST.reviewers
    }
    second = draft_review_plan(replace(REQUEST, stage=Stage.FINAL), pairs, known=known)
    assert not any(visit.reviewer in seen[visit.image] for visit in second.visits)


def test_reviewers_get_as_much_to_do_as_each_other() -> None:
    pairs = {ImageLabelPair(image, label) for image in IMAGES for label in "abc"}
    judgements = draft_review_plan(replace(REQUEST, overlap=2), pairs).judgements
    assert max(judgements.values()) - min(judgements.values()) <= 3


@settings(max_examples=40, deadline=None)
@given(pair_sets, pair_sets, st.integers(1, 3))
def test_a_plan_that_grows_asks_nothing_twice_and_leaves_nothing_out(
    first: frozenset[ImageLabelPair], second: frozenset[ImageLabelPair], overlap: int
) -> None:
    request = replace(REQUEST, overlap=overlap)
    before = draft_review_plan(request, first)
    after = draft_review_plan(request, first | second, planned=planned_with(before))
    assert not set(before.pairs) & set(after.pairs)
    assert set(before.pairs) | set(after.pairs) == first | second
    assert before.total + after.total == overlap * len(first | second)
    assert (
        draft_review_plan(request, first | second, planned=planned_with(before, after)).total == 0
    )


def test_a_larger_overlap_later_brings_further_reviewers_only() -> None:
    pairs = {ImageLabelPair(image, "a") for image in IMAGES}
    before = draft_review_plan(REQUEST, pairs)
    after = draft_review_plan(replace(REQUEST, overlap=3), pairs, planned=planned_with(before))
    assert not after.pairs
    assert len(after.visits) == after.total == 2 * len(IMAGES)


def test_planned_repeats_are_of_ones_own_pairs_and_drawn_once() -> None:
    pairs = {ImageLabelPair(image, label) for image in IMAGES for label in "abc"}
    request = replace(REQUEST, repeats=0.2)
    draft = draft_review_plan(request, pairs)
    assert 10 <= len(draft.repeats) <= 40
    assert draft.total == len(pairs) + len(draft.repeats)
    visited = {(visit.reviewer, visit.image) for visit in draft.visits}
    assert all((r.visit.reviewer, r.pair.image) in visited for r in draft.repeats)
    assert not draft_review_plan(request, pairs, planned=planned_with(draft)).repeats


@settings(max_examples=30, deadline=None)
@given(st.permutations(sorted(ImageLabelPair(image, "a") for image in IMAGES[:8])))
def test_a_plan_depends_on_its_seed_and_its_pairs_alone(pairs: list[ImageLabelPair]) -> None:
    assert draft_review_plan(REQUEST, pairs) == draft_review_plan(REQUEST, sorted(pairs))
