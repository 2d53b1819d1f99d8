"""Aggregate annotators' answers into frequencies, candidate labels and objects."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.crowd.candidate_labels import candidate_labels, image_status
from labeler.core.crowd.entities import (
    AnnotationStatus,
    ClassifyAnswer,
    GridRole,
    ImageLabel,
    SelectionFrequency,
)
from labeler.core.crowd.frequencies import (
    AnnotatorQuality,
    QualityRule,
    judge_answers,
    selection_frequencies,
)
from labeler.core.crowd.objects import (
    ImageObjects,
    check_answers,
    find_objects,
    has_too_many_labels,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.crowd.crowd_answers import AGGREGATED, CrowdAnswers
from labeler.store.study_store import StudyStore

NOTHING_TO_AGGREGATE = (
    "There is nothing to aggregate: the study has no answers of annotators and no selection "
    "frequencies. Import grids.csv with contains_answers.csv, selection_frequencies.csv or "
    "classify_answers.csv first."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdAggregation:
    """What an aggregation stored."""

    quality: QualityRule
    frequencies: int
    statuses: Mapping[AnnotationStatus, int]
    objects: Mapping[int, int]
    annotators: tuple[AnnotatorQuality, ...]
    contradictory_answers: int
    excluded_from_objects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Frequencies:
    """The frequencies of all pairs, the images that were asked about, and who answered."""

    found: Mapping[ImageLabel, SelectionFrequency]
    asked: frozenset[ImageKey]
    annotators: tuple[AnnotatorQuality, ...] = ()


def aggregate_crowd(
    store: StudyStore, *, quality: QualityRule, place_all: bool = False
) -> CrowdAggregation:
    """Aggregate all answers and replace what earlier aggregations derived from them.

    Frequencies that were imported without their answers are used as they are.
    """
    taxonomy = store.taxonomy
    with store.write() as transaction:
        answers = transaction.crowd
        frequencies = _frequencies(answers, quality)
        checked = check_answers(answers.classify_answers())
        if not frequencies.found and not checked.kept and not checked.contradictory:
            raise RefusedError(NOTHING_TO_AGGREGATE)
        by_image = _by_image(checked.kept)
        targets = answers.targets(frequencies.asked | by_image.keys())
        labels = _labels_by_image(frequencies)
        statuses = {image: image_status(targets[image], labels[image]) for image in sorted(labels)}
        objects = _find_all_objects(by_image, statuses, targets, taxonomy, place_all=place_all)
        answers.replace_frequencies(frequencies.found)
        answers.replace_candidate_labels(
            {image: candidate_labels(targets[image], labels[image], taxonomy) for image in labels}
        )
        answers.replace_objects(statuses, objects)
        transaction.audit.record(AGGREGATED, quality=str(quality))
    return CrowdAggregation(
        quality=quality,
        frequencies=len(frequencies.found),
        statuses=Counter(statuses.values()),
        objects=Counter(found.num_objects for found in objects.values()),
        annotators=frequencies.annotators,
        contradictory_answers=checked.contradictory,
        excluded_from_objects=tuple(sorted(checked.excluded)),
    )


def _frequencies(answers: CrowdAnswers, quality: QualityRule) -> _Frequencies:
    grids = answers.grids()
    given = answers.contains_answers()
    if not given:
        stored = answers.frequencies()
        return _Frequencies(stored, frozenset(pair.image for pair in stored))
    judged = judge_answers(grids, given, rule=quality, barred_grids=answers.barred_grids())
    asked = frozenset(
        shown.image
        for grid in grids.values()
        for shown in grid.images.values()
        if shown.role is GridRole.CANDIDATE
    )
    return _Frequencies(selection_frequencies(grids, judged.kept), asked, judged.annotators)


def _labels_by_image(
    frequencies: _Frequencies,
) -> dict[ImageKey, dict[str, SelectionFrequency]]:
    """Return the frequencies of each image; one whose answers all don't count has none."""
    labels: dict[ImageKey, dict[str, SelectionFrequency]] = {i: {} for i in frequencies.asked}
    for pair, frequency in frequencies.found.items():
        if pair.image in frequencies.asked:
            labels[pair.image][pair.label] = frequency
    return labels


def _by_image(answers: tuple[ClassifyAnswer, ...]) -> dict[ImageKey, list[ClassifyAnswer]]:
    by_image: dict[ImageKey, list[ClassifyAnswer]] = defaultdict(list)
    for answer in answers:
        by_image[answer.image].append(answer)
    return by_image


def _find_all_objects(
    by_image: Mapping[ImageKey, list[ClassifyAnswer]],
    statuses: dict[ImageKey, AnnotationStatus],
    targets: Mapping[ImageKey, str],
    taxonomy: Taxonomy,
    *,
    place_all: bool,
) -> dict[ImageKey, ImageObjects]:
    """Find the objects of the images to follow up; an image without frequencies is one, too."""
    distance = lru_cache(maxsize=None)(taxonomy.distance)
    objects: dict[ImageKey, ImageObjects] = {}
    for image, answers in sorted(by_image.items()):
        if statuses.setdefault(image, AnnotationStatus.FOLLOW_UP) is not AnnotationStatus.FOLLOW_UP:
            continue
        if has_too_many_labels(answers):
            statuses[image] = AnnotationStatus.TOO_MANY_LABELS
            continue
        objects[image] = find_objects(
            answers, target=targets[image], distance=distance, place_all=place_all
        )
    return objects
