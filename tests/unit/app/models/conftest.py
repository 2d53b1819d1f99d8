"""A study whose images are scored by processes without a model, so that tests take no time."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labeler.core.models.scoring import ModelFacts
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.scored_study import LOAD_SCORER, make_scored_study
from tests.stand_in_worker import load_stand_in


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
    return make_scored_study(tmp_path_factory.mktemp("scoring"))


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Iterator[StudyStore]:
    path = shutil.copytree(made, tmp_path / "study")
    with open_study(path, clock=AdjustableClock()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scoring processes are those of the stand-in, which labels image n with class n."""
    monkeypatch.setattr(LOAD_SCORER, load_stand_in)
