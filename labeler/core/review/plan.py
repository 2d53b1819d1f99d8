"""The plan of a review stage: what is reviewed and by whom."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from labeler.core.errors import RefusedError
from labeler.core.hash_order import hash_key, shuffled
from labeler.core.review.blinding import (
    ImageLabelPair,
    ReviewVisit,
    pool_pairs,
    repeat_visit,
    review_visit,
)
from labeler.core.review.leak import PlanContents
from labeler.core.study.entities import ImageKey, Stage
from labeler.core.study.phases import NO_REVIEWERS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPlanRequest:
    """The lead's settings for a review plan.

    `overlap`: how many reviewers judge each image. `model_seeds`: how many model predictions are
    added to each image of a final review. `again`: the share of labels judged in the initial review
    that the final review repeats. `repeats`: the share of judgements that a reviewer makes twice
    within the stage. `leak`: decoys keep every cue to a label's source within this distance of the
    base rate; None is a plan without decoys.
    """

    stage: Stage
    seed: int
    reviewers: tuple[str, ...]
    overlap: int = 1
    model_seeds: int = 1
    again: float = 0.0
    repeats: float = 0.0
    leak: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedReview:
    """What a stage's plan already contains: pairs, the reviewers of each image, repeats.

    `decoys` are those of the pairs that were planned as decoys.
    """

    pairs: frozenset[ImageLabelPair] = frozenset()
    decoys: frozenset[ImageLabelPair] = frozenset()
    reviewers: Mapping[ImageKey, tuple[str, ...]] = field(default_factory=dict)
    repeats: frozenset[tuple[str, ImageLabelPair]] = frozenset()


@dataclass(frozen=True, slots=True)
class PlannedRepeat:
    """A pair that a reviewer judges a second time."""

    pair: ImageLabelPair
    visit: ReviewVisit


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPlanDraft:
    """The additions to a plan: pairs, visits, repeats, and the judgements per reviewer.

    `decoys` are those of the pairs that nobody proposed; `contents` is the whole plan as the
    reviewers see it.
    """

    request: ReviewPlanRequest
    pairs: tuple[ImageLabelPair, ...]
    decoys: frozenset[ImageLabelPair]
    contents: PlanContents
    visits: tuple[ReviewVisit, ...]
    repeats: tuple[PlannedRepeat, ...]
    judgements: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.judgements.values())


def initial_pairs(
    targets: Mapping[ImageKey, str], first_predictions: Iterable[ImageLabelPair]
) -> frozenset[ImageLabelPair]:
    """Return every image's target and the models' distinct first predictions."""
    of_targets = (ImageLabelPair(image, target) for image, target in targets.items())
    return pool_pairs(of_targets, (pair for pair in first_predictions if pair.image in targets))


def final_pairs(
    request: ReviewPlanRequest,
    *,
    human: Iterable[ImageLabelPair],
    models: Iterable[ImageLabelPair],
    judged: frozenset[ImageLabelPair],
    planned: frozenset[ImageLabelPair] = frozenset(),
) -> frozenset[ImageLabelPair]:
    """Return the human answers to judge, with model predictions mixed in.

    `human` are predictions and alternatives, `models` first predictions, `judged` what was already
    judged, `planned` what the final review already contains.
    """
    to_judge = pool_pairs(human) - judged - planned
    seeded = _seeds(request, to_judge, pool_pairs(models))
    return to_judge | seeded | _asked_again(request, judged)


def count_single_source_images(
    pairs: Iterable[ImageLabelPair],
    *,
    human: Iterable[ImageLabelPair],
    models: Iterable[ImageLabelPair],
) -> int:
    """Count the images with labels of only humans or only models, as information for the lead."""
    by_humans, by_models = pool_pairs(human), pool_pairs(models)
    images = {pair.image for pair in pairs}
    human_images = {pair.image for pair in pairs if pair in by_humans}
    model_images = {pair.image for pair in pairs if pair in by_models}
    return len(images) - len(human_images & model_images)


def draft_review_plan(
    request: ReviewPlanRequest,
    pairs: Iterable[ImageLabelPair],
    *,
    planned: PlannedReview | None = None,
    known: Mapping[str, frozenset[ImageLabelPair]] | None = None,
    mix: Callable[[PlanContents], frozenset[ImageLabelPair]] | None = None,
) -> ReviewPlanDraft:
    """Return what to add to the plan for these pairs; planned pairs are not repeated.

    `known` are the pairs of the other stage by reviewer: an image goes to reviewers who don't know
    it, if there are enough. `mix` returns the decoys for a plan.
    """
    before = planned or PlannedReview()
    _check(request)
    new = sorted(frozenset(pairs) - before.pairs, key=_parts)
    labels = _labels_by_image((*sorted(before.pairs, key=_parts), *new))
    visits = _new_visits(request, labels, before.reviewers, known or {})
    reviewers = _reviewers_by_image(before.reviewers, visits)
    contents = PlanContents(
        labels=labels,
        reviewers=reviewers,
        known=known or {},
        before=before.pairs,
        reviewers_before=before.reviewers,
    )
    decoys = frozenset() if mix is None else mix(contents)
    for pair in sorted(decoys, key=_parts):
        labels[pair.image].append(pair)
    new = sorted({*new, *decoys}, key=_parts)
    asked = _asked(new, visits, labels, reviewers)
    repeats = _repeats(request, asked, before.repeats)
    again = Counter(repeat.visit.reviewer for repeat in repeats)
    judgements = {code: len(pairs) + again[code] for code, pairs in asked.items()}
    return ReviewPlanDraft(
        request=request,
        pairs=tuple(new),
        decoys=decoys,
        contents=contents,
        visits=tuple(visits),
        repeats=tuple(repeats),
        judgements=judgements,
    )


def _check(request: ReviewPlanRequest) -> None:
    if not request.reviewers:
        raise RefusedError(NO_REVIEWERS)
    if not 1 <= request.overlap <= len(request.reviewers):
        available = (
            "there is 1" if len(request.reviewers) == 1 else f"there are {len(request.reviewers)}"
        )
        raise RefusedError(
            f"Each image can't go to {request.overlap} reviewers: {available} "
            f"({', '.join(request.reviewers)}). Choose fewer reviewers per image, or add reviewers."
        )


def _seeds(
    request: ReviewPlanRequest, asked: frozenset[ImageLabelPair], models: frozenset[ImageLabelPair]
) -> frozenset[ImageLabelPair]:
    images = {pair.image for pair in asked}
    offered: dict[ImageKey, list[ImageLabelPair]] = defaultdict(list)
    for pair in models - asked:
        if pair.image in images:
            offered[pair.image].append(pair)
    return frozenset(
        pair
        for pairs in offered.values()
        for pair in _drawn(pairs, request.seed, "model seeds")[: request.model_seeds]
    )


def _asked_again(
    request: ReviewPlanRequest, judged: frozenset[ImageLabelPair]
) -> frozenset[ImageLabelPair]:
    return frozenset(
        pair for pair in judged if _share(request.seed, "again", *_parts(pair)) < request.again
    )


def _labels_by_image(pairs: Iterable[ImageLabelPair]) -> dict[ImageKey, list[ImageLabelPair]]:
    labels: dict[ImageKey, list[ImageLabelPair]] = defaultdict(list)
    for pair in pairs:
        labels[pair.image].append(pair)
    return labels


def _new_visits(
    request: ReviewPlanRequest,
    labels: Mapping[ImageKey, Sequence[ImageLabelPair]],
    before: Mapping[ImageKey, tuple[str, ...]],
    known: Mapping[str, frozenset[ImageLabelPair]],
) -> list[ReviewVisit]:
    """Assign every image to as many reviewers as `overlap`.

    Those who don't know the image come first, then those with the least work.
    """
    known_images = {code: {pair.image for pair in pairs} for code, pairs in known.items()}
    load = dict.fromkeys(request.reviewers, 0)
    for image, codes in before.items():
        for code in codes:
            load[code] = load.get(code, 0) + len(labels.get(image, ()))
    visits = []
    for image in _drawn_images(labels, request.seed):
        knowing = {code for code, images in known_images.items() if image in images}
        for code in _least_loaded(request, image, before.get(image, ()), load, knowing):
            load[code] += len(labels[image])
            visits.append(
                review_visit(request.seed, stage=request.stage, reviewer=code, image=image)
            )
    return visits


def _least_loaded(
    request: ReviewPlanRequest,
    image: ImageKey,
    taken: tuple[str, ...],
    load: Mapping[str, int],
    knowing: set[str],
) -> list[str]:
    """Return who gets the image; ties are broken by the seed."""
    free = [code for code in request.reviewers if code not in taken]
    turn = int.from_bytes(hash_key(request.seed, "reviewers", image.dataset, image.image)[:4])
    turned = [free[(turn + n) % len(free)] for n in range(len(free))]
    ranked = sorted(turned, key=lambda code: (code in knowing, load[code]))
    return ranked[: max(request.overlap - len(taken), 0)]


def _reviewers_by_image(
    before: Mapping[ImageKey, tuple[str, ...]], visits: Iterable[ReviewVisit]
) -> dict[ImageKey, list[str]]:
    reviewers = defaultdict(list, {image: list(codes) for image, codes in before.items()})
    for visit in visits:
        reviewers[visit.image].append(visit.reviewer)
    return reviewers


def _asked(
    new: Iterable[ImageLabelPair],
    visits: Iterable[ReviewVisit],
    labels: Mapping[ImageKey, Sequence[ImageLabelPair]],
    reviewers: Mapping[ImageKey, Sequence[str]],
) -> dict[str, set[ImageLabelPair]]:
    """Return what each reviewer judges now: new pairs of old images, all pairs of new images."""
    asked: dict[str, set[ImageLabelPair]] = defaultdict(set)
    for pair in new:
        for code in reviewers[pair.image]:
            asked[code].add(pair)
    for visit in visits:
        asked[visit.reviewer].update(labels[visit.image])
    return asked


def _repeats(
    request: ReviewPlanRequest,
    asked: Mapping[str, Iterable[ImageLabelPair]],
    before: frozenset[tuple[str, ImageLabelPair]],
) -> list[PlannedRepeat]:
    if not request.repeats:
        return []
    drawn = {
        code: [
            pair
            for pair in asked[code]
            if (code, pair) not in before
            and _share(request.seed, "repeats", request.stage, code, *_parts(pair))
            < request.repeats
        ]
        for code in sorted(asked)
    }
    return [
        PlannedRepeat(
            pair, repeat_visit(request.seed, stage=request.stage, reviewer=code, pair=pair)
        )
        for code, pairs in drawn.items()
        for pair in sorted(pairs, key=_parts)
    ]


def _share(seed: int, purpose: str, *parts: str) -> float:
    """Return a number from 0 to 1 that depends on the seed and the parts."""
    return int.from_bytes(hash_key(seed, purpose, *parts)[:7]) / (1 << 56)


def _drawn(pairs: Iterable[ImageLabelPair], seed: int, purpose: str) -> list[ImageLabelPair]:
    return shuffled(pairs, seed=seed, purpose=purpose, key=_parts)


def _drawn_images(images: Iterable[ImageKey], seed: int) -> list[ImageKey]:
    return shuffled(
        images, seed=seed, purpose="images to assign", key=lambda key: (key.dataset, key.image)
    )


def _parts(pair: ImageLabelPair) -> tuple[str, str, str]:
    return (pair.image.dataset, pair.image.image, pair.label)
