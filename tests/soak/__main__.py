"""Kill the program many times, and sum up what became of the answers.

python -m tests.soak ROUNDS [SEED]
"""

import os
import random
import sys
import tempfile
from pathlib import Path

from tests.e2e.accounting import Tally
from tests.e2e.driven_process import environment
from tests.e2e.killing import Killing, Moment
from tests.e2e.study_to_kill import study_to_kill

# Most kills aim at a commit or come out of the blue; those with a fault take longer.
_OFTEN = (Moment.SUBMITTING, Moment.SUBMITTING, Moment.ANYWHERE, Moment.ANYWHERE)


def main(rounds: int, seed: int) -> None:
    print(f"{rounds} rounds with the seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        root, home = Path(place), Path(place, "home")
        home.mkdir()
        os.environ.update(environment(home))
        study = study_to_kill(root, rounds=rounds)
        killing = Killing(study, home, seed=seed)
        tally = killing.run(_moments(rounds, seed), told=lambda line: print(line, flush=True))
    print(_summary(tally))


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


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else random.randrange(1_000_000))
