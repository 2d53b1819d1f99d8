"""The order of a labeler's trials: which comes next, and which can be revisited."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace

from labeler.core.labeling.blind_types import BlindTrial


class TrialOrder:
    """The trials of one labeler in order, with their state.

    Counts and indices are updated at every change, so that each step takes constant time.
    """

    def __init__(self, trials: Iterable[BlindTrial] = ()) -> None:
        self._trials = list(trials)
        self._places = {trial.trial_id: place for place, trial in enumerate(self._trials)}
        self._waiting = [place for place, trial in enumerate(self._trials) if trial.waits]
        self._marked = [place for place, trial in enumerate(self._trials) if trial.marked]
        self._set_aside = sum(trial.is_set_aside for trial in self._trials)

    def __getitem__(self, trial_id: str) -> BlindTrial:
        return self._trials[self._places[trial_id]]

    def __len__(self) -> int:
        return len(self._trials)

    @property
    def all(self) -> tuple[BlindTrial, ...]:
        return tuple(self._trials)

    @property
    def marked(self) -> tuple[BlindTrial, ...]:
        return tuple(self._trials[place] for place in self._marked)

    @property
    def set_aside(self) -> int:
        """How many images were flagged instead of answered."""
        return self._set_aside

    @property
    def left(self) -> int:
        return len(self._waiting)

    @property
    def done(self) -> int:
        return len(self) - self.left

    def answered(self, trial_id: str) -> None:
        self.put(replace(self[trial_id], answered=True))

    def flagged(self, trial_id: str) -> None:
        self.put(replace(self[trial_id], flagged=True))

    def unflagged(self, trial_id: str) -> None:
        self.put(replace(self[trial_id], flagged=False))

    def mark(self, trial_id: str, *, marked: bool) -> None:
        self.put(replace(self[trial_id], marked=marked))

    def put(self, trial: BlindTrial) -> None:
        """Replace the trial with the same id."""
        place = self._places[trial.trial_id]
        before, self._trials[place] = self._trials[place], trial
        self._set_aside += trial.is_set_aside - before.is_set_aside
        _list(self._waiting, place, listed=trial.waits)
        _list(self._marked, place, listed=trial.marked)

    def first_waiting(self) -> str | None:
        return self._trials[self._waiting[0]].trial_id if self._waiting else None

    def next_waiting(self, after: str) -> str | None:
        """Return the next unanswered trial, continuing at the beginning after the end."""
        return next(iter(self.waiting(after, count=1)), None)

    def waiting(self, after: str, *, count: int) -> tuple[str, ...]:
        """Return the next unanswered trials, the nearest first."""
        place = self._places[after]
        next_index = bisect_right(self._waiting, place)
        ahead = self._waiting[next_index : next_index + count]
        before = bisect_left(self._waiting, place)
        again = self._waiting[: min(before, count - len(ahead))]
        return tuple(self._trials[place].trial_id for place in ahead + again)

    def before(self, trial_id: str) -> str | None:
        place = self._places[trial_id]
        return self._trials[place - 1].trial_id if place else None

    def after(self, trial_id: str) -> str | None:
        """Return the trial after one that is done; unanswered trials can't be skipped."""
        place = self._places[trial_id] + 1
        if self[trial_id].waits or place == len(self._trials):
            return None
        return self._trials[place].trial_id


def _list(places: list[int], place: int, *, listed: bool) -> None:
    """Add a position to an ordered list, or remove it."""
    at = bisect_left(places, place)
    is_listed = at < len(places) and places[at] == place
    if listed and not is_listed:
        places.insert(at, place)
    elif is_listed and not listed:
        del places[at]
