"""A labeler's way through the trials: which comes next, and which may be returned to."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from labeler.core.blind import BlindTrial


class TrialOrder:
    """The trials of one labeler in their order, with what has become of each so far."""

    def __init__(self, trials: Iterable[BlindTrial]) -> None:
        self._trials = {trial.trial_id: trial for trial in trials}
        self._ids = tuple(self._trials)
        self._places = {trial_id: place for place, trial_id in enumerate(self._ids)}

    def __getitem__(self, trial_id: str) -> BlindTrial:
        return self._trials[trial_id]

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def all(self) -> tuple[BlindTrial, ...]:
        return tuple(self._trials.values())

    @property
    def marked(self) -> tuple[BlindTrial, ...]:
        return self._those(lambda trial: trial.marked)

    @property
    def set_aside(self) -> int:
        """How many images were flagged instead of answered."""
        return len(self._those(lambda trial: trial.flagged and not trial.answered))

    @property
    def left(self) -> int:
        return len(self._those(lambda trial: trial.waits))

    @property
    def done(self) -> int:
        return len(self) - self.left

    def answered(self, trial_id: str) -> None:
        self._trials[trial_id] = replace(self._trials[trial_id], answered=True)

    def flagged(self, trial_id: str) -> None:
        self._trials[trial_id] = replace(self._trials[trial_id], flagged=True)

    def unflagged(self, trial_id: str) -> None:
        self._trials[trial_id] = replace(self._trials[trial_id], flagged=False)

    def mark(self, trial_id: str, *, marked: bool) -> None:
        self._trials[trial_id] = replace(self._trials[trial_id], marked=marked)

    def first_waiting(self) -> str | None:
        return next((trial_id for trial_id in self._ids if self._trials[trial_id].waits), None)

    def next_waiting(self, after: str) -> str | None:
        """The next trial without an answer, looked for from the beginning once the end is met."""
        return next(iter(self.waiting(after, count=1)), None)

    def waiting(self, after: str, *, count: int) -> tuple[str, ...]:
        """The trials that will be met next, the nearest first."""
        place = self._places[after]
        onwards = self._ids[place + 1 :] + self._ids[:place]
        waiting = [trial_id for trial_id in onwards if self._trials[trial_id].waits]
        return tuple(waiting[:count])

    def before(self, trial_id: str) -> str | None:
        place = self._places[trial_id]
        return self._ids[place - 1] if place else None

    def after(self, trial_id: str) -> str | None:
        """The trial behind one that is done; nobody passes a trial that still waits."""
        place = self._places[trial_id] + 1
        if self._trials[trial_id].waits or place == len(self._ids):
            return None
        return self._ids[place]

    def _those(self, accepted: Callable[[BlindTrial], bool]) -> tuple[BlindTrial, ...]:
        return tuple(trial for trial in self._trials.values() if accepted(trial))
