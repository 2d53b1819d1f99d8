"""The classes found: their rows with pictures, and what pointing at them says."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labeler.app.classes.browser import ClassBrowser
from labeler.app.classes.map_pictures import FirstReferences
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.taxonomy import load_default
from labeler.ui.classes.class_finder import ClassFinder
from labeler.ui.kit.pictures.contact_sheet import decode_tile
from labeler.ui.window.theme import Appearance
from tests.gui.reference_kit import BEAVER, MARMOT, write_sheet
from tests.unit.app.late_runner import LateRunner

# A bare widget as a window tells the system its limits, which the offscreen platform remarks upon.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def runner() -> LateRunner:
    return LateRunner()


@pytest.fixture
def pictures(tmp_path: Path, runner: LateRunner) -> FirstReferences[QImage]:
    folder = tmp_path / "thumbnails"
    write_sheet(folder, BEAVER, 3, (200, 40, 40))
    return FirstReferences(folder=folder, runner=runner, decode=decode_tile)


@pytest.fixture
def browser() -> ClassBrowser:
    return ClassBrowser(taxonomy=load_default())


@pytest.fixture
def finder(
    qtbot: QtBot, qapp: QApplication, pictures: FirstReferences[QImage], browser: ClassBrowser
) -> ClassFinder:
    made = ClassFinder(Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), pictures=pictures)
    made.typed.connect(lambda typed: made.render_results(browser.search(typed)))
    qtbot.addWidget(made)
    made.resize(400, 500)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def finish_everything(runner: LateRunner) -> None:
    while runner.tickets:
        runner.finish_all()


def picture_colour(finder: ClassFinder, row: int) -> QColor:
    """The colour in the middle of a row's picture."""
    place = finder.results.visualRect(finder.results.model().index(row, 0))
    middle = QPoint(place.left() + 12 + 28, place.center().y())
    return finder.results.viewport().grab().toImage().pixelColor(middle)


def test_a_row_shows_a_quiet_place_and_then_the_classs_picture(
    finder: ClassFinder, runner: LateRunner, qtbot: QtBot
) -> None:
    qtbot.keyClicks(finder.field, "beaver")
    assert finder.results.model().index(0, 0).data() == "beaver"
    before = picture_colour(finder, 0)
    assert before.saturation() < 40
    finish_everything(runner)
    after = picture_colour(finder, 0)
    assert after.red() > 150
    assert after.green() < 90


def test_pictures_are_wished_for_by_the_rows_in_sight_only(
    finder: ClassFinder,
    browser: ClassBrowser,
    runner: LateRunner,
    pictures: FirstReferences[QImage],
) -> None:
    wished: list[str] = []
    request = pictures.request
    pictures.request = lambda wnids: (wished.extend(wnids), request(wnids))[1]  # type: ignore[method-assign]
    finder.render_results(browser.search(""))
    finder.results.viewport().grab()
    assert 5 < len(wished) < 20
    assert wished[0] == browser.view.rows[0].wnid
    wished.clear()
    finder.results.show_current(900)
    finder.results.viewport().grab()
    assert browser.view.rows[900].wnid in wished


def test_a_click_chooses_a_row_and_a_double_click_activates_it(
    finder: ClassFinder, qtbot: QtBot
) -> None:
    qtbot.keyClicks(finder.field, "terrier")
    place = finder.results.visualRect(finder.results.model().index(2, 0)).center()
    heard: list[tuple[str, int]] = []
    finder.row_chosen.connect(lambda row: heard.append(("chosen", row)))
    finder.row_activated.connect(lambda row: heard.append(("activated", row)))
    viewport = finder.results.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert heard == [("chosen", 2)]
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert heard.count(("activated", 2)) == 1
    assert finder.field.hasFocus()


def test_without_pictures_the_rows_have_no_place_for_them(
    qtbot: QtBot, qapp: QApplication, finder: ClassFinder, browser: ClassBrowser
) -> None:
    plain = ClassFinder(Appearance(qapp, ThemeChoice.LIGHT), load_keymap())
    qtbot.addWidget(plain)
    plain.resize(400, 500)
    plain.render_results(browser.search("beaver"))
    plain.show()
    shown = plain.results.viewport().grab().toImage()
    assert any(
        shown.pixelColor(x, y).lightness() < 128 for x in range(16, 60) for y in range(6, 24)
    )


def test_rows_name_no_file(finder: ClassFinder, qtbot: QtBot) -> None:
    qtbot.keyClicks(finder.field, "marmot")
    roles = list(Qt.ItemDataRole)
    texts = " ".join(str(finder.results.model().index(0, 0).data(role)) for role in roles)
    assert "marmot" in texts
    assert "blabbing" not in texts
    assert MARMOT not in (
        finder.results.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) or ""
    )
