"""Cut the power many times, and sum up what became of the answers and verdicts.

    python -m tests.power CUTS [SEED]

Three things are tried: every guard of durability taken out must be noticed, one failing write or
sync must lose nothing, and neither must CUTS power cuts over sessions of a labeler and a reviewer.
"""

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.driven_process import environment
from tests.e2e.review_killing import study_to_review
from tests.e2e.study_to_kill import study_to_kill
from tests.power.mutants import Mutant
from tests.power.power_cuts import BUSY_ROUNDS, LABELER, REVIEW, PowerCuts, Role
from tests.power.recorded_disk import why_unavailable

_CUTS_IN_A_ROUND = 25
# A session of two answers makes some 25 writes and syncs.
_FAULTS = 24


def main(cuts: int, seed: int) -> int:
    if reason := why_unavailable():
        print(f"No power can be cut here: {reason}.")
        return 1
    print(f"{cuts} cuts with the seed {seed}", flush=True)
    for role in (LABELER, REVIEW):
        _try_mutants(role, seed)
        _try_faults(role, seed)
        rounds = max(1, cuts // 2 // _CUTS_IN_A_ROUND)
        with _on_a_new_study(role, rounds=rounds, seed=seed) as power:
            tally = power.run(rounds, cuts=cuts // 2 // rounds)
        print(
            f"{role.driver}: {tally.cuts:,} power cuts in {tally.rounds} sessions; "
            f"{tally.checked:,} times an acknowledged decision was looked for, none was lost."
        )
    return 0


def _try_mutants(role: Role, seed: int) -> None:
    for mutant in Mutant:
        if mutant is Mutant.NONE:
            continue
        with _on_a_new_study(role, rounds=BUSY_ROUNDS, seed=seed, mutant=mutant) as power:
            try:
                power.run(BUSY_ROUNDS, cuts=_CUTS_IN_A_ROUND, report=lambda _line: None)
            except AssertionError:
                print(f"{role.driver}: the mutant {mutant} was noticed", flush=True)
            else:
                raise AssertionError(f"the mutant {mutant} went unnoticed")


def _try_faults(role: Role, seed: int) -> None:
    with _on_a_new_study(role, rounds=_FAULTS, seed=seed) as power:
        failed = sum(power.run_with_fault(number, acts=2) for number in range(1, _FAULTS + 1))
        assert failed == _FAULTS, f"only {failed} writes failed"
        print(
            f"{role.driver}: {failed} writes and syncs failed once each, "
            f"none of {power.tally.acknowledged} acknowledged decisions was lost.",
            flush=True,
        )


@contextmanager
def _on_a_new_study(
    role: Role, *, rounds: int, seed: int, mutant: Mutant = Mutant.NONE
) -> Iterator[PowerCuts]:
    """Make a study and a person's settings, both gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        home, work = root / "home", root / "work"
        home.mkdir()
        work.mkdir()
        os.environ.update(environment(home))
        make = study_to_kill if role is LABELER else study_to_review
        study = make(root / "made", rounds=rounds)
        yield PowerCuts(study, home, work, role, seed=seed, mutant=mutant)


if __name__ == "__main__":
    drawn = int(sys.argv[2]) if sys.argv[2:] else random.randrange(1_000_000)
    sys.exit(main(int(sys.argv[1]), drawn))
