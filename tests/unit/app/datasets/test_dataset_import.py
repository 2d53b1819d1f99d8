"""Importing a folder as a dataset: every layout, nothing silently, nothing seen beforehand."""

import os
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from labeler.app.datasets.import_request import (
    ClassShortage,
)
from labeler.core.datasets.sampling import draw_per_class
from labeler.core.errors import InputError, RefusedError
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.images.layouts import DatasetLayout
from labeler.store.datasets.datasets import OddFile

FISH, SHARK, DOG = "n01440764", "n01491361", "n02085620"


def targets(store, name: str) -> dict[str, str]:
    with store.read() as study:
        return {c.key.image: c.target for c in study.image_roles.candidates([name])}


# Layouts


def test_folders_by_wnid(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, DOG, each=2)

    report = imported(store, "val", folder.path)

    assert (report.dataset.images, report.dataset.layout, report.dataset.complete) == (
        4,
        "wnid",
        True,
    )
    assert targets(store, "val") == {
        f"{wnid}/{n}.JPEG": wnid for wnid in (FISH, DOG) for n in range(2)
    }
    assert report.odd_files == report.duplicates == report.shortages == ()


def test_folders_by_class_index_count_as_numbers(store, pictures, imported) -> None:
    folder = pictures("v2")
    for index in ("2", "10", "151"):
        folder.add(f"{index}/a.jpeg")

    report = imported(store, "v2", folder.path)

    wnids = store.taxonomy.class_wnids
    assert report.dataset.layout == "index"
    assert targets(store, "v2") == {
        "2/a.jpeg": wnids[2],
        "10/a.jpeg": wnids[10],
        "151/a.jpeg": wnids[151],
    }
    with store.read() as study:
        files = [file.key.image for file in study.datasets.files("v2")]
    assert files == ["2/a.jpeg", "10/a.jpeg", "151/a.jpeg"]


def test_a_flat_folder_with_labels(store, pictures, imported) -> None:
    folder = pictures("flat")
    folder.add("a.JPEG")
    folder.add("b.JPEG")
    folder.add("unlabeled.JPEG")
    folder.write("labels.csv", f"image,wnid\na.JPEG,{DOG}\nb.JPEG,{FISH}\n".encode())

    report = imported(store, "flat", folder.path)

    assert targets(store, "flat") == {"a.JPEG": DOG, "b.JPEG": FISH}
    assert report.odd_files == (OddFile("unlabeled.JPEG", "not_in_labels", imported=False),)


def test_a_manifest(store, pictures, imported) -> None:
    folder = pictures("anywhere")
    folder.add("deep/a.JPEG")
    manifest = folder.write("manifest.csv", f"image,label\ndeep/a.JPEG,{DOG}\n".encode())

    report = imported(store, "any", manifest)

    assert report.dataset.layout == "manifest"
    assert targets(store, "any") == {"deep/a.JPEG": DOG}
    with store.read() as study:
        assert next(study.datasets.files("any")).path == folder.path / "deep/a.JPEG"


def test_a_layout_that_is_said_overrides_the_one_that_is_seen(store, pictures, imported) -> None:
    folder = pictures("mixed").fill(FISH, each=1)
    folder.add("7/a.JPEG")

    with pytest.raises(RefusedError, match="mixes layouts"):
        imported(store, "mixed", folder.path)
    imported(store, "mixed", folder.path, layout=DatasetLayout.INDEX)

    assert targets(store, "mixed") == {"7/a.JPEG": store.taxonomy.class_wnids[7]}


def test_a_wrong_label_is_reported_with_its_line_and_nothing_is_written(
    store, pictures, imported
) -> None:
    folder = pictures("flat")
    folder.add("a.JPEG")
    folder.write("labels.csv", b"image,wnid\na.JPEG,n99999999\n")

    with pytest.raises(InputError, match="line 2, column wnid"):
        imported(store, "flat", folder.path)

    with store.read() as study:
        assert study.datasets.all() == []


def test_pictures_behind_a_link_are_reported_when_nothing_else_is_there(
    store, pictures, imported, tmp_path
) -> None:
    away = pictures("away")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "pictures").symlink_to(away.path)
    manifest = tmp_path / "here" / "list.csv"
    manifest.write_text(f"image,label\npictures/a.JPEG,{FISH}\npictures/b.JPEG,{FISH}\n")
    for name in ("a.JPEG", "b.JPEG"):
        (away.path / name).write_bytes(b"a picture")
    with pytest.raises(RefusedError, match=r"Nothing was added\. 2 files behind a link out of"):
        imported(store, "listed", manifest)


def test_a_folder_without_any_image_is_refused_and_nothing_is_written(
    store, pictures, imported
) -> None:
    folder = pictures("empty")
    (folder.path / FISH).mkdir()

    for options in ({}, {"per_class": 2}):
        with pytest.raises(RefusedError, match="no image in"):
            imported(store, "empty", folder.path, layout=DatasetLayout.WNID, **options)

    with store.read() as study:
        assert study.datasets.all() == []


@pytest.mark.parametrize("options", [{}, {"per_class": 2}])
def test_a_folder_without_a_usable_image_is_refused_and_nothing_is_left(
    store, pictures, imported, options
) -> None:
    folder = pictures("damaged")
    (folder.path / FISH).mkdir()
    for name in ("a.JPEG", "b.JPEG"):
        (folder.path / FISH / name).write_bytes(b"no picture")

    with pytest.raises(RefusedError, match=r"no usable image in .* 2 files in an unknown format"):
        imported(store, "damaged", folder.path, layout=DatasetLayout.WNID, **options)

    with store.read() as study:
        assert study.datasets.all() == []
        assert study.datasets.find("damaged") is None


@pytest.mark.parametrize("name", ["", " ", " val", "val\n", "v\tal"])
def test_a_name_that_no_one_could_see_is_refused(store, pictures, imported, name) -> None:
    folder = pictures("val").fill(FISH, each=1)

    with pytest.raises(RefusedError, match="name of visible characters"):
        imported(store, name, folder.path)


# Odd files


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def test_odd_files_are_listed_with_their_kind_and_whether_they_came_in(
    store, pictures, imported
) -> None:
    folder = pictures("odd")
    whole = folder.add(f"{FISH}/plain.JPEG").read_bytes()
    colour = Image.radial_gradient("L").convert("RGB").resize((40, 30))
    noisy = Image.effect_noise((200, 150), 80).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    folder.write(f"{FISH}/empty.JPEG", b"")
    folder.write(f"{FISH}/short.JPEG", encoded(noisy, "JPEG")[:-2000])
    folder.write(f"{FISH}/text.JPEG", b"not a picture at all")
    folder.write(f"{FISH}/png.JPEG", encoded(colour, "PNG"))
    folder.write(f"{FISH}/cmyk.JPEG", encoded(colour.convert("CMYK"), "JPEG"))
    folder.write(f"{FISH}/grey.JPEG", encoded(colour.convert("L"), "JPEG"))
    folder.write(f"{FISH}/turned.JPEG", encoded(colour, "JPEG", exif=exif))
    folder.write(f"{FISH}/notes.txt", b"hello")
    folder.write("stray.JPEG", whole)
    folder.write(".DS_Store", b"x")
    (folder.path / FISH / "away.JPEG").symlink_to("/etc/hostname")

    report = imported(store, "odd", folder.path, layout=DatasetLayout.WNID)

    assert {(odd.name, odd.kind, odd.imported) for odd in report.odd_files} == {
        (f"{FISH}/empty.JPEG", "empty", False),
        (f"{FISH}/short.JPEG", "truncated", False),
        (f"{FISH}/text.JPEG", "not_an_image", False),
        (f"{FISH}/png.JPEG", "wrong_extension", True),
        (f"{FISH}/cmyk.JPEG", "cmyk", True),
        (f"{FISH}/grey.JPEG", "greyscale", True),
        (f"{FISH}/turned.JPEG", "exif_rotated", True),
        (f"{FISH}/notes.txt", "not_an_image", False),
        ("stray.JPEG", "outside_class_folders", False),
        (".DS_Store", "hidden", False),
        (f"{FISH}/away.JPEG", "outside_link", False),
    }
    assert report.dataset.images == 5
    assert sum(odd.kind == "not_an_image" and not odd.imported for odd in report.odd_files) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_several_names_that_are_not_text_are_no_obstacle(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=1)
    for byte in (b"\xfe", b"\xff"):
        Path(os.fsdecode(os.fsencode(folder.path / FISH) + b"/" + byte + b".JPEG")).touch()

    report = imported(store, "val", folder.path)

    assert report.dataset.images == 1
    assert {odd.kind for odd in report.odd_files} == {"undecodable_name"}


# Duplicates


def test_the_same_picture_is_reported_within_and_across_datasets(store, pictures, imported) -> None:
    first = pictures("first")
    first.add(f"{FISH}/a.JPEG", picture="one")
    first.add(f"{FISH}/b.JPEG", picture="one")
    second = pictures("second")
    second.add(f"{DOG}/c.JPEG", picture="one")

    within = imported(store, "first", first.path)
    across = imported(store, "second", second.path)

    a, b = ImageKey("first", f"{FISH}/a.JPEG"), ImageKey("first", f"{FISH}/b.JPEG")
    assert within.duplicates == ((b, a),)
    assert across.duplicates == ((ImageKey("second", f"{DOG}/c.JPEG"), a),)


# Drawing some of each class


def drawn_names(folder, wnid: str, *, seed: int = 2020) -> list[str]:
    names = [f"{wnid}/{file.name}" for file in (folder.path / wnid).iterdir()]
    return draw_per_class(names, count=len(names), seed=seed, wnid=wnid)


def test_only_what_is_drawn_is_ever_read(store, pictures, imported) -> None:
    folder = pictures("train").fill(FISH, DOG, each=8)
    for wnid in (FISH, DOG):
        for name in drawn_names(folder, wnid)[3:]:
            folder.write(name, b"never looked at")

    report = imported(store, "train", folder.path, role=DatasetRole.TRAINING, per_class=3)

    assert report.odd_files == report.shortages == ()
    assert set(targets(store, "train")) == {
        name for wnid in (FISH, DOG) for name in drawn_names(folder, wnid)[:3]
    }


def test_the_draw_follows_the_seed_that_is_given(store, pictures, imported) -> None:
    folder = pictures("train").fill(FISH, each=8)

    imported(store, "train", folder.path, per_class=3, seed=5)

    assert set(targets(store, "train")) == set(drawn_names(folder, FISH, seed=5)[:3])


def test_an_unreadable_image_is_replaced_by_the_next_and_told(store, pictures, imported) -> None:
    folder = pictures("refs").fill(FISH, each=8)
    order = drawn_names(folder, FISH)
    for name in (order[1], order[3]):
        folder.write(name, b"broken")

    report = imported(store, "refs", folder.path, role=DatasetRole.REFERENCE, per_class=3)

    assert {odd.name for odd in report.odd_files} == {order[1], order[3]}
    assert report.shortages == ()
    with store.read() as study:
        panel = [reference.key.image for reference in study.image_roles.references(FISH)]
    assert panel == [order[0], order[2], order[4]]


def test_a_class_with_too_few_readable_images_is_reported(store, pictures, imported) -> None:
    folder = pictures("refs").fill(FISH, each=5)
    folder.fill(DOG, each=3)
    folder.write(f"{DOG}/1.JPEG", b"broken")

    report = imported(store, "refs", folder.path, role=DatasetRole.REFERENCE, per_class=4)

    assert report.shortages == (ClassShortage(DOG, wanted=4, available=2),)
    with store.read() as study:
        assert study.image_roles.reference_counts() == {FISH: 4, DOG: 2}


def test_references_are_a_hundred_of_each_class_unless_said_otherwise(
    store, pictures, imported
) -> None:
    folder = pictures("refs").fill(FISH, each=103)

    imported(store, "refs", folder.path, role=DatasetRole.REFERENCE)

    with store.read() as study:
        assert study.image_roles.reference_counts() == {FISH: 100}


def test_a_training_dataset_fills_the_pool(store, pictures, imported) -> None:
    imported(store, "t", pictures("t").fill(FISH, DOG, each=2).path, role=DatasetRole.TRAINING)

    with store.read() as study:
        assert study.image_roles.training_pool_size() == 4
