"""References never come from the images to classify, wherever copies of those lie."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import CHOOSE_OTHER_REFERENCES, DatasetRequest
from labeler.app.progress import NoProgress
from labeler.app.study.setup.study_setup import StudySetup
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH, PictureFolder


@pytest.fixture
def val(store: StudyStore, pictures: Callable[[str], PictureFolder]) -> PictureFolder:
    """Images to classify."""
    folder = pictures("val").fill(FISH, DOG, each=6)
    import_dataset(store, DatasetRequest(name="val", path=folder.path))
    return folder


def references(path: Path) -> DatasetRequest:
    return DatasetRequest(name="references", path=path, role=DatasetRole.REFERENCE, per_class=6)


def test_their_own_folder_is_refused_before_it_is_read(
    store: StudyStore, val: PictureFolder
) -> None:
    with pytest.raises(
        RefusedError, match=r"^12 of the 12 images there are images to classify, in val"
    ):
        StudySetup(store, "L").see_folder(references(val.path), NoProgress())


def test_a_copy_of_their_folder_is_refused_once_it_is_read(
    store: StudyStore, val: PictureFolder, tmp_path: Path
) -> None:
    copied = shutil.copytree(val.path, tmp_path / "copied")
    StudySetup(store, "L").see_folder(references(copied), NoProgress())
    with pytest.raises(
        RefusedError, match=r"12 of the 12 images are images to classify"
    ) as refused:
        import_dataset(store, references(copied))
    assert CHOOSE_OTHER_REFERENCES in str(refused.value)
    with store.read() as study:
        assert [one.name for one in study.datasets.all()] == ["val"]


def test_a_picture_that_a_training_folder_has_too_keeps_no_one_from_it(
    store: StudyStore, val: PictureFolder, pictures: Callable[[str], PictureFolder]
) -> None:
    train = pictures("train").fill(FISH, DOG, each=6)
    shutil.copyfile(val.path / FISH / "0.JPEG", train.path / FISH / "twin.JPEG")
    request = DatasetRequest(
        name="references", path=train.path, role=DatasetRole.REFERENCE, per_class=7
    )
    StudySetup(store, "L").see_folder(request, NoProgress())
    import_dataset(store, request)
    with store.read() as study:
        assert study.datasets.find("references") is not None


def test_what_is_trained_on_may_lie_with_them_since_no_sample_takes_it(
    store: StudyStore, val: PictureFolder
) -> None:
    training = DatasetRequest(name="training", path=val.path, role=DatasetRole.TRAINING)
    seen = StudySetup(store, "L").see_folder(training, NoProgress())
    assert seen.pictures
