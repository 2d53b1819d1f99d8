"""Classes side by side: columns, their keys, the chosen one, what tells them apart."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from labeler.app.classes.comparison import ComparedClass, ComparedClasses, DistinguishingTrait
from labeler.app.classes.reference_originals import OriginalLoader
from labeler.app.classes.references import NO_REFERENCES_SENTENCE, ReferencesState, ReferencesView
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.labeling.blind_types import EncodedImage
from labeler.ui.classes.comparison_view import ComparisonView
from labeler.ui.window.theme import Appearance
from tests.gui.reference_kit import BADGER, BEAVER, MARMOT, OTTER, ready, said
from tests.unit.app.late_runner import LateRunner

# A bare widget as a window tells the system its limits, which the offscreen platform remarks upon.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

TAIL = "Tail first: short and furred on the marmot; broad, flat & scaly on the beaver."
COLUMNS = (
    ComparedClass(BEAVER, "beaver", "placental › rodent", ready(BEAVER, 60, "#c82828")),
    ComparedClass(MARMOT, "marmot", "rodent › squirrel", ready(MARMOT, 60, "#28a03c")),
    ComparedClass(OTTER, "otter", "carnivore › mustelid", ready(OTTER, 3, "#2832c8")),
    ComparedClass(
        BADGER,
        "badger",
        "carnivore › mustelid",
        ReferencesView(ReferencesState.NONE, BADGER, sentence=NO_REFERENCES_SENTENCE),
    ),
)
PAIRS = (DistinguishingTrait("beaver", "marmot", TAIL),)


@pytest.fixture
def comparison(qtbot: QtBot, qapp: QApplication) -> ComparisonView:
    made = ComparisonView(Appearance(qapp, ThemeChoice.LIGHT), load_keymap())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.render_comparison(ComparedClasses(COLUMNS, PAIRS))
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    made.setFocus()
    return made


def names(comparison: ComparisonView) -> list[str]:
    return [column.accessibleName() for column in comparison.columns]


def current(comparison: ComparisonView) -> list[str]:
    return [c.accessibleName() for c in comparison.columns if c.property("current")]


def test_each_class_has_its_column_with_its_references(comparison: ComparisonView) -> None:
    assert names(comparison) == ["beaver", "marmot", "otter", "badger"]
    assert [len(column.grid.tiles) for column in comparison.columns] == [60, 60, 3, 0]
    assert comparison.columns[3].sentence.isVisible()
    assert comparison.columns[3].sentence.text() == NO_REFERENCES_SENTENCE
    widths = {column.width() for column in comparison.columns}
    assert max(widths) - min(widths) <= 1


@pytest.mark.parametrize("height", [900, 600, 450])
def test_tiles_shrink_until_twelve_are_visible(
    comparison: ComparisonView, qtbot: QtBot, height: int
) -> None:
    comparison.resize(900, height)
    grid = comparison.columns[0].grid
    qtbot.waitUntil(lambda: len(grid.visible_tiles) >= 12)
    assert grid.columns in (2, 3, 4)


def test_the_chosen_class_is_marked_even_if_its_column_comes_later(
    comparison: ComparisonView,
) -> None:
    comparison.render_comparison(ComparedClasses(COLUMNS[:1]))
    comparison.mark_chosen(MARMOT)
    comparison.render_comparison(ComparedClasses(COLUMNS))
    assert [column.wnid for column in comparison.columns if column.is_chosen] == [MARMOT]
    comparison.mark_chosen(None)
    assert not any(column.is_chosen for column in comparison.columns)


def test_a_digit_chooses_the_column_of_that_number(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(comparison.chosen) as chosen:
        qtbot.keyClick(comparison, Qt.Key.Key_2)
    assert chosen.args == [MARMOT]
    with qtbot.waitSignal(comparison.typed) as typed:
        qtbot.keyClick(comparison, Qt.Key.Key_9)
    assert typed.args == ["9"]


def test_what_the_guide_says_is_reported_and_without_it_there_is_no_strip(
    comparison: ComparisonView,
) -> None:
    assert comparison.differences.isVisible()
    assert TAIL in comparison.differences.accessibleDescription()
    comparison.render_comparison(ComparedClasses(COLUMNS[2:]))
    assert not comparison.differences.isVisible()


def test_arrows_go_from_column_to_column_and_stop_at_the_ends(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    assert current(comparison) == ["beaver"]
    qtbot.keyClick(comparison, Qt.Key.Key_Left)
    assert current(comparison) == ["beaver"]
    for _ in range(5):
        qtbot.keyClick(comparison, Qt.Key.Key_Right)
    assert current(comparison) == ["badger"]
    assert comparison.accessibleDescription() == "badger"


def test_the_current_columns_references_scroll_by_key(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    qtbot.keyClick(comparison, Qt.Key.Key_Right)
    qtbot.keyClick(comparison, Qt.Key.Key_Down)
    qtbot.keyClick(comparison, Qt.Key.Key_Down)
    qtbot.keyClick(comparison, Qt.Key.Key_Up)
    beaver, marmot = (column.grid for column in comparison.columns[:2])
    assert beaver.verticalScrollBar().value() == 0
    assert marmot.verticalScrollBar().value() == marmot.tile_layout().row_height


def test_return_chooses_and_delete_drops_the_current_column(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    qtbot.keyClick(comparison, Qt.Key.Key_Right)
    with qtbot.waitSignal(comparison.chosen) as chosen:
        qtbot.keyClick(comparison, Qt.Key.Key_Return)
    with qtbot.waitSignal(comparison.dropped) as dropped:
        qtbot.keyClick(comparison, Qt.Key.Key_Delete)
    assert (chosen.args, dropped.args) == ([MARMOT], [MARMOT])


def test_the_mouse_chooses_drops_and_makes_current(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    left = Qt.MouseButton.LeftButton
    otter = comparison.columns[2]
    with qtbot.waitSignal(comparison.chosen) as chosen:
        qtbot.mouseClick(otter.choose, left)
    with qtbot.waitSignal(comparison.dropped) as dropped:
        qtbot.mouseClick(otter.cross, left)
    assert (chosen.args, dropped.args) == ([OTTER], [OTTER])
    qtbot.mouseClick(comparison.columns[3], left, pos=QPoint(20, 60))
    assert current(comparison) == ["badger"]


def test_a_click_enlarges_a_tile_in_its_column_and_escape_puts_it_back_before_leaving(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    grid = comparison.columns[1].grid
    place = grid.tile_layout().rect(1).center()
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert grid.is_enlarged
    assert current(comparison) == ["marmot"]
    with qtbot.assertNotEmitted(comparison.left):
        qtbot.keyClick(comparison, Qt.Key.Key_Escape)
    assert not grid.is_enlarged
    with qtbot.waitSignal(comparison.left):
        qtbot.keyClick(comparison, Qt.Key.Key_Escape)


def test_typing_is_passed_on(comparison: ComparisonView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(comparison.typed) as typed:
        qtbot.keyClick(comparison, "x")
    assert typed.args == ["x"]


def test_a_dropped_column_goes_and_the_others_stay_where_they_were_scrolled_to(
    comparison: ComparisonView,
) -> None:
    marmot = comparison.columns[1]
    marmot.grid.verticalScrollBar().setValue(40)
    comparison.render_comparison(ComparedClasses(COLUMNS[1:]))
    assert names(comparison) == ["marmot", "otter", "badger"]
    assert comparison.columns[0] is marmot
    assert marmot.grid.verticalScrollBar().value() == 40


def test_an_original_that_comes_after_its_column_went_is_dropped(
    qtbot: QtBot, qapp: QApplication
) -> None:
    runner = LateRunner()
    originals: OriginalLoader[QImage] = OriginalLoader(
        runner=runner,
        read=lambda _wnid, _number: EncodedImage(data=b"", apply_exif=False),
        decode=lambda _encoded: QImage(300, 225, QImage.Format.Format_RGB32),
    )
    comparison = ComparisonView(
        Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), originals=originals
    )
    qtbot.addWidget(comparison)
    comparison.render_comparison(ComparedClasses(COLUMNS))
    gone = comparison.columns[0]
    gone.grid.enlarge_or_put_back()
    comparison.render_comparison(ComparedClasses(COLUMNS[1:]))
    runner.finish_all()
    shown = [column.grid.is_enlarged for column in (gone, *comparison.columns)]
    assert (shown, gone.isVisible()) == ([False] * 4, False)


def test_only_the_latest_columns_are_kept(comparison: ComparisonView, qapp: QApplication) -> None:
    def compare(*wnids: str) -> None:
        columns = tuple(replace(COLUMNS[0], wnid=wnid) for wnid in wnids)
        comparison.render_comparison(ComparedClasses(columns))

    compare("first", "second")
    first, second = comparison.columns
    compare()
    compare("first")
    assert comparison.columns == [first], "the same classes are often compared again"
    for other in range(5):
        compare(f"other {other}")
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not isValid(second)


def test_without_classes_it_says_what_to_do_and_keys_do_nothing(
    comparison: ComparisonView, qtbot: QtBot
) -> None:
    comparison.render_comparison(ComparedClasses())
    assert comparison.message.isVisible()
    with qtbot.assertNotEmitted(comparison.chosen), qtbot.assertNotEmitted(comparison.dropped):
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_Right, Qt.Key.Key_Down):
            qtbot.keyClick(comparison, key)


def test_nothing_it_says_names_a_class_by_its_identifier(comparison: ComparisonView) -> None:
    texts = " ".join(said(comparison))
    assert "Choose marmot" in texts
    assert MARMOT not in texts
