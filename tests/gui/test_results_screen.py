"""The Results screen: filters, places, a table that sorts, images behind a row."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from labeler.app.keymap import load_keymap
from labeler.app.presenters.results import ResultsPresenter
from labeler.app.report.desk import Results, ResultsDesk
from labeler.app.settings import ThemeChoice
from labeler.app.studies import new_study
from labeler.core.clock import SystemClock
from labeler.store.exchange.importing import import_exchange
from labeler.ui.look import Look
from labeler.ui.screens.results import ResultsScreen
from tests.e2e.golden_study import write_golden
from tests.unit.app.late_runner import LateRunner


class ReadOnce(ResultsDesk):
    """The real desk, whose figures are drawn once for all tests."""

    results: Results | None = None

    def read(self, subsets: tuple[str, ...]) -> Results:
        self.results = self.results or super().read(subsets)
        return self.results


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResultsDesk]:
    place = tmp_path_factory.mktemp("results")
    with new_study(place / "study", clock=SystemClock(), name="golden", seed=1) as store:
        import_exchange(store, write_golden(place / "files"))
        yield ReadOnce(store, "L")


@pytest.fixture
def screen(qtbot: QtBot, qapp: QApplication, desk: ResultsDesk) -> Iterator[ResultsScreen]:
    windows: list[QMainWindow] = []  # nobody else keeps it
    runner = LateRunner()
    presenter = ResultsPresenter(lambda: desk, runner=runner, told=str)
    shown = ResultsScreen(Look(qapp, ThemeChoice.LIGHT), load_keymap(), presenter)
    window = QMainWindow()
    window.setCentralWidget(shown)
    window.setMinimumSize(1280, 800)
    qtbot.addWidget(window)
    windows.append(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    presenter.open()
    runner.finish_all()
    yield shown
    windows.clear()


def column(screen: ResultsScreen, number: int) -> list[str]:
    return [screen.table.item(row, number).text() for row in range(screen.table.rowCount())]


def test_a_lead_filters_sorts_and_looks_behind_a_row(screen: ResultsScreen, qtbot: QtBot) -> None:
    assert column(screen, 0) == ["A", "B", "C", "m1", "m2"]
    assert screen.images.isHidden()
    screen.table.sortItems(2, Qt.SortOrder.DescendingOrder)
    # A has 100 %, B and m1 75, C 33, m2 50.
    assert column(screen, 0)[0] == "A"
    assert column(screen, 0)[-1] == "C"
    screen.table.selectRow(0)
    assert not screen.images.isHidden()
    assert screen.images.rowCount() == 6
    screen.measure.setCurrentIndex(screen.measure.findData("top5"))
    screen.measure.activated.emit(screen.measure.currentIndex())
    assert column(screen, 0) == ["m1"]
    assert screen.images.isHidden()


def test_figures_are_drawn_and_home_is_one_press_away(screen: ResultsScreen, qtbot: QtBot) -> None:
    screen.places.setCurrentRow(screen.places.count() - 1)
    assert screen.figure.isVisible()
    assert screen.figure.is_shown
    with qtbot.waitSignal(screen.home_wanted):
        screen.home.click()
    with qtbot.waitSignal(screen.export_wanted):
        screen.export.click()
