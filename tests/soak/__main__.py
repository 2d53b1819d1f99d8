"""Kill the program many times, and sum up what became of the answers and verdicts.

After that, run the tests that have a long version in it.

python -m tests.soak ROUNDS [SEED]
"""

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.e2e.accounting import Tally
from tests.e2e.driven_process import environment
from tests.e2e.killing import Killing, Moment
from tests.e2e.review_killing import ReviewKilling, ReviewTally, study_to_review
from tests.e2e.study_to_kill import study_to_kill
from tests.long_tests import LONG_TEST_FILES

# Most kills aim at a commit or come out of the blue; those with a fault take longer.
_OFTEN = (Moment.SUBMITTING, Moment.SUBMITTING, Moment.ANYWHERE, Moment.ANYWHERE)


# So often a reviewer is killed while another program holds the study.
_BUSY = 0.2


def main(rounds: int, seed: int) -> None:
    print(f"{rounds} rounds with the seed {seed}", flush=True)
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        root, home = Path(place), Path(place, "home")
        home.mkdir()
        os.environ.update(environment(home))
        study = study_to_kill(root, rounds=rounds)
        killing = Killing(study, home, seed=seed)
        tally = killing.run(_moments(rounds, seed), report=lambda line: print(line, flush=True))
        print(_summary(tally))
        review = study_to_review(root / "review", rounds=rounds)
        busy = [draw.random() < _BUSY for _round in range(rounds)]
        judging = ReviewKilling(review, home, seed=seed)
        reviewed = judging.run(busy, report=lambda line: print(line, flush=True))
    print(_review_summary(reviewed))
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *LONG_TEST_FILES],
        env={**os.environ, "LONG_TESTS": "1"},
        check=True,
    )


def _moments(rounds: int, seed: int) -> list[Moment]:
    """Every moment once, then at random."""
    draw = random.Random(seed)
    moments = [*Moment, *draw.choices([*Moment, *_OFTEN], k=max(0, rounds - len(Moment)))]
    draw.shuffle(moments)
    return moments[:rounds]


def _summary(tally: Tally) -> str:
    cut_off = tally.cut_off_stored + tally.cut_off_dropped
    return (
        f"{tally.kills} kills: {tally.acknowledged:,} answers acknowledged, {tally.stored:,} "
        f"stored, none lost. Of {cut_off} cut off by a kill {tally.cut_off_stored} were stored "
        f"whole and {tally.cut_off_dropped} not at all; {tally.delayed} were delayed by a fault "
        f"and arrived. {tally.drafts_found_again} drafts were found again. "
        f"The longest restart took {max(tally.restarts_s):.1f} s."
    )


def _review_summary(tally: ReviewTally) -> str:
    return (
        f"{tally.kills} kills of a reviewer's program: {tally.acknowledged:,} acts of judging "
        f"acknowledged, {tally.stored:,} stored, each whole and in its order, none lost; "
        f"{tally.delayed} were delayed by a busy study and arrived."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else random.randrange(1_000_000))
