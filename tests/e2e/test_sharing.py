"""A study shared by two machines at the command line, and results that come back changed."""

import os
from pathlib import Path

import pytest

from tests.e2e.conftest import Labeler
from tests.unit.store.throwaway_server import Server, program


@pytest.fixture
def lead(labeler: Labeler, server: Server, imagenet: Path, tmp_path: Path) -> tuple[str, Path]:
    """The address of a study with a dataset and references, and its folder."""
    address, study = server.new_database(), tmp_path / "study"
    assert labeler("new", study, "--name", "Shared", "--database", address).code == 0
    assert labeler("add-dataset", study, "val", imagenet / "val").code == 0
    assert labeler("references", study, imagenet / "train").code == 0
    return address, study


def test_a_second_machine_joins_relocates_and_backs_up(
    labeler: Labeler,
    lead: tuple[str, Path],
    imagenet: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, _study = lead
    elsewhere, second = tmp_path / "elsewhere", tmp_path / "second"
    elsewhere.mkdir()
    for name in ("val", "train"):
        (imagenet / name).rename(elsewhere / name)

    bare = labeler("join", address, tmp_path / "bare")
    assert bare.code == 0
    assert str(imagenet / "val") in bare.out
    assert "relocate" in bare.out
    assert labeler("join", address, second, "--images", "val").code == 2
    assert not second.exists()
    images = [f"--images=references={elsewhere / 'train'}", f"--images=val={elsewhere / 'val'}"]
    joined = labeler("join", address, second, *images)
    assert joined.code == 0
    assert "Joined the study 'Shared'" in joined.out
    assert labeler("check", second).code == 0
    assert labeler("check", tmp_path / "bare").code == 1

    pack = tmp_path / "study.labelerpack"
    assert labeler("pack", second, "--out", pack).code == 0
    packed = labeler("join", address, tmp_path / "packed", "--pack", pack)
    assert (packed.code, "relocate" in packed.out) == (0, False)
    assert "takes the study's pictures from" in labeler("use-pack", tmp_path / "bare", pack).out

    found = labeler("relocate", tmp_path / "bare", "val", elsewhere / "val")
    assert found.code == 0
    assert labeler("join", address, second).code == 1

    dumper = program("pg_dump")
    if dumper is not None:
        monkeypatch.setenv("PATH", str(Path(dumper).parent), prepend=os.pathsep)
        assert labeler("backup", second).code == 0
        (made,) = (second / "backups").iterdir()
        assert made.name in labeler("backup", second, "--list").out
        refused = labeler("backup", second, "--restore", made.name)
        assert (refused.code, "pg_restore" in refused.err) == (1, True)
    monkeypatch.setenv("PATH", str(tmp_path))
    without = labeler("backup", second)
    assert (without.code, "pg_dump" in without.err) == (1, True)


def test_results_that_changed_on_another_machine_are_imported_again(
    labeler: Labeler, imagenet: Path, tmp_path: Path
) -> None:
    study, files = tmp_path / "study", tmp_path / "files"
    assert labeler("new", study).code == 0
    assert labeler("add-dataset", study, "val", imagenet / "val").code == 0
    assert labeler("export", study, files).code == 0
    image, label = (files / "datasets.csv").read_text().splitlines()[1].split(",")[1:3]
    (files / "participants.csv").write_text("participant,kind,description\nR,human,\n")
    header = "reviewer,dataset,image,label,verdict,kind,stage,at"
    reviews = files / "reviews.csv"
    reviews.write_text(f"{header}\nR,val,{image},{label},correct,,initial,\n")
    assert labeler("import", study, files).code == 0
    reviews.write_text(f"{header}\nR,val,{image},{label},wrong,,initial,\n")

    refused = labeler("import", study, files)
    assert refused.code == 1
    assert "reviews.csv, line 2, column verdict" in refused.err
    assert "1 to update" in labeler("import", study, files, "--update", "--dry-run").out
    assert "1 updated" in labeler("import", study, files, "--update").out
    assert labeler("export", study, tmp_path / "history", "--history").code == 0
    rows = (tmp_path / "history" / "reviews.csv").read_text().splitlines()[1:]
    assert [row.split(",")[4] for row in rows] == ["correct", "wrong"]
