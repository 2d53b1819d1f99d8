"""Compute the ReaL accuracies of a study's models on ImageNet's validation files."""

from dataclasses import dataclass
from pathlib import Path

from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.input_files import read_json
from labeler.core.models.real_labels import (
    RealAccuracy,
    parse_real_labels,
    real_accuracy,
    validation_number,
)
from labeler.store.models.predictions import NO_LABEL
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True)
class ModelRealAccuracy:
    """A model's ReaL accuracy on a dataset."""

    model: str
    dataset: str
    real: RealAccuracy


def real_accuracies(store: StudyStore, file: Path) -> list[ModelRealAccuracy]:
    """Return the accuracies of all models on all datasets with validation files."""
    if store.taxonomy.class_wnids != load_default().class_wnids:
        raise RefusedError(
            "ReaL labels are for ImageNet's 1,000 classes. This study has other classes."
        )
    real = parse_real_labels(read_json(file), file=str(file))
    with store.read() as study:
        predicted = study.model_predictions.all()
        datasets = {one.dataset for one in predicted}
        names = {d: [i.name for i in study.model_predictions.images(d)] for d in datasets}
    validation = {d for d in datasets if any(map(validation_number, names[d]))}
    if predicted and not validation:
        raise RefusedError(
            "No image of the study has the name of an ImageNet validation file "
            "(ILSVRC2012_val_00000001.JPEG), so ReaL labels don't apply to it."
        )
    return [
        ModelRealAccuracy(
            one.model,
            one.dataset,
            real_accuracy(
                names[one.dataset][: one.predictions.images],
                [None if label == NO_LABEL else label for label in one.first_labels],
                real,
            ),
        )
        for one in predicted
        if one.dataset in validation
    ]
