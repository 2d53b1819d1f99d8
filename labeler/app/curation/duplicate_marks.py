"""Sets of near-duplicates among the images of a class, as reviewers mark them."""

from collections.abc import Mapping, Sequence

from labeler.core.clock import Clock, stamp
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair
from labeler.core.study.entities import ImageKey
from labeler.core.text import count_noun


def marked_pair(one: ImageKey, other: ImageKey, *, reviewer: str, clock: Clock) -> JudgedPair:
    """Return the verdict that two images are near-duplicates, found by a person."""
    return JudgedPair(
        ImagePair.of(one, other),
        PairVerdict.DUPLICATE,
        reviewer,
        stamp(clock.utc()),
        DuplicateMetric.MANUAL,
    )


def set_words(
    sets: Sequence[Sequence[ImageKey]], shown: Sequence[ImageKey]
) -> Mapping[ImageKey, str]:
    """Return what is shown at each image that is in a set with another shown one."""
    seen = set(shown)
    here = [[key for key in members if key in seen] for members in sets]
    several = [members for members in here if len(members) > 1]
    if len(several) == 1:
        return dict.fromkeys(several[0], "same set")
    return {key: f"set {n}" for n, members in enumerate(several, 1) for key in members}


def sets_summary(words: Mapping[ImageKey, str]) -> str:
    """Return how many sets there are and how large, such as `1 set of 2`."""
    sizes = [list(words.values()).count(each) for each in dict.fromkeys(words.values())]
    if not sizes:
        return ""
    return f"{count_noun(len(sizes), 'set')} of {', '.join(map(str, sizes))}"
