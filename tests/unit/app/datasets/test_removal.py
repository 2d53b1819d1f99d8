"""A dataset goes again as long as nothing rests on it; what does is reported."""

import pytest

from labeler.app.datasets import removal
from labeler.app.datasets.factor_import import import_factors
from labeler.app.datasets.removal import (
    COMPARED_IN_REPORT,
    DATASET_USES,
    DatasetRemoved,
    dataset_in_use_text,
    remove_dataset,
)
from labeler.app.study.settings import compare_datasets
from labeler.core.errors import RefusedError
from labeler.core.study.entities import DatasetRole
from labeler.store.datasets.datasets import (
    DatasetDefinition,
    NewImage,
    OddFile,
    dataset_foreign_keys,
)
from labeler.store.study_opening import open_study
from tests.unit.app.conftest import DOG, FISH


@pytest.fixture
def interrupted(store) -> None:
    with store.write() as study:
        study.datasets.add(DatasetDefinition(name="val", role=DatasetRole.EVALUATION))
        study.datasets.append("val", [NewImage(name="a.JPEG", target=FISH)])
        study.datasets.add_odd_files("val", [OddFile("b.JPEG", "empty", imported=False)])


def names(store) -> list[str]:
    with store.read() as study:
        return [dataset.name for dataset in study.datasets.all()]


def test_a_dataset_on_which_nothing_rests_goes_with_its_images(store, pictures, imported) -> None:
    imported(store, "keep", pictures("keep").fill(FISH, each=2).path)
    folder = pictures("val").fill(FISH, DOG, each=2)
    imported(store, "val", folder.path)

    assert remove_dataset(store, "val") == DatasetRemoved(4)

    assert names(store) == ["keep"]
    assert len(list(folder.path.rglob("*.JPEG"))) == 4, "the files stay"
    imported(store, "val", folder.path)
    assert names(store) == ["keep", "val"], "it can be added again"


@pytest.mark.parametrize(
    ("dataset", "why"),
    [
        ("val", DATASET_USES["sample_dataset"]),
        ("training", DATASET_USES["training_pool"]),
    ],
)
def test_what_rests_on_a_dataset_keeps_it(healthy, clock, dataset, why) -> None:
    with open_study(healthy, clock=clock) as store:
        before = names(store)
        with pytest.raises(RefusedError, match=dataset_in_use_text(dataset, [why])):
            remove_dataset(store, dataset)
        assert names(store) == before


def test_a_dataset_that_the_report_compares_stays(store, pictures, imported) -> None:
    for name in ("old", "new"):
        imported(store, name, pictures(name).fill(FISH, each=2).path)
    compare_datasets(store, original="old", new="new")
    with pytest.raises(RefusedError, match=COMPARED_IN_REPORT):
        remove_dataset(store, "new")


def test_an_unknown_dataset_is_refused(store) -> None:
    with pytest.raises(RefusedError, match="no dataset 'vla'"):
        remove_dataset(store, "vla")


@pytest.mark.usefixtures("interrupted")
def test_factors_of_images_go_with_their_dataset(store, tmp_path) -> None:
    factors = tmp_path / "factors.csv"
    factors.write_text("image,pose\na.JPEG,1\n")
    import_factors(store, factors)
    assert remove_dataset(store, "val") == DatasetRemoved(1)


def test_each_table_that_refers_to_images_has_its_words() -> None:
    tables = {table for table, _column, _to in dataset_foreign_keys()}
    assert tables == {*removal.DATASET_USES, *removal.REMOVED_TOO}


@pytest.mark.usefixtures("interrupted")
def test_what_a_cancelled_import_kept_goes_too(store) -> None:
    with store.read() as study:
        assert not study.datasets.all()[0].complete
    assert remove_dataset(store, "val") == DatasetRemoved(1)
    assert names(store) == []
