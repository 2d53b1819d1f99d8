"""Merging: whatever two people wrote, every line of both is there, merged or to be chosen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.guide.three_way_merge import MergeChoice, ThreeWayMerge, merge_texts

BASE = "one\ntwo\nthree\nfour\nfive\n"
LINES = st.lists(st.sampled_from("abcde"), max_size=9).map(lambda ls: "".join(f"{x}\n" for x in ls))
TEXTS = st.one_of(LINES, st.text(alphabet="ab\n\r", max_size=12))


def side(merged: ThreeWayMerge, name: str) -> str:
    return "\n".join(line for stretch in merged.stretches for line in getattr(stretch, name))


@given(TEXTS, TEXTS, TEXTS)
def test_the_stretches_give_all_three_texts_back(base: str, mine: str, theirs: str) -> None:
    merged = merge_texts(base, mine=mine, theirs=theirs)
    assert side(merged, "base") == base
    assert side(merged, "mine") == mine
    assert side(merged, "theirs") == theirs


@given(TEXTS, TEXTS, TEXTS)
def test_a_line_that_someone_added_is_in_the_merged_text(base: str, mine: str, theirs: str) -> None:
    merged = merge_texts(base, mine=mine, theirs=theirs).text().split("\n")
    for side_text in (mine, theirs):
        added = set(side_text.split("\n")) - set(base.split("\n"))
        assert added <= set(merged)


@given(TEXTS, TEXTS)
def test_where_only_one_changed_the_text_theirs_is_taken_without_a_question(
    base: str, changed: str
) -> None:
    for merged in (
        merge_texts(base, mine=changed, theirs=base),
        merge_texts(base, mine=base, theirs=changed),
        merge_texts(base, mine=changed, theirs=changed),
    ):
        assert merged.conflicts == ()
        assert merged.text() == changed


@given(TEXTS, TEXTS, TEXTS)
def test_whichever_side_is_chosen_everywhere_its_conflicting_lines_are_kept(
    base: str, mine: str, theirs: str
) -> None:
    merged = merge_texts(base, mine=mine, theirs=theirs)
    for choice in MergeChoice:
        text = merged.text(dict.fromkeys(merged.conflicts, choice))
        for place in merged.conflicts:
            assert "\n".join(merged.stretches[place].lines(choice)) in text


def test_changes_in_different_places_merge_by_themselves() -> None:
    merged = merge_texts(BASE, mine=BASE.replace("one", "1"), theirs=BASE.replace("five", "5"))
    assert merged.conflicts == ()
    assert merged.text() == "1\ntwo\nthree\nfour\n5\n"


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (MergeChoice.MINE, "one\nmy two\nthree\nfour\nfive\n"),
        (MergeChoice.THEIRS, "one\nyour two\nthree\nfour\nfive\n"),
        (MergeChoice.BOTH, "one\nyour two\nmy two\nthree\nfour\nfive\n"),
    ],
)
def test_a_line_that_both_changed_is_chosen(choice: MergeChoice, text: str) -> None:
    mine, theirs = BASE.replace("two", "my two"), BASE.replace("two", "your two")
    merged = merge_texts(BASE, mine=mine, theirs=theirs)
    (place,) = merged.conflicts
    assert merged.stretches[place].base == ("two",)
    assert merged.text({place: choice}) == text


def test_two_rows_added_at_the_same_place_are_both_kept_unless_one_is_chosen() -> None:
    merged = merge_texts("head\nend\n", mine="head\nmine\nend\n", theirs="head\ntheirs\nend\n")
    assert len(merged.conflicts) == 1
    assert merged.text() == "head\ntheirs\nmine\nend\n"
