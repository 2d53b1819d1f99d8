"""The predictions recorded for the finished demo are what the model says."""

import csv
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("timm", reason="the models' packages aren't installed")

from labeler.core.classes.taxonomy import load_default
from labeler.demo.composer.batch import compose_many
from labeler.demo.finished_study import RECORDED_PREDICTIONS
from labeler.demo.pictures import CUTOUTS_FOLDER, evaluation_jobs
from labeler.scoring.scorer import Scorer
from tests.scored_pictures import MODEL
from tests.unit.scoring.conftest import chunk_of

WNIDS = ("n02129604", "n03481172", "n07753592")


def test_some_pictures_scored_again_give_the_recorded_rows(tmp_path: Path, scorer: Scorer) -> None:
    jobs = [job for wnid in WNIDS for job in evaluation_jobs(tmp_path, wnid)]
    made = sorted(file.path for file in compose_many(jobs, CUTOUTS_FOLDER, workers=1))
    result = scorer.score(chunk_of(made))
    recorded = _recorded()
    classes = load_default().class_wnids
    for row, file in enumerate(made):
        dataset, image = file.relative_to(tmp_path).as_posix().split("/", 1)
        labels, scores = zip(*recorded[dataset, image], strict=True)
        assert classes[int(result.labels[row][0])] == labels[0]
        assert np.abs(result.scores[row][0] - scores[0]) < 0.01


def _recorded() -> dict[tuple[str, str], list[tuple[str, float]]]:
    rows: dict[tuple[str, str], list[tuple[str, float]]] = {}
    with (RECORDED_PREDICTIONS / "predictions.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["participant"] == MODEL:
                ranked = rows.setdefault((row["dataset"], row["image"]), [])
                ranked.append((row["label"], float(row["score"])))
    return rows
