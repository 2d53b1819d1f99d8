"""The way through the trials: forward past what is done, back anywhere, never past what waits."""

from hypothesis import given
from hypothesis import strategies as st

from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial_order import TrialOrder


def order(*states: str) -> TrialOrder:
    """Trials by one letter each: w waits, a is answered, f is flagged, m answered and marked."""
    trials = [
        BlindTrial(
            trial_id=f"t{number}",
            position=number,
            total=len(states),
            answered=state in "am",
            flagged=state == "f",
            marked=state == "m",
        )
        for number, state in enumerate(states, start=1)
    ]
    return TrialOrder(trials)


def test_the_next_trial_is_the_next_that_waits() -> None:
    assert order(*"awfaw").next_waiting("t2") == "t5"


def test_after_the_last_trial_those_left_behind_come() -> None:
    assert order(*"awaaw").next_waiting("t5") == "t2"


def test_nothing_comes_next_when_all_is_done() -> None:
    assert order(*"afm").next_waiting("t3") is None


def test_back_goes_to_the_trial_before_whatever_its_state() -> None:
    trials = order(*"afw")
    assert (trials.before("t3"), trials.before("t2"), trials.before("t1")) == ("t2", "t1", None)


def test_no_one_passes_a_trial_that_waits() -> None:
    trials = order(*"aww")
    assert (trials.after("t1"), trials.after("t2")) == ("t2", None)


def test_what_happens_to_a_trial_is_counted() -> None:
    trials = order(*"wwww")
    trials.answered("t1")
    trials.flagged("t2")
    trials.mark("t1", marked=True)
    assert (trials.done, trials.left, trials.set_aside) == (2, 2, 1)
    assert [trial.trial_id for trial in trials.marked] == ["t1"]
    trials.mark("t1", marked=False)
    assert trials.marked == ()


def test_an_image_that_was_flagged_and_answered_is_not_set_aside() -> None:
    trials = order(*"fw")
    trials.answered("t1")
    assert trials.set_aside == 0


@given(st.lists(st.sampled_from("wafm"), min_size=1, max_size=12))
def test_answering_what_comes_next_answers_everything_once(states: list[str]) -> None:
    trials = order(*states)
    met: list[str] = []
    trial = trials.first_waiting()
    while trial is not None:
        met.append(trial)
        trials.answered(trial)
        trial = trials.next_waiting(trial)
    assert sorted(met) == sorted(f"t{n}" for n, s in enumerate(states, start=1) if s == "w")
    assert trials.left == 0


@given(st.lists(st.sampled_from("wafm"), min_size=1, max_size=12), st.data())
def test_what_is_fetched_ahead_is_what_will_be_met(states: list[str], data: st.DataObject) -> None:
    trials = order(*states)
    here = data.draw(st.sampled_from([f"t{n}" for n in range(1, len(states) + 1)]))
    ahead = trials.waiting(here, count=2)
    assert ahead[:1] == tuple(filter(None, [trials.next_waiting(here)]))
    assert here not in ahead


_CHANGES = ("answered", "flagged", "unflagged", "mark", "unmark")


@given(
    st.lists(st.sampled_from("wafm"), min_size=1, max_size=12),
    st.lists(st.tuples(st.sampled_from(_CHANGES), st.integers(0, 11)), max_size=20),
)
def test_what_is_kept_up_is_what_counting_again_would_find(
    states: list[str], changes: list[tuple[str, int]]
) -> None:
    trials = order(*states)
    for change, number in changes:
        trial_id = f"t{number % len(states) + 1}"
        if change in ("mark", "unmark"):
            trials.mark(trial_id, marked=change == "mark")
        else:
            getattr(trials, change)(trial_id)

    every = trials.all
    assert trials.left == sum(trial.waits for trial in every)
    assert trials.done == len(every) - trials.left
    assert trials.set_aside == sum(trial.flagged and not trial.answered for trial in every)
    assert trials.marked == tuple(trial for trial in every if trial.marked)
    waiting = [trial.trial_id for trial in every if trial.waits]
    assert trials.first_waiting() == next(iter(waiting), None)
    for place, here in enumerate(every):
        round_from_here = every[place + 1 :] + every[:place]
        met = tuple(trial.trial_id for trial in round_from_here if trial.waits)
        assert trials.waiting(here.trial_id, count=3) == met[:3]
