"""Phases open and lock in the study itself, or the study stays as it was."""

import re

import pytest

from labeler.app.study.phases import lock_phase, open_phase
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ExposureOccasion
from labeler.core.study.phases import Phase, PhaseState
from labeler.store.schema import ExposureRow
from labeler.store.schema.row_ids import image_ids
from labeler.store.study_opening import open_study


@pytest.fixture
def ready(healthy, clock):
    """A study in which every phase could open in its turn."""
    with open_study(healthy, clock=clock) as store:
        yield store


def state(store, phase: Phase) -> PhaseState:
    with store.read() as study:
        return study.phases.states()[phase]


def last_action(store) -> str:
    with store.read() as study:
        return study.audit.entries()[-1].action


def test_a_study_goes_through_its_phases(ready) -> None:
    for phase in (Phase.ANNOTATE, Phase.TRAIN, Phase.EVALUATE):
        open_phase(ready, phase)
        assert state(ready, phase) is PhaseState.OPEN
        assert last_action(ready) == "phase opened"
    lock_phase(ready, Phase.EVALUATE, unfinished=True)
    assert last_action(ready) == "phase locked"
    open_phase(ready, Phase.REVIEW)

    assert state(ready, Phase.EVALUATE) is PhaseState.LOCKED
    assert state(ready, Phase.REVIEW) is PhaseState.OPEN


def test_a_refusal_changes_nothing(ready) -> None:
    before = last_action(ready)

    with pytest.raises(
        RefusedError, match="The final review can be opened after the evaluation is locked"
    ):
        open_phase(ready, Phase.REVIEW)
    with pytest.raises(RefusedError, match="isn't open, so there is nothing to lock"):
        lock_phase(ready, Phase.TRAIN)

    assert {state(ready, phase) for phase in Phase} == {PhaseState.CLOSED}
    assert last_action(ready) == before


def test_an_unfinished_evaluation_is_locked_only_on_request(ready) -> None:
    open_phase(ready, Phase.EVALUATE)

    with pytest.raises(RefusedError, match="A has answered 0 of 4"):
        lock_phase(ready, Phase.EVALUATE)
    lock_phase(ready, Phase.EVALUATE, unfinished=True)
    with pytest.raises(RefusedError, match="can't be opened again"):
        open_phase(ready, Phase.EVALUATE)


def test_labelers_are_not_evaluated_on_images_they_trained_on(ready) -> None:
    with ready.write() as study:
        sampled = study.samples.images()[0]
        image_id = image_ids(study.session, "val")[sampled.image]
        trained = ExposureOccasion.TRAINING
        study.session.add(
            ExposureRow(participant_id=1, image_id=image_id, occasion=trained, at="2026")
        )

    with pytest.raises(
        RefusedError, match=rf"of the sample \(A: val: {re.escape(sampled.image)}\)"
    ):
        open_phase(ready, Phase.EVALUATE)

    assert state(ready, Phase.EVALUATE) is PhaseState.CLOSED
