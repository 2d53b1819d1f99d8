"""The demo as anyone meets it: made by one command, complete, sound."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from labeler.commands.study import NO_PROBLEMS
from labeler.commands.window import NO_DISPLAY
from labeler.core.clock import SystemClock
from labeler.core.study.entities import DatasetRole, Role
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.study_opening import open_study
from labeler.store.study_store import StudyStore
from tests.e2e.conftest import Labeler
from tests.shared_demo import shared_demo


@pytest.fixture(scope="module")
def demo() -> Path:
    return shared_demo()


@pytest.fixture
def store(demo: Path) -> StudyStore:
    with open_study(demo, clock=SystemClock()) as store:
        yield store


def test_it_is_a_complete_small_study(store: StudyStore) -> None:
    with store.read() as study:
        roles = Counter(dataset.role for dataset in study.datasets.all())
        references = study.image_roles.reference_counts()
        people = Counter(role for p in study.participants.all() for role in p.roles)
        sample = study.samples.size()
        states = study.phases.states()
    assert roles == {
        DatasetRole.EVALUATION: 2,
        DatasetRole.TRAINING: 1,
        DatasetRole.REFERENCE: 1,
    }
    assert len(references) == 97
    assert all(60 <= count <= 100 for count in references.values())
    assert people == {Role.LABELER: 2, Role.REVIEWER: 1, Role.LEAD: 1}
    assert sample == 60
    assert states[Phase.EVALUATE] is PhaseState.OPEN


def test_nothing_is_wrong_with_it(demo: Path, labeler: Labeler) -> None:
    outcome = labeler("check", demo)
    assert (outcome.code, outcome.out) == (0, f"{NO_PROBLEMS}\n")


def test_the_truth_of_every_evaluation_picture_is_known(demo: Path, store: StudyStore) -> None:
    with (demo / "truth.csv").open(encoding="utf-8", newline="") as file:
        truth = {(row["dataset"], row["image"], row["label"]) for row in csv.DictReader(file)}
    with store.read() as study:
        candidates = study.image_roles.candidates(["original", "new"])
    assert all((c.key.dataset, c.key.image, c.target) in truth for c in candidates)
    assert len(truth) > len(candidates), "some pictures show several objects"


def test_a_finished_demo_is_opened_not_made_again(demo: Path, labeler: Labeler) -> None:
    before = (demo / "pictures/original").stat().st_mtime_ns
    assert labeler("demo", demo, "--no-gui").code == 0
    assert (demo / "pictures/original").stat().st_mtime_ns == before


def test_without_a_display_it_says_how_to_look_at_it(
    demo: Path, labeler: Labeler, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)
    outcome = labeler("demo", demo)
    assert outcome.code == 0
    assert NO_DISPLAY in outcome.out
    assert f"labeler {demo}" in outcome.out
