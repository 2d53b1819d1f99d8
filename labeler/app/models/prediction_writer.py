"""Assemble predictions and store them in the study as one row per model and dataset."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from labeler.app.models.part_file import PartContents
from labeler.app.models.scoring_plan import DatasetPlan
from labeler.app.models.scoring_request import DatasetScoringResult, UnscoredImage
from labeler.core.classes.taxonomy import Taxonomy
from labeler.core.errors import RefusedError
from labeler.core.models.prediction_order import label_alignment
from labeler.core.models.scoring import ScoredChunk
from labeler.core.study.entities import Participant, ParticipantKind, is_valid_code
from labeler.core.study.exchange_rows import quoted
from labeler.images.unreadable import UnreadableReason
from labeler.store.models.predictions import NO_LABEL, PackedPredictions
from labeler.store.study_store import StudyStore

_ORGANISM = "n00004475"


def assemble_predictions(
    images: int, ranks: int, stored: PackedPredictions | None, chunks: Iterable[ScoredChunk]
) -> PackedPredictions:
    """Return all predictions by ordinal and rank: stored ones and new chunks."""
    labels = np.full((images, ranks), NO_LABEL, np.uint16)
    scores = np.full((images, ranks), np.nan, np.float32)
    if stored is not None:
        common = min(ranks, stored.ranks)
        labels[: stored.images, :common] = stored.labels[:, :common]
        if stored.scores is not None:
            scores[: stored.images, :common] = stored.scores[:, :common]
    for chunk in chunks:
        rows = list(chunk.ordinals)
        labels[rows, : chunk.labels.shape[1]] = chunk.labels
        scores[rows, : chunk.scores.shape[1]] = chunk.scores
    return PackedPredictions(labels, scores)


def require_better_than_chance(
    predictions: PackedPredictions, plan: DatasetPlan, taxonomy: Taxonomy, *, model: str
) -> None:
    """Refuse labels that look shuffled, as with a wrong class list or order of images."""
    answered = predictions.labels[:, 0] != NO_LABEL
    targets = plan.targets[: predictions.images][answered]
    alignment = label_alignment(targets, predictions.labels[answered, 0], class_kinds(taxonomy))
    if alignment.is_chance:
        raise RefusedError(
            f"{model}'s labels on {plan.dataset.name} agree with the targets no better than chance "
            f"({alignment.same_class:,} of {alignment.images:,}), not even on what is an organism. "
            "The classes or the images are probably in another order than declared. Nothing was "
            "stored. If the model really knows nothing, you can store its labels anyway.",
            by_command="Use `--accept-chance` to store them.",
        )


def class_kinds(taxonomy: Taxonomy) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return 1 for each class that is an organism, else 0; all 0 in another taxonomy."""
    if _ORGANISM not in taxonomy:
        return np.zeros(len(taxonomy.class_wnids), np.int64)
    return np.array([int(taxonomy.is_under(w, _ORGANISM)) for w in taxonomy.class_wnids], np.int64)


def require_model_name(store: StudyStore, name: str) -> None:
    """Refuse a name that isn't a valid code or belongs to a person."""
    if not is_valid_code(name):
        raise RefusedError(
            f"{quoted(name)} can't be a participant's code. Give the model another name of "
            "at most 64 characters without spaces, commas, bars or slashes."
        )
    with store.read() as study:
        known = study.participants.find(name)
    if known is not None and known.kind is ParticipantKind.HUMAN:
        raise RefusedError(f"'{name}' is a person in this study. Give the model another name.")


def provenance(
    plan: DatasetPlan, part: PartContents, missing: Iterable[UnscoredImage]
) -> dict[str, object]:
    """Return how the predictions were made: model, weights, transform and all runs."""
    before = plan.stored.provenance if plan.stored is not None else {}
    last = part.runs[-1]
    return {
        "made_by": "labeler score",
        "identity": last["identity"],
        "asked": last["asked"],
        "weights": last["weights"],
        "parameters": last["parameters"],
        "logits": last["logits"],
        "runs": [*before.get("runs", []), *(run["run"] for run in part.runs)],
        "not_scored": [[image.image, image.reason] for image in missing],
    }


def unscored_images(plan: DatasetPlan, part: PartContents) -> tuple[UnscoredImage, ...]:
    """Return the images without a prediction in the order of the dataset."""
    reasons = {file.ordinal: file.reason for c in part.chunks for file in c.unreadable}
    return tuple(
        UnscoredImage(image.name, reasons.get(image.ordinal, UnreadableReason.MISSING.value))
        for image in plan.images
        if image.ordinal in reasons or not image.path
    )


def store_predictions(
    store: StudyStore,
    plan: DatasetPlan,
    predictions: PackedPredictions,
    about: Mapping[str, object],
    *,
    model: str,
    description: str,
) -> None:
    """Write the row, and the participant if it is new, in one transaction."""
    with store.write() as study:
        if study.participants.find(model) is None:
            study.participants.add(Participant(model, ParticipantKind.MODEL, description))
        study.model_predictions.put(model, plan.dataset.name, predictions, about)
        study.audit.record("model scored", participant=model, dataset=plan.dataset.name)


def scoring_result(
    plan: DatasetPlan,
    predictions: PackedPredictions,
    *,
    model: str,
    scored_now: int,
    missing: tuple[UnscoredImage, ...],
) -> DatasetScoringResult:
    first = predictions.labels[:, 0]
    targets = plan.targets[: len(first)]
    return DatasetScoringResult(
        model=model,
        dataset=plan.dataset.name,
        images=len(plan.images),
        answered=int(np.count_nonzero(first != NO_LABEL)),
        right=int(np.count_nonzero(first == targets)),
        scored_now=scored_now,
        not_scored=missing,
    )
