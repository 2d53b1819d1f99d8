"""Killed at any moment, the real program loses nothing that it has acknowledged.

`make soak` does the same for as many rounds as one likes.
"""

import random
import sys
from pathlib import Path

import pytest

from tests.e2e.killing import Killing, Moment
from tests.e2e.study_to_kill import study_to_kill

MOMENTS = (
    Moment.SUBMITTING,
    Moment.ANYWHERE,
    Moment.HALF_DONE,
    Moment.STUDY_BUSY,
    Moment.DISK_WAS_FULL,
)


@pytest.mark.skipif(sys.platform != "linux", reason="a disk is only filled up on Linux")
def test_every_acknowledged_answer_survives_every_kill(tmp_path: Path, own_folders: Path) -> None:
    seed = random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}")  # shown when the test fails
    study = study_to_kill(tmp_path, rounds=len(MOMENTS))
    tally = Killing(study, own_folders, seed=seed).run(MOMENTS)
    assert tally.kills == len(MOMENTS)
    assert tally.delayed == 2
    assert tally.drafts_found_again >= 1
    assert tally.stored == tally.acknowledged + tally.cut_off_stored
