"""The Results screen: choices, tables that sort, figures that zoom, the images behind a number."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from labeler.app.classes.node_search import SubtreeSearch
from labeler.app.keymap import load_keymap
from labeler.app.results.full_report import NOTHING_WRITTEN, FullReport
from labeler.app.results.report_data import ReportFormat
from labeler.app.results.results import COPIED
from labeler.app.results.results_view import CHOSEN_FIGURE, CHOSEN_TABLE, ResultsSection
from labeler.app.study.people import add_person
from labeler.app.study.preferences import ThemeChoice
from labeler.app.study.studies import new_study
from labeler.app.thumbnail_loader import ThumbnailLoader
from labeler.core.classes.taxonomy import load_default
from labeler.core.clock import SystemClock
from labeler.core.study.entities import Role
from labeler.report.sections import SECTIONS
from labeler.report.table import ReportTable, text_column
from labeler.store.exchange.importer import import_exchange
from labeler.ui.kit.text.error_banner import BannerKind
from labeler.ui.results.enlarged_image_dialog import EnlargedImageDialog
from labeler.ui.results.figure_view import FigureView
from labeler.ui.results.full_report_dialog import FullReportDialog
from labeler.ui.results.results_screen import ResultsScreen
from labeler.ui.results.source_images_panel import NO_FILE
from labeler.ui.results.subset_picker_dialog import SubsetPickerDialog
from labeler.ui.window.theme import Appearance
from tests.adjustable_clock import AdjustableClock
from tests.e2e.golden_study import write_golden
from tests.results_study import FewFigures, LeadResults, golden_store, lead
from tests.unit.app.late_runner import LateRunner

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass
class ResultsSession:
    """The screen in a window, and the one who looks at it."""

    screen: ResultsScreen
    results: LeadResults
    pictures: ThumbnailLoader[int, QImage]
    wished: LateRunner

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        """Press a key wherever the focus is, and let what it began come to its end."""
        focused = QApplication.focusWidget() or self.screen
        QTest.keyClick(focused, key, modifier or Qt.KeyboardModifier.NoModifier)
        self.results.runner.finish_all()

    def column(self, number: int) -> list[str]:
        table = self.screen.table
        return [table.text_at(row, number) for row in range(table.rows)]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], FewFigures]]:
    with golden_store(tmp_path_factory.mktemp("results")) as store:
        yield lead(store)  # type: ignore[misc]


@pytest.fixture
def named(tmp_path: Path) -> Iterator[Callable[[], FewFigures]]:
    """A desk of the same study, in which A has a name."""
    with new_study(tmp_path / "named", clock=SystemClock(), name="golden", seed=1) as store:
        add_person(store, "A", roles=[Role.LABELER], name="Ada Novak")
        import_exchange(store, write_golden(tmp_path / "files"))
        yield lead(store)  # type: ignore[misc]


@pytest.fixture
def session(
    qtbot: QtBot, qapp: QApplication, reader: Callable[[], FewFigures]
) -> Iterator[ResultsSession]:
    looking, wished = LeadResults(reader), LateRunner()
    pictures = ThumbnailLoader[int, QImage](runner=wished, load=lambda _number: _picture())
    appearance = Appearance(qapp, ThemeChoice.LIGHT)
    screen = ResultsScreen(appearance, load_keymap(), looking.presenter, pictures=pictures)
    windows = [QMainWindow()]  # no one else keeps it
    windows[0].setCentralWidget(screen)
    windows[0].setMinimumSize(1280, 800)
    qtbot.addWidget(windows[0])
    windows[0].show()
    qtbot.waitUntil(windows[0].isActiveWindow)
    yield ResultsSession(screen, looking, pictures, wished)
    windows.clear()


def _picture() -> QImage:
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    return image


def test_a_lead_ticks_and_sorts_by_keyboard(session: ResultsSession) -> None:
    screen = session.screen
    assert session.column(0) == ["A", "B", "C", "m1", "m2"]
    screen.table.go_to(0, 2)
    screen.table.setFocus()
    session.key(Qt.Key.Key_S)
    # A has 100 %, B and m1 75, m2 50, C 33.
    assert (session.column(0)[0], session.column(0)[-1]) == ("A", "C")
    session.key(Qt.Key.Key_S)
    assert session.column(0)[0] == "C"
    session.key(Qt.Key.Key_F4)
    assert screen.choices.datasets.hasFocus()
    session.key(Qt.Key.Key_Down)
    session.key(Qt.Key.Key_Space)
    assert screen.choices.datasets.keys == ("original",)
    assert screen.table.columns == 4
    screen.choices.models.click()
    session.results.runner.finish_all()
    assert session.column(0) == ["m1", "m2"]
    screen.choices.measure.setCurrentIndex(screen.choices.measure.findData("top5"))
    screen.choices.measure.activated.emit(screen.choices.measure.currentIndex())
    session.results.runner.finish_all()
    assert session.column(0) == ["m1"]


def test_a_column_is_as_wide_as_its_widest_text_needs(session: ResultsSession) -> None:
    table = session.screen.table
    narrow, wide = "i" * 12, "W" * 11
    columns = (text_column("Name"),)
    table.show_table(
        ReportTable(key="k", title="", note="", columns=columns, rows=((narrow,), (wide,)))
    )
    assert table.columnWidth(0) >= table.sizeHintForIndex(table.model().index(1, 0)).width()


def test_a_short_list_of_choices_leaves_its_height_to_a_longer_one(session: ResultsSession) -> None:
    choices = session.screen.choices
    QApplication.processEvents()
    assert choices.datasets.verticalScrollBar().maximum() == 0
    session.screen.window().setMinimumSize(1920, 1080)
    QApplication.processEvents()
    people = choices.participants
    assert people.height() < people.sizeHintForRow(0) * (people.count() + 1)
    assert choices.subsets.height() > people.height()


def test_a_gallery_shows_answers_and_verdicts_in_a_small_window(session: ResultsSession) -> None:
    looking, images = session.results, session.screen.images
    said = images.said
    gallery = next(p for p in looking.view.places if p.group is ResultsSection.GALLERIES)
    looking.presenter.look_at(gallery.key)
    looking.runner.finish_all()
    QApplication.processEvents()
    assert images.large.geometry().bottom() < said.geometry().top()
    assert said.text_at(0, 2) in ("correct", "wrong", "unclear", "–")
    assert said.columnViewportPosition(2) + said.columnWidth(2) <= said.viewport().width()


def test_a_sorted_cell_still_leads_to_its_own_images(session: ResultsSession) -> None:
    screen = session.screen
    screen.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    screen.table.go_to(0, 2)
    screen.table.setFocus()
    session.key(Qt.Key.Key_Return)
    assert screen.images.heading.text() == "C on original"
    assert screen.images.list.model().rowCount() == 3
    assert screen.images.list.hasFocus()
    assert screen.images.said.rows == 5
    session.key(Qt.Key.Key_Escape)
    assert screen.images.isHidden()
    assert screen.table.hasFocus()


def test_an_image_without_a_file_says_so(session: ResultsSession, qtbot: QtBot) -> None:
    screen = session.screen
    session.pictures._load = lambda _number: None
    screen.table.go_to(0, 2)
    screen.table.setFocus()
    session.key(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(session.wished.tickets))
    while session.wished.tickets:
        session.wished.finish_all()
    assert screen.images.facts.text().endswith(NO_FILE)


def test_an_image_is_enlarged_with_everybody_s_answer(
    session: ResultsSession, qtbot: QtBot
) -> None:
    screen = session.screen
    screen.table.go_to(0, 2)
    screen.table.setFocus()
    session.key(Qt.Key.Key_Return)
    with qtbot.waitSignal(screen.enlarge_wanted) as wanted:
        session.key(Qt.Key.Key_Space)
    enlarged = EnlargedImageDialog(
        Appearance(QApplication.instance(), ThemeChoice.LIGHT),  # type: ignore[arg-type]
        load_keymap(),
        screen,
        pictures=session.pictures,
        numbers=(0, 1, 2),
        details=screen.details_of,
    )
    enlarged.show_row(wanted.args[0])
    enlarged.open()
    while session.wished.tickets:
        session.wished.finish_all()
    assert enlarged.image.shows_image
    QTest.keyClick(enlarged, Qt.Key.Key_Right)
    assert enlarged.row == 1
    assert enlarged.said.rows == 5
    enlarged.reject()


def test_a_figure_zooms_moves_and_its_points_lead_to_images(
    session: ResultsSession, qtbot: QtBot
) -> None:
    screen, figure = session.screen, session.screen.figure
    screen.table.setFocus()
    session.key(Qt.Key.Key_PageDown, CONTROL)
    session.key(Qt.Key.Key_PageDown, CONTROL)
    assert session.results.view.place == CHOSEN_FIGURE
    assert figure.is_shown
    session.key(Qt.Key.Key_F5)
    for _ in range(3):
        session.key(Qt.Key.Key_Plus)
    assert figure.zoomed == pytest.approx(1.25**3)
    mark = session.results.view.figure.marks[0]  # type: ignore[union-attr]
    before = figure.place_of(mark)
    session.key(Qt.Key.Key_Down)
    assert figure.place_of(mark).y() < before.y()
    assert session.results.view.part is not None
    with qtbot.waitSignal(figure.part_wanted) as wanted:
        figure.resize(figure.width() - 80, figure.height() - 80)
    assert wanted.args[0] == session.results.view.part.limits
    session.key(Qt.Key.Key_0)
    assert figure.zoomed == 1.0
    assert session.results.view.part is None
    _turn_wheel(figure, 240)
    assert figure.zoomed == pytest.approx(1.25**2)
    screen.full_figure.click()
    qtbot.waitUntil(lambda: _pointed_at(figure, figure.place_of(mark).toPoint()))
    assert figure.current_mark is not None
    assert figure.current_mark.words.startswith("A\n")
    QTest.mouseClick(
        figure,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        figure.place_of(mark).toPoint(),
    )
    session.results.runner.finish_all()
    assert screen.images.heading.text() == "A on original and new"
    figure.setFocus()
    session.key(Qt.Key.Key_N)
    session.key(Qt.Key.Key_Return)
    assert screen.images.heading.text() == "B on original and new"


def test_the_list_has_the_sections_of_the_report_in_their_order(session: ResultsSession) -> None:
    texts = [session.screen.places.itemText(n) for n in range(session.screen.places.count())]
    titles = [plan.title for plan in SECTIONS if plan.title in texts]
    assert [text for text in texts if text in titles] == titles
    assert {"Accuracy", "Gap between datasets"} <= set(titles)


def test_a_key_gives_the_whole_room_to_the_figure_and_then_to_the_table(
    session: ResultsSession,
) -> None:
    screen = session.screen
    assert screen.table.isVisible()
    assert screen.figure.isVisible()
    session.key(Qt.Key.Key_F7)
    assert (screen.table.isVisible(), screen.figure.isVisible()) == (False, True)
    session.key(Qt.Key.Key_F7)
    assert (screen.table.isVisible(), screen.figure.isVisible()) == (True, False)
    session.key(Qt.Key.Key_F7)
    assert (screen.table.isVisible(), screen.figure.isVisible()) == (True, True)


def test_what_is_shown_is_copied_as_code_that_makes_a_table(session: ResultsSession) -> None:
    screen = session.screen
    screen.table.setFocus()
    screen.copy.click()
    names: dict[str, Any] = {}
    exec(QApplication.clipboard().text(), names)
    shown = session.results.view.table
    assert shown is not None
    assert len(names["data"]) == len(shown.rows)
    assert names["data"].iloc[0, 0] == shown.rows[0][0]
    assert any(name.endswith(", low") for name in names["data"].columns)
    screen.figure.setFocus()
    screen.copy.click()
    exec(QApplication.clipboard().text(), names)
    assert list(names["data"].columns) == ["about", "x", "y"]
    assert screen.notice.sentence == COPIED


def test_the_button_to_copy_keeps_its_size_next_to_a_table(session: ResultsSession) -> None:
    table = next(p for p in session.results.view.places if p.group is ResultsSection.TABLES)
    session.results.presenter.look_at(table.key)
    session.results.runner.finish_all()
    QApplication.processEvents()
    assert session.screen.copy.width() <= session.screen.copy.sizeHint().width()


def test_every_result_can_be_chosen_and_home_is_one_press_away(
    session: ResultsSession, qtbot: QtBot
) -> None:
    screen = session.screen
    figure = next(p for p in session.results.view.places if p.group is ResultsSection.FIGURES)
    screen.places.setCurrentIndex(screen.places.findData(figure.key))
    screen.places.activated.emit(screen.places.currentIndex())
    assert screen.figure.isVisible()
    session.results.presenter.look_at(CHOSEN_TABLE.key)
    session.results.runner.finish_all()
    for wanted, button in (
        (screen.home_wanted, screen.home),
        (screen.export_wanted, screen.export),
        (screen.report_wanted, screen.report),
        (screen.subset_wanted, screen.choices.add),
    ):
        with qtbot.waitSignal(wanted):
            button.click()


def test_computing_tells_how_far_it_is_and_stops(
    qtbot: QtBot, qapp: QApplication, reader: Callable[[], FewFigures]
) -> None:
    looking = LeadResults(reader, opens=False)
    pictures = ThumbnailLoader[int, QImage](runner=LateRunner(), load=lambda _number: None)
    appearance = Appearance(qapp, ThemeChoice.DARK)
    screen = ResultsScreen(appearance, load_keymap(), looking.presenter, pictures=pictures)
    qtbot.addWidget(screen)
    screen.show()
    assert screen.computing.stop.isVisible()
    assert not screen.export.isEnabled()
    screen.computing.stop.click()
    looking.runner.finish_all()
    assert "stopped" in screen.computing.sentence.text()
    assert screen.computing.again.isVisible()
    screen.computing.again.click()
    looking.runner.finish_all()
    assert screen.choices.isVisible()


def test_a_part_of_the_taxonomy_is_picked_by_typing(qtbot: QtBot, qapp: QApplication) -> None:
    parent = QMainWindow()
    qtbot.addWidget(parent)
    picker = SubsetPickerDialog(
        Appearance(qapp, ThemeChoice.LIGHT), SubtreeSearch(load_default()), parent
    )
    picker.open()
    QTest.keyClicks(picker.field, "hound dog")
    assert "hound" in picker.list.item(0).text()
    QTest.keyClick(picker.field, Qt.Key.Key_Down)
    assert picker.list.currentRow() == 1
    QTest.keyClick(picker.field, Qt.Key.Key_Up)
    with qtbot.waitSignal(picker.picked) as picked:
        QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert picked.args == ["subtree:n02087551"]


def test_the_whole_report_is_begun_and_stopped_in_its_dialog(
    qtbot: QtBot, qapp: QApplication, reader: Callable[[], FewFigures], tmp_path: Path
) -> None:
    runner = LateRunner()
    report = FullReport(
        reader, subsets=(), runner=runner, clock=AdjustableClock(), describe_error=str
    )
    parent = QMainWindow()
    qtbot.addWidget(parent)
    dialog = FullReportDialog(Appearance(qapp, ThemeChoice.LIGHT), report, parent)
    dialog.open()
    for format_, box in dialog.formats.items():
        box.setChecked(format_ is ReportFormat.JSON)
    dialog.start.click()
    assert "folder" in dialog.banner.sentence
    assert dialog.banner.kind is BannerKind.ERROR
    dialog.folder.setText(str(tmp_path / "out"))
    dialog.start.click()
    assert dialog.line.isVisibleTo(dialog)
    dialog.cancel.click()
    assert dialog.banner.sentence == NOTHING_WRITTEN
    assert dialog.banner.kind is BannerKind.DONE
    dialog.start.click()
    runner.finish_all()
    assert (tmp_path / "out" / "report.json").exists()
    assert dialog.open_it.isVisibleTo(dialog)
    dialog.cancel.click()
    assert not dialog.isVisible()


def test_names_and_published_results_are_asked_for_in_the_dialog(
    qtbot: QtBot, qapp: QApplication, named: Callable[[], FewFigures], tmp_path: Path
) -> None:
    runner = LateRunner()
    report = FullReport(
        named, subsets=(), runner=runner, clock=AdjustableClock(), describe_error=str
    )
    parent = QMainWindow()
    qtbot.addWidget(parent)
    dialog = FullReportDialog(Appearance(qapp, ThemeChoice.LIGHT), report, parent)
    dialog.open()
    assert not dialog.names.isChecked()
    assert not dialog.published.new.isVisible()
    for format_, box in dialog.formats.items():
        box.setChecked(format_ is ReportFormat.CSV)
    dialog.folder.setText(str(tmp_path / "out"))
    dialog.names.click()
    dialog.published.unfold.click()
    qtbot.waitUntil(dialog.published.new.isVisible)
    assert dialog.published.new.height() >= dialog.published.new.sizeHint().height()
    published = tmp_path / "results.csv"
    published.write_text("model,top1\nm,many\n", encoding="utf-8")
    QTest.keyClicks(dialog.published.original, str(published))
    dialog.start.click()
    assert "two files" in dialog.banner.sentence
    QTest.keyClicks(dialog.published.new, str(published))
    dialog.start.click()
    assert not dialog.published.isEnabled()
    runner.finish_all()
    assert "line 2, column top1" in dialog.banner.sentence
    published.write_text("model,top1\nm,70\n", encoding="utf-8")
    dialog.start.click()
    runner.finish_all()
    table = (tmp_path / "out" / "tables" / "accuracy-top1.csv").read_text(encoding="utf-8")
    assert "Ada Novak" in table
    dialog.reject()


def _pointed_at(figure: FigureView, where: QPoint) -> bool:
    """Move the mouse there from elsewhere; whether it has met a point."""
    QTest.mouseMove(figure, QPoint(2, 2))
    QTest.mouseMove(figure, where)
    return figure.current_mark is not None


def _turn_wheel(widget: object, turned: int) -> None:
    place = QPointF(200, 200)
    event = QWheelEvent(
        place,
        place,
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)  # type: ignore[arg-type]
