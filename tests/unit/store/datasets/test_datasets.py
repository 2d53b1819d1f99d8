"""Datasets, their images and their odd files come back as they were put in."""

from pathlib import Path

import pytest
from sqlalchemy import select

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Dataset, DatasetRole, ImageKey
from labeler.store.datasets.datasets import DatasetDefinition, NewImage, OddFile
from labeler.store.datasets.image_files import resolve_image_path
from labeler.store.schema import ClassRow, ImageRow

FISH, DOG = "n01440764", "n02085620"
WANTED = DatasetDefinition(
    name="val",
    role=DatasetRole.EVALUATION,
    layout="flat",
    root="/pictures",
    labels="/labels.csv",
    apply_exif=True,
    per_class=3,
    seed=7,
)


def test_a_dataset_is_found_with_everything_that_was_said_of_it(store) -> None:
    with store.write() as study:
        study.datasets.add(WANTED)

    with store.read() as study:
        assert study.datasets.definition("val") == WANTED
        assert study.datasets.find("val") == Dataset(
            "val",
            DatasetRole.EVALUATION,
            images=0,
            root="/pictures",
            layout="flat",
            apply_exif=True,
            complete=False,
        )
        assert study.datasets.find("train") is None


def test_datasets_are_listed_in_the_order_of_arrival_and_by_role(store, lead) -> None:
    for name, role in (("z", "evaluation"), ("a", "training"), ("m", "evaluation")):
        lead.add(name, role=DatasetRole(role))

    with store.read() as study:
        assert [dataset.name for dataset in study.datasets.all()] == ["z", "a", "m"]
        evaluation = study.datasets.all(DatasetRole.EVALUATION)
        assert [dataset.name for dataset in evaluation] == ["z", "m"]


def test_images_keep_their_order_their_facts_and_their_classes(store, lead) -> None:
    lead.add("val", lead.image("b.JPEG"), lead.image("a.JPEG", DOG), root="/pictures")
    with store.write() as study:
        study.datasets.append("val", [NewImage(name="c.JPEG", target=DOG, path="/else/c.JPEG")])

    with store.read() as study:
        files = list(study.datasets.files("val"))
        assert [(file.key, file.path) for file in files] == [
            (ImageKey("val", "b.JPEG"), Path("/pictures/b.JPEG")),
            (ImageKey("val", "a.JPEG"), Path("/pictures/a.JPEG")),
            (ImageKey("val", "c.JPEG"), Path("/else/c.JPEG")),
        ]
        assert [file.content_hash for file in files] == [
            lead.image("b.JPEG").content_hash,
            lead.image("a.JPEG").content_hash,
            None,
        ]
        targets = select(ClassRow.wnid).join(ImageRow, ImageRow.target_id == ClassRow.id)
        of_each = study.session.scalars(targets.order_by(ImageRow.ordinal)).all()
        assert of_each == [FISH, DOG, DOG]
        assert study.datasets.names("val") == {"a.JPEG", "b.JPEG", "c.JPEG"}
        found = study.datasets.find("val")
        assert found is not None
        assert found.images == 3


def test_an_image_without_a_folder_or_a_path_has_no_file(store, lead) -> None:
    lead.add("names only", lead.image("a.JPEG"))

    with store.read() as study:
        assert list(study.datasets.files("names only")) == []


@pytest.mark.parametrize(
    ("root", "path", "place"),
    [
        ("/pictures", None, str(Path("/pictures/n1/a.JPEG"))),
        ("/pictures", "/else/a.JPEG", "/else/a.JPEG"),
        (None, "/else/a.JPEG", "/else/a.JPEG"),
        (None, None, ""),
    ],
)
def test_a_file_is_where_it_was_said_or_in_the_datasets_folder(root, path, place) -> None:
    assert resolve_image_path(root=root, name="n1/a.JPEG", path=path) == place


def test_what_is_measured_later_is_filled_in(store, lead) -> None:
    names_only = [NewImage(name=name, target=FISH) for name in ("a.JPEG", "b.JPEG")]
    lead.add("val", *names_only, root="/pictures")

    with store.write() as study:
        unmeasured = [file.key.image for file in study.datasets.unmeasured("val")]
        study.datasets.measured("val", [lead.image("a.JPEG")])

    assert unmeasured == ["a.JPEG", "b.JPEG"]
    with store.read() as study:
        assert [file.key.image for file in study.datasets.unmeasured("val")] == ["b.JPEG"]
        first = next(study.datasets.files("val"))
        assert first.content_hash == lead.image("a.JPEG").content_hash


def test_a_moved_folder_moves_its_files(store, lead) -> None:
    lead.add("val", lead.image("a.JPEG"), root="/pictures")
    with store.write() as study:
        study.datasets.relocate("val", "/new place")

    with store.read() as study:
        assert next(study.datasets.files("val")).path == Path("/new place/a.JPEG")


def test_a_moved_folder_moves_files_whose_place_was_said_and_gives_none_to_those_without(
    store, lead
) -> None:
    said = NewImage(name="a.JPEG", target=FISH, path="/old/a.JPEG")
    lead.add("val", said, NewImage(name="b.JPEG", target=FISH, path=""))
    with store.write() as study:
        study.datasets.relocate("val", "/new")
    with store.read() as study:
        places = [file.path for file in study.datasets.files("val")]
    assert places == [Path("/new/a.JPEG")]


def test_odd_files_are_kept_and_the_same_one_only_once(store, lead) -> None:
    lead.add("val")
    odd = [OddFile("b", "greyscale", True), OddFile("a", "empty", False)]
    with store.write() as study:
        study.datasets.add_odd_files("val", [*odd, odd[0]])

    with store.read() as study:
        assert study.datasets.odd_files("val") == odd


def test_a_removed_dataset_is_gone_with_everything_in_it(store, lead) -> None:
    lead.add("keep", lead.image("a.JPEG"))
    lead.add("val", lead.image("a.JPEG"))
    with store.write() as study:
        study.datasets.add_odd_files("val", [OddFile("b", "empty", False)])
        study.datasets.remove("val")

    with store.read() as study:
        assert [dataset.name for dataset in study.datasets.all()] == ["keep"]
        assert study.datasets.names("keep") == {"a.JPEG"}


def test_an_unknown_dataset_is_refused_with_those_there_are(store, lead) -> None:
    lead.add("val")

    with store.read() as study, pytest.raises(RefusedError, match="no dataset 'vla'; it has: val"):
        study.datasets.names("vla")
