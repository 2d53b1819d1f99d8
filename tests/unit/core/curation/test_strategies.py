"""Sampling strategies agree with slow implementations written from the rules."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.curation.eligibility import judge_candidates
from labeler.core.curation.entities import (
    BuiltImage,
    Candidate,
    DuplicateFindings,
    Exclusion,
    RejectReason,
    RemovalReason,
    RevisionState,
    Strategy,
)
from labeler.core.curation.revisions import build_revision
from labeler.core.curation.strategies import (
    BINS,
    SamplingRules,
    draw_class,
    frequency_bin,
    largest_remainder,
)
from labeler.core.hash_order import hash_key
from labeler.core.study.entities import ImageKey

LABEL = "n01440764"


def candidate(name: str, selected: int = 10, shown: int = 10, **more: object) -> Candidate:
    frequency = SelectionFrequency(selected, shown) if shown else None
    return Candidate(image=ImageKey("pool", name), label=LABEL, frequency=frequency, **more)


@st.composite
def classes(draw: st.DrawFn) -> list[Candidate]:
    counts = draw(
        st.lists(st.integers(0, 10).flatmap(lambda s: st.tuples(st.just(s), st.integers(10, 12))))
    )
    return [candidate(f"{n:03}", *count) for n, count in enumerate(counts)]


@st.composite
def parents(draw: st.DrawFn, found: list[Candidate]) -> list[BuiltImage]:
    """Some candidates in the roles that a parent revision could have given them."""
    kept = draw(st.lists(st.sampled_from(found), unique=True, max_size=10)) if found else []
    images = []
    for each in kept:
        own = frequency_bin(each.value)
        role = draw(st.integers(0, own))
        images.append(BuiltImage(image=each.image, label=LABEL, bin=role, from_bin=own))
    return images


def names(images: tuple[BuiltImage, ...]) -> list[str]:
    return [built.image.image for built in images]


def test_the_published_example_of_largest_remainders() -> None:
    assert largest_remainder([1, 2, 3, 4, 10], 10) == [0, 1, 2, 2, 5]


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8).filter(any), st.integers(0, 30))
def test_scaled_counts_reach_the_total_and_stay_within_one_of_the_exact_share(
    counts: list[int], total: int
) -> None:
    scaled = largest_remainder(counts, total)
    assert sum(scaled) == total
    for count, share in zip(counts, scaled, strict=True):
        assert abs(share - Fraction(count * total, sum(counts))) < 1


@given(st.integers(0, 30), st.integers(1, 30))
def test_a_frequency_is_in_the_bin_whose_limits_enclose_it(selected: int, shown: int) -> None:
    value = Fraction(min(selected, shown), shown)
    place = frequency_bin(value)
    assert Fraction(place, BINS) <= value
    assert value < Fraction(place + 1, BINS) or (place == BINS - 1 and value == 1)


class SlowMatcher:
    """Matches frequencies as the rules say, step by step, by searching all that is left."""

    def __init__(self, found: list[Candidate], parent: list[BuiltImage], seed: int) -> None:
        self.left = set(found)
        self.before = {built.image: built for built in parent}
        self.seed = seed
        self.placed: set[tuple[str, int, int]] = set()

    def run(self, references: list[Fraction], m: int) -> list[int]:
        """Place images, and return how many each bin lacks."""
        counts = [sum(frequency_bin(value) == b for value in references) for b in range(BINS)]
        self.targets = slow_shares(counts, m)
        self.fill(lambda e, b: self.role(e) == b == own(e))
        self.fill(lambda e, b: self.role(e) == b < own(e))
        self.fill(lambda e, b: own(e) == b)
        self.fill(lambda e, b: own(e) > b)
        return [self.short(b) for b in range(BINS)]

    def fill(self, fits: Callable[[Candidate, int], bool]) -> None:
        for b in range(BINS):
            while self.short(b) and (choice := [each for each in self.left if fits(each, b)]):
                first = min(choice, key=self.order)
                self.left.remove(first)
                self.placed.add((first.image.image, b, own(first)))

    def short(self, b: int) -> int:
        return self.targets[b] - sum(place == b for _name, place, _own in self.placed)

    def order(self, each: Candidate) -> tuple[int, bool, bytes]:
        drawn = hash_key(self.seed, "built dataset", LABEL, "pool", each.image.image)
        return own(each), each.image not in self.before, drawn

    def role(self, each: Candidate) -> int | None:
        built = self.before.get(each.image)
        if built is None or built.bin is None:
            return None
        fills_lower = built.bin != built.from_bin and built.bin < own(each)
        return built.bin if fills_lower else own(each)


def own(each: Candidate) -> int:
    return frequency_bin(each.value)


def slow_shares(counts: list[int], m: int) -> list[int]:
    exact = [Fraction(count * m, sum(counts)) for count in counts]
    shares = [int(share) for share in exact]
    while sum(shares) < m:
        rests = [(exact[b] - shares[b], b) for b in range(BINS) if shares[b] <= exact[b]]
        shares[max(rests)[1]] += 1
    return shares


@given(st.data(), classes(), st.integers(0, 3), st.integers(1, 12))
def test_matched_frequency_agrees_with_a_slow_implementation(
    data: st.DataObject, found: list[Candidate], seed: int, m: int
) -> None:
    references = data.draw(
        st.lists(st.integers(0, 10).map(lambda n: Fraction(n, 10)), min_size=20, max_size=30)
    )
    parent = data.draw(parents(found))
    rules = SamplingRules(strategy=Strategy.MATCHED_FREQUENCY, seed=seed, per_class=m)

    drawn = draw_class(LABEL, found, rules, references=references, parent=parent)

    slow = SlowMatcher(found, parent, seed)
    missing = slow.run(references, m)
    assert {(b.image.image, b.bin, b.from_bin) for b in drawn.images} == slow.placed
    assert [drawn.missing_in_bins.get(b, 0) for b in range(BINS)] == missing
    assert drawn.missing == sum(missing)
    carried = {built.image for built in drawn.images if built.carried}
    assert carried == {b.image for b in drawn.images} & {b.image for b in parent}


def test_a_shortfall_is_filled_from_higher_bins_and_never_from_lower_ones() -> None:
    have = {1: 1, 2: 9, 4: 1}
    found = [
        candidate(f"{place}-{n}", selected=2 * place)
        for place, count in have.items()
        for n in range(count)
    ]
    references = [Fraction(2 * place, 10) for place in range(BINS) for _ in range(4)]
    rules = SamplingRules(strategy=Strategy.MATCHED_FREQUENCY, seed=0)

    drawn = draw_class(LABEL, found, rules, references=references)

    supplied = [sum(built.from_bin == place for built in drawn.images) for place in range(BINS)]
    assert supplied == [0, 1, 5, 0, 1]
    assert drawn.missing == 3


def test_a_class_with_too_few_reference_images_is_refused() -> None:
    rules = SamplingRules(strategy=Strategy.MATCHED_FREQUENCY, seed=0)
    drawn = draw_class(LABEL, [candidate("1")], rules, references=[Fraction(1)] * 19)
    assert drawn.refused
    assert (drawn.images, drawn.missing) == ((), 10)


@given(classes(), st.integers(0, 3), st.integers(1, 12))
def test_top_images_are_those_that_no_other_candidate_outranks(
    found: list[Candidate], seed: int, m: int
) -> None:
    rules = SamplingRules(strategy=Strategy.TOP_IMAGES, seed=seed, per_class=m)
    drawn = draw_class(LABEL, found, rules)
    chosen = set(names(drawn.images))

    def rank(each: Candidate) -> tuple[Fraction, int, str]:
        return each.value, each.shown, each.image.image

    for each in found:
        better = sum(rank(other) > rank(each) for other in found)
        assert (each.image.image in chosen) == (better < m)
    assert drawn.missing == m - len(drawn.images)


def test_of_equally_good_images_the_parents_stay() -> None:
    found = [candidate("1"), candidate("2"), candidate("3")]
    parent = [BuiltImage(image=ImageKey("pool", "1"), label=LABEL)]
    rules = SamplingRules(strategy=Strategy.TOP_IMAGES, seed=0, per_class=2)
    assert names(draw_class(LABEL, found, rules, parent=parent).images) == ["1", "3"]


@given(st.data(), classes(), st.integers(0, 3), st.integers(1, 12))
def test_a_threshold_draws_in_the_order_of_the_seed_and_keeps_the_parents(
    data: st.DataObject, found: list[Candidate], seed: int, m: int
) -> None:
    parent = data.draw(parents(found))
    before = {built.image for built in parent}
    rules = SamplingRules(strategy=Strategy.THRESHOLD, seed=seed, per_class=m)

    drawn = draw_class(LABEL, found, rules, parent=parent)

    above = [each for each in found if 10 * each.value >= 7]
    assert len(drawn.images) == min(m, len(above))
    assert {built.image for built in drawn.images} <= {each.image for each in above}
    kept = sum(built.carried for built in drawn.images)
    assert kept == min(m, sum(each.image in before for each in above))
    assert drawn == draw_class(LABEL, found[::-1], rules, parent=parent[::-1])


def test_a_threshold_is_exact_and_can_differ_for_a_class() -> None:
    found = [candidate("7", 7), candidate("6", 6)]
    rules = SamplingRules(strategy=Strategy.THRESHOLD, seed=0)
    assert names(draw_class(LABEL, found, rules).images) == ["7"]
    low = SamplingRules(strategy=Strategy.THRESHOLD, seed=0, thresholds={LABEL: Fraction("0.6")})
    assert sorted(names(draw_class(LABEL, found, low).images)) == ["6", "7"]


@pytest.mark.parametrize(
    ("excluded", "reason"),
    [
        (candidate("x", rejected=RejectReason.BLURRY, shown=0), Exclusion.REJECTED),
        (candidate("x", 9, 9), Exclusion.TOO_FEW_ANSWERS),
        (candidate("x", shown=0), Exclusion.TOO_FEW_ANSWERS),
        (candidate("x"), Exclusion.NEAR_DUPLICATE),
    ],
)
def test_an_excluded_candidate_has_the_first_reason(excluded: Candidate, reason: Exclusion) -> None:
    key = frozenset({excluded.image})
    findings = DuplicateFindings(losers=key, too_shallow=key, has_distances=True)
    assert judge_candidates([excluded], findings).excluded == {excluded.image: reason}


def test_a_review_of_neighbours_is_required_only_if_distances_were_computed() -> None:
    one = candidate("x")
    key = frozenset({one.image})
    unsearched = judge_candidates([one], DuplicateFindings(too_shallow=key))
    searched = judge_candidates([one], DuplicateFindings(too_shallow=key, has_distances=True))
    assert unsearched.images == key
    assert searched.excluded == {one.image: Exclusion.NOT_REVIEWED}


def test_a_revision_says_why_images_of_its_parent_left() -> None:
    found = [candidate("bad", rejected=RejectReason.DRAWING), candidate("low", 1), candidate("ok")]
    parent = [BuiltImage(image=ImageKey("pool", n), label=LABEL) for n in ("bad", "low", "ok", "?")]
    rules = SamplingRules(strategy=Strategy.THRESHOLD, seed=0, per_class=1)

    built = build_revision(judge_candidates(found), rules, references={}, parent=parent)

    assert names(built.images) == ["ok"]
    assert built.state is RevisionState.COMPLETE
    assert {key.image: reason for key, reason in built.removed.items()} == {
        "?": RemovalReason.NOT_A_CANDIDATE,
        "bad": RemovalReason.REJECTED,
        "low": RemovalReason.OUTSIDE_RULE,
    }
