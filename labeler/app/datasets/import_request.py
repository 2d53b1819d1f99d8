"""What a lead asks for when importing a dataset, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.core.hash_order import validated_seed
from labeler.core.study.entities import Dataset, DatasetRole, ImageKey
from labeler.core.text import count_noun
from labeler.images.layouts import (
    DatasetLayout,
    RecognisedLayout,
    base_folder,
    find_labels_file,
    recognise_layout,
)
from labeler.store.datasets.datasets import DatasetDefinition, OddFile
from labeler.store.study_store import Transaction

# Large collections have a few pictures twice, and no sample is drawn with one of those. More of
# them than this share, and it is the images to classify themselves that were chosen.
_BY_ACCIDENT = 0.1
_INSTEAD = "References never come from those: choose another folder, such as training images."


def evaluation_folders(study: Transaction, folder: Path) -> dict[str, str]:
    """The files under the folder that are images to classify, each with its dataset."""
    found: dict[str, str] = {}
    for dataset in study.datasets.all(DatasetRole.EVALUATION):
        if dataset.root and _overlap(Path(dataset.root), folder):
            files = study.datasets.files(dataset.name)
            found |= dict.fromkeys((str(file.path) for file in files), dataset.name)
    return found


def require_other_images(datasets: Sequence[str], *, images: int) -> None:
    """Refuse a folder of so many images, of which some lie where these datasets' images lie."""
    if len(datasets) > _BY_ACCIDENT * images:
        named = ", ".join(dict.fromkeys(datasets))
        met = f"{len(datasets):,} of the {count_noun(images, 'image')} there are images to classify"
        raise RefusedError(f"{met}, in {named}. {_INSTEAD}")


def reference_conflict(study: Transaction, name: str, *, images: int) -> str:
    """Why the dataset that was read can't show references, by its contents; empty if it can."""
    to_classify = {one.name for one in study.datasets.all(DatasetRole.EVALUATION)}
    same = [
        pair for pair in study.image_roles.duplicates_within(name) if pair[1].dataset in to_classify
    ]
    return _conflict_sentence(same, images) if len(same) > _BY_ACCIDENT * images else ""


def _conflict_sentence(same: Sequence[tuple[ImageKey, ImageKey]], images: int) -> str:
    one, other = same[0]
    return (
        f"{len(same):,} of the {count_noun(images, 'image')} are images to classify, for example "
        f"{one.image}, which is {other.dataset}: {other.image}. {_INSTEAD} Nothing was added."
    )


def _overlap(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


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
