"""Read what annotators said and compute its numbers for the report."""

from collections import defaultdict

import numpy as np

from labeler.core.classes.groups import ClassGroups
from labeler.core.crowd.analysis.annotations import (
    AnnotatedDataset,
    AnnotatedImage,
    Predictions,
)
from labeler.core.crowd.analysis.numbers import CrowdNumbers, crowd_numbers
from labeler.core.crowd.frequencies import QualityRule, judge_answers
from labeler.core.metrics.study_answers import NO_GUESS, NO_LABEL, DatasetAnswers, StudyAnswers
from labeler.store.study_store import Transaction

_RANKS = 5


def read_crowd_numbers(
    study: Transaction, answers: StudyAnswers, groups: ClassGroups, *, seed: int
) -> CrowdNumbers:
    """Compute the analyses from the last aggregation; without one there are no numbers."""
    crowd = study.crowd
    by_dataset: dict[str, list[AnnotatedImage]] = defaultdict(list)
    pools = set(study.pools.names())
    for key, image in sorted(crowd.annotated_images().items()):
        if key.dataset not in pools:
            by_dataset[key.dataset].append(image)
    if not by_dataset:
        return CrowdNumbers()
    quality = QualityRule(crowd.last_quality() or QualityRule.CONTROLS)
    judged = judge_answers(
        crowd.grids(), crowd.contains_answers(), rule=quality, barred_grids=crowd.barred_grids()
    )
    return crowd_numbers(
        tuple(with_predictions(answers, d, tuple(i)) for d, i in sorted(by_dataset.items())),
        quality=quality,
        annotators=judged.annotators,
        superclasses=_superclasses(groups),
        seed=seed,
    )


def _superclasses(groups: ClassGroups) -> dict[str, str]:
    """Map each class to its first superclass."""
    found: dict[str, str] = {}
    for group in groups.superclasses.values():
        for wnid in group.wnids:
            found.setdefault(wnid, group.title)
    return found


def with_predictions(
    answers: StudyAnswers, name: str, images: tuple[AnnotatedImage, ...]
) -> AnnotatedDataset:
    """Add what participants answered about the images of a dataset."""
    dataset = next((each for each in answers.datasets if each.name == name), None)
    predictions: list[Predictions] = []
    if dataset is not None:
        wanted = {image.image for image in images}
        places = [(place, i) for place, i in enumerate(dataset.images) if i in wanted]
        predictions = [
            *_human_predictions(answers, dataset, places),
            *_model_predictions(answers, dataset, places),
        ]
    return AnnotatedDataset(dataset=name, images=images, predictions=tuple(predictions))


def _human_predictions(
    answers: StudyAnswers, dataset: DatasetAnswers, places: list[tuple[int, str]]
) -> list[Predictions]:
    return [
        Predictions(
            participant=code,
            ranked=False,
            labels={
                image: (answers.wnids[labels[place]],)
                for place, image in places
                if labels[place] != NO_LABEL
            },
        )
        for code, labels in zip(answers.humans, dataset.human_labels, strict=True)
    ]


def _model_predictions(
    answers: StudyAnswers, dataset: DatasetAnswers, places: list[tuple[int, str]]
) -> list[Predictions]:
    ranked = answers.with_ranks[len(answers.humans) :].tolist()
    found = []
    for code, guesses, has_ranks in zip(answers.models, dataset.model_guesses, ranked, strict=True):
        if guesses is not None:
            rows = np.asarray(guesses[:, :_RANKS]).tolist()
            labels = {
                image: tuple(answers.wnids[guess] for guess in rows[place] if guess != NO_GUESS)
                for place, image in places
            }
            found.append(Predictions(participant=code, ranked=has_ranks, labels=labels))
    return found
