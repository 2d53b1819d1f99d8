"""The slots of recently used classes."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.labeling.recent_classes import RECENT_SLOTS, recent_classes

labels = st.lists(st.sampled_from([f"n{number:08d}" for number in range(14)]), max_size=60)


@given(labels, labels)
def test_a_class_keeps_its_number_while_it_is_there(before: list[str], after: list[str]) -> None:
    recent = recent_classes(before)
    for wnid in after:
        following = recent.used(wnid)
        changed = [
            place for place, slot in enumerate(recent.slots) if following.slots[place] != slot
        ]
        assert len(changed) <= 1
        assert wnid in following.slots
        recent = following


@given(labels)
def test_the_slots_hold_the_classes_used_last(used: list[str]) -> None:
    last = list(dict.fromkeys(reversed(used)))[:RECENT_SLOTS]
    recent = recent_classes(used)
    assert set(recent.slots) == set(last)
    assert len(recent.slots) == len(last)
