"""What the evaluation images were meant to show stays hidden until the evaluation is locked."""

import pytest

from labeler.app.study.phase_facts import revealed_targets
from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.study.phases import Phase
from labeler.store.study_opening import open_study


def test_targets_are_told_only_after_the_lock(healthy, clock) -> None:
    with open_study(healthy, clock=clock) as store:
        with pytest.raises(RefusedError, match="after the evaluation is locked"):
            revealed_targets(store)
        open_phase(store, Phase.EVALUATE)
        with pytest.raises(RefusedError, match="after the evaluation is locked"):
            revealed_targets(store)
        lock_phase(store, Phase.EVALUATE, unfinished=True)
        targets = revealed_targets(store)
        with store.read() as study:
            assert set(targets) == set(study.samples.images())
    assert all(key.image.startswith(f"{target}/") for key, target in targets.items())
