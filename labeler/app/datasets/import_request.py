"""What a lead asks for when importing a dataset, and what comes of it."""

from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.hash_order import validated_seed
from labeler.core.study.entities import Dataset, DatasetRole, ImageKey
from labeler.images.layouts import (
    DatasetLayout,
    RecognisedLayout,
    base_folder,
    find_labels_file,
    recognise_layout,
)
from labeler.store.datasets.datasets import DatasetDefinition, OddFile

REFERENCES_PER_CLASS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRequest:
    """What to import. `per_class` draws that many images of each class and reads no others."""

    name: str
    path: Path
    role: DatasetRole = DatasetRole.EVALUATION
    layout: DatasetLayout | None = None
    labels: Path | None = None
    per_class: int | None = None
    seed: int | None = None
    apply_exif: bool = False

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything that has to be there."""
        return (self.path,) if self.labels is None else (self.path, self.labels)


@dataclass(frozen=True, slots=True)
class ClassShortage:
    """A class of which there are fewer readable images than were to be drawn."""

    wnid: str
    wanted: int
    available: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, for the person who started it."""

    dataset: Dataset
    resumed_at: int
    odd_files: tuple[OddFile, ...]
    duplicates: tuple[tuple[ImageKey, ImageKey], ...]
    shortages: tuple[ClassShortage, ...]


@dataclass(frozen=True, slots=True)
class ImportInterrupted:
    """An import that was cancelled with so many images stored; the same request goes on."""

    stored: int


_READ_AS = {
    DatasetLayout.WNID: "folders named by wnid",
    DatasetLayout.INDEX: "folders named by class index",
    DatasetLayout.FLAT: "one folder of images with a labels file",
    DatasetLayout.MANIFEST: "a manifest, a CSV that lists images with their labels",
}
assert set(_READ_AS) == set(DatasetLayout), "every layout has its words"


def detect_dataset_layout(request: DatasetRequest) -> RecognisedLayout:
    """How the dataset would be read, before anything is written."""
    if request.layout is None:
        return recognise_layout(request.path, labels=request.labels)
    words = f"{request.path} is read as {_READ_AS[request.layout]}, as you said."
    return RecognisedLayout(request.layout, words)


def complete_request(
    request: DatasetRequest, layout: DatasetLayout, *, study_seed: int
) -> DatasetRequest:
    """The request with everything decided that it left open."""
    per_class = request.per_class
    if per_class is None and request.role is DatasetRole.REFERENCE:
        per_class = REFERENCES_PER_CLASS
    labels = request.labels
    if labels is None and layout is DatasetLayout.FLAT:
        labels = find_labels_file(request.path)
    seed = study_seed if request.seed is None else validated_seed(request.seed)
    return replace(request, layout=layout, per_class=per_class, labels=labels, seed=seed)


def interrupted_request(
    kept: DatasetDefinition, *, listed_by: Path | None = None
) -> DatasetRequest:
    """What an import was begun with; a CSV that lists its images has to be named again."""
    return DatasetRequest(
        name=kept.name,
        path=listed_by or Path(kept.root or ""),
        role=kept.role,
        layout=None if kept.layout is None else DatasetLayout(kept.layout),
        labels=None if kept.labels is None else Path(kept.labels),
        per_class=kept.per_class,
        seed=kept.seed,
        apply_exif=kept.apply_exif,
    )


def dataset_definition(request: DatasetRequest, layout: DatasetLayout) -> DatasetDefinition:
    """The dataset's row: an interrupted import goes on only with the same one."""
    return DatasetDefinition(
        name=request.name,
        role=request.role,
        layout=layout,
        root=str(base_folder(request.path, layout)),
        labels=None if request.labels is None else str(request.labels.resolve()),
        apply_exif=request.apply_exif,
        per_class=request.per_class,
        seed=request.seed,
    )
