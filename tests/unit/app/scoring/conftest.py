"""A study whose images are scored by processes without a model, so that tests take no time."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from labeler.app.dataset_import import import_dataset
from labeler.app.dataset_request import DatasetRequest
from labeler.app.studies import new_study
from labeler.core.scoring import ModelFacts
from labeler.core.study import DatasetRole
from labeler.core.taxonomy import load_default
from labeler.store.opening import open_study
from labeler.store.study import StudyStore
from tests.adjustable_clock import AdjustableClock

CLASSES = 40


class Recording:
    """A watcher that remembers."""

    def __init__(self) -> None:
        self.facts: list[ModelFacts] = []
        self.begun: list[tuple[str, int, int]] = []
        self.images = 0
        self.right = 0
        self.notes: list[str] = []
        self.words: list[str] = []
        self.on_scored: Callable[[], None] = lambda: None

    def loaded(self, facts: ModelFacts) -> None:
        self.facts.append(facts)

    def began(self, dataset: str, *, done: int, total: int) -> None:
        self.begun.append((dataset, done, total))

    def scored(self, *, images: int, right: int) -> None:
        self.images += images
        self.right += right
        self.on_scored()

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def log(self, words: str) -> None:
        self.words.append(words)


@pytest.fixture
def watcher() -> Recording:
    return Recording()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with two datasets of 40 classes, whose ordinals are their targets' indices."""
    folder = tmp_path_factory.mktemp("scoring")
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
    return folder / "study"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Iterator[StudyStore]:
    path = shutil.copytree(made, tmp_path / "study")
    with open_study(path, clock=AdjustableClock()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scoring processes are those of the stand-in, which labels image n with class n."""
    from tests.unit.scoring.test_crew import STAND_IN

    monkeypatch.setattr("labeler.scoring.process.WORKER", STAND_IN)
