"""How many decoys a plan needs so that a label's source can't be guessed, and which."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from labeler.core.hash_order import hash_key, shuffled
from labeler.core.review.blinding import ImageLabelPair
from labeler.core.review.decoys import DecoyCandidates
from labeler.core.review.leak import (
    Flags,
    LabelSources,
    PlanContents,
    SeenLabels,
    posteriors,
    seen_labels,
)
from labeler.core.study.entities import ImageKey

# The rule is found on this many images, which is enough for shares of a few per cent.
_SAMPLE = 500
# More decoys than this on one image cost more than they hide.
MAX_DECOYS = 6
# If no rule keeps to the limit, a cheaper rule may exceed it by this factor more than the best.
_TOLERANCE = 1.1
_POINTING_AWAY = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFacts:
    """What a rule looks at: labels, those that are new, and those its reviewers know.

    `met` says whether a reviewer has met the image before; `turn` rounds a share at random.
    """

    labels: int
    new: int
    known: int
    met: bool
    turn: float


@dataclass(frozen=True, slots=True)
class DecoyRule:
    """How many decoys an image gets: the largest of three numbers, and earlier decoys again.

    `least`: as many as fill the image up to this many labels, at least two: a single label would
    be the target, or the answer of a human. `per_label`: a share of its labels. `per_new`: for each
    new label, if a reviewer has met the image. `per_known`: earlier decoys that are asked again,
    for each known label.
    """

    least: int
    per_label: float
    per_new: int
    per_known: int

    def fresh(self, image: ImageFacts) -> int:
        wanted = max(
            self.least - image.labels,
            int(self.per_label * image.labels + image.turn),
            self.per_new * image.new if image.met else 0,
        )
        return min(max(wanted, 0), MAX_DECOYS)

    def again(self, image: ImageFacts) -> int:
        return min(self.per_known * image.known, MAX_DECOYS)


_RULES = tuple(
    DecoyRule(*numbers)
    for numbers in product(range(2, 6), (0.0, 0.25, 0.5, 1.0), range(4), range(3))
)


class DecoyMix:
    """Chooses the decoys of a plan.

    `earlier` are decoys of the other stage, which can be asked again: a known label would otherwise
    always be one that someone proposed.
    """

    def __init__(
        self,
        plan: PlanContents,
        candidates: DecoyCandidates,
        *,
        earlier: Iterable[ImageLabelPair],
        seed: int,
    ) -> None:
        self._plan, self._candidates, self._seed = plan, candidates, seed
        self._elsewhere = _labels_elsewhere(plan)
        self._earlier = self._again(earlier)
        self._facts = self._image_facts()

    def decoys(self, sources: LabelSources, *, limit: float) -> frozenset[ImageLabelPair]:
        """Return the decoys with which every cue is within the limit, or as near as possible."""
        rule = self._choose_rule(sources, limit)
        return frozenset(
            ImageLabelPair(image, wnid)
            for image, facts in self._facts.items()
            for wnid in (
                *self._fresh(image, rule.fresh(facts)),
                *self._earlier.get(image, ())[: rule.again(facts)],
            )
        )

    def _choose_rule(self, sources: LabelSources, limit: float) -> DecoyRule:
        """Return the rule with the fewest judgements that keeps to the limit, or nearly so."""
        sample = self._sample()
        facts = [self._facts.get(image) for image in sample.labels]
        tried = [image for image in sample.labels if image in self._facts]
        seen = seen_labels(
            sample,
            sources,
            fresh={image: self._fresh(image, MAX_DECOYS) for image in tried},
            again={image: self._earlier.get(image, ()) for image in tried},
        )
        shown = {rule: _shown(seen, facts, rule) for rule in _RULES}
        # Rules that show the same labels are tried once.
        distinct = {flags.tobytes(): rule for rule, flags in reversed(shown.items())}.values()
        excess = {}
        for rule in sorted(distinct, key=lambda rule: int(shown[rule].sum())):
            excess[rule] = _excess(seen, shown[rule], limit)
            if not excess[rule]:
                return rule
        accepted = _TOLERANCE * min(excess.values())
        return next(rule for rule, value in excess.items() if value <= accepted)

    def _image_facts(self) -> dict[ImageKey, ImageFacts]:
        """Return the images with something new to judge."""
        plan, known_images = self._plan, self._plan.known_images()
        facts = {}
        for image, pairs in plan.labels.items():
            new = sum(pair not in plan.before for pair in pairs)
            codes, before = plan.reviewers.get(image, ()), plan.reviewers_before.get(image, ())
            if not new and len(codes) <= len(before):
                continue
            parts = (image.dataset, image.image)
            elsewhere = self._elsewhere.get(image, ())
            met = bool(before) or any(image in known_images.get(code, ()) for code in codes)
            facts[image] = ImageFacts(
                labels=len(pairs),
                new=sum(pair not in plan.before and pair.label not in elsewhere for pair in pairs),
                known=sum(pair.label in elsewhere for pair in pairs),
                met=met,
                turn=int.from_bytes(hash_key(self._seed, "decoys", *parts)[:4]) / 2**32,
            )
        return facts

    def _again(self, earlier: Iterable[ImageLabelPair]) -> dict[ImageKey, tuple[str, ...]]:
        """Return the earlier decoys of each image that aren't in the plan, in random order."""
        labels: dict[ImageKey, list[str]] = defaultdict(list)
        drawn = shuffled(
            (pair for pair in earlier if not self._candidates.is_proposed(pair)),
            seed=self._seed,
            purpose="decoys again",
            key=lambda pair: (pair.image.dataset, pair.image.image, pair.label),
        )
        for pair in drawn:
            if pair not in self._plan.labels.get(pair.image, ()):
                labels[pair.image].append(pair.label)
        return {image: tuple(wnids[:MAX_DECOYS]) for image, wnids in labels.items()}

    def _fresh(self, image: ImageKey, count: int) -> tuple[str, ...]:
        labels = [pair.label for pair in self._plan.labels[image]]
        excluded = self._elsewhere.get(image, ())
        return self._candidates.of_image(image, labels, excluded=excluded, count=count)

    def _sample(self) -> PlanContents:
        images = shuffled(
            self._plan.labels,
            seed=self._seed,
            purpose="images to try",
            key=lambda key: (key.dataset, key.image),
        )
        chosen = {image: self._plan.labels[image] for image in images[:_SAMPLE]}
        return replace(self._plan, labels=chosen)


def _excess(seen: SeenLabels, shown: Flags, limit: float) -> float:
    """Return by how much the probabilities exceed the limit in total.

    A cue that points away from a source counts less: decoys can hardly change it.
    """
    return sum(
        (abs(p.excess) - limit) * (1.0 if p.excess > 0 else _POINTING_AWAY)
        for p in posteriors(seen, shown)
        if abs(p.excess) > limit
    )


def _shown(seen: SeenLabels, images: Sequence[ImageFacts | None], rule: DecoyRule) -> Flags:
    fresh = np.array([0 if facts is None else rule.fresh(facts) for facts in images], np.int64)
    again = np.array([0 if facts is None else rule.again(facts) for facts in images], np.int64)
    if not len(images):
        return np.zeros(0, np.bool_)
    return np.asarray((seen.fresh < fresh[seen.image]) & (seen.again < again[seen.image]))


def _labels_elsewhere(plan: PlanContents) -> Mapping[ImageKey, set[str]]:
    """Return the labels that reviewers meet on an image in the other stage."""
    labels: dict[ImageKey, set[str]] = defaultdict(set)
    for pairs in plan.known.values():
        for pair in pairs:
            labels[pair.image].add(pair.label)
    return labels
