"""A power cut loses nothing that the program has acknowledged, in the database or a journal.

`make soak-power` does the same with as many cuts as one likes, and with guards taken out.
"""

import random
from pathlib import Path

import pytest

from tests.e2e.review_killing import study_to_review
from tests.e2e.study_to_kill import study_to_kill
from tests.power.mutants import Mutant
from tests.power.power_cuts import LABELER, REVIEW, PowerCuts
from tests.power.recorded_disk import why_unavailable

pytestmark = pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable())

CUTS = 25


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def seed() -> int:
    drawn = random.SystemRandom().randrange(1_000_000)
    print(f"seed {drawn}")  # shown when the test fails
    return drawn


def test_no_acknowledged_answer_is_lost(
    tmp_path: Path, own_folders: Path, work: Path, seed: int
) -> None:
    study = study_to_kill(tmp_path, rounds=3)
    power = PowerCuts(study, own_folders, work, LABELER, seed=seed)
    tally = power.run(2, cuts=CUTS, busy_rounds=2)
    assert tally.cuts == 2 * CUTS
    assert tally.checked > 0
    assert power.run_with_fault(3, acts=1), "no write failed"


def test_no_acknowledged_verdict_is_lost(
    tmp_path: Path, own_folders: Path, work: Path, seed: int
) -> None:
    study = study_to_review(tmp_path / "review", rounds=1)
    tally = PowerCuts(study, own_folders, work, REVIEW, seed=seed).run(1, cuts=CUTS, busy_rounds=1)
    assert tally.cuts == CUTS
    assert tally.checked > 0


def test_a_commit_that_is_not_synced_is_noticed(
    tmp_path: Path, own_folders: Path, work: Path
) -> None:
    study = study_to_kill(tmp_path, rounds=1)
    power = PowerCuts(study, own_folders, work, LABELER, seed=1, mutant=Mutant.SYNCHRONOUS_NORMAL)
    with pytest.raises(AssertionError):
        power.run(1, cuts=4 * CUTS)
