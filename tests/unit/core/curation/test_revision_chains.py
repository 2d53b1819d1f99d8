"""A chain of revisions agrees with a slow implementation written from the rules."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.curation.eligibility import judge_candidates
from labeler.core.curation.entities import (
    BuiltImage,
    Candidate,
    ClassReview,
    DuplicateFindings,
    RejectReason,
    Strategy,
)
from labeler.core.curation.revisions import BuiltRevision, build_revision, class_states
from labeler.core.curation.strategies import SamplingRules
from labeler.core.hash_order import hash_key
from labeler.core.study.entities import ImageKey

FISH, DOG = "n01440764", "n02085620"
M = 3
IMAGES = [ImageKey("pool", f"{number:02}") for number in range(12)]
# What happens to the candidates before a revision: rejected, lost, not reviewed.
events = st.fixed_dictionaries(
    {
        "rejected": st.frozensets(st.sampled_from(IMAGES), max_size=4),
        "losers": st.frozensets(st.sampled_from(IMAGES), max_size=3),
        "too_shallow": st.frozensets(st.sampled_from(IMAGES), max_size=3),
    }
)
Events = dict[str, frozenset[ImageKey]]


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    return [
        Candidate(
            image=image,
            label=FISH if number < 7 else DOG,
            frequency=SelectionFrequency(draw(st.integers(0, shown)), shown),
        )
        for number, image in enumerate(IMAGES)
        for shown in [draw(st.sampled_from([9, 10, 10, 10, 13]))]
    ]


def why_not(each: Candidate, now: Events) -> str:
    """The first rule that a candidate fails, in the order of the specification."""
    if each.image in now["rejected"]:
        return "rejected"
    if each.frequency is None or each.frequency.shown < 10:
        return "too_few_answers"
    if each.image in now["losers"]:
        return "near_duplicate"
    return "not_reviewed" if each.image in now["too_shallow"] else ""


def slow_threshold(
    pool: list[Candidate], now: Events, seed: int, before: set[ImageKey]
) -> set[ImageKey]:
    """Keep the parent's images that may stay, then take the smallest hashes, one by one."""
    chosen: set[ImageKey] = set()
    for label in (FISH, DOG):
        fit = [
            each
            for each in pool
            if each.label == label
            and not why_not(each, now)
            and each.frequency is not None
            and 10 * each.frequency.selected >= 7 * each.frequency.shown
        ]
        for kept in (True, False):
            left = {each.image for each in fit if (each.image in before) == kept}
            while left and len([e for e in fit if e.image in chosen]) < M:
                first = min(
                    left, key=lambda k: hash_key(seed, "built dataset", label, "pool", k.image)
                )
                left.remove(first)
                chosen.add(first)
    return chosen


def build(pool: list[Candidate], now: Events, seed: int, parent: list[BuiltImage]) -> BuiltRevision:
    reason = RejectReason.OTHER
    judged = [replace(e, rejected=reason) if e.image in now["rejected"] else e for e in pool]
    findings = DuplicateFindings(
        losers=now["losers"], too_shallow=now["too_shallow"], has_distances=True
    )
    rules = SamplingRules(strategy=Strategy.THRESHOLD, seed=seed, per_class=M)
    return build_revision(judge_candidates(judged, findings), rules, references={}, parent=parent)


@settings(max_examples=60)
@given(pools(), st.lists(events, min_size=1, max_size=5), st.integers(0, 5), st.data())
def test_each_revision_keeps_what_may_stay_and_says_why_the_rest_left(
    pool: list[Candidate], history: list[Events], seed: int, data: st.DataObject
) -> None:
    by_image = {each.image: each for each in pool}
    built: list[list[BuiltImage]] = []
    for now in history:
        parent = data.draw(st.sampled_from([[], *built]))
        before = {image.image for image in parent}
        revision = build(pool, now, seed, parent)
        chosen = {image.image for image in revision.images}
        assert chosen == slow_threshold(pool, now, seed, before)
        assert {image.image for image in revision.images if image.carried} == chosen & before
        expected = {key: why_not(by_image[key], now) or "outside_rule" for key in before - chosen}
        assert {key: str(reason) for key, reason in revision.removed.items()} == expected
        missing = {draw.label: draw.missing for draw in revision.draws}
        have = {label: sum(by_image[k].label == label for k in chosen) for label in (FISH, DOG)}
        assert missing == {label: M - count for label, count in have.items()}
        built.append(list(revision.images))


@settings(max_examples=60)
@given(
    pools(),
    st.lists(st.tuples(events, st.sampled_from(["", "done", "work"])), min_size=1, max_size=5),
)
def test_a_class_stays_reviewed_along_a_chain_only_while_its_images_stay(
    pool: list[Candidate], history: list[tuple[Events, str]]
) -> None:
    parent: list[BuiltImage] = []
    states = None
    # The images of the class when it was last found in order, or None.
    approved: frozenset[ImageKey] | None = None
    for now, verdict in history:
        images = list(build(pool, now, 1, parent).images)
        here = frozenset(image.image for image in images if image.label == FISH)
        given = ClassReview(
            label=FISH, reviewed=True, needs_work=verdict == "work", reviewer="R", at=""
        )
        reviews = [given] if verdict else []
        states = class_states(
            images, reviews, parent_images=parent, parent_states=states, labels=[FISH]
        )
        if verdict:
            approved = here if verdict == "done" else None
        elif approved != here:
            approved = None
        assert states[FISH].is_done == (approved is not None)
        parent = images
