"""A small study for tests of scoring, and processes that score it without a model."""

from pathlib import Path

import numpy as np
from PIL import Image

from labeler.app.datasets.dataset_import import import_dataset
from labeler.app.datasets.import_request import DatasetRequest
from labeler.app.study.people import add_person
from labeler.app.study.studies import new_study
from labeler.core.classes.taxonomy import load_default
from labeler.core.study.entities import DatasetRole, Role
from tests.adjustable_clock import AdjustableClock

CLASSES = 40
LOAD_SCORER = "labeler.scoring.worker_pool.load_scorer"


def make_scored_study(folder: Path) -> Path:
    """A study with two datasets of 40 classes, whose ordinals are their targets' indices."""
    noise = np.random.default_rng(1)
    wnids = load_default().class_wnids[:CLASSES]
    for name in ("original", "new"):
        for wnid in wnids:
            (folder / name / wnid).mkdir(parents=True)
            pixels = noise.integers(0, 255, (12, 16, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / name / wnid / f"{wnid}_1.JPEG")
    with new_study(folder / "study", clock=AdjustableClock(), name="Scored") as store:
        for name in ("original", "new"):
            request = DatasetRequest(name=name, path=folder / name, role=DatasetRole.EVALUATION)
            import_dataset(store, request)
        add_person(store, "L", roles=[Role.LEAD])
        add_person(store, "B", roles=[Role.LEAD, Role.LABELER])
    return folder / "study"
