"""The window over the full-size study: its start, home, a class, and the largest class's review.

Each in a process of its own. No screen may wait for the whole: the demo shows what a screen takes
that has little behind it.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from labeler.app.study.home_cards import HomeCardKind
from labeler.app.study.sign_in import Credentials
from labeler.core.study.entities import Role
from labeler.core.study.phases import Phase
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.review.by_image_screen import ReviewByImageScreen
from labeler.ui.review.review_controller import ReviewController
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.study.sign_in_screen import SignInScreen
from labeler.ui.window.application import BuiltWindow
from labeler.ui.window.navigation import LaunchRequest
from tests.benchmarks.demo_study import CODE, demo_copy, labelers_home
from tests.benchmarks.event_loop import Watchdog, serve_for
from tests.benchmarks.full_size.alone import Facts, alone
from tests.benchmarks.full_size.planned import LEAD, REVIEWER
from tests.benchmarks.full_size.verdicts import full_study
from tests.benchmarks.labeler_at_work import Painted, serve_until, window_over
from tests.benchmarks.start import EMPTY, until_told, with_byte_code
from tests.benchmarks.table import Row
from tests.benchmarks.workbench import bench_classes, watched_labeler
from tests.e2e.first_answer import answer_first

S = TypeVar("S", bound=QWidget)

_STARTS = 5
_CLASSES_EVERY = 25
_SMOOTH_MS = 50
_SMOOTH = f"gap ≤ {_SMOOTH_MS} ms"
_STEPS = 60


def bench_full_start() -> Row:
    """`labeler STUDY --as A` by someone who has answered before, against the demo's."""
    with tempfile.TemporaryDirectory() as place:
        small, full = demo_copy(Path(place)), full_study()
        commands = [EMPTY, *(_first_trial(study) for study in (small, full))]
        environment = with_byte_code(labelers_home(Path(place, "home"), full), place)
        labelers_home(Path(place, "home"), small)
        for command in commands:
            until_told(command, environment)
        runs = [[until_told(each, environment) for each in commands] for _ in range(_STARTS)]
    window, demo_trial, trial = map(statistics.median, zip(*runs, strict=True))
    return Row(
        "full size: start to the first trial painted",
        f"{trial * 1e3:.0f} ms median",
        f"empty window {window * 1e3:.0f} ms; the demo's first trial {demo_trial * 1e3:.0f} ms",
        trial / window,
        "as the demo's",
    )


def bench_full_home() -> Row:
    """The lead from the study's folder to home, and how long the window is held up."""
    with tempfile.TemporaryDirectory() as place:
        small = alone(go_home, demo_copy(Path(place)))
    full = alone(go_home, full_study())
    return Row(
        "full size: study opened to sign-in to the lead's home",
        f"{full['opened'] * 1e3:.0f} + {full['home'] * 1e3:.0f} ms; longest gap "
        f"{full['gap'] * 1e3:.0f} ms, longest work in one {full['work'] * 1e3:.0f} ms; "
        f"{full['megabytes']:.0f} MB",
        f"the demo's {small['opened'] * 1e3:.0f} + {small['home'] * 1e3:.0f} ms",
        (full["opened"] + full["home"]) / (small["opened"] + small["home"]),
        _SMOOTH,
    )


def bench_full_class() -> Row:
    """Classes of the workbench, never seen before, until their references are painted."""
    study = full_study()
    sheets = sorted((study / "thumbnails").glob("n*.jpg"))[::_CLASSES_EVERY]
    with watched_labeler(study) as (labeler, watchdog):
        return bench_classes(
            "full size: class selected to its 100 references painted, cold",
            labeler,
            watchdog,
            sheets,
            again=False,
        )


def bench_full_review() -> list[Row]:
    """A review of every label, begun, and by class at once; then its largest class judged."""
    result = alone(review, full_study())
    labels, tiles = f"{result['labels']:,.0f}", f"{result['tiles']:,.0f}"
    return [
        _review_row(f"review of {labels} labels begun", result, "begun"),
        _review_row("… by class at once, to its first class shown", result, "by_class"),
        _review_row("… until all of them are read behind it", result, "whole"),
        _review_row(f"class of {tiles} images opened", result, "opened"),
        _review_row("… scrolled through and judged", result, "judged"),
    ]


def go_home(study: str) -> Facts:
    with window_over(Path(study)) as opened:
        watch = _Watch()
        took_open = watch.time(lambda: _open(opened, Path(study)))
        took_home = watch.time(lambda: _sign_in(opened, LEAD, Role.LEAD))
        return {"opened": took_open, "home": took_home, **watch.told("")}


def review(study: str) -> Facts:
    with window_over(Path(study)) as opened:
        _open(opened, Path(study))
        _sign_in(opened, REVIEWER, Role.REVIEWER)
        serve_for(500)
        watch = _Watch()
        facts: Facts = {"begun_s": watch.time(lambda: _begin(opened)), **watch.told("begun_")}
        task = _review(opened)
        facts |= {"by_class_s": watch.time(lambda: _by_class(opened)), **watch.told("by_class_")}
        assert not task.session_presenter.is_complete, "nobody has waited for everything"
        facts |= {
            "whole_s": watch.time(lambda: serve_until(lambda: task.session_presenter.is_complete))
        }
        facts |= watch.told("whole_")
        screen = _screen(opened, ReviewByClassScreen)
        facts |= {"opened_s": watch.time(lambda: _open_largest(task, screen))}
        facts |= watch.told("opened_")
        facts |= {"judged_s": watch.time(lambda: _judge(screen)), **watch.told("judged_")}
        serve_until(lambda: not task.session_presenter.storing.waits)
        tiles = float(screen.grid.model().rowCount())
        return {**facts, "labels": task.session_presenter.order.total, "tiles": tiles}


class _Watch:
    """Times what is waited for, and notes the longest gap of the event loop meanwhile."""

    def __init__(self) -> None:
        self._watchdog = Watchdog()

    def time(self, work: Callable[[], object]) -> float:
        self._watchdog.begin()
        started = time.perf_counter()
        work()
        seconds = time.perf_counter() - started
        serve_for(100)
        return seconds

    def told(self, name: str) -> Facts:
        gap = self._watchdog.longest()
        return {f"{name}gap": gap.passed, f"{name}work": gap.worked}


def _first_trial(study: Path) -> tuple[str, ...]:
    answer_first(study, CODE)
    return "-m", "tests.e2e.first_trial", str(study), CODE


def _open(opened: BuiltWindow, study: Path) -> None:
    opened.navigation.start(LaunchRequest(study=study))
    _wait_for(opened, SignInScreen)


def _sign_in(opened: BuiltWindow, code: str, role: Role) -> None:
    _screen(opened, SignInScreen).signed_in_wanted.emit(Credentials(code=code, role=role))
    _wait_for(opened, HomeScreen)


def _begin(opened: BuiltWindow) -> None:
    button = _screen(opened, HomeScreen).cards[HomeCardKind(Phase.ANNOTATE.value)].button
    assert button is not None
    button.click()
    _wait_for(opened, ReviewByImageScreen)
    screen = _screen(opened, ReviewByImageScreen)
    painted: list[str] = []
    screen.image.painted.connect(painted.append)
    serve_until(lambda: bool(painted))


def _by_class(opened: BuiltWindow) -> None:
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    _wait_for(opened, ReviewByClassScreen)
    screen = _screen(opened, ReviewByClassScreen)
    serve_until(lambda: screen.grid.model().rowCount() > 0)
    painted = Painted(screen.grid.viewport())
    serve_until(lambda: painted.times > 0)


def _open_largest(task: ReviewController, screen: ReviewByClassScreen) -> None:
    order = task.session_presenter.order
    painted = Painted(screen.grid.viewport())
    screen._presenter.open(max(order.rounds(), key=order.left_in))
    serve_until(lambda: painted.times > 0)


def _judge(screen: ReviewByClassScreen) -> None:
    bar = screen.grid.verticalScrollBar()
    for step in range(_STEPS):
        bar.setValue(step * bar.maximum() // _STEPS)
        QTest.keyClick(screen.grid, Qt.Key.Key_1)
        serve_for(30)


def _review(opened: BuiltWindow) -> ReviewController:
    assert isinstance(opened.navigation.task, ReviewController)
    return opened.navigation.task


def _wait_for(opened: BuiltWindow, kind: type[QWidget]) -> None:
    serve_until(lambda: isinstance(opened.window.screen_shown, kind))


def _screen(opened: BuiltWindow, kind: type[S]) -> S:
    screen = opened.window.screen_shown
    assert isinstance(screen, kind)
    return screen


def _review_row(what: str, result: Facts, step: str) -> Row:
    gap, work = result[f"{step}_gap"] * 1e3, result[f"{step}_work"] * 1e3
    return Row(
        f"full size: {what}",
        f"{result[f'{step}_s'] * 1e3:,.0f} ms; longest gap {gap:.0f} ms, "
        f"longest work in one {work:.0f} ms; {result['megabytes']:.0f} MB",
        f"{_SMOOTH_MS} ms",
        gap / _SMOOTH_MS,
        _SMOOTH,
    )
