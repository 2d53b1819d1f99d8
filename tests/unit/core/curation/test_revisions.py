"""Class reviews are carried over by rule, and revisions compare as sets."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.curation.entities import BuiltImage, ClassReview, RemovalReason
from labeler.core.curation.revisions import (
    ClassState,
    class_states,
    compare_revisions,
    final_obstacles,
)
from labeler.core.study.entities import ImageKey

FISH, DOG = "n01440764", "n02085620"


def image(name: str, label: str = FISH) -> BuiltImage:
    return BuiltImage(image=ImageKey("pool", name), label=label)


def review(label: str = FISH, *, reviewed: bool = True, needs_work: bool = False) -> ClassReview:
    return ClassReview(label=label, reviewed=reviewed, needs_work=needs_work, reviewer="R", at="")


@given(
    st.frozensets(st.sampled_from("abcd"), min_size=1),
    st.frozensets(st.sampled_from("abcd"), min_size=1),
    st.booleans(),
    st.booleans(),
)
def test_an_unreviewed_class_keeps_the_review_of_the_same_images_that_needed_no_work(
    before: frozenset[str], after: frozenset[str], reviewed: bool, needs_work: bool
) -> None:
    states = class_states(
        [image(name) for name in after],
        [],
        parent_images=[image(name) for name in before],
        parent_states={FISH: ClassState(reviewed, needs_work)},
    )
    carries = before == after and reviewed and not needs_work
    assert states == {FISH: ClassState(reviewed=carries, carried=carries)}


def test_a_review_of_the_revision_itself_replaces_the_one_before() -> None:
    same = [image("a")]
    states = class_states(
        same,
        [review(needs_work=True)],
        parent_images=same,
        parent_states={FISH: ClassState(reviewed=True)},
    )
    assert states == {FISH: ClassState(reviewed=True, needs_work=True)}


def test_one_reviewer_who_asks_for_work_outweighs_the_others() -> None:
    states = class_states([image("a")], [review(), review(reviewed=False, needs_work=True)])
    assert not states[FISH].is_done


def test_a_revision_is_final_only_when_complete_reviewed_and_without_work() -> None:
    images = [image("a"), image("b", DOG)]
    open_states = class_states(images, [review(needs_work=True)])
    obstacles = final_obstacles(open_states, missing=2)
    assert (obstacles.missing, obstacles.not_reviewed, obstacles.needs_work) == (2, (DOG,), (FISH,))
    done = class_states(images, [review(), review(DOG)])
    assert not final_obstacles(done, missing=0)


@given(st.frozensets(st.sampled_from("abcdef")), st.frozensets(st.sampled_from("abcdef")))
def test_every_image_of_two_revisions_is_kept_added_or_removed(
    before: frozenset[str], after: frozenset[str]
) -> None:
    reasons = {ImageKey("pool", "a"): RemovalReason.REJECTED}
    change = compare_revisions(
        [image(name) for name in before], [image(name) for name in after], reasons
    )
    assert [key.image for key in change.kept] == sorted(before & after)
    assert [key.image for key in change.added] == sorted(after - before)
    assert [key.image for key in change.removed] == sorted(before - after)
    if "a" in before - after:
        assert change.removed[ImageKey("pool", "a")] is RemovalReason.REJECTED
