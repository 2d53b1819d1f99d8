"""The mosaic of a branch: shown in place of references, walked by keys, left by a class."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labeler.app.classes.taxonomy_browser import BranchMosaicView, MosaicGroup
from labeler.ui.classes.classes_screen import ClassesScreen
from labeler.ui.classes.taxonomy.branch_mosaic import BranchMosaic, lay_out_mosaic
from tests.gui.window_session import WindowSession

RODENT, BEAVER = "n02329401", "n02363005"
MIN_ROWS = 18

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.mark.parametrize("width", [90, 300, 515, 1200])
def test_tiles_dont_overlap_and_fit_the_width(width: int) -> None:
    groups = (MosaicGroup("one", tuple("abcdefg")), MosaicGroup("", tuple("hij")))
    layout = lay_out_mosaic(BranchMosaicView("n", "name", "", groups), width)
    areas = [tile.area for tile in layout.tiles] + [each.area for each in layout.headings]
    for number, area in enumerate(areas):
        assert area.right() < width
        assert area.bottom() <= layout.height
        assert not any(area.intersects(other) for other in areas[:number])


def branch(session: WindowSession) -> tuple[ClassesScreen, BranchMosaic]:
    screen = session.window.findChild(ClassesScreen)
    assert screen is not None
    screen.tools.show_node(RODENT)
    return screen, screen.tools.class_view.branch_page.mosaic


def test_a_branch_replaces_the_references_until_a_class_is_shown(
    looking_at_classes: WindowSession, qtbot: QtBot
) -> None:
    screen, mosaic = branch(looking_at_classes)
    qtbot.waitUntil(mosaic.isVisible)
    tile = next(tile for tile in mosaic.tiles if tile.wnid == BEAVER)
    qtbot.mouseClick(mosaic.viewport(), Qt.MouseButton.LeftButton, pos=tile.area.center())
    qtbot.waitUntil(lambda: not mosaic.isVisible())
    assert screen.tools.browser.view.wnid == BEAVER


def test_keys_walk_the_mosaic_and_choose(looking_at_classes: WindowSession, qtbot: QtBot) -> None:
    _screen, mosaic = branch(looking_at_classes)
    qtbot.waitUntil(mosaic.isVisible)
    mosaic.setFocus()
    first = mosaic.current
    qtbot.keyClick(mosaic, Qt.Key.Key_Right)
    second = mosaic.current
    assert second not in (None, first)
    assert mosaic.accessibleDescription()
    with qtbot.waitSignal(mosaic.class_entered) as entered:
        qtbot.keyClick(mosaic, Qt.Key.Key_Return)
    assert entered.args == [second]


def test_the_tree_has_room_for_many_rows(looking_at_classes: WindowSession, qtbot: QtBot) -> None:
    looking_at_classes.window.resize(1280, 800)
    screen, _mosaic = branch(looking_at_classes)
    tree = screen.tools.taxonomy.tree
    row = tree.visualRect(tree.currentIndex()).height()
    qtbot.waitUntil(lambda: tree.viewport().height() >= MIN_ROWS * row)
