"""Sample a class from its eligible candidates: threshold, top images, matched frequency.

Every comparison uses exact fractions, and every draw the order of a hash of the seed, so that the
same input gives the same images on every machine.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from labeler.core.curation.entities import BuiltImage, Candidate, Strategy
from labeler.core.hash_order import hash_key
from labeler.core.study.entities import ImageKey

# The frequency bins [0, .2) [.2, .4) [.4, .6) [.6, .8) [.8, 1].
BINS = 5
PER_CLASS = 10
THRESHOLD = Fraction(7, 10)
# A class needs this many reference images with enough answers to match their frequencies.
MIN_REFERENCES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingRules:
    """The strategy and its numbers; `thresholds` replaces the threshold of single classes."""

    strategy: Strategy
    seed: int
    per_class: int = PER_CLASS
    threshold: Fraction = THRESHOLD
    thresholds: Mapping[str, Fraction] = field(default_factory=dict)
    min_references: int = MIN_REFERENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDraw:
    """The images drawn for a class, and how many are missing.

    `missing_in_bins` says in which bins, for the strategy that has them. A `refused` class has too
    few reference images with enough answers.
    """

    label: str
    images: tuple[BuiltImage, ...]
    missing: int
    missing_in_bins: Mapping[int, int] = field(default_factory=dict)
    refused: bool = False


def frequency_bin(value: Fraction) -> int:
    """Return the bin of a frequency, from 0."""
    return min(int(value * BINS), BINS - 1)


def bin_words(place: int) -> str:
    """Return the limits of a bin, such as 0.2–0.4."""
    return f"{place / BINS:.1f}–{(place + 1) / BINS:.1f}"


def largest_remainder(counts: Sequence[int], total: int) -> list[int]:
    """Scale counts to a total; equal remainders favour the higher place."""
    whole = sum(counts)
    if not whole:
        raise ValueError("there is nothing to scale")
    shares = [divmod(count * total, whole) for count in counts]
    scaled = [share for share, _remainder in shares]
    order = sorted(range(len(counts)), key=lambda at: (shares[at][1], at), reverse=True)
    for place in order[: total - sum(scaled)]:
        scaled[place] += 1
    return scaled


def draw_class(
    label: str,
    eligible: Sequence[Candidate],
    rules: SamplingRules,
    *,
    references: Sequence[Fraction] = (),
    parent: Collection[BuiltImage] = (),
) -> ClassDraw:
    """Sample a class; eligible images of the parent revision come first where the rule has room.

    `references` are the frequencies of the class's reference images with enough answers.
    """
    if rules.strategy is Strategy.THRESHOLD:
        return _draw_threshold(label, eligible, rules, parent)
    if rules.strategy is Strategy.TOP_IMAGES:
        return _draw_top(label, eligible, rules, parent)
    return _draw_matched(label, eligible, rules, references, parent)


def _draw_threshold(
    label: str, eligible: Sequence[Candidate], rules: SamplingRules, parent: Iterable[BuiltImage]
) -> ClassDraw:
    threshold = rules.thresholds.get(label, rules.threshold)
    before = {built.image for built in parent}
    above = _drawing_order((c for c in eligible if c.value >= threshold), rules.seed, before)
    return _without_bins(label, above[: rules.per_class], before, rules)


def _draw_top(
    label: str, eligible: Sequence[Candidate], rules: SamplingRules, parent: Iterable[BuiltImage]
) -> ClassDraw:
    before = {built.image for built in parent}

    def rank(each: Candidate) -> tuple[Fraction, int, bool, ImageKey]:
        return each.value, each.shown, each.image in before, each.image

    best = sorted(eligible, key=rank, reverse=True)[: rules.per_class]
    return _without_bins(label, best, before, rules)


def _without_bins(
    label: str, drawn: Sequence[Candidate], before: Collection[ImageKey], rules: SamplingRules
) -> ClassDraw:
    images = tuple(
        BuiltImage(image=each.image, label=label, carried=each.image in before) for each in drawn
    )
    return ClassDraw(label=label, images=images, missing=rules.per_class - len(images))


def _draw_matched(
    label: str,
    eligible: Sequence[Candidate],
    rules: SamplingRules,
    references: Sequence[Fraction],
    parent: Iterable[BuiltImage],
) -> ClassDraw:
    if len(references) < rules.min_references:
        return ClassDraw(label=label, images=(), missing=rules.per_class, refused=True)
    histogram = [0] * BINS
    for value in references:
        histogram[frequency_bin(value)] += 1
    targets = largest_remainder(histogram, rules.per_class)
    return _BinFiller(label, eligible, targets, rules.seed, parent).fill()


class _BinFiller:
    """Fills the bins of one class: from the parent, by drawing, then from higher bins."""

    def __init__(
        self,
        label: str,
        eligible: Sequence[Candidate],
        targets: Sequence[int],
        seed: int,
        parent: Iterable[BuiltImage],
    ) -> None:
        self._label, self._targets = label, targets
        self._before = {built.image: built for built in parent}
        self._left: list[list[Candidate]] = [[] for _ in targets]
        for each in _drawing_order(eligible, seed, self._before):
            self._left[frequency_bin(each.value)].append(each)
        self._taken: list[list[BuiltImage]] = [[] for _ in targets]

    def fill(self) -> ClassDraw:
        bins = range(len(self._targets))
        for place in bins:
            self._keep_native(place)
        for place in bins:
            self._keep_upward(place)
        for place in bins:
            self._draw(place)
        for place in bins:
            self._fill_from_above(place)
        missing = {place: self._short(place) for place in bins if self._short(place)}
        return ClassDraw(
            label=self._label,
            images=tuple(built for taken in self._taken for built in taken),
            missing=sum(missing.values()),
            missing_in_bins=missing,
        )

    def _short(self, place: int) -> int:
        return self._targets[place] - len(self._taken[place])

    def _keep_native(self, place: int) -> None:
        """Keep the parent's images of the bin, but not those that fill a lower one."""
        kept = [each for each in self._left[place] if self._role(each, place) == place]
        for each in kept[: self._short(place)]:
            self._take(each, place)

    def _keep_upward(self, place: int) -> None:
        """Keep the parent's images of higher bins that fill this one."""
        kept = [
            each
            for above in range(place + 1, len(self._targets))
            for each in self._left[above]
            if self._role(each, above) == place
        ]
        for each in kept[: self._short(place)]:
            self._take(each, place)

    def _role(self, candidate: Candidate, own: int) -> int | None:
        """Return the bin that a parent's image keeps: its role, or its own if it has moved."""
        built = self._before.get(candidate.image)
        if built is None:
            return None
        role = built.bin
        fills_lower = role is not None and role != built.from_bin
        return role if fills_lower and role is not None and role < own else own

    def _draw(self, place: int) -> None:
        for each in self._left[place][: self._short(place)]:
            self._take(each, place)

    def _fill_from_above(self, place: int) -> None:
        """Fill a shortfall one image at a time from the nearest higher bin; never downward."""
        above = range(place + 1, len(self._targets))
        while self._short(place):
            source = next((other for other in above if self._left[other]), None)
            if source is None:
                return
            self._take(self._left[source][0], place)

    def _take(self, each: Candidate, place: int) -> None:
        own = frequency_bin(each.value)
        self._left[own].remove(each)
        built = BuiltImage(
            image=each.image,
            label=self._label,
            bin=place,
            from_bin=own,
            carried=each.image in self._before,
        )
        self._taken[place].append(built)


def _drawing_order(
    candidates: Iterable[Candidate], seed: int, before: Collection[ImageKey]
) -> list[Candidate]:
    """Return the parent's images first, then the others, each in the random order of the seed."""

    def order(each: Candidate) -> tuple[bool, bytes, ImageKey]:
        key = each.image
        drawn = hash_key(seed, "built dataset", each.label, key.dataset, key.image)
        return key not in before, drawn, key

    return sorted(candidates, key=order)
