"""Which grid or image an annotator gets next."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.rounds import WorkItem, choose_work, potential_labels

items = st.lists(
    st.builds(WorkItem, st.text("abcdef", min_size=1), st.integers(0, 4), st.integers(1, 4)),
    unique_by=lambda item: item.key,
)


@given(items, st.integers(0, 1000), st.sets(st.text("abcdef", min_size=1)))
def test_the_allowed_item_with_the_fewest_answers_comes_first(offered, seed, barred):
    chosen = choose_work(offered, annotator_seed=seed, is_allowed=lambda key: key not in barred)
    waiting = {i.key: i.answers for i in offered if i.answers < i.wanted and i.key not in barred}
    if chosen is None:
        assert not waiting
    else:
        assert waiting[chosen] == min(waiting.values())


def test_annotators_have_different_orders_among_equals():
    offered = [WorkItem(str(number), 0, 1) for number in range(50)]
    first = {choose_work(offered, annotator_seed=seed) for seed in range(20)}
    assert len(first) > 10


@given(st.lists(st.lists(st.text("xyz", min_size=1, max_size=2), max_size=7)))
def test_potential_labels_have_the_target_and_no_label_after_the_fifth(ranked):
    found = potential_labels("target", ranked)
    assert "target" in found
    assert set(found) - {"target"} == {label for labels in ranked for label in labels[:5]}
