"""References never come from the images to classify, whose labelers would see them beside."""

from collections.abc import Sequence
from pathlib import Path

from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.core.text import count_noun
from labeler.store.transaction import Transaction

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
