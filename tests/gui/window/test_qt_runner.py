"""The Qt runner: work elsewhere, answers here, and none that no one wants."""

import logging
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.runner import Job
from labeler.ui.window.workers import QtRunner


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[QtRunner]:
    made = QtRunner(threads=1)
    yield made
    made.close()


def unexpected(answer: object) -> None:
    raise AssertionError(f"nobody asked for {answer!r}")


def ignore_progress(_done: int, _total: int) -> None:
    pass


def test_work_runs_elsewhere_and_its_result_arrives_here(runner: QtRunner, qtbot: QtBot) -> None:
    here = threading.get_ident()
    answers: list[tuple[int, int]] = []
    runner.run(
        "test",
        threading.get_ident,
        done=lambda there: answers.append((there, threading.get_ident())),
        failed=unexpected,
    )
    qtbot.waitUntil(lambda: bool(answers))
    [(there, arrived)] = answers
    assert there != here
    assert arrived == here


def test_an_error_arrives_as_it_was_raised(runner: QtRunner, qtbot: QtBot) -> None:
    errors: list[Exception] = []
    runner.run("test", lambda: 1 // 0, done=unexpected, failed=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)


def test_progress_arrives_in_order_before_the_result(runner: QtRunner, qtbot: QtBot) -> None:
    reported: list[object] = []

    def count_to_three(job: Job) -> str:
        for step in (1, 2, 3):
            job.progress(step, 3)
        return "done"

    runner.run_with_progress(
        "test",
        count_to_three,
        done=reported.append,
        failed=unexpected,
        progress=lambda done, total: reported.append((done, total)),
    )
    qtbot.waitUntil(lambda: "done" in reported)
    assert reported == [(1, 3), (2, 3), (3, 3), "done"]


def test_a_cancelled_job_stops_at_its_next_report_and_answers_nothing(
    runner: QtRunner, qtbot: QtBot
) -> None:
    started, may_go_on, stopped = threading.Event(), threading.Event(), threading.Event()

    def report_when_allowed(job: Job) -> None:
        started.set()
        may_go_on.wait(10)
        try:
            job.progress(1, 2)
        finally:
            stopped.set()

    handle = runner.run_with_progress(
        "test", report_when_allowed, done=unexpected, failed=unexpected, progress=ignore_progress
    )
    assert started.wait(10)
    handle.cancel()
    may_go_on.set()
    qtbot.waitUntil(stopped.is_set)
    sentinel: list[int] = []
    runner.run("test", lambda: 1, done=sentinel.append, failed=unexpected)
    qtbot.waitUntil(lambda: sentinel == [1])


def test_urgent_work_overtakes_what_was_fetched_ahead(runner: QtRunner, qtbot: QtBot) -> None:
    started, may_go_on = threading.Event(), threading.Event()
    order: list[str] = []

    def hold_the_thread() -> str:
        started.set()
        may_go_on.wait(10)
        return "first"

    runner.run("test", hold_the_thread, done=order.append, failed=unexpected)
    assert started.wait(10)
    runner.run("test", lambda: "ahead", done=order.append, failed=unexpected, urgent=False)
    runner.run("test", lambda: "urgent", done=order.append, failed=unexpected)
    may_go_on.set()
    qtbot.waitUntil(lambda: len(order) == 3)
    assert order == ["first", "urgent", "ahead"]


def test_one_thread_keeps_the_order_even_when_it_was_idle(runner: QtRunner, qtbot: QtBot) -> None:
    order: list[int] = []
    for first in range(0, 300, 3):
        # A thread that is only just waking up hasn't taken the first of them yet.
        for number in range(first, first + 3):
            runner.run("test", lambda n=number: n, done=order.append, failed=unexpected)
        qtbot.waitUntil(lambda sofar=first + 3: len(order) == sofar)
    assert order == list(range(300))


def test_a_closed_runner_delivers_no_answers(qapp: QApplication) -> None:
    runner = QtRunner(threads=1)
    answers: list[object] = []
    for _ in range(3):
        runner.run("test", lambda: 1, done=answers.append, failed=answers.append)
    runner.close()
    qapp.processEvents()
    assert answers == []


def test_the_log_has_the_name_of_each_job_and_how_it_ended(
    runner: QtRunner, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    answers: list[object] = []
    with caplog.at_level(logging.DEBUG, logger="labeler.ui.window.workers"):
        runner.run("count", lambda: 1, done=answers.append, failed=unexpected)
        runner.run("divide", lambda: 1 // 0, done=unexpected, failed=answers.append)
        # The answer is delivered before the line is written: the third job starts after both.
        runner.run("wait", lambda: 2, done=answers.append, failed=unexpected)
        qtbot.waitUntil(lambda: len(answers) == 3)
        facts = [vars(record) for record in caplog.records]

    ended = [(each["msg"], each["job"], each["outcome"]) for each in facts[:2]]
    assert ended == [("job", "count", "finished"), ("job", "divide", "failed")]
    assert all(each["duration_ms"] >= 0 for each in facts[:2])
