"""Opens and leaves trials; a trial that is left unfinished is restored later."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from labeler.app.draft_writer import DraftWriter
from labeler.app.labeling.session import BaseLabelingSession, SessionStart, TrialStart
from labeler.app.pace import Pace
from labeler.app.runner import JobHandle, LatestRequest, Runner
from labeler.app.trial_image_loader import TrialImageLoader
from labeler.core.clock import Clock
from labeler.core.labeling.answers import Question
from labeler.core.labeling.blind_types import BlindTrial
from labeler.core.labeling.trial import Trial
from labeler.core.labeling.trial_order import TrialOrder


class TrialStartLoader:
    """Loads the start states of trials, some in advance; only the newest request is answered."""

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
        """Call back with the trial's start state, immediately if it is cached."""
        self._wanted.drop()
        # The trial changes once it is open, so its cached state is used only once.
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
        """Cache the state in which a trial was left."""
        self._known[trial_id] = start
        self._ahead |= {trial_id}

    def forget(self, trial_id: str) -> None:
        """Drop the cached state, because an answer changed it."""
        self._known.pop(trial_id, None)

    def prefetch(self, trial_ids: Sequence[str]) -> None:
        """Load the start states of these trials in advance."""
        for trial_id in trial_ids:
            if trial_id not in self._ahead:
                self._ahead |= {trial_id}
                self._fetch(trial_id)

    def _fetch(self, trial_id: str) -> None:
        self._runner.run(
            "prefetch trial",
            lambda: self._session.open_trial(trial_id),
            done=lambda start: self._fetched(trial_id, None if start.message else start),
            # The error is reported when the trial itself is opened.
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
        """`opened` is called with a message about the opened trial, which may be empty.

        `ordered` is called when all trials are loaded; at first, only the first one is.
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
    def questions(self) -> frozenset[Question]:
        """The questions that are asked next to the class."""
        return frozenset() if self._start_facts is None else self._start_facts.questions

    def begin(self, start: SessionStart) -> None:
        self._start_facts = start
        self.order = TrialOrder(() if start.trial is None else (start.trial,))

    def take_order(self, trials: Iterable[BlindTrial]) -> None:
        """Replace the trials; some may be new."""
        self.order, self.is_ordered = TrialOrder(trials), True

    def when_ordered(self, then: Callable[[], None]) -> None:
        """Call `then` when all trials are loaded."""
        if self.is_ordered:
            then()
        else:
            self._wait_for_order.append(then)
            self._fetch_order()

    def open(self, trial_id: str) -> None:
        """Open another trial."""
        self.put_aside()
        self._here = self.last_opened = trial_id
        self._starts.get(trial_id, lambda start: self._start(trial_id, start))

    def fetch_ahead(self) -> None:
        """Load the next trials; called once the current image is on the screen."""
        if not self.is_ordered:
            self._fetch_order()
        elif self._here is not None:
            ahead = self.order.waiting(self._here, count=PREFETCHED_TRIALS)
            self._images.prefetch(ahead)
            self._starts.prefetch(ahead)

    def put_aside(self) -> None:
        """Leave the current trial and save its draft."""
        trial, self.trial, self._here = self.trial, None, None
        if trial is None:
            return
        self.pace.visited(trial.visit_ms)
        if trial.is_touched:
            self._drafts.put(trial.trial_id, trial.draft())
            self._starts.put(trial.trial_id, TrialStart(trial.draft(), trial.submitted))

    def finish(self) -> None:
        """Open no more trials; submit all unwritten drafts."""
        self._is_over = True
        if self._order_comes is not None:
            self._order_comes.cancel()
        self._drafts.finish()

    def keep(self) -> None:
        """Save a draft of the current trial, in case the program ends."""
        self._kept_at_ms = self._clock.monotonic_ms()
        if self.trial is not None and self.trial.is_touched:
            self._drafts.put(self.trial.trial_id, self.trial.draft())

    def keep_when_due(self) -> None:
        """Save a draft of the current trial if the last one is old enough."""
        if self._clock.monotonic_ms() - self._kept_at_ms >= SAVE_INTERVAL_MS:
            self.keep()

    def discard_draft(self) -> None:
        """Save no more drafts of the current trial: its answer or flag is being stored."""
        if self.trial is not None:
            self._forget(self.trial.trial_id)

    def leave_answered(self, then: Callable[[str | None], None]) -> None:
        """Leave the current trial with its answer; call `then` with the next one."""
        assert self.trial is not None, "an answer belongs to the current trial"
        self.pace.submitted(self.trial.visit_ms)
        self.order.answered(self.trial.trial_id)
        self._leave(self.trial.trial_id, then)

    def leave_flagged(self, then: Callable[[str | None], None]) -> None:
        """Leave the current trial without an answer; call `then` with the next one."""
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
            questions=self._start_facts.questions,
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
            # Changes made here since may not be stored yet.
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
        # If nothing waits for the order, it is loaded again when it is needed.
        if waiting:
            self._failed(error)
