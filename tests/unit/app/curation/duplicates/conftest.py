"""Datasets with pictures that nearly equal each other, in known pairs."""

import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance
from scipy.ndimage import gaussian_filter

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest, ImportReport
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import ImagePair
from labeler.core.study.entities import DatasetRole, ImageKey, Role
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock

FISH, DOG = "n01440764", "n02085620"
_ROLES = {
    "val": DatasetRole.EVALUATION,
    "references": DatasetRole.REFERENCE,
    "training": DatasetRole.TRAINING,
}
# The image of the evaluation dataset and its near-duplicate: a brighter, smaller copy.
COPIED = {
    ImageKey("val", f"{FISH}/0.JPEG"): ImageKey("references", f"{FISH}/copy.JPEG"),
    ImageKey("val", f"{DOG}/1.JPEG"): ImageKey("training", f"{DOG}/copy.JPEG"),
}


def photograph(seed: int) -> Image.Image:
    """A smooth picture that depends on the seed alone."""
    noise = np.random.default_rng(seed).normal(size=(96, 128, 3))
    soft = gaussian_filter(noise, (9, 9, 0))
    return Image.fromarray(((soft - soft.min()) / np.ptp(soft) * 255).astype(np.uint8))


def slightly_changed(picture: Image.Image) -> Image.Image:
    return ImageEnhance.Brightness(picture).enhance(1.04).resize((104, 78))


def write(folder: Path, name: str, picture: Image.Image) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=92)
    file.write_bytes(buffer.getvalue())


@pytest.fixture(scope="session")
def similar_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with an evaluation dataset, references and training images; two are copies."""
    place = tmp_path_factory.mktemp("similar")
    folder = place / "pictures"
    originals = {}
    for number, (wnid, at) in enumerate((w, n) for w in (FISH, DOG) for n in range(4)):
        key = ImageKey("val", f"{wnid}/{at}.JPEG")
        originals[key] = photograph(number)
        write(folder / "val", key.image, originals[key])
        write(folder / "references", f"{wnid}/{at}.JPEG", photograph(100 + number))
        write(folder / "training", f"{wnid}/{at}.JPEG", photograph(200 + number))
    for key, copy in COPIED.items():
        write(folder / copy.dataset, copy.image, slightly_changed(originals[key]))
    with new_study(place / "study", clock=AdjustableClock(), name="Similar", seed=2020) as store:
        for name, role in _ROLES.items():
            request = DatasetRequest(name=name, path=folder / name, role=role)
            assert isinstance(import_dataset(store, request), ImportReport)
        add_person(store, "R", roles=[Role.REVIEWER])
        add_person(store, "L", roles=[Role.LEAD])
        add_person(store, "A", roles=[Role.LABELER])
    return place


@pytest.fixture
def similar(similar_once: Path, tmp_path: Path, clock: AdjustableClock) -> Iterator[StudyStore]:
    """The test's own copy of the study and of its pictures."""
    shutil.copytree(similar_once, tmp_path, dirs_exist_ok=True)
    with open_study(tmp_path / "study", clock=clock) as store:
        with store.write() as study:
            for name in _ROLES:
                study.datasets.relocate(name, str(tmp_path / "pictures" / name))
        yield store


def near_pairs(store: StudyStore, metric: DuplicateMetric) -> set[ImagePair]:
    """The pairs within the limit, by name."""
    with store.read() as study:
        record = study.duplicate_searches.records()[metric]
        return {
            ImagePair.of(image.key, neighbour.image)
            for image in study.duplicate_searches.images(["val"])
            for neighbour in study.duplicate_searches.named_neighbours(metric, image.key) or ()
            if neighbour.distance <= record.limit
        }
