"""One loaded model for all tests, and pictures that it knows."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

with warnings.catch_warnings():
    # What torch and timm deprecate in each other is nothing that a test here could fix.
    warnings.simplefilter("ignore")
    import timm
    import torch

    from labeler.scoring.scorer import Scorer

from labeler.core.classes.taxonomy import load_default
from labeler.core.models.scoring import ImageToScore, ModelSpec, ScoringChunk, ScoringSetup
from tests.scored_pictures import MODEL, compose_pictures

assert timm.__version__


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return compose_pictures(tmp_path_factory.mktemp("pictures"), classes=32)


def setup_for(batch_size: int | None = 8, **changes: object) -> ScoringSetup:
    spec = ModelSpec(model=MODEL, name=MODEL, batch_size=batch_size)
    return ScoringSetup(
        **{"spec": spec, "wnids": load_default().class_wnids, "device": "cpu", **changes}
    )


def chunk_of(pictures: list[Path], number: int = 0) -> ScoringChunk:
    images = tuple(ImageToScore(n, str(path)) for n, path in enumerate(pictures))
    return ScoringChunk(number, images, apply_exif=False)


@pytest.fixture(scope="session")
def scorer() -> Iterator[Scorer]:
    torch.set_num_threads(1)  # a busy machine is slower with more
    made = Scorer(setup_for(wants_logits=True), "cpu", notify=lambda _sentence: None)
    yield made
    made.close()
