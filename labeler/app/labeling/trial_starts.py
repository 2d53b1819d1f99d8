"""What the next trials start from, fetched ahead so that nobody waits for it."""

from collections.abc import Callable, Sequence

from labeler.app.labeling.kept_trial import SavedTrial
from labeler.app.labeling.workbench_desk import LabelingSessionProtocol
from labeler.app.runner import LatestRequest, Runner


class TrialStartLoader:
    """Gives a trial's kept state, at once where it is known; only the newest wish is answered."""

    def __init__(
        self, *, desk: LabelingSessionProtocol, runner: Runner, failed: Callable[[Exception], None]
    ) -> None:
        self._desk = desk
        self._runner = runner
        self._failed = failed
        self._wanted = LatestRequest(runner)
        self._known: dict[str, SavedTrial] = {}
        self._ahead: frozenset[str] = frozenset()

    def get(self, trial_id: str, then: Callable[[SavedTrial, str], None]) -> None:
        """Hand over what the trial starts from, with what there is to tell about it."""
        self._wanted.drop()
        # From now on the trial changes, so what was fetched of it is used once.
        self._ahead -= {trial_id}
        known = self._known.pop(trial_id, None)
        if known is not None:
            then(known, "")
            return
        self._wanted.request(
            lambda _job: self._desk.open_trial(trial_id),
            done=lambda start: then(start.kept, start.told or ""),
            failed=self._failed,
        )

    def put(self, trial_id: str, kept: SavedTrial) -> None:
        """Remember how a trial was left."""
        self._known[trial_id] = kept
        self._ahead |= {trial_id}

    def forget(self, trial_id: str) -> None:
        """An answer changed what the trial starts from."""
        self._known.pop(trial_id, None)

    def prefetch(self, trial_ids: Sequence[str]) -> None:
        """Fetch what comes next."""
        for trial_id in trial_ids:
            if trial_id not in self._ahead:
                self._ahead |= {trial_id}
                self._fetch(trial_id)

    def _fetch(self, trial_id: str) -> None:
        self._runner.submit(
            lambda _job: self._desk.open_trial(trial_id),
            done=lambda start: self._fetched(trial_id, None if start.told else start.kept),
            # The fault is told when the trial itself is opened.
            failed=lambda _error: self._fetched(trial_id, None),
            urgent=False,
        )

    def _fetched(self, trial_id: str, kept: SavedTrial | None) -> None:
        if trial_id not in self._ahead or trial_id in self._known:
            return
        if kept is None:
            self._ahead -= {trial_id}
        else:
            self._known[trial_id] = kept
