"""The models of a study: scored, partly scored, or imported."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from labeler.app.models.part_file import PartContents, parts_in
from labeler.app.models.scoring_plan import scorable_datasets
from labeler.core.models.scoring import ModelSpec
from labeler.store.models.predictions import StoredPredictions, TargetedImage
from labeler.store.study_store import StudyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRecord:
    """A model's progress on a dataset; images that couldn't be scored count as done.

    `interrupted` means that a scoring was started and its row isn't stored yet.
    """

    dataset: str
    done: int
    images: int
    answered: int = 0
    right: int = 0
    interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """A model of the study; without a `spec` its predictions were imported."""

    name: str
    spec: ModelSpec | None
    weights: str
    device: str
    datasets: tuple[DatasetRecord, ...]

    @property
    def done(self) -> int:
        return sum(record.done for record in self.datasets)

    @property
    def images(self) -> int:
        return sum(record.images for record in self.datasets)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsOverview:
    """The models of a study, and the number of images of each evaluation dataset."""

    models: tuple[ModelRecord, ...]
    datasets: Mapping[str, int]


def unscored_model(spec: ModelSpec, datasets: Mapping[str, int]) -> ModelRecord:
    """Return a new model without predictions on these datasets."""
    return ModelRecord(
        name=spec.name,
        spec=spec,
        weights=spec.checkpoint or "published",
        device="",
        datasets=tuple(
            DatasetRecord(dataset=dataset, done=0, images=images)
            for dataset, images in datasets.items()
        ),
    )


def models_overview(store: StudyStore) -> ModelsOverview:
    """Return all models with predictions, complete or not, in the order they were added."""
    with store.read() as study:
        evaluation = [dataset.name for dataset in scorable_datasets(study)]
        images = {name: study.model_predictions.images(name) for name in evaluation}
        stored = [s for s in study.model_predictions.all() if s.dataset in images]
    records: dict[str, ModelRecord] = {}
    for one in stored:
        _note(records, one.model, one.provenance, _of_stored(one, images[one.dataset]), images)
    for part in parts_in(store.folder):
        # A scoring that failed before the first result can't be resumed.
        about = part.runs[-1] if part.runs and part.chunks else None
        if about is not None and about["dataset"] in images:
            record = _of_part(part, about["dataset"], images[about["dataset"]])
            _note(records, about["model"], about, record, images)
    counts = {name: len(all_of_it) for name, all_of_it in images.items()}
    return ModelsOverview(models=tuple(records.values()), datasets=counts)


def _note(
    records: dict[str, ModelRecord],
    model: str,
    about: Mapping[str, Any],
    record: DatasetRecord,
    images: Mapping[str, list[TargetedImage]],
) -> None:
    new_record = _new_record(model, about, images)
    known = records.get(model) or new_record
    replaces = record.interrupted and about.get("replaces")
    adds = record.interrupted and not replaces
    datasets = tuple(
        (_with(d, record) if adds else record) if d.dataset == record.dataset else d
        for d in known.datasets
    )
    # A replacement may have other weights than the stored predictions.
    records[model] = replace(new_record if replaces else known, datasets=datasets)


def _with(stored: DatasetRecord, part: DatasetRecord) -> DatasetRecord:
    """Return the stored progress plus that of a run for repaired or new images."""
    return replace(
        part,
        done=min(stored.done + part.done, part.images),
        answered=stored.answered + part.answered,
        right=stored.right + part.right,
    )


def _new_record(
    model: str, about: Mapping[str, Any], images: Mapping[str, list[TargetedImage]]
) -> ModelRecord:
    asked = about.get("asked")
    runs = about.get("runs") or [about.get("run", {})]
    return ModelRecord(
        name=model,
        spec=None if asked is None else ModelSpec(**asked),
        weights=str(about.get("weights", "unknown")),
        device=str(runs[-1].get("device", "")),
        datasets=tuple(
            DatasetRecord(dataset=name, done=0, images=len(all_of_it))
            for name, all_of_it in images.items()
        ),
    )


def _of_stored(stored: StoredPredictions, images: list[TargetedImage]) -> DatasetRecord:
    first = stored.predictions.labels[:, 0]
    targets = np.array([image.target for image in images[: len(first)]])
    return DatasetRecord(
        dataset=stored.dataset,
        done=min(len(first), len(images)),
        images=len(images),
        answered=stored.answered,
        right=int(np.count_nonzero(first == targets)),
    )


def _of_part(part: PartContents, dataset: str, images: list[TargetedImage]) -> DatasetRecord:
    targets = {image.ordinal: image.target for image in images}
    pairs = [
        (targets.get(ordinal), int(label))
        for chunk in part.chunks
        for ordinal, label in zip(chunk.ordinals, chunk.labels[:, 0], strict=True)
    ]
    return DatasetRecord(
        dataset=dataset,
        done=len(part.ordinals),
        images=len(images),
        answered=len(pairs),
        right=sum(target == label for target, label in pairs),
        interrupted=True,
    )
