"""Near-duplicate sets agree with slow reference implementations."""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.curation.duplicate_sets import (
    duplicate_pairs,
    duplicate_sets,
    losing_candidates,
    suggest_split,
    survivor,
)
from labeler.core.curation.entities import Candidate, PairVerdict, RejectReason
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair, current_verdicts
from labeler.core.study.entities import ImageKey

IMAGES = [ImageKey("pool", f"{number:02}") for number in range(14)]
PROTECTED = ImageKey("val", "00")
images = st.sampled_from([*IMAGES, PROTECTED])
pairs = (
    st.tuples(images, images)
    .filter(lambda two: two[0] != two[1])
    .map(lambda two: ImagePair.of(*two))
)


@st.composite
def candidates(draw: st.DrawFn) -> dict[ImageKey, Candidate]:
    made = {}
    for image in IMAGES:
        wnid = draw(st.sampled_from(["n1", "n2", "n3"]))
        selected = draw(st.integers(0, 10))
        made[image] = Candidate(
            image=image,
            label=wnid,
            rejected=draw(st.sampled_from([None, None, RejectReason.BLURRY])),
            frequency=SelectionFrequency(selected, 10) if selected else None,
        )
    return made


def reached(start: ImageKey, edges: Iterable[ImagePair]) -> set[ImageKey]:
    """Walk from image to image until nothing new is found."""
    seen, before = {start}, 0
    while len(seen) != before:
        before = len(seen)
        for pair in edges:
            if {pair.first, pair.second} & seen:
                seen |= {pair.first, pair.second}
    return seen


@given(st.lists(pairs))
def test_sets_are_what_can_be_reached_through_duplicates(edges: list[ImagePair]) -> None:
    sets = duplicate_sets(edges)
    for pair in edges:
        assert tuple(sorted(reached(pair.first, edges))) in sets
    assert len({image for members in sets for image in members}) == sum(map(len, sets))


def slow_survivor(members: list[Candidate], everything: Iterable[Candidate]) -> ImageKey:
    def score(candidate: Candidate) -> Fraction:
        return Fraction(0) if candidate.rejected else candidate.value

    def good(wnid: str) -> int:
        return sum(1 for c in everything if c.label == wnid and score(c) >= Fraction(7, 10))

    everything = list(everything)
    classes = sorted({candidate.label for candidate in members})
    best = {wnid: max(score(c) for c in members if c.label == wnid) for wnid in classes}
    for least in (Fraction(7, 10), Fraction(6, 10), max(best.values())):
        allowed = [wnid for wnid in classes if best[wnid] >= least]
        if allowed:
            break
    chosen = sorted(allowed, key=lambda wnid: (good(wnid), wnid))[0]
    of_class = [c for c in members if c.label == chosen and score(c) == best[chosen]]
    return sorted(c.image for c in of_class)[-1]


@given(st.lists(pairs), candidates())
def test_one_candidate_of_a_set_survives_and_none_next_to_a_protected_image(
    edges: list[ImagePair], pool: dict[ImageKey, Candidate]
) -> None:
    sets = duplicate_sets(edges)
    losing = losing_candidates(sets, pool)
    assert PROTECTED not in losing
    for members in sets:
        kept = [image for image in members if image in pool and image not in losing]
        if PROTECTED in members:
            assert kept == []
        else:
            assert kept == [slow_survivor([pool[image] for image in members], pool.values())]


@given(candidates(), st.sampled_from(IMAGES[:4]))
def test_the_lead_can_choose_another_survivor(
    pool: dict[ImageKey, Candidate], choice: ImageKey
) -> None:
    members = [pool[image] for image in IMAGES[:4]]
    rule = survivor(members, good={})
    assert survivor(members, good={}, chosen=[choice]) == (
        rule if pool[choice].rejected else choice
    )


@given(st.lists(st.tuples(pairs, st.sampled_from(PairVerdict), st.integers(0, 9)), max_size=20))
def test_the_newest_verdict_about_a_pair_counts(
    given_verdicts: list[tuple[ImagePair, PairVerdict, int]],
) -> None:
    judged = [
        JudgedPair(pair, verdict, f"R{number}", f"2026-01-0{at}")
        for number, (pair, verdict, at) in enumerate(given_verdicts)
    ]
    joined = set(duplicate_pairs(current_verdicts(judged)))
    for pair in {found.pair for found in judged}:
        last = max((j for j in judged if j.pair == pair), key=lambda j: (j.at, j.reviewer))
        assert (pair in joined) == (last.verdict is PairVerdict.DUPLICATE)


@given(st.dictionaries(pairs, st.integers(1, 9), min_size=1), st.integers(2, 5))
def test_a_large_set_splits_into_parts_that_are_small_and_not_joined(
    distances: dict[ImagePair, int], largest: int
) -> None:
    for members in duplicate_sets(distances):
        split = suggest_split(members, dict(distances), largest=largest)
        inside = [pair for pair in distances if pair.first in members]
        kept = [pair for pair in inside if pair not in split.cut]
        assert sorted(image for part in split.parts for image in part) == sorted(members)
        assert all(len(part) <= largest for part in split.parts)
        for part in split.parts:
            assert reached(part[0], kept) == set(part)
