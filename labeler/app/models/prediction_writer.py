"""Putting what was scored together, and into the study as one row."""

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
from labeler.images.unreadable import UnreadableReason
from labeler.store.models.predictions import NO_LABEL, PackedPredictions
from labeler.store.study_store import StudyStore

_ORGANISM = "n00004475"


def assemble_predictions(
    images: int, ranks: int, stored: PackedPredictions | None, chunks: Iterable[ScoredChunk]
) -> PackedPredictions:
    """All predictions by ordinal and rank: those that were there, and those that came out now."""
    labels = np.full((images, ranks), NO_LABEL, np.uint16)
    scores = np.full((images, ranks), np.nan, np.float32)
    if stored is not None:
        kept = min(ranks, stored.ranks)
        labels[: stored.images, :kept] = stored.labels[:, :kept]
        if stored.scores is not None:
            scores[: stored.images, :kept] = stored.scores[:, :kept]
    for chunk in chunks:
        places = list(chunk.ordinals)
        labels[places, : chunk.labels.shape[1]] = chunk.labels
        scores[places, : chunk.scores.shape[1]] = chunk.scores
    return PackedPredictions(labels, scores)


def require_better_than_chance(
    predictions: PackedPredictions, plan: DatasetPlan, taxonomy: Taxonomy, *, model: str
) -> None:
    """Refuse labels that look shuffled: a class list or a file in another order than believed."""
    answered = predictions.labels[:, 0] != NO_LABEL
    targets = plan.targets[: predictions.images][answered]
    alignment = label_alignment(targets, predictions.labels[answered, 0], class_kinds(taxonomy))
    if alignment.is_chance:
        raise RefusedError(
            f"{model}'s labels on {plan.dataset.name} agree with the targets no better than chance "
            f"({alignment.same_class:,} of {alignment.images:,}), not even on what is an organism "
            "and what isn't: the classes or the images are probably in another order than "
            "declared. Nothing was stored. If the model really knows nothing, its labels can be "
            "kept all the same.",
            by_command="`--accept-chance` keeps them.",
        )


def class_kinds(taxonomy: Taxonomy) -> np.ndarray[Any, np.dtype[np.int64]]:
    """1 for each class that is an organism, 0 for the others; all 0 in another taxonomy."""
    if _ORGANISM not in taxonomy:
        return np.zeros(len(taxonomy.class_wnids), np.int64)
    return np.array([int(taxonomy.is_under(w, _ORGANISM)) for w in taxonomy.class_wnids], np.int64)


def require_model_name(store: StudyStore, name: str) -> None:
    """Refuse a name that can't be a code, or that is a person's."""
    if not is_valid_code(name):
        raise RefusedError(
            f"'{name}' can't be a participant's code: give the model another name, of up to 64 "
            "characters without spaces, commas, bars or slashes."
        )
    with store.read() as study:
        known = study.participants.find(name)
    if known is not None and known.kind is ParticipantKind.HUMAN:
        raise RefusedError(f"'{name}' is a person in this study: give the model another name.")


def provenance(
    plan: DatasetPlan, part: PartContents, missing: Iterable[UnscoredImage]
) -> dict[str, object]:
    """How the predictions came about: the model, its weights and transform, and every run."""
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
        "not_scored": [[one.image, one.reason] for one in missing],
    }


def unscored_images(plan: DatasetPlan, part: PartContents) -> tuple[UnscoredImage, ...]:
    """The images without a prediction, by name, in the order of the dataset."""
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
    """Write the row, and the participant where it is new: both or neither."""
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
