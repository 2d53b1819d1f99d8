"""A large synthetic study: two datasets, 72 models, judged labels, and humans where wanted."""

import uuid
from pathlib import Path

import numpy as np
from sqlalchemy import insert, text

from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.review.verdict_table import VERDICT_ORDER
from labeler.core.study.entities import (
    DatasetRole,
    Participant,
    ParticipantKind,
    Role,
    SessionTask,
    Verdict,
)
from labeler.store.datasets.datasets import DatasetDefinition, NewImage
from labeler.store.engine.database import Database, sqlite_url
from labeler.store.models.predictions import PackedPredictions
from labeler.store.schema import MultilabelRow, PredictionRow
from labeler.store.study.folder import StudyFolder
from labeler.store.study_store import StudyStore, Transaction, create_database

MODELS, IMAGES, LABELS = 72, 40_683, 182_597
_DATASETS = {"original": IMAGES // 2, "new": IMAGES - IMAGES // 2}


def large_study(folder: Path, *, humans: int = 0) -> StudyStore:
    """A study of two datasets; every human answers every image."""
    url, clock, taxonomy = sqlite_url(folder / "study.db"), SystemClock(), load_default()
    create_database(
        url, name="benchmark", seed=1, taxonomy=taxonomy, program_version="benchmark", clock=clock
    )
    store = StudyStore(StudyFolder(folder), Database(url), clock)
    random = np.random.default_rng(7)
    with store.write() as study:
        for number in range(MODELS):
            code = f"model_{number:02d}"
            study.participants.add(Participant(code=code, kind=ParticipantKind.MODEL))
        for number in range(humans):
            person = Participant(f"H{number + 1}", ParticipantKind.HUMAN, "", {Role.LABELER}, 1)
            study.participants.add(person)
        labels = LABELS
        for name, size in _DATASETS.items():
            targets = random.integers(0, 1000, size)
            share = labels if name == "new" else round(LABELS * size / IMAGES)
            _fill(study, name, targets, share, random)
            _answer(study, name, targets, humans, random)
            labels -= share
    return store


def _fill(
    study: Transaction, name: str, targets: np.ndarray, labels: int, random: np.random.Generator
) -> None:
    wnids = load_default().class_wnids
    study.datasets.add(DatasetDefinition(name=name, role=DatasetRole.EVALUATION), complete=True)
    images = [NewImage(name=f"{n:06d}.jpg", target=wnids[t]) for n, t in enumerate(targets)]
    study.datasets.append(name, images)
    for number in range(MODELS):
        guesses = random.integers(0, 1000, (len(targets), 5)).astype(np.uint16)
        right = random.random(len(targets)) < 0.6 + 0.004 * number
        guesses[right, 0] = targets[right]
        study.model_predictions.put(
            f"model_{number:02d}", name, PackedPredictions(guesses, None), {}
        )
    _judge(study, name, targets, labels, random)


def _judge(
    study: Transaction, name: str, targets: np.ndarray, labels: int, random: np.random.Generator
) -> None:
    """Every target is correct; further labels, spread over the images, are mostly wrong."""
    pairs = dict.fromkeys(enumerate(targets.tolist()), Verdict.CORRECT)
    while len(pairs) < labels:
        pair = int(random.integers(len(targets))), int(random.integers(1000))
        pairs.setdefault(pair, VERDICT_ORDER[int(random.choice(3, p=(0.8, 0.05, 0.15)))])
    ids = _ids(study, name)
    rows = [
        {"image_id": ids[n], "class_id": label, "state": state, "rule": "imported"}
        for (n, label), state in pairs.items()
    ]
    study.session.execute(insert(MultilabelRow), rows)


def _answer(
    study: Transaction, name: str, targets: np.ndarray, humans: int, random: np.random.Generator
) -> None:
    """Answers as an import leaves them, one in fifty an escape hatch."""
    codes = [f"H{number + 1}" for number in range(humans)]
    people = dict(study.session.execute(text("SELECT code, id FROM participant")).all())
    ids = _ids(study, name)
    for number, code in enumerate(codes):
        right = random.random(len(targets)) < 0.85 + 0.02 * number
        labels = np.where(right, targets, random.integers(0, 1000, len(targets))).tolist()
        seconds = np.exp(random.normal(3.3, 0.6, len(targets)))
        hatches = (random.random(len(targets)) < 0.02).tolist()
        rows = [
            {
                "id": str(uuid.uuid4()),
                "participant_id": people[code],
                "task": SessionTask.EVALUATE,
                "image_id": image,
                "revision": 1,
                "class_id": label,
                "escape_hatch": hatch,
                "alternative_id": target if hatch else None,
                "note": "",
                "active_ms": spent,
                "wall_ms": spent,
                "committed_at": "2026-01-01T00:00:00.000Z",
            }
            for image, label, target, spent, hatch in zip(
                ids,
                labels,
                targets.tolist(),
                (1000 * seconds).astype(int).tolist(),
                hatches,
                strict=True,
            )
        ]
        study.session.execute(insert(PredictionRow), rows)


def _ids(study: Transaction, name: str) -> list[int]:
    query = (
        "SELECT image.id FROM image JOIN dataset ON dataset.id = image.dataset_id "
        "WHERE dataset.name = :name ORDER BY ordinal"
    )
    return list(study.session.execute(text(query), {"name": name}).scalars())
