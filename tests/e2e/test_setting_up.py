"""A lead sets a study up from folders laid out as ImageNet, through the command line alone."""

import filecmp
import json
import sqlite3
from pathlib import Path

import pytest
from PIL import Image

from labeler.core.clock import SystemClock, stamp
from labeler.core.study.phases import NO_SAMPLE
from tests.e2e.conftest import Labeler

FILES = ("datasets.csv", "participants.csv", "predictions.csv", "reviews.csv", "multilabels.csv")


@pytest.fixture
def study(labeler: Labeler, imagenet: Path) -> Path:
    """A study with two datasets, references, a labeler and a sample."""
    path = imagenet / "study"
    commands = (
        ("new", path, "--name", "Two test sets"),
        ("add-dataset", path, "original", imagenet / "val"),
        ("add-dataset", path, "new", imagenet / "v2"),
        ("references", path, imagenet / "train", "--per-class", "5"),
        ("participants", path, "add", "A", "--role", "labeler", "--name", "Ada Example"),
        ("sample", path, "--per-class", "2"),
    )
    for command in commands:
        outcome = labeler(*command)
        assert outcome.code == 0, outcome.err
    return path


def test_a_study_goes_from_folders_to_an_open_evaluation(labeler: Labeler, study: Path) -> None:
    assert labeler("phase", study, "open", "evaluate").code == 0
    states = {row["phase"]: row["state"] for row in labeler("phase", study, "--json").json}
    assert states == {
        "annotate": "closed",
        "train": "closed",
        "evaluate": "open",
        "review": "closed",
    }
    assert labeler("check", study).code == 0


def test_a_layout_that_was_recognised_and_one_that_was_said_are_distinguished(
    labeler: Labeler, imagenet: Path
) -> None:
    study, manifest = imagenet / "study", imagenet / "pictures.csv"
    picture = next((imagenet / "v2").rglob("*.JPEG"))
    manifest.write_text(f"image,label\n{picture.relative_to(imagenet)},{picture.parent.name}\n")
    assert labeler("new", study).code == 0
    found = labeler("add-dataset", study, "original", imagenet / "val").out.splitlines()[0]
    assert found.startswith("Found: 4 folders named by wnid")
    said = labeler("add-dataset", study, "new", manifest, "--layout", "manifest").out
    assert said.splitlines()[0] == (
        f"{manifest} is read as a manifest, a CSV that lists images with their labels, "
        "as requested."
    )


def test_a_new_study_tells_how_its_lead_signs_in(labeler: Labeler, tmp_path: Path) -> None:
    path = tmp_path / "fresh"
    printed = labeler("new", path).out
    ways = [
        line.split("labeler ", 1)[1].split() for line in printed.splitlines() if "add L" in line
    ]
    assert [labeler(*way).code for way in ways] == [0]
    (lead,) = labeler("participants", path, "--json").json
    assert (lead["participant"], lead["roles"]) == ("L", ["lead"])


def test_the_same_folders_and_seed_give_the_same_sample_elsewhere(
    labeler: Labeler, study: Path, imagenet: Path
) -> None:
    drawn = labeler("sample", study, "--per-class", "2", "--redraw", "--seed", "7", "--json").json
    twin = imagenet / "twin"
    labeler("new", twin)
    # Added in the other order: the draw must not depend on it.
    labeler("add-dataset", twin, "new", imagenet / "v2")
    labeler("add-dataset", twin, "original", imagenet / "val")
    again = labeler(
        *("sample", twin, "--per-class", "2", "--seed", "7", "--json"),
        *("--dataset", "original", "--dataset", "new"),
    ).json
    assert again["images"] == drawn["images"]
    assert len(drawn["images"]) == 4 * 2 * 2


def test_an_exported_study_comes_back_without_loss(
    labeler: Labeler, study: Path, imagenet: Path
) -> None:
    first, second, copy = imagenet / "out1", imagenet / "out2", imagenet / "copy"
    assert labeler("export", study, first).code == 0
    assert labeler("new", copy).code == 0
    imported = labeler("import", copy, first)
    assert imported.code == 0, imported.err
    assert labeler("export", copy, second).code == 0
    assert filecmp.cmpfiles(first, second, FILES, shallow=False)[0] == list(FILES)
    assert "Ada" not in (first / "participants.csv").read_text(encoding="utf-8")


def test_names_are_exported_only_on_request(labeler: Labeler, study: Path, imagenet: Path) -> None:
    labeler("export", study, imagenet / "named", "--names")
    assert "Ada Example" in (imagenet / "named/participants.csv").read_text(encoding="utf-8")


def test_an_empty_study_exports_headers_only(labeler: Labeler, tmp_path: Path) -> None:
    labeler("new", tmp_path / "empty")
    labeler("export", tmp_path / "empty", tmp_path / "out")
    lines = {file: (tmp_path / "out" / file).read_text().count("\n") for file in FILES}
    assert lines == dict.fromkeys(FILES, 1)


def test_an_evaluation_without_a_sample_is_refused_with_the_reason(
    labeler: Labeler, tmp_path: Path
) -> None:
    labeler("new", tmp_path / "s")
    outcome = labeler("phase", tmp_path / "s", "open", "evaluate")
    assert outcome.code == 1
    assert NO_SAMPLE in outcome.err


def test_check_finds_a_missing_and_a_changed_image(
    labeler: Labeler, study: Path, imagenet: Path
) -> None:
    (imagenet / "val/n01440764/n01440764_0.JPEG").unlink()
    Image.new("RGB", (9, 9)).save(imagenet / "v2/n01443537/n01443537_1.JPEG")
    outcome = labeler("check", study, "--json")
    assert outcome.code == 1
    found = {(f["ailment"], f["sentence"].split(" ")[1]) for f in outcome.json}
    assert found == {
        ("missing_image", "n01440764/n01440764_0.JPEG"),
        ("changed_image", "n01443537/n01443537_1.JPEG"),
    }
    assert all(f["remedy"] for f in outcome.json)


def test_a_moved_folder_is_found_again_with_relocate(
    labeler: Labeler, study: Path, imagenet: Path
) -> None:
    (imagenet / "val").rename(imagenet / "moved")
    assert labeler("check", study).code == 1
    assert labeler("relocate", study, "original", imagenet / "moved").code == 0
    assert labeler("check", study).code == 0


def test_relocate_refuses_a_folder_that_lacks_files(
    labeler: Labeler, study: Path, imagenet: Path
) -> None:
    outcome = labeler("relocate", study, "original", imagenet)
    assert outcome.code == 1
    assert "No file of original is in" in outcome.err
    next((imagenet / "val").rglob("*.JPEG")).unlink()
    (imagenet / "val").rename(imagenet / "moved")
    outcome = labeler("relocate", study, "original", imagenet / "moved")
    assert outcome.code == 1
    assert "Use --partly to accept the folder anyway." in outcome.err
    outcome = labeler("relocate", study, "original", imagenet / "moved", "--partly")
    assert outcome.code == 0
    assert "Found only " in outcome.out


def test_a_backup_can_be_put_back(labeler: Labeler, study: Path) -> None:
    labeler("backup", study)
    newest = labeler("backup", study, "--list", "--json").json[0]
    assert newest["reason"] == "by-hand"
    name = newest["name"]
    labeler("participants", study, "add", "B", "--role", "reviewer")
    assert labeler("backup", study, "--restore", name).code == 0
    people = [row["participant"] for row in labeler("participants", study, "--json").json]
    assert people == ["A"]


def test_a_damaged_database_is_reported_with_its_remedy(labeler: Labeler, study: Path) -> None:
    with sqlite3.connect(study / "study.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with (study / "study.db").open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 8192)
    outcome = labeler("check", study)
    assert outcome.code == 1
    assert "malformed" in outcome.out
    assert "labeler backup STUDY --list" in outcome.out


def test_a_script_can_read_what_an_import_did(labeler: Labeler, imagenet: Path) -> None:
    (imagenet / "val/n01440764/broken.JPEG").write_bytes(b"not an image")
    labeler("new", imagenet / "s")
    outcome = labeler("add-dataset", imagenet / "s", "val", imagenet / "val", "--json")
    assert json.loads(outcome.out)["odd_files"] == [
        {"name": "n01440764/broken.JPEG", "kind": "not_an_image", "imported": False}
    ]


def test_a_reviewer_who_becomes_a_labeler_learns_of_the_washout(
    labeler: Labeler, study: Path, tmp_path: Path
) -> None:
    pictures = [file.relative_to(study.parent / "val") for file in study.parent.glob("val/*/*")]
    given = tmp_path / "given"
    given.mkdir()
    (given / "participants.csv").write_text("participant,kind,description\nR,human,\n")
    judged = [
        f"R,original,{picture.as_posix()},{picture.parent.name},correct,,initial,"
        f"{stamp(SystemClock().utc())}\n"
        for picture in pictures
    ]
    header = "reviewer,dataset,image,label,verdict,kind,stage,at\n"
    (given / "reviews.csv").write_text(header + "".join(judged))
    assert labeler("import", study, given).code == 0
    becoming = ("participants", study, "set", "R", "--role", "reviewer", "--role", "labeler")
    assert "washout" not in labeler(*becoming).out
    assert labeler("settings", study, "--washout-days", 30).code == 0
    assert "R must wait until" in labeler(*becoming).out
