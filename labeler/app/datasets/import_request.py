"""The request for a dataset import, and its result."""

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

# Large collections contain a few duplicates, which are never sampled. A larger share than this
# means that the images to classify themselves were chosen.
_BY_ACCIDENT = 0.1
CHOOSE_OTHER_REFERENCES = (
    "They can't be references. Choose another folder, such as training images."
)


def evaluation_folders(study: Transaction, folder: Path) -> dict[str, str]:
    """Return the files in the folder that are images to classify, with their datasets."""
    found: dict[str, str] = {}
    for dataset in study.datasets.all(DatasetRole.EVALUATION):
        if dataset.root and _overlap(Path(dataset.root), folder):
            files = study.datasets.files(dataset.name)
            found |= dict.fromkeys((str(file.path) for file in files), dataset.name)
    return found


def require_other_images(datasets: Sequence[str], *, images: int) -> None:
    """Refuse a folder if too many of its images belong to these datasets."""
    if len(datasets) > _BY_ACCIDENT * images:
        named = ", ".join(dict.fromkeys(datasets))
        met = f"{len(datasets):,} of the {count_noun(images, 'image')} there are images to classify"
        raise RefusedError(f"{met}, in {named}. {CHOOSE_OTHER_REFERENCES}")


def reference_conflict(study: Transaction, name: str, *, images: int) -> str:
    """Return why the dataset's contents can't be references, or an empty string."""
    to_classify = {one.name for one in study.datasets.all(DatasetRole.EVALUATION)}
    same = [
        pair for pair in study.image_roles.duplicates_within(name) if pair[1].dataset in to_classify
    ]
    return _conflict_sentence(same, images) if len(same) > _BY_ACCIDENT * images else ""


def _conflict_sentence(same: Sequence[tuple[ImageKey, ImageKey]], images: int) -> str:
    one, other = same[0]
    return (
        f"{len(same):,} of the {count_noun(images, 'image')} are images to classify, for example "
        f"{one.image}, which is {other.dataset}: {other.image}. {CHOOSE_OTHER_REFERENCES} Nothing "
        "was added."
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
        """All paths that must exist."""
        return (self.path,) if self.labels is None else (self.path, self.labels)


@dataclass(frozen=True, slots=True)
class ClassShortage:
    """A class with fewer readable images than requested."""

    wnid: str
    wanted: int
    available: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import."""

    dataset: Dataset
    resumed_at: int
    odd_files: tuple[OddFile, ...]
    duplicates: tuple[tuple[ImageKey, ImageKey], ...]
    shortages: tuple[ClassShortage, ...]


@dataclass(frozen=True, slots=True)
class ImportInterrupted:
    """An import that was cancelled after storing some images; the same request resumes it."""

    stored: int


_READ_AS = {
    DatasetLayout.WNID: "folders named by wnid",
    DatasetLayout.INDEX: "folders named by class index",
    DatasetLayout.FLAT: "one folder of images with a labels file",
    DatasetLayout.NAMED: "one folder of images named by wnid",
    DatasetLayout.MANIFEST: "a manifest, a CSV that lists images with their labels",
}
assert set(_READ_AS) == set(DatasetLayout), "every layout has a description"


def detect_dataset_layout(request: DatasetRequest) -> RecognisedLayout:
    """Return how the dataset would be read."""
    if request.layout is None:
        return recognise_layout(request.path, labels=request.labels)
    sentence = f"{request.path} is read as {_READ_AS[request.layout]}, as requested."
    return RecognisedLayout(request.layout, sentence)


def complete_request(
    request: DatasetRequest, layout: DatasetLayout, *, study_seed: int
) -> DatasetRequest:
    """Fill in the defaults of the request."""
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
    """Rebuild the request of an interrupted import; a CSV listing has to be given again."""
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
    """Return the dataset's row; an import can only be resumed with an equal one."""
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
