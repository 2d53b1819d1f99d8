"""Keeping what is half done: the newest state of each trial, one write after the other."""

from collections.abc import Callable

from labeler.app.labeling.kept_trial import KeptTrial
from labeler.app.runner import Runner


class DraftKeeping:
    """Writes drafts behind the labeler's back; only the newest of a trial is worth writing."""

    def __init__(
        self,
        *,
        keep: Callable[[str, KeptTrial], None],
        runner: Runner,
        told: Callable[[Exception | None], None],
    ) -> None:
        self._keep = keep
        self._runner = runner
        self._told = told
        self._waiting: dict[str, KeptTrial] = {}
        self._writing = False

    def put(self, trial_id: str, kept: KeptTrial) -> None:
        """Have the trial kept as it is now."""
        self._waiting[trial_id] = kept
        if not self._writing:
            self._write_next()

    def finish(self) -> None:
        """Have all that waits written before whatever the runner is asked for next."""
        while self._waiting:
            self._write_next()

    def forget(self, trial_id: str) -> None:
        """Write nothing more of a trial that is submitted: its draft must not come back."""
        self._waiting.pop(trial_id, None)

    def _write_next(self) -> None:
        if not self._waiting:
            return
        trial_id = next(iter(self._waiting))
        kept = self._waiting.pop(trial_id)
        self._writing = True
        self._runner.submit(
            lambda _job: self._keep(trial_id, kept),
            done=lambda _nothing: self._written(None),
            failed=self._written,
        )

    def _written(self, fault: Exception | None) -> None:
        self._writing = False
        self._told(fault)
        self._write_next()
