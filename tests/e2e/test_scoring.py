"""`labeler score` runs a real model over real files, alone or through torchrun."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.conftest import Labeler
from tests.scored_pictures import MODEL, compose_pictures

pytest.importorskip("timm", reason="the models' packages aren't installed")

IMAGES = 20


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study before and after a model was scored, by a command of its own."""
    folder = tmp_path_factory.mktemp("scoring")
    compose_pictures(folder / "pictures", classes=IMAGES)
    _labeler("new", folder / "before")
    _labeler("add-dataset", folder / "before", "original", folder / "pictures")
    shutil.copytree(folder / "before", folder / "after")
    options = ("--model", MODEL, "--batch-size", "4", "--logits", folder / "logits")
    _labeler("score", folder / "after", *options)
    return folder


def test_the_model_stands_beside_the_people(labeler: Labeler, scored: Path) -> None:
    again = labeler("score", scored / "after", "--model", MODEL, "--batch-size", "4", "--json")
    (row,) = again.json["scored"]
    assert (row["model"], row["answered"], row["scored_now"]) == (MODEL, IMAGES, 0)
    assert row["top1"] > 0.6
    assert labeler("export", scored / "after", scored / "out").code == 0
    lines = (scored / "out" / "predictions.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 5 * IMAGES


def test_all_logits_are_in_a_file(scored: Path) -> None:
    logits = np.load(scored / "logits" / f"{MODEL}-original.npy")
    assert logits.shape == (IMAGES, 1000)
    assert np.isfinite(logits).all()


def test_two_processes_of_torchrun_give_the_same_rows(labeler: Labeler, scored: Path) -> None:
    study = Path(shutil.copytree(scored / "before", scored / "twice"))
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command = ["-m", "labeler", "score", study, "--model", MODEL, "--batch-size", "4"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [*launcher, "--nproc-per-node", "2", *map(str, command)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in ("after", "twice"):
        assert labeler("export", scored / name, scored / f"{name}-out").code == 0
    one, two = (scored / f"{name}-out" / "predictions.csv" for name in ("after", "twice"))
    assert one.read_bytes() == two.read_bytes()


def test_options_of_one_model_need_one_model(labeler: Labeler, scored: Path) -> None:
    wrong = labeler("score", scored / "before", "--model", "a", "--model", "b", "--name", "c")
    assert (wrong.code, "write a testbed" in wrong.err) == (2, True)
    assert labeler("score", scored / "before").code == 2


def _labeler(*arguments: object) -> None:
    command = [sys.executable, "-m", "labeler", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(command, check=True, env=environment, capture_output=True)
