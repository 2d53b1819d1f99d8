"""Plan which images of a dataset are still to be scored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from labeler.app.models.part_file import PartContents
from labeler.core.curation.entities import Revision
from labeler.core.errors import RefusedError
from labeler.core.models.scoring import ImageToScore, ScoringChunk
from labeler.core.study.entities import Dataset, DatasetRole
from labeler.store.models.predictions import NO_LABEL, StoredPredictions, TargetedImage
from labeler.store.study_store import StudyStore, Transaction

# A chunk is what a kill can lose, and what one worker may still score when all others are done.
_SMALLEST_CHUNK = 8
# A GPU computes one batch while the next is copied, which needs several batches in a chunk. The
# second number limits the images in memory.
_GPU_BATCHES, _GPU_IMAGES = 4, 1024
# The keys that must be equal in all runs of one scoring are in _ALIKE.
_OTHERWISE = "Use `--name` for another name, or `--replace`."
_ALIKE = ("identity", "ranks", "logits")


POOL_LOCKED = (
    "'{name}' is a candidate pool. No model is scored on candidates, because that could influence "
    "which images are chosen. Build a dataset, declare it final, and score that."
)
COPY_LOCKED = (
    "Most images of '{name}' are candidates of the pool '{pool}' that aren't in a final dataset. "
    "No model is scored on them, because that could influence which images are chosen. Declare a "
    "revision final, and score that."
)
REVISION_LOCKED = (
    "'{name}' is revision {number} of {built}, which is {state}. No model is scored on it before "
    "the lead declares it final, because that could influence which images are chosen."
)


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    """A dataset with its images, and the stored predictions of the model.

    With `replaces`, the stored predictions are ignored, and replaced at the end.
    """

    dataset: Dataset
    images: tuple[TargetedImage, ...]
    stored: StoredPredictions | None
    replaces: bool = False

    def replacing(self) -> "DatasetPlan":
        return replace(self, stored=None, replaces=True)

    @property
    def targets(self) -> npt.NDArray[np.int64]:
        return np.array([image.target for image in self.images], np.int64)

    @property
    def stored_ordinals(self) -> set[int]:
        if self.stored is None:
            return set()
        return set(np.flatnonzero(self.stored.predictions.labels[:, 0] != NO_LABEL).tolist())

    def earlier_batch_size(self, part: PartContents) -> int | None:
        """Return the batch size of the last run that the next one continues, or None."""
        if self.replaces and not part.replaces:
            return None
        stored = self.stored.provenance.get("runs", []) if self.stored is not None else []
        runs = [*stored, *(run["run"] for run in part.runs)]
        return runs[-1].get("batch_size") if runs else None

    def pending(self, done: set[int]) -> list[ImageToScore]:
        """Return the images that have a file and no prediction yet."""
        known = done | self.stored_ordinals
        return [
            ImageToScore(image.ordinal, image.path, image.content_hash)
            for image in self.images
            if image.path and image.ordinal not in known
        ]

    def chunks(
        self, pending: list[ImageToScore], batch_size: int, *, on_gpu: bool = False
    ) -> Iterator[ScoringChunk]:
        """Yield the images in chunks of whole batches."""
        size = batch_size * _batches_in_chunk(batch_size, on_gpu=on_gpu)
        for number, first in enumerate(range(0, len(pending), size)):
            part = tuple(pending[first : first + size])
            yield ScoringChunk(number, part, self.dataset.apply_exif, batch_size)


def _batches_in_chunk(batch_size: int, *, on_gpu: bool) -> int:
    if on_gpu:
        return max(1, min(_GPU_BATCHES, _GPU_IMAGES // batch_size))
    return -(-_SMALLEST_CHUNK // batch_size)


def plan_datasets(
    store: StudyStore, *, model: str, datasets: tuple[str, ...], replaces: bool
) -> list[DatasetPlan]:
    """Return plans for the named datasets, or for all evaluation datasets."""
    with store.read() as study:
        locked = study.built_datasets.locked()
        for name in datasets:
            _require_scorable(study, name, locked)
        evaluation = scorable_datasets(study)
        chosen = [_named(evaluation, name) for name in datasets] if datasets else evaluation
        if not chosen:
            raise RefusedError(
                "The study has no evaluation dataset yet.",
                by_command="Add one with `labeler add-dataset`.",
            )
        plans = [
            DatasetPlan(
                dataset,
                tuple(study.model_predictions.images(dataset.name)),
                study.model_predictions.find(model, dataset.name),
            )
            for dataset in chosen
        ]
    return [plan.replacing() for plan in plans] if replaces else plans


def scorable_datasets(study: Transaction) -> list[Dataset]:
    """Return the complete evaluation datasets without pools' copies and unfinished revisions."""
    locked = {*study.built_datasets.locked(), *study.built_datasets.copies_of_pools()}
    return [
        dataset
        for dataset in study.datasets.all(DatasetRole.EVALUATION)
        if dataset.complete and dataset.name not in locked
    ]


def _require_scorable(study: Transaction, name: str, locked: Mapping[str, Revision]) -> None:
    """Refuse a pool or an unfinished dataset: no model may influence which images are chosen."""
    if name in study.pools.names():
        raise RefusedError(POOL_LOCKED.format(name=name))
    if pool := study.built_datasets.copies_of_pools().get(name):
        raise RefusedError(COPY_LOCKED.format(name=name, pool=pool))
    if revision := locked.get(name):
        raise RefusedError(
            REVISION_LOCKED.format(
                name=name, built=revision.dataset, number=revision.revision, state=revision.state
            ),
            by_command=f"Use `labeler crowd final STUDY {revision.dataset} {revision.revision}`.",
        )


def continues_replacement(part: PartContents, about: Mapping[str, Any]) -> bool:
    """Return whether the part is an interrupted replacement with the same settings."""
    return part.replaces and all(run[key] == about[key] for run in part.runs for key in _ALIKE)


def require_same_model(
    plan: DatasetPlan, part: PartContents, *, model: str, about: Mapping[str, Any]
) -> None:
    """Refuse to mix predictions that were made in different ways."""
    where = f"{model} on {plan.dataset.name}"
    if plan.stored is not None and plan.stored.answered:
        stored = plan.stored.provenance.get("identity")
        if stored is None:
            raise RefusedError(
                f"The study has imported predictions of {where}. Score under another name, or "
                "replace them.",
                by_command=_OTHERWISE,
            )
        _require_equal(stored, about["identity"], f"The study has predictions of {where}")
    for run in part.runs:
        _require_equal(run["identity"], about["identity"], f"A scoring of {where} was interrupted")
        if (run["ranks"], run["logits"]) != (about["ranks"], about["logits"]):
            raise RefusedError(
                f"An interrupted scoring of {where} has other ranks or logits. Resume it with the "
                "same options, or start again and replace it.",
                by_command="Use `--replace` to start again.",
            )


def _require_equal(one: Mapping[str, Any], other: Mapping[str, Any], problem: str) -> None:
    differing = sorted(key for key in other if one.get(key) != other[key])
    if differing:
        words = " and ".join(key.replace("_hash", "").replace("_", " ") for key in differing)
        raise RefusedError(
            f"{problem}, made with a different {words}. Score under another name, or replace the "
            "existing predictions.",
            by_command=_OTHERWISE,
        )


def _named(evaluation: list[Dataset], name: str) -> Dataset:
    for dataset in evaluation:
        if dataset.name == name:
            return dataset
    known = ", ".join(dataset.name for dataset in evaluation) or "none"
    raise RefusedError(
        f"'{name}' isn't an evaluation dataset of the study. The study has: {known}."
    )
