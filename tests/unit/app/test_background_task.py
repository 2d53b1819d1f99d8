"""Work that is watched: it tells how far it is, and stops when told to."""

import pytest

from labeler.app.background_task import BackgroundTask, TaskStopped
from labeler.app.progress import ProgressReporter
from labeler.app.runner import JobCancelled
from tests.adjustable_clock import AdjustableClock


class Watcher:
    """Runs the work at once and keeps what it was reported, as a window's runner would."""

    def __init__(self) -> None:
        self.clock = AdjustableClock()
        self.shown: list[tuple[int, int, str]] = []
        self.answers: list[object] = []
        self.stop_at: int | None = None
        self.cancelled = False

    def watch(self, work: object) -> "BackgroundTask[str]":
        return BackgroundTask(
            "test",
            work,  # type: ignore[arg-type]
            runner=self,  # type: ignore[arg-type]
            clock=self.clock,
            show=lambda done, total, sentence: self.shown.append((done, total, sentence)),
            done=self.answers.append,
            failed=self.answers.append,
        )

    def run_with_progress(self, _name, work, *, done, failed, progress):  # type: ignore[no-untyped-def]
        self._progress = progress
        try:
            result = work(self)
        except JobCancelled:
            self.answers.append("cancelled")
        except Exception as error:
            fault = error
            self.deferred = lambda: failed(fault)
        else:
            self.deferred = lambda: done(result)
        return self

    def cancel(self) -> None:
        self.cancelled = True

    def progress(self, done: int, total: int) -> None:
        self.clock.go_on(seconds=1)
        self._progress(done, total)
        self.cancelled = done == self.stop_at


def three_thousand(progress: ProgressReporter) -> str:
    progress.start("Composing images", 3000)
    for _ in range(3000):
        progress.advance()
    return "made"


def test_it_tells_its_stage_and_what_is_left() -> None:
    watcher = Watcher()
    work = watcher.watch(three_thousand)
    work.start()
    assert watcher.shown[0] == (0, 0, "Preparing")
    assert watcher.shown[1] == (0, 3000, "Composing images")
    # Half done after a hundred reports of one second each.
    assert (1500, 3000, "Composing images · about 2 min left") in watcher.shown
    assert len(watcher.shown) < 250
    assert work.runs
    watcher.deferred()
    assert watcher.answers == ["made"]
    assert not work.runs


def test_it_can_be_stopped_on_its_way() -> None:
    watcher = Watcher()
    watcher.stop_at = 1500
    watcher.watch(three_thousand).start()
    assert watcher.answers == ["cancelled"]
    assert watcher.shown[-1][0] == 1500


def test_a_failure_is_passed_on_and_it_can_begin_again() -> None:
    watcher = Watcher()

    def fail(_progress: ProgressReporter) -> str:
        raise ValueError("no room")

    work = watcher.watch(fail)
    work.start()
    watcher.deferred()
    assert [str(answer) for answer in watcher.answers] == ["no room"]
    work.start()
    assert work.runs


def test_it_does_not_begin_twice() -> None:
    watcher = Watcher()
    begun: list[int] = []

    def count(_progress: ProgressReporter) -> str:
        begun.append(1)
        return "done"

    work = watcher.watch(count)
    work.start()
    work.start()
    assert begun == [1]


@pytest.mark.parametrize("total", [None, 0])
def test_work_of_unknown_length_is_shown_without_an_estimate(total: int | None) -> None:
    watcher = Watcher()

    def work(progress: ProgressReporter) -> str:
        progress.start("Looking", total)
        progress.advance(5)
        return "seen"

    watcher.watch(work).start()
    assert {sentence for _done, _total, sentence in watcher.shown} == {"Preparing", "Looking"}


def test_work_that_is_asked_to_stop_says_that_nothing_changed() -> None:
    watcher = Watcher()

    def endless(progress: ProgressReporter) -> str:
        progress.start("Reading", 10)
        work.stop()
        progress.advance()
        raise AssertionError("it went on")

    work = watcher.watch(endless)
    work.start()
    watcher.deferred()
    assert isinstance(watcher.answers[0], TaskStopped)
    assert not work.runs


def test_work_that_is_asked_too_late_gives_its_result() -> None:
    watcher = Watcher()

    def nearly_done(progress: ProgressReporter) -> str:
        progress.start("Reading", 1)
        progress.advance()
        work.stop()
        return "made"

    work = watcher.watch(nearly_done)
    work.start()
    watcher.deferred()
    assert watcher.answers == ["made"]
