"""A key pressed in the search field until its results are painted, against the list alone.

The bare cost is resetting a list to the same rows and painting it with the same view.
"""

import csv
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from labeler.app.classes.browser import ClassBrowser
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.taxonomy import load_default
from labeler.ui.classes.class_finder import ClassFinder
from labeler.ui.window.theme import Appearance
from tests.benchmarks.table import Row

_QUERIES = Path(__file__).parents[1] / "data" / "search-queries.csv"
_SIZE = QSize(420, 720)
_TYPED, _LETTERS = 120, 4


def bench_search_painted() -> list[Row]:
    """The first letters of many queries, as many as a person types before the class is in sight.

    They are typed twice. Anyone who labels for weeks types most of them for the hundredth time:
    that
    is the row with a bar. The first time a class's details are made, too.
    """
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    finder = ClassFinder(Appearance(application, ThemeChoice.LIGHT), load_keymap())
    browser = ClassBrowser(taxonomy=load_default())
    finder.typed.connect(lambda typed: finder.render_results(browser.search(typed)))
    finder.resize(_SIZE)
    finder.show()
    browser.prepare()
    never_typed = _type_all(finder, browser)
    typed_before = _type_all(finder, browser)
    finder.close()
    return [
        _row("key press to painted search results", *typed_before, "≤ 1.6×"),
        _row("… of what was never typed before", *never_typed, "printed"),
    ]


def _row(name: str, ours: Sequence[float], bare: Sequence[float], bar: str) -> Row:
    typing, listing = statistics.median(ours), statistics.median(bare)
    return Row(
        name,
        f"{typing * 1e3:.2f} ms median, {statistics.quantiles(ours, n=100)[98] * 1e3:.1f} ms p99",
        f"resetting and painting the list {listing * 1e3:.2f} ms",
        typing / listing,
        bar,
    )


def _type_all(finder: ClassFinder, browser: ClassBrowser) -> tuple[list[float], list[float]]:
    """The times of typing each letter, and of the bare list after each."""
    ours, bare = [], []
    for query in queries():
        finder.render_results(browser.search(""))
        QApplication.processEvents()
        for letter in query[:_LETTERS]:
            ours.append(_timed(lambda letter=letter: _type(finder, letter)))
            bare.append(_timed(lambda: _reset(finder, browser)))
    return ours, bare


def _type(finder: ClassFinder, letter: str) -> None:
    QTest.keyClicks(finder.field, letter, Qt.KeyboardModifier.NoModifier)
    QApplication.processEvents()


def _reset(finder: ClassFinder, browser: ClassBrowser) -> None:
    finder.results.show_rows(())
    finder.results.show_rows(browser.view.rows)
    finder.results.show_current(browser.view.selected)
    QApplication.processEvents()


def queries() -> Iterator[str]:
    with _QUERIES.open(encoding="utf-8", newline="") as file:
        queries = [row["query"] for row in csv.DictReader(file)]
    yield from queries[:: max(1, len(queries) // _TYPED)]


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
