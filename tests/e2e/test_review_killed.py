"""Killed at any moment, a reviewer's program loses no verdict that it has acknowledged.

`make soak` does the same for as many rounds as one likes.
"""

import random
from pathlib import Path

from tests.e2e.review_killing import ReviewKilling, study_to_review

# In the first round another program writes: what was said waits in the journal.
BUSY = [True, False]


def test_every_acknowledged_verdict_survives_every_kill(tmp_path: Path, own_folders: Path) -> None:
    seed = random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}")  # shown when the test fails
    study = study_to_review(tmp_path, rounds=len(BUSY))
    tally = ReviewKilling(study, own_folders, seed=seed).run(BUSY)
    assert tally.kills == len(BUSY)
    assert tally.delayed >= 1
    assert tally.stored >= tally.acknowledged >= len(BUSY)
