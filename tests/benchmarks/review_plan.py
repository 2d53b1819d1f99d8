"""Planning a review of 40,000 images with decoys, next to the same plan without them."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from labeler.app.review.plan import PlanReport, PlanSettings, plan_review
from labeler.app.study.people import add_person
from labeler.core.classes.look_alikes import find_look_alikes
from labeler.core.classes.taxonomy import load_default
from labeler.core.review.leak import DEFAULT_LEAK
from labeler.core.study.entities import Role, Stage
from labeler.core.study.exchange_format import DATASETS, PARTICIPANTS, PREDICTIONS
from labeler.store.exchange.importer import import_exchange
from tests.benchmarks.exchange import dataset_rows, write_rows
from tests.benchmarks.table import Row
from tests.unit.store.conftest import made_study

_IMAGES, _SKILL, _ALIKE = 40_000, 0.75, 5
_MODELS, _REVIEWERS = ("model_1", "model_2", "model_3"), ("R1", "R2", "R3", "R4")
_SECONDS = 60


def bench_decoys() -> Row:
    """Few models need the most decoys: most images have a single label without them."""
    with tempfile.TemporaryDirectory() as place:
        _write_files(Path(place, "files"))
        plain, plain_seconds = _plan(Path(place), "plain", leak=None)
        mixed, seconds = _plan(Path(place), "mixed", leak=DEFAULT_LEAK)
    assert not mixed.leak.revealing(DEFAULT_LEAK)
    return Row(
        f"review of {_IMAGES:,} images planned with decoys",
        f"{seconds:.1f} s, {len(mixed.draft.pairs):,} labels, {len(mixed.draft.decoys):,} decoys",
        f"without decoys {plain_seconds:.1f} s, {len(plain.draft.pairs):,} labels",
        plain_seconds / seconds,
        f"under {_SECONDS} s",
    )


def _plan(place: Path, name: str, *, leak: float | None) -> tuple[PlanReport, float]:
    settings = PlanSettings(stage=Stage.INITIAL, reviewers=_REVIEWERS, overlap=2, leak=leak)
    with made_study(place / name) as store:
        import_exchange(store, place / "files")
        for code in _REVIEWERS:
            add_person(store, code, roles=[Role.REVIEWER])
        started = time.perf_counter()
        report = plan_review(store, settings)
        return report, time.perf_counter() - started


def _write_files(folder: Path) -> None:
    folder.mkdir()
    write_rows(folder, DATASETS, dataset_rows(_IMAGES))
    write_rows(folder, PARTICIPANTS, ((code, "model", "") for code in _MODELS))
    write_rows(folder, PREDICTIONS, _predictions())


def _predictions() -> Iterator[tuple[object, ...]]:
    """Wrong answers are look-alikes of the target."""
    taxonomy, draw = load_default(), np.random.default_rng(1)
    alike = {
        wnid: [
            found.wnid
            for found in find_look_alikes(
                wnid, taxonomy=taxonomy, guide_pairs=(), confusions={}, count=_ALIKE
            )
        ]
        for wnid in taxonomy.class_wnids
    }
    for dataset, image, target, *_rest in dataset_rows(_IMAGES):
        for code in _MODELS:
            right = draw.random() < _SKILL
            label = target if right else draw.choice(alike[str(target)])
            yield (code, dataset, image, 1, label, "", "", "", "", 0, "")
