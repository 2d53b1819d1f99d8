"""Opens and leaves trials; a trial that is left half done is found again as it was."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from labeler.app.draft_writer import DraftWriter
from labeler.app.labeling.session import BaseLabelingSession, SessionStart, TrialStart
from labeler.app.pace import Pace
from labeler.app.runner import JobHandle, LatestRequest, Runner
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.clock import Clock
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial import Trial
from labeler.core.labeling.trial_order import TrialOrder


class TrialStartLoader:
    """Loads what trials start from, some ahead of time; only the newest request is answered."""

    def __init__(
        self,
        *,
        session: BaseLabelingSession,
        runner: Runner,
        failed: Callable[[Exception], None],
    ) -> None:
        self._session = session
        self._runner = runner
        self._failed = failed
        self._wanted = LatestRequest(runner)
        self._known: dict[str, TrialStart] = {}
        self._ahead: frozenset[str] = frozenset()

    def get(self, trial_id: str, then: Callable[[TrialStart], None]) -> None:
        """Pass on what the trial starts from: immediately where it is known."""
        self._wanted.drop()
        # From now on the trial changes, so what was loaded of it is used once.
        self._ahead -= {trial_id}
        known = self._known.pop(trial_id, None)
        if known is not None:
            then(known)
            return
        self._wanted.run(
            "open trial",
            lambda: self._session.open_trial(trial_id),
            done=then,
            failed=self._failed,
        )

    def put(self, trial_id: str, start: TrialStart) -> None:
        """Remember how a trial was left."""
        self._known[trial_id] = start
        self._ahead |= {trial_id}

    def forget(self, trial_id: str) -> None:
        """Discard what was known: an answer changed what the trial starts from."""
        self._known.pop(trial_id, None)

    def prefetch(self, trial_ids: Sequence[str]) -> None:
        """Fetch what comes next."""
        for trial_id in trial_ids:
            if trial_id not in self._ahead:
                self._ahead |= {trial_id}
                self._fetch(trial_id)

    def _fetch(self, trial_id: str) -> None:
        self._runner.run(
            "prefetch trial",
            lambda: self._session.open_trial(trial_id),
            done=lambda start: self._fetched(trial_id, None if start.message else start),
            # The fault is reported when the trial itself is opened.
            failed=lambda _error: self._fetched(trial_id, None),
            urgent=False,
        )

    def _fetched(self, trial_id: str, start: TrialStart | None) -> None:
        if trial_id not in self._ahead or trial_id in self._known:
            return
        if start is None:
            self._ahead -= {trial_id}
        else:
            self._known[trial_id] = start


Pixels = TypeVar("Pixels")

PREFETCHED_TRIALS = 3
SAVE_INTERVAL_MS = 5_000


class TrialNavigator(Generic[Pixels]):
    """Holds the current trial, the order of all trials and the session's pace."""

    def __init__(
        self,
        *,
        session: BaseLabelingSession,
        database: Runner,
        images: TrialImageLoader[Pixels],
        clock: Clock,
        opened: Callable[[str], None],
        ordered: Callable[[], None],
        failed: Callable[[Exception], None],
        draft_written: Callable[[Exception | None], None],
    ) -> None:
        """`opened` gets a message about a trial that was opened, which may be empty.

        `ordered` is called when all trials are known; when a session begins, only the first is.
        """
        self._session = session
        self._database = database
        self._images = images
        self._clock = clock
        self._opened = opened
        self._ordered = ordered
        self._failed = failed
        self._drafts = DraftWriter(keep=session.keep, runner=database, notify=draft_written)
        self._starts = TrialStartLoader(session=session, runner=database, failed=failed)
        self._start_facts: SessionStart | None = None
        self._here: str | None = None
        self._kept_at_ms = clock.monotonic_ms()
        self.last_opened: str | None = None
        self.trial: Trial | None = None
        self._wait_for_order: list[Callable[[], None]] = []
        self._order_comes: JobHandle | None = None
        self._is_over = False
        self.is_ordered = False
        self.order = TrialOrder()
        self.pace = Pace()

    @property
    def here(self) -> BlindTrial | None:
        """The trial that is open or opening."""
        return None if self._here is None else self.order[self._here]

    @property
    def asks_confidence(self) -> bool:
        return self._start_facts is not None and self._start_facts.asks_confidence

    def begin(self, start: SessionStart) -> None:
        self._start_facts = start
        self.order = TrialOrder(() if start.trial is None else (start.trial,))

    def take_order(self, trials: Iterable[BlindTrial]) -> None:
        """Use these trials from now on; some may be new."""
        self.order, self.is_ordered = TrialOrder(trials), True

    def when_ordered(self, then: Callable[[], None]) -> None:
        """Call `then` when all trials are known: immediately, or when they are loaded."""
        if self.is_ordered:
            then()
        else:
            self._wait_for_order.append(then)
            self._fetch_order()

    def open(self, trial_id: str) -> None:
        """Open another trial in place of the current one."""
        self.put_aside()
        self._here = self.last_opened = trial_id
        self._starts.get(trial_id, lambda start: self._start(trial_id, start))

    def fetch_ahead(self) -> None:
        """Load what comes next; called once the current image is on the screen."""
        if not self.is_ordered:
            self._fetch_order()
        elif self._here is not None:
            ahead = self.order.waiting(self._here, count=PREFETCHED_TRIALS)
            self._images.prefetch(ahead)
            self._starts.prefetch(ahead)

    def put_aside(self) -> None:
        """Leave the current trial as it is."""
        trial, self.trial, self._here = self.trial, None, None
        if trial is None:
            return
        self.pace.visited(trial.visit_ms)
        if trial.is_touched:
            self._drafts.put(trial.trial_id, trial.draft())
            self._starts.put(trial.trial_id, TrialStart(trial.draft(), trial.submitted))

    def finish(self) -> None:
        """Open no more trials; submit all drafts that wait to be written."""
        self._is_over = True
        if self._order_comes is not None:
            self._order_comes.cancel()
        self._drafts.finish()

    def keep(self) -> None:
        """Keep the current trial as it is, in case the program ends."""
        self._kept_at_ms = self._clock.monotonic_ms()
        if self.trial is not None and self.trial.is_touched:
            self._drafts.put(self.trial.trial_id, self.trial.draft())

    def keep_when_due(self) -> None:
        """Keep the current trial when it was last kept long enough ago."""
        if self._clock.monotonic_ms() - self._kept_at_ms >= SAVE_INTERVAL_MS:
            self.keep()

    def discard_draft(self) -> None:
        """Keep no draft of the current trial any more: its answer or flag is being stored."""
        if self.trial is not None:
            self._forget(self.trial.trial_id)

    def leave_answered(self, then: Callable[[str | None], None]) -> None:
        """Leave the current trial with its answer; pass on which comes next."""
        assert self.trial is not None, "an answer belongs to the current trial"
        self.pace.submitted(self.trial.visit_ms)
        self.order.answered(self.trial.trial_id)
        self._leave(self.trial.trial_id, then)

    def leave_flagged(self, then: Callable[[str | None], None]) -> None:
        """Leave the current trial without an answer; pass on which comes next."""
        assert self.trial is not None, "a flag belongs to the current trial"
        self.pace.visited(self.trial.visit_ms)
        self.order.flagged(self.trial.trial_id)
        self._leave(self.trial.trial_id, then)

    def _leave(self, trial_id: str, then: Callable[[str | None], None]) -> None:
        self._forget(trial_id)
        self.trial = self._here = None
        self.when_ordered(lambda: then(self.order.next_waiting(trial_id)))

    def _forget(self, trial_id: str) -> None:
        self._drafts.forget(trial_id)
        self._starts.forget(trial_id)

    def _start(self, trial_id: str, start: TrialStart) -> None:
        assert self._start_facts is not None, "a trial belongs to a session"
        self.trial = Trial(
            trial_id,
            start.draft,
            submitted=start.submitted,
            clock=self._clock,
            session=self._start_facts.session_id,
            idle_after_ms=self._start_facts.idle_after_ms,
            asks_confidence=self._start_facts.asks_confidence,
        )
        self._opened(start.message)
        self._images.show(trial_id)

    def _fetch_order(self) -> None:
        if self._is_over or self._order_comes is not None:
            return
        self._order_comes = self._database.run(
            "read trial order",
            lambda: TrialOrder(self._session.trials()),
            done=self._order_arrived,
            failed=self._order_failed,
            urgent=False,
        )

    def _order_arrived(self, order: TrialOrder) -> None:
        self._order_comes = None
        if not self.is_ordered:
            # Changes made here since may not be on disk yet.
            for trial in self.order.all:
                order.put(trial)
            self.order, self.is_ordered = order, True
        waiting, self._wait_for_order = self._wait_for_order, []
        for then in waiting:
            then()
        self._ordered()
        self.fetch_ahead()

    def _order_failed(self, error: Exception) -> None:
        self._order_comes = None
        waiting, self._wait_for_order = self._wait_for_order, []
        # Without a waiting call the order is simply loaded again when it is needed.
        if waiting:
            self._failed(error)
