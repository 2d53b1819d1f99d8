"""Images are listed in a fixed order with their targets; what is left out is reported."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.images.dataset_files import IgnoredFile, IgnoredReason
from labeler.images.layouts import DatasetLayout
from labeler.images.listing import list_images

CLASSES = [f"n{number:08d}" for number in range(1000)]
FIRST, SECOND, THIRD = CLASSES[:3]


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def listed(path, layout, labels=None, classes=CLASSES):
    """The (name, target) pairs of a dataset and the reasons for what was left out."""
    ignored: list[IgnoredFile] = []
    images = list(
        list_images(path, layout, labels=labels, classes=classes, on_ignored=ignored.append)
    )
    assert all(image.path.is_file() for image in images)
    return [(image.name, image.target) for image in images], {i.name: i.why for i in ignored}


def csv_problem(path, layout, labels=None) -> str:
    with pytest.raises(InputError) as caught:
        listed(path, layout, labels)
    return str(caught.value)


def test_wnid_folders_come_sorted_by_class_then_by_name(tmp_path):
    touch(tmp_path, f"{SECOND}/a.JPEG", f"{FIRST}/b.JPEG", f"{FIRST}/a.png", f"{FIRST}/B.JPEG")
    assert listed(tmp_path, DatasetLayout.WNID) == (
        [
            (f"{FIRST}/B.JPEG", FIRST),
            (f"{FIRST}/a.png", FIRST),
            (f"{FIRST}/b.JPEG", FIRST),
            (f"{SECOND}/a.JPEG", SECOND),
        ],
        {},
    )


def test_index_folders_count_the_sorted_classes_in_numeric_order(tmp_path):
    touch(tmp_path, "100/a.jpeg", "2/a.jpeg", "10/a.jpeg")
    images, _ = listed(tmp_path, DatasetLayout.INDEX, classes=CLASSES[::-1])
    assert images == [
        ("2/a.jpeg", CLASSES[2]),
        ("10/a.jpeg", CLASSES[10]),
        ("100/a.jpeg", CLASSES[100]),
    ]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(indices=st.sets(st.integers(0, 999), min_size=1, max_size=12))
def test_any_part_of_the_index_range_is_accepted(tmp_path_factory, indices):
    root = tmp_path_factory.mktemp("v2")
    touch(root, *(f"{index}/x.jpeg" for index in indices))
    images, ignored = listed(root, DatasetLayout.INDEX)
    assert images == [(f"{index}/x.jpeg", CLASSES[index]) for index in sorted(indices)]
    assert ignored == {}


def test_an_index_beyond_the_classes_is_refused_by_its_folder(tmp_path):
    touch(tmp_path, "1/a.jpeg", "1000/a.jpeg")
    with pytest.raises(RefusedError, match=r"/1000 isn't a class index\. Indices go from 0 to 999"):
        listed(tmp_path, DatasetLayout.INDEX)


def test_two_folders_for_one_index_are_refused(tmp_path):
    touch(tmp_path, "7/a.jpeg", "007/a.jpeg")
    with pytest.raises(RefusedError, match="007 and 7 in"):
        listed(tmp_path, DatasetLayout.INDEX)


def test_unknown_wnids_are_refused_by_the_first_few_and_their_number(tmp_path):
    touch(tmp_path, f"{FIRST}/a.JPEG", *(f"n9999999{digit}/a.JPEG" for digit in range(8)))
    with pytest.raises(RefusedError, match=r"n99999990, .*n99999994 and 3 more are not among"):
        listed(tmp_path, DatasetLayout.WNID)


def test_one_unknown_wnid_is_named(tmp_path):
    touch(tmp_path, "n99999999/a.JPEG")
    with pytest.raises(RefusedError, match="The folder n99999999 is not among the study's 1,000"):
        listed(tmp_path, DatasetLayout.WNID)


def test_what_is_no_image_is_reported_and_not_listed(tmp_path):
    touch(
        tmp_path,
        f"{FIRST}/a.JPEG",
        f"{FIRST}/Thumbs.db",
        f"{FIRST}/notes.txt",
        f"{FIRST}/.DS_Store",
        f"{FIRST}/.hidden.JPEG",
        f"{FIRST}/deeper/b.JPEG",
        "loose.JPEG",
        "extras/c.JPEG",
        ".cache/d.JPEG",
    )
    os.mkfifo(tmp_path / FIRST / "pipe.JPEG")
    assert listed(tmp_path, DatasetLayout.WNID) == (
        [(f"{FIRST}/a.JPEG", FIRST)],
        {
            f"{FIRST}/Thumbs.db": IgnoredReason.NOT_AN_IMAGE,
            f"{FIRST}/notes.txt": IgnoredReason.NOT_AN_IMAGE,
            f"{FIRST}/.DS_Store": IgnoredReason.HIDDEN,
            f"{FIRST}/.hidden.JPEG": IgnoredReason.HIDDEN,
            f"{FIRST}/deeper": IgnoredReason.OTHER_FOLDER,
            f"{FIRST}/pipe.JPEG": IgnoredReason.NOT_A_FILE,
            "loose.JPEG": IgnoredReason.OUTSIDE_CLASS_FOLDERS,
            "extras": IgnoredReason.OTHER_FOLDER,
            ".cache": IgnoredReason.HIDDEN,
        },
    )


def test_a_name_that_is_not_text_is_reported_in_printable_form(tmp_path):
    touch(tmp_path, f"{FIRST}/a.JPEG")
    with open(os.fsencode(tmp_path / FIRST) + b"/\xff.JPEG", "wb"):  # noqa: PTH123
        pass
    images, ignored = listed(tmp_path, DatasetLayout.WNID)
    assert images == [(f"{FIRST}/a.JPEG", FIRST)]
    assert ignored == {f"{FIRST}/?.JPEG": IgnoredReason.UNDECODABLE_NAME}


def test_links_inside_are_followed_links_outside_and_to_nothing_are_reported(tmp_path):
    root = tmp_path / "data"
    touch(root, f"{FIRST}/a.JPEG")
    touch(tmp_path, "outside/x.JPEG", f"outside/{SECOND}/y.JPEG")
    (root / FIRST / "inside.JPEG").symlink_to(root / FIRST / "a.JPEG")
    (root / FIRST / "outside.JPEG").symlink_to(tmp_path / "outside/x.JPEG")
    (root / FIRST / "dangling.JPEG").symlink_to(tmp_path / "nothing.JPEG")
    (root / FIRST / "loop.JPEG").symlink_to(root / FIRST / "loop.JPEG")
    touch(root, f"{FIRST}/notes.txt", f"{FIRST}/deeper/b.JPEG")
    (root / FIRST / "link.txt").symlink_to(root / FIRST / "notes.txt")
    (root / FIRST / "link.JPEG").symlink_to(root / FIRST / "deeper")
    (root / SECOND).symlink_to(tmp_path / "outside" / SECOND)
    (root / THIRD).symlink_to(root / FIRST)
    images, ignored = listed(root, DatasetLayout.WNID)
    assert images == [
        (f"{FIRST}/a.JPEG", FIRST),
        (f"{FIRST}/inside.JPEG", FIRST),
        (f"{THIRD}/a.JPEG", THIRD),
        (f"{THIRD}/inside.JPEG", THIRD),
    ]
    assert ignored[f"{FIRST}/outside.JPEG"] is IgnoredReason.OUTSIDE_LINK
    assert ignored[f"{FIRST}/dangling.JPEG"] is IgnoredReason.MISSING
    assert ignored[f"{FIRST}/loop.JPEG"] is IgnoredReason.MISSING
    assert ignored[f"{FIRST}/link.txt"] is IgnoredReason.NOT_AN_IMAGE
    assert ignored[f"{FIRST}/link.JPEG"] is IgnoredReason.OTHER_FOLDER
    assert ignored[SECOND] is IgnoredReason.OUTSIDE_LINK


def test_a_dataset_reached_through_a_link_is_listed(tmp_path):
    touch(tmp_path, f"data/{FIRST}/a.JPEG")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert listed(tmp_path / "link", DatasetLayout.WNID) == ([(f"{FIRST}/a.JPEG", FIRST)], {})


@pytest.mark.parametrize("header", ["image,wnid", "IMAGE, Label", "image,target", "﻿image,wnid"])
def test_a_flat_folder_is_listed_in_the_order_of_its_labels(tmp_path, header):
    touch(tmp_path, "b.JPEG", "a.JPEG", "c.JPEG", "sub/d.JPEG", "notes.txt", "other/e.JPEG")
    rows = f"b.JPEG,{SECOND}\n\n a.JPEG , {FIRST}\nsub//d.JPEG,{FIRST}\n"
    (tmp_path / "labels.csv").write_text(f"{header}\n{rows}", encoding="utf-8")
    assert listed(tmp_path, DatasetLayout.FLAT) == (
        [("b.JPEG", SECOND), ("a.JPEG", FIRST), ("sub/d.JPEG", FIRST)],
        {
            "c.JPEG": IgnoredReason.NOT_IN_LABELS,
            "notes.txt": IgnoredReason.NOT_AN_IMAGE,
            "other": IgnoredReason.OTHER_FOLDER,
        },
    )


def test_a_manifest_is_listed_relative_to_its_own_folder(tmp_path):
    touch(tmp_path, "one/a.JPEG", "two/b.png", "two/unlisted.png")
    manifest = tmp_path / "all.csv"
    manifest.write_text(f"id,label,image\n1,{SECOND},two/b.png\n2,{FIRST},one/a.JPEG\n")
    assert listed(manifest, DatasetLayout.MANIFEST) == (
        [("two/b.png", SECOND), ("one/a.JPEG", FIRST)],
        {},
    )


def test_a_labeled_link_is_followed_inside_and_reported_outside(tmp_path):
    root = tmp_path / "data"
    touch(root, "a.JPEG")
    touch(tmp_path, "x.JPEG", "outside/y.JPEG")
    (root / "out.JPEG").symlink_to(tmp_path / "x.JPEG")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "in").symlink_to(root / "a.JPEG")
    names = ("out.JPEG", "folder/y.JPEG", "in", "a.JPEG")
    rows = "".join(f"{name},{FIRST}\n" for name in names)
    (root / "labels.csv").write_text("image,wnid\n" + rows)
    assert listed(root, DatasetLayout.FLAT) == (
        [("in", FIRST), ("a.JPEG", FIRST)],
        {"out.JPEG": IgnoredReason.OUTSIDE_LINK, "folder/y.JPEG": IgnoredReason.OUTSIDE_LINK},
    )


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        ("", "line 1: there is no column named image."),
        ("wnid\n", "line 1: there is no column named image."),
        ("image\n", "line 1: there is no column of labels"),
        ("image,label,target\n", "line 1: there are several columns"),
        ("image,wnid\na.JPEG\n", "line 2: the row has 1 fields, but the header has 2."),
        ("image,wnid\na.JPEG,n9\n", "line 2, column wnid: 'n9' isn't the wnid of any"),
        ("image,Label\na.JPEG,7\n", "line 2, column Label: '7' isn't the wnid of any"),
        (f"image,wnid\n,{FIRST}\n", "line 2, column image: '' isn't a file name."),
        (
            f"image,wnid\na.JPEG,{FIRST}\n./a.JPEG,{FIRST}\n",
            "line 3, column image: './a.JPEG' is already on line 2.",
        ),
        (f"image,wnid\nb.JPEG,{FIRST}\n", "line 2, column image: there is no file 'b.JPEG'"),
        (f"image,wnid\nsub,{FIRST}\n", "line 2, column image: there is no file 'sub'"),
        (f"image,wnid\nno/b.JPEG,{FIRST}\n", "line 2, column image: there is no file 'no/b"),
        (f"image,wnid\n../a.JPEG,{FIRST}\n", "line 2, column image: '../a.JPEG' contains '..'"),
        (f"image,wnid\nsub/../a.JPEG,{FIRST}\n", "line 2, column image: 'sub/../a.JPEG' contains"),
        (f"image,wnid\n/etc/a.JPEG,{FIRST}\n", "line 2, column image: '/etc/a.JPEG' is an abs"),
        (f"image,wnid\nC:\\a.JPEG,{FIRST}\n", "line 2, column image: 'C:\\\\a.JPEG' is an abs"),
        (f"image,wnid\ndangling,{FIRST}\n", "line 2, column image: there is no file 'dangling'"),
        (f"image,wnid\n\0,{FIRST}\n", "line 2, column image: '\\x00' isn't a file name."),
        (f'image,wnid\n"a.JPEG,{FIRST}\n', "line 2: this isn't valid CSV"),
        (b"image,wnid\n\xff\xfe,n1\n", "line 2: this isn't UTF-8 text"),
        ("image,wnid\n".encode("utf-16"), "line 1: this isn't UTF-8 text"),
    ],
)
def test_each_mistake_in_a_labels_file_is_placed_and_explained(tmp_path, contents, problem):
    touch(tmp_path, "a.JPEG", "sub/c.JPEG")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    labels = tmp_path / "labels.csv"
    labels.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    message = csv_problem(tmp_path, DatasetLayout.FLAT)
    assert message.startswith(f"{labels}, {problem}")
    assert csv_problem(labels, DatasetLayout.MANIFEST) == message


def test_a_layout_that_does_not_fit_is_refused(tmp_path):
    touch(tmp_path, "data/a.JPEG")
    with pytest.raises(RefusedError, match="no folders named by wnid"):
        listed(tmp_path / "data", DatasetLayout.WNID)
    with pytest.raises(RefusedError, match="no folders named by class index"):
        listed(tmp_path / "data", DatasetLayout.INDEX)
    with pytest.raises(RefusedError, match="has no labels"):
        listed(tmp_path / "data", DatasetLayout.FLAT)
    with pytest.raises(RefusedError, match="doesn't exist"):
        listed(tmp_path / "data", DatasetLayout.MANIFEST)
    with pytest.raises(RefusedError, match="isn't a folder"):
        listed(tmp_path / "nowhere", DatasetLayout.WNID)


def test_no_one_waits_for_labels_from_a_pipe(tmp_path):
    touch(tmp_path, "data/a.JPEG")
    os.mkfifo(tmp_path / "labels.csv")
    with pytest.raises(RefusedError, match="pipe or a device"):
        listed(tmp_path / "data", DatasetLayout.FLAT, tmp_path / "labels.csv")


@pytest.mark.parametrize(
    ("layout", "closed"), [(DatasetLayout.FLAT, "labels.csv"), (DatasetLayout.WNID, FIRST)]
)
def test_what_may_not_be_read_is_the_environments_fault(tmp_path, layout, closed):
    touch(tmp_path, f"{FIRST}/a.JPEG", "labels.csv")
    (tmp_path / closed).chmod(0)
    if os.access(tmp_path / closed, os.R_OK):
        pytest.skip("root may read every file")
    with pytest.raises(EnvironmentFault, match="Change its permissions"):
        listed(tmp_path, layout)
    (tmp_path / closed).chmod(0o700)


def test_listing_does_not_read_ahead_of_the_class_it_is_in(tmp_path):
    touch(tmp_path, f"{FIRST}/a.JPEG", f"{SECOND}/b.JPEG")
    images = list_images(tmp_path, DatasetLayout.WNID, classes=CLASSES, on_ignored=lambda _: None)
    assert next(images).name == f"{FIRST}/a.JPEG"
    touch(tmp_path, f"{SECOND}/added.JPEG")
    assert [image.name for image in images] == [f"{SECOND}/added.JPEG", f"{SECOND}/b.JPEG"]


def test_every_reason_for_leaving_out_has_words_of_its_own():
    assert len({why.fragment for why in IgnoredReason}) == len(IgnoredReason)
