"""What a second review changed: every image is of exactly one sort."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.review.label_changes import LabelChanges, label_changes, label_counts

labels = st.frozensets(st.sampled_from(["a", "b", "c"]))
images = st.dictionaries(st.integers(0, 9), labels)


def sort_of(before: set[str], after: set[str]) -> str:
    result = label_changes({0: frozenset(before)}, {0: frozenset(after)})
    (sort,) = (name for name in ("unchanged", "added", "modified") if getattr(result, name))
    return sort


def test_the_same_labels_are_unchanged() -> None:
    assert sort_of({"a"}, {"a"}) == "unchanged"
    assert sort_of(set(), set()) == "unchanged"


def test_more_labels_are_added() -> None:
    assert sort_of({"a"}, {"a", "b"}) == "added"
    assert sort_of(set(), {"a"}) == "added"


def test_a_label_that_is_lost_is_a_modification_even_where_one_is_gained() -> None:
    assert sort_of({"a", "b"}, {"a"}) == "modified"
    assert sort_of({"a"}, {"b"}) == "modified"


def test_an_image_that_one_review_lacks_is_not_counted() -> None:
    result = label_changes({1: frozenset("a")}, {2: frozenset("a")})
    assert result == LabelChanges(unchanged=0, added=0, modified=0)


@given(images, images)
def test_every_image_of_both_reviews_is_counted_once(
    initial: dict[int, frozenset[str]], final: dict[int, frozenset[str]]
) -> None:
    result = label_changes(initial, final)
    assert result.unchanged + result.added + result.modified == len(initial.keys() & final.keys())


def test_the_mean_number_of_labels_is_that_of_images_with_several() -> None:
    result = label_counts([frozenset("a"), frozenset("ab"), frozenset("abc"), frozenset()])
    assert (result.images, result.multi_label_images) == (3, 2)
    assert result.mean_labels_of_multi_label_images == 2.5
    assert result.share == 2 / 3


def test_without_an_image_there_is_no_share_and_no_mean() -> None:
    result = label_counts([])
    assert result.share is result.mean_labels_of_multi_label_images is None


def test_the_share_of_multi_label_images_is_given_out_of_both_bases() -> None:
    result = label_counts([frozenset("ab"), frozenset("a"), frozenset(), frozenset()])
    assert (result.images, result.judged) == (2, 4)
    assert (result.share, result.share_of_judged) == (0.5, 0.25)
    assert "50.0%" in result.sentence()
    assert "25.0%" in result.sentence()
