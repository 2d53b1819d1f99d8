"""`labeler score` runs a real model over real files, alone or through torchrun."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from labeler.cli import main
from labeler.commands.scoring import ONE_MODEL_ONLY
from tests.e2e.conftest import Labeler
from tests.scored_pictures import MODEL, compose_pictures

# Looked for, not imported: it would stay in the memory of this process.
pytestmark = pytest.mark.skipif(
    find_spec("timm") is None, reason="the models' packages aren't installed"
)

IMAGES = 20


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study before and after a model was scored, by a command of its own."""
    folder = tmp_path_factory.mktemp("scoring")
    compose_pictures(folder / "pictures", classes=IMAGES)
    study = str(folder / "before")
    assert main(["new", study]) == 0
    assert main(["add-dataset", study, "original", str(folder / "pictures")]) == 0
    shutil.copytree(folder / "before", folder / "after")
    options = ("--model", MODEL, "--batch-size", "4", "--logits", folder / "logits")
    _labeler("score", folder / "after", *options)
    return folder


def test_the_model_is_next_to_the_people(labeler: Labeler, scored: Path) -> None:
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
    assert (wrong.code, ONE_MODEL_ONLY in wrong.err) == (2, True)
    assert labeler("score", scored / "before").code == 2


def test_logits_of_one_study_are_predictions_of_another(labeler: Labeler, scored: Path) -> None:
    study = Path(shutil.copytree(scored / "before", scored / "imported"))
    file = scored / "logits" / f"{MODEL}-original.npy"
    options = ("--model", MODEL, "--dataset", "original", "--order", "study", "--json")
    (row,) = labeler("import-predictions", study, file, *options).json["scored"]
    assert (row["answered"], row["top1"] > 0.6) == (IMAGES, True)
    refused = labeler("import-predictions", study, file, *options)
    assert (refused.code, "--replace" in refused.err) == (1, True)
    assert labeler("import-predictions", study, file, "--model", "x").code == 2


def test_real_accuracy_needs_validation_files(labeler: Labeler, scored: Path) -> None:
    file = scored / "real.json"
    file.write_text(json.dumps([[]] * 50_000), encoding="utf-8")
    refused = labeler("real", scored / "after", file)
    assert (refused.code, "ILSVRC2012_val" in refused.err) == (1, True)
    assert "No model has been scored" in labeler("real", scored / "before", file).out


def test_the_papers_testbed_can_be_listed_and_scored(labeler: Labeler, scored: Path) -> None:
    listed = labeler("models", "--testbed")
    assert "Of the 71 models" in listed.out
    assert '[[model]]\nmodel = "resnet50.tv_in1k"' in labeler("models", "--testbed", "--toml").out
    assert labeler("models", "--results", scored / "none.csv").code == 1


def _labeler(*arguments: object) -> None:
    command = [sys.executable, "-m", "labeler", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(command, check=True, env=environment, capture_output=True)
