"""A dataset's layout is recognised from names, with the evidence, or refused with advice."""

from pathlib import Path

import pytest

from labeler.core.errors import InputError, RefusedError
from labeler.images.layouts import DatasetLayout, base_folder, find_labels_file, recognise_layout


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def refusal(path: Path, labels: Path | None = None) -> str:
    with pytest.raises(RefusedError) as caught:
        recognise_layout(path, labels=labels)
    return caught.value.typed


def test_folders_named_by_wnid_are_recognised_with_an_example(tmp_path):
    touch(tmp_path, "n01443537/b.JPEG", "n01440764/notes.txt", "n01440764/a.JPEG")
    found = recognise_layout(tmp_path)
    assert found.layout is DatasetLayout.WNID
    assert found.sentence == "2 folders named by wnid, for example n01440764/a.JPEG."


def test_folders_named_by_index_are_recognised_in_numeric_order(tmp_path):
    touch(tmp_path, "100/c.jpeg", "2/b.jpeg", "10/a.jpeg")
    found = recognise_layout(tmp_path)
    assert found.layout is DatasetLayout.INDEX
    assert found.sentence == "3 folders named by class index, for example 2/b.jpeg."


def test_other_folders_next_to_the_classes_are_mentioned(tmp_path):
    touch(tmp_path, "n01440764/a.JPEG", "extras/b.JPEG", ".cache/c.JPEG")
    assert recognise_layout(tmp_path).sentence.endswith("a.JPEG; 1 other folder left out.")


@pytest.mark.parametrize("place", ["val/labels.csv", "labels.csv"])
def test_a_flat_folder_finds_its_labels_inside_or_beside(tmp_path, place):
    touch(tmp_path, "val/ILSVRC2012_val_00000001.JPEG")
    (tmp_path / place).write_text("image,wnid\n")
    found = recognise_layout(tmp_path / "val")
    assert found.layout is DatasetLayout.FLAT
    assert found.sentence.startswith("1 image in one folder, for example ILSVRC2012_val_00000001")
    assert find_labels_file(tmp_path / "val") == tmp_path / place


def test_a_flat_folder_takes_the_labels_it_is_given(tmp_path):
    touch(tmp_path, "val/a.JPEG")
    (tmp_path / "answers.csv").write_text("image,target\n")
    found = recognise_layout(tmp_path / "val", labels=tmp_path / "answers.csv")
    assert found.layout is DatasetLayout.FLAT
    assert str(tmp_path / "answers.csv") in found.sentence


def test_a_csv_file_is_a_manifest_and_its_images_lie_next_to_it(tmp_path):
    manifest = tmp_path / "images.csv"
    manifest.write_text("image,label\na.png,n01440764\n")
    found = recognise_layout(manifest)
    assert (found.layout, found.sentence) == (
        DatasetLayout.MANIFEST,
        "A manifest with the columns image and label.",
    )
    assert base_folder(manifest, found.layout) == tmp_path


def test_a_flat_folder_without_labels_says_how_to_give_them(tmp_path):
    touch(tmp_path, "val/a.JPEG", "val/b.JPEG")
    message = refusal(tmp_path / "val")
    assert "2 images but no labels" in message
    assert "--labels" in message


def test_mixed_layouts_are_refused_with_what_was_found(tmp_path):
    touch(tmp_path, "n01440764/a.JPEG", "0/b.JPEG", "1/b.JPEG", "c.JPEG")
    message = refusal(tmp_path)
    assert "1 folder named by wnid and 2 folders named by class index and 1 image" in message
    assert "--layout" in message


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "has no images"),
        (["readme.txt"], "has no images"),
        (["train/n01440764/a.JPEG", "val/a.JPEG"], "others (train, val)"),
        (["n01440764/readme.txt"], "no image in them"),
    ],
)
def test_a_folder_without_a_layout_says_what_is_wrong(tmp_path, names, words):
    (tmp_path / "data").mkdir()
    touch(tmp_path / "data", *names)
    assert words in refusal(tmp_path / "data")


def test_a_path_that_is_no_dataset_at_all_is_refused(tmp_path):
    touch(tmp_path, "picture.png", "val/a.JPEG")
    manifest = tmp_path / "images.csv"
    manifest.write_text("image,label\n")
    assert "nowhere doesn't exist" in refusal(tmp_path / "nowhere")
    assert "neither a folder nor a CSV" in refusal(tmp_path / "picture.png")
    assert "Don't give a labels file" in refusal(manifest, labels=manifest)
    assert "none.csv doesn't exist" in refusal(tmp_path / "val", labels=tmp_path / "none.csv")


def test_a_manifest_without_labels_is_refused_at_its_header(tmp_path):
    manifest = tmp_path / "images.csv"
    manifest.write_text("image,colour\n")
    with pytest.raises(InputError, match=r"images\.csv, line 1: .*label, wnid or target"):
        recognise_layout(manifest)


def test_class_folders_that_lead_outside_do_not_count(tmp_path):
    touch(tmp_path, "elsewhere/n01440764/a.JPEG", "data/readme.txt")
    (tmp_path / "data/n01440764").symlink_to(tmp_path / "elsewhere/n01440764")
    message = refusal(tmp_path / "data")
    assert "has no images" in message
    assert "1 link leads out of the folder and can't be followed" in message


def test_links_to_images_elsewhere_are_counted(tmp_path):
    touch(tmp_path, "elsewhere/a.JPEG", "elsewhere/b.JPEG")
    (tmp_path / "data/n01440764").mkdir(parents=True)
    for name in ("a.JPEG", "b.JPEG"):
        (tmp_path / "data/n01440764" / name).symlink_to(tmp_path / "elsewhere" / name)
    assert "no image in them. 2 links lead out of the folder" in refusal(tmp_path / "data")


def test_a_single_class_is_refused_with_the_folder_above_it(tmp_path):
    touch(tmp_path, "val/n01440764/a.JPEG")
    message = refusal(tmp_path / "val/n01440764")
    assert f"one of the classes in {tmp_path / 'val'}, choose that folder. Otherwise put" in message


def test_a_flat_folder_of_files_named_by_wnid_needs_no_labels(tmp_path):
    touch(tmp_path, "n01440764_10.JPEG", "ILSVRC2012_val_00000001_n02085620.JPEG", "cat.JPEG")
    found = recognise_layout(tmp_path)
    assert found.layout is DatasetLayout.NAMED
    assert found.sentence.startswith("2 images in one folder, named by wnid, for example ILSVRC")
    assert "1 image without a wnid left out" in found.sentence


def test_labels_are_preferred_to_names(tmp_path):
    touch(tmp_path, "n01440764_10.JPEG")
    (tmp_path / "labels.csv").write_text("image,wnid\n")
    assert recognise_layout(tmp_path).layout is DatasetLayout.FLAT


def test_the_folder_of_one_class_is_not_taken_for_a_dataset(tmp_path):
    touch(tmp_path, "n01440764/n01440764_10.JPEG")
    assert str(tmp_path) in refusal(tmp_path / "n01440764")
