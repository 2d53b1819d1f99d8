"""A reviewer's session, shared by both ways of judging: order, verdicts, time, undo."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from labeler.app.incidents import error_sentence
from labeler.app.pace import Pace
from labeler.app.review.session import ClassToJudge, ReviewPosition, ReviewStart
from labeler.app.review.verdict_timer import VerdictTimer
from labeler.app.review.verdict_writer import VerdictWriter
from labeler.app.review.views import ReviewProgress
from labeler.app.review.visit_loader import VisitLoader
from labeler.app.runner import Runner, ignore
from labeler.app.study.window_session import READ_ONLY
from labeler.core.clock import Clock, stamp
from labeler.core.review.blind_types import BlindVisit, CommittedVerdict, Lap, OwnFlag, OwnVerdict
from labeler.core.review.subset_relations import SubsetRelation
from labeler.core.review.visit_order import ClassRound, ReviewOrder
from labeler.core.study.entities import AttentionPlace

# Gets what to do when the person takes over, and when they only look.
AskAboutWindow = Callable[[Callable[[], None], Callable[[], None]], None]


class ReviewSessionProtocol(Protocol):
    """The session's calls, made on the database worker."""

    def begin(self) -> ReviewStart: ...
    def visits(self) -> tuple[BlindVisit, ...]: ...
    def class_to_judge(self, one: ClassRound, *, past: bool) -> ClassToJudge | None: ...
    def keep_place(self, place: ReviewPosition) -> None: ...
    def commit(self, verdicts: Sequence[CommittedVerdict]) -> None: ...
    def keep(self, verdicts: Sequence[CommittedVerdict]) -> None: ...
    def add_label(self, visit_id: str, wnid: str) -> None: ...
    def flag_of(self, visit_id: str) -> OwnFlag | None: ...
    def flagged_visits(self) -> frozenset[str]: ...
    def half_written_flag(self, visit_id: str) -> OwnFlag | None: ...
    def keep_flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def forget_flag(self, visit_id: str) -> OwnFlag | None: ...
    def flag(self, visit_id: str, flag: OwnFlag) -> None: ...
    def answer_check(self, check_id: str, found: OwnFlag, lap: Lap | None = None) -> None: ...
    def take_back_check(self, check_id: str, lap: Lap | None = None) -> None: ...
    def keep_lap(self, lap: Lap) -> None: ...
    def record_sights(self, visit_ids: Iterable[str]) -> None: ...
    def end(self, lap: Lap | None = None) -> None: ...
    def take_over(self) -> None: ...
    def become_read_only(self) -> None: ...
    @property
    def is_read_only(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class VerdictUndo:
    """A verdict with the previous one, to undo it."""

    visit_id: str
    wnid: str
    before: OwnVerdict | None


@dataclass(frozen=True, slots=True)
class CheckUndo:
    """An answer to a second check, to undo it."""

    check_id: str


class ReviewSessionPresenter:
    """Shared by review by image and by class, so that the reviewer can switch at any time."""

    def __init__(
        self,
        *,
        session: ReviewSessionProtocol,
        database: Runner,
        reading: Runner,
        clock: Clock,
    ) -> None:
        """`reading` is a worker for long jobs, which run inside the `undisturbed` context."""
        self.session, self.database, self._clock = session, database, clock
        self.order = ReviewOrder(())
        self.place = ReviewPosition()
        self._reading = VisitLoader(session.visits, reading)
        self.checks: list[str] = []
        self._all_checks = 0
        self.subsets: tuple[SubsetRelation, ...] = ()
        self.storing = VerdictWriter(
            commit=session.commit, keep=session.keep, runner=database, clock=clock
        )
        self.message = ""
        self._session_id = ""
        self._time = VerdictTimer(clock)
        self._pace = Pace()
        self._ask_about_window: AskAboutWindow | None = None
        self._acts: list[tuple[VerdictUndo, ...] | CheckUndo] = []
        self._seen: set[str] = set()

    def ask_about_other_window(self, ask: AskAboutWindow) -> None:
        """Set the question for when the reviewer has a review open in another window."""
        self._ask_about_window = ask

    def begin(self, *, started: Callable[[], None], failed: Callable[[str], None]) -> None:
        """Start the session: load all or the first visits, and start measuring time."""
        self.database.run(
            "begin review",
            lambda: _ordered(self.session.begin()),
            done=lambda answer: self._session_begun(*answer, started, failed),
            failed=lambda error: failed(self.sentence(error)),
        )

    def _session_begun(
        self,
        answer: ReviewStart,
        order: ReviewOrder,
        started: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        def choose(choice: Callable[[], None]) -> None:
            self.database.run(
                "choose window",
                choice,
                done=lambda _nothing: self._session_started(answer, order, started),
                failed=lambda error: failed(self.sentence(error)),
            )

        if answer.also_open and self._ask_about_window is not None:
            self._ask_about_window(
                lambda: choose(self.session.take_over),
                lambda: choose(self.session.become_read_only),
            )
        else:
            self._session_started(answer, order, started)

    def leave(self, then: Callable[[], None]) -> None:
        """End the session after storing pending verdicts, as far as possible."""
        self._reading.cancel()
        self.storing.try_again()
        self._record_sights(urgent=True)
        lap = self._time.running
        self.database.run(
            "end review",
            lambda: self.session.end(lap),
            done=lambda _nothing: then(),
            failed=lambda _error: then(),
        )

    @property
    def is_complete(self) -> bool:
        """Whether all visits are loaded."""
        return self._reading.is_over

    def when_complete(self, then: Callable[[], None]) -> None:
        """Call `then` when all visits are loaded, and load them now."""
        self._reading.when_over(then)

    def notify_when_complete(self, then: Callable[[], None]) -> None:
        """Call `then` when all visits are loaded, without urgency."""
        self._reading.notify_when_over(then)

    def read_on(self) -> None:
        """Load all visits, after the first image is shown."""
        self._reading.read()

    def find_round(
        self,
        class_round: ClassRound,
        *,
        past: bool,
        found: Callable[[ClassRound | None], None],
        failed: Callable[[], None] | None = None,
    ) -> None:
        """Pass the first round from there, or after it, with open images to `found`, or None.

        Its class is then loaded completely. If that fails, all visits are loaded first, unless
        `failed` is given.
        """
        if self.is_complete:
            found(self.order.waiting_round(class_round, past=past))
            return

        def retry() -> None:
            self.find_round(class_round, past=past, found=found)

        def arrived(answer: ClassToJudge | None) -> None:
            if self.is_complete or answer is None:
                self.when_complete(retry)
            else:
                self.order = self.order.extended(answer.visits)
                found(answer.one)

        self.database.run(
            "find class to review",
            lambda: self.session.class_to_judge(class_round, past=past),
            done=arrived,
            failed=lambda _error: failed() if failed else self.when_complete(retry),
        )

    def go_to(self, place: ReviewPosition) -> None:
        """Store the reviewer's position for the next session."""
        if place != self.place:
            self.place = place
            self.database.run(
                "save review position",
                lambda: self.session.keep_place(place),
                failed=ignore,
                urgent=False,
            )

    def judge(self, pairs: Sequence[tuple[str, str]], own: OwnVerdict | None) -> None:
        """Give the same verdict to several pairs of visit and label; they are undone together."""
        if not pairs:
            return
        if self.session.is_read_only:
            self.storing.refuse(READ_ONLY)
            return
        act = tuple(VerdictUndo(v, wnid, self.order.own(v, wnid)) for v, wnid in pairs)
        self._acts.append(act)
        self._give([(judged, own) for judged in act])

    def undo(self) -> tuple[VerdictUndo, ...]:
        """Take back the last verdicts; both stay on record."""
        act = self._acts[-1] if self._acts else ()
        if not act or isinstance(act, CheckUndo):
            return ()
        self._acts.pop()
        self._give([(judged, judged.before) for judged in act])
        return act

    def answer_check(
        self,
        check_id: str,
        found: OwnFlag,
        *,
        done: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Answer a second check."""
        lap, _ms = self._time.end_lap()
        act = CheckUndo(check_id)
        # Immediately, so that undo refers to this action even while it is being stored.
        self._acts.append(act)

        def not_stored(error: Exception) -> None:
            if act in self._acts:
                self._acts.remove(act)
            failed(error)

        self.database.run(
            "answer second look",
            lambda: self.session.answer_check(check_id, found, lap),
            done=lambda _nothing: self._check_answered(check_id, done),
            failed=not_stored,
        )

    def take_back_check(
        self, *, done: Callable[[str], None], failed: Callable[[Exception], None]
    ) -> None:
        """Withdraw the answer to the last second check, which becomes the next one again."""
        act = self._acts[-1] if self._acts else None
        if not isinstance(act, CheckUndo):
            return
        self._acts.pop()
        lap, _ms = self._time.end_lap()

        def not_stored(error: Exception) -> None:
            self._acts.append(act)
            failed(error)

        self.database.run(
            "undo second look",
            lambda: self.session.take_back_check(act.check_id, lap),
            done=lambda _nothing: self._check_waits(act.check_id, done),
            failed=not_stored,
        )

    @property
    def can_undo(self) -> bool:
        return bool(self._acts)

    @property
    def can_undo_verdict(self) -> bool:
        return self.can_undo and not self.can_undo_look

    @property
    def can_undo_look(self) -> bool:
        """Whether the last action was an answer to a second check."""
        return self.can_undo and isinstance(self._acts[-1], CheckUndo)

    @property
    def progress(self) -> ReviewProgress | None:
        """The reviewer's progress, once all visits are loaded."""
        order = self.order
        if not self.is_complete:
            return None
        return ReviewProgress(
            done=order.done, left=order.left, total=order.total, pace_ms=self._pace.mean_ms
        )

    @property
    def progress_of_checks(self) -> ReviewProgress:
        """The reviewer's progress in second checks."""
        left, total = len(self.checks), self._all_checks
        return ReviewProgress(done=total - left, left=left, total=total)

    # Time.

    def attend(self, place: AttentionPlace) -> None:
        self._time.attend(place)

    def turn_away(self) -> None:
        self._time.turn_away()

    def input(self) -> None:
        self._time.input()

    def tick(self) -> None:
        """Called regularly: store the time now and then, and retry failed writes."""
        self._time.tick()
        self.storing.try_again()
        self._reading.read()
        self._record_sights()
        lap = self._time.due()
        if lap is not None:
            self.database.run(
                "save review time", lambda: self.session.keep_lap(lap), failed=ignore, urgent=False
            )

    def saw(self, visit_ids: Iterable[str]) -> None:
        """Note images that are shown; the next tick stores that, off the way of verdicts."""
        self._seen.update(visit_ids)

    def _record_sights(self, *, urgent: bool = False) -> None:
        seen, self._seen = sorted(self._seen), set()
        if seen:
            self.database.run(
                "record seen images",
                lambda: self.session.record_sights(seen),
                failed=lambda _error: self.saw(seen),
                urgent=urgent,
            )

    def pause(self) -> None:
        self._time.pause()

    def resume(self) -> None:
        self._time.resume()

    def sentence(self, error: Exception) -> str:
        return error_sentence(error, clock=self._clock, blind=True)

    def _session_started(
        self, answer: ReviewStart, order: ReviewOrder, started: Callable[[], None]
    ) -> None:
        self._take(order)
        if not answer.complete:
            self._reading.begin(self._take)
        self.checks = [check.check_id for check in answer.checks if not check.answered]
        self._all_checks = len(answer.checks)
        self.subsets = answer.subsets
        self.place = answer.place
        self.message = READ_ONLY if self.session.is_read_only else answer.message
        self._session_id = answer.session_id
        self._time.begin(answer.session_id, idle_after_ms=answer.idle_after_ms)
        started()

    def _take(self, order: ReviewOrder) -> None:
        self.order = order

    def _check_answered(self, check_id: str, done: Callable[[], None]) -> None:
        if check_id in self.checks:
            self.checks.remove(check_id)
        done()

    def _check_waits(self, check_id: str, done: Callable[[str], None]) -> None:
        if check_id not in self.checks:
            self.checks.insert(0, check_id)
        done(check_id)

    def _give(self, verdicts: Sequence[tuple[VerdictUndo, OwnVerdict | None]]) -> None:
        lap, lap_ms = self._time.end_lap()
        each_ms = lap_ms // len(verdicts)
        at = stamp(self._clock.utc())
        for judged, own in verdicts:
            self.order.judge(judged.visit_id, judged.wnid, own)
            self._reading.judged(judged.visit_id, judged.wnid, own)
            self._pace.submitted(each_ms)
        self.storing.store(
            [
                CommittedVerdict(
                    visit_id=self.order.owner(judged.visit_id, judged.wnid),
                    label=judged.wnid,
                    own=own,
                    at=at,
                    active_ms=each_ms,
                    session_id=self._session_id,
                    lap=lap,
                )
                for judged, own in verdicts
            ]
        )


def _ordered(answer: ReviewStart) -> tuple[ReviewStart, ReviewOrder]:
    # Ordering a large plan takes a moment, so it isn't done on the GUI thread.
    return answer, ReviewOrder(answer.visits)
