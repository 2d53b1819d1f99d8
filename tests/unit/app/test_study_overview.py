"""What the first window is told of a study: numbers and phases, nothing to give away."""

import pytest

from labeler.app.phases import lock_phase, open_phase
from labeler.app.study_overview import window_inputs
from labeler.core.phases import Phase, PhaseState
from labeler.guide.pages import load_guide
from labeler.store.opening import open_study


@pytest.fixture
def ready(healthy, clock):
    with open_study(healthy, clock=clock) as store:
        yield store


def card(store, phase: Phase) -> tuple[PhaseState, str]:
    [found] = [c for c in window_inputs(store).overview.phases if c.phase is phase]
    return found.state, found.sentence


def test_the_numbers_are_those_of_the_study(ready) -> None:
    inputs = window_inputs(ready)

    guide = load_guide(ready.folder.guide)
    assert {count.label: count.number for count in inputs.overview.counts} == {
        "classes": 1000,
        "reference images": 8,
        "classes with references": 2,
        "guide pages": len(guide.pages),
        "participants": 2,
    }
    assert inputs.study_name == "Fish and dogs"
    assert inputs.guide_pairs == frozenset(guide.pairs())
    assert inputs.taxonomy is ready.taxonomy


def test_the_phases_come_in_their_order(store) -> None:
    assert [c.phase for c in window_inputs(store).overview.phases] == list(Phase)


def test_a_closed_phase_says_what_it_waits_for_or_that_it_can_open(ready) -> None:
    assert card(ready, Phase.EVALUATE) == (PhaseState.CLOSED, "Can be opened by the lead.")
    state, sentence = card(ready, Phase.REVIEW)
    assert state is PhaseState.CLOSED
    assert "after the evaluation is locked" in sentence


def test_an_open_and_a_locked_phase_say_so(ready) -> None:
    open_phase(ready, Phase.TRAIN)
    open_phase(ready, Phase.EVALUATE)
    assert card(ready, Phase.TRAIN) == (PhaseState.OPEN, "Labelers can train on 4 images.")
    assert card(ready, Phase.EVALUATE) == (PhaseState.OPEN, "Labelers can answer 4 images.")

    lock_phase(ready, Phase.EVALUATE, unfinished=True)
    assert card(ready, Phase.EVALUATE) == (PhaseState.LOCKED, "Finished: its answers are locked.")


def test_nothing_of_the_datasets_reaches_the_window(ready) -> None:
    told = repr(window_inputs(ready).overview)

    assert not [word for word in ("val", ".JPEG", "n01440764", "n02085620") if word in told.split()]
    assert ".JPEG" not in told
