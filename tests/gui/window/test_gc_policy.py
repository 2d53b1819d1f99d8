"""Garbage is collected on the GUI thread only."""

import gc
import threading
import weakref
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from labeler.app.runner import Job
from labeler.ui.window.gc_policy import (
    collect_everything_again,
    collection_on_gui_thread,
    exempt_loaded_objects,
)
from labeler.ui.window.workers import QtRunner


@pytest.fixture
def runner(garbage_collected_here: None) -> Iterator[QtRunner]:
    made = QtRunner(threads=1)
    yield made
    made.close()


class Traced(QWidget):
    """A widget that tells on which thread it is destroyed."""

    def __init__(self, destroyed_on: list[int]) -> None:
        super().__init__()
        self.destroyed.connect(
            lambda: destroyed_on.append(threading.get_ident()), Qt.ConnectionType.DirectConnection
        )


class Cycle:
    """An object that only a collection destroys."""

    def __init__(self) -> None:
        self.itself = self


def make_many() -> list[list[int]]:
    """More objects than Python makes between two looks for garbage."""
    return [[number] for number in range(4 * gc.get_threshold()[0])]


def test_unused_widgets_are_destroyed_on_the_gui_thread(runner: QtRunner, qtbot: QtBot) -> None:
    destroyed_on: list[int] = []
    widget = Traced(destroyed_on)
    widget.itself = widget  # so that only a look for garbage finds it
    del widget

    kept: list[object] = []
    runner.run("test", make_many, done=kept.append, failed=kept.append)
    qtbot.waitUntil(lambda: bool(destroyed_on))

    assert destroyed_on == [threading.get_ident()]


def test_what_only_a_cancelled_job_refers_to_is_let_continue_the_windows_thread(
    runner: QtRunner, qtbot: QtBot
) -> None:
    destroyed_on: list[int] = []
    done = partial(lambda _widget, _answer: None, Traced(destroyed_on))
    begun, may_end = threading.Event(), threading.Event()

    def work(job: Job) -> None:
        begun.set()
        may_end.wait(10)
        job.progress(1, 2)

    handle = runner.run_with_progress(
        "test",
        work,
        done=done,
        failed=lambda _error: None,
        progress=lambda _done, _total: None,
    )
    del done
    assert begun.wait(10)
    handle.cancel()
    may_end.set()
    qtbot.waitUntil(lambda: bool(destroyed_on))

    assert destroyed_on == [threading.get_ident()]


def test_python_collects_again_when_the_window_is_closed() -> None:
    gc.enable()

    with collection_on_gui_thread():
        assert not gc.isenabled()

    assert gc.isenabled()
    gc.disable()  # as it was before this test


def test_objects_left_out_are_collected_once_everything_is_again() -> None:
    cycle = Cycle()
    left = weakref.ref(cycle)
    exempt_loaded_objects()
    try:
        del cycle
        gc.collect()
        assert left() is not None
    finally:
        collect_everything_again()
    gc.collect()
    assert left() is None
