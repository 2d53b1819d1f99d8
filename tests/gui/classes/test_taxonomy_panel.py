"""The taxonomy browser: it follows in silence, and tells what a person does in it."""

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from labeler.app.classes.taxonomy_browser import TaxonomyBrowser
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.branches import canonical_branches
from labeler.core.classes.groups import default_groups
from labeler.core.classes.taxonomy import load_default
from labeler.core.classes.taxonomy_tree import TaxonomyTreeRow
from labeler.ui.classes.taxonomy.panel import TaxonomyPanel
from labeler.ui.classes.taxonomy.row_delegate import TaxonomyRowDelegate, TaxonomyRowState
from labeler.ui.classes.taxonomy.tree_model import TaxonomyModel
from labeler.ui.window.theme import Appearance

BEAVER, MARMOT, TIGER, CHIHUAHUA = "n02363005", "n02361337", "n02129604", "n02085620"
RODENT = "n02329401"
ORGAN, WIND_INSTRUMENT = "n03854065", "n04586932"
BRANCHES = canonical_branches(default_groups(load_default()))
TOPS = [branch.key for branch in BRANCHES.superclasses]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


class Events:
    """What the panel has said, in order."""

    def __init__(self, panel: TaxonomyPanel) -> None:
        self.all: list[tuple[str, ...]] = []
        panel.class_selected.connect(lambda wnid: self.all.append(("selected", wnid)))
        for signal in (panel.class_chosen, panel.class_entered):
            signal.connect(lambda wnid: self.all.append(("chosen", wnid)))
        panel.typed.connect(lambda text: self.all.append(("typed", text)))
        panel.left.connect(lambda: self.all.append(("left",)))


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> TaxonomyPanel:
    made = TaxonomyPanel(
        Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), TaxonomyBrowser(lambda: BRANCHES)
    )
    qtbot.addWidget(made)
    made.resize(400, 600)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    return made


@pytest.fixture
def events(panel: TaxonomyPanel) -> Events:
    return Events(panel)


def painted(rows: TaxonomyRowDelegate, row: TaxonomyTreeRow, *, width: int) -> QImage:
    picture = QImage(width, rows.height, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    rows.prepare(width=width, dense=1.0)
    painter = QPainter(picture)
    state = TaxonomyRowState(current=False, hovered=False, open=False)
    rows.paint_row(painter, 0, row, sign_at=11, state=state)
    painter.end()
    return picture


def test_a_name_has_the_room_before_what_tells_that_there_are_steps_above(
    appearance: Appearance,
) -> None:
    rows = TaxonomyRowDelegate(appearance)
    row = TaxonomyTreeRow("n00004475", "organism", ("living thing",), 410, is_class=False)
    alone = row._replace(folded=())
    assert painted(rows, row, width=240) != painted(rows, alone, width=240)
    assert painted(rows, row, width=130) == painted(rows, alone, width=130)


def names_in_sight(panel: TaxonomyPanel) -> list[str]:
    """The names of all rows that are open, whether scrolled to or not, from the top."""
    tree, names = panel.tree, []
    index = tree.model().index(0, 0)
    while index.isValid():
        names.append(index.data())
        index = tree.indexBelow(index)
    return names


def current(panel: TaxonomyPanel) -> str:
    return str(panel.tree.currentIndex().data())


def place_of(panel: TaxonomyPanel, name: str) -> QPoint:
    index = panel.tree.model().index(0, 0)
    while index.data() != name:
        index = panel.tree.indexBelow(index)
    return panel.tree.visualRect(index).center()


def texts(panel: TaxonomyPanel) -> list[str]:
    return [found.text() for found in panel.findChildren(QLabel)]


def press(panel: TaxonomyPanel, qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(panel.tree, key)


def test_only_the_way_to_the_class_is_open_with_its_siblings_in_sight(
    panel: TaxonomyPanel, events: Events
) -> None:
    panel.show_class(BEAVER)
    names = names_in_sight(panel)
    assert current(panel) == "beaver"
    assert {"rodents", "hamster", "porcupine", "marmot", "guinea pig"} < set(names)
    assert "tiger" not in names
    shown = panel.tree.viewport().rect()
    assert all(shown.contains(place_of(panel, name)) for name in ("beaver", "hamster", "marmot"))
    assert events.all == []


def test_another_class_closes_the_way_to_the_one_before(panel: TaxonomyPanel) -> None:
    panel.show_class(BEAVER)
    panel.show_class(TIGER)
    assert current(panel) == "tiger"
    assert "beaver" not in names_in_sight(panel)


def test_a_search_leaves_the_found_classes_all_open_and_says_nothing(
    panel: TaxonomyPanel, events: Events
) -> None:
    panel.show_class(BEAVER)
    panel.filter([BEAVER, MARMOT, TIGER], show=TIGER)
    assert names_in_sight(panel) == ["Other mammals", "tiger", "rodents", "marmot", "beaver"]
    assert current(panel) == "tiger"
    assert "3 classes" in texts(panel)
    assert events.all == []


def test_clearing_the_search_closes_all_but_the_way_to_the_class(
    panel: TaxonomyPanel, events: Events
) -> None:
    panel.filter([BEAVER, MARMOT, TIGER], show=MARMOT)
    panel.filter(None)
    assert current(panel) == "marmot"
    assert "tiger" not in names_in_sight(panel)
    assert {BRANCHES.labels[key] for key in TOPS} <= set(names_in_sight(panel))
    assert events.all == []


def test_a_search_that_finds_nothing_shows_an_empty_tree(
    panel: TaxonomyPanel, events: Events
) -> None:
    panel.show_class(BEAVER)
    panel.filter([])
    assert panel.tree.model().rowCount() == 0
    assert "No class found" in texts(panel)
    panel.filter(None, show=TIGER)
    assert current(panel) == "tiger"
    assert events.all == []


def test_taking_the_focus_selects_nothing(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    panel.filter([TIGER])
    panel.setFocus()
    qtbot.waitUntil(panel.tree.hasFocus)
    assert events.all == []


def test_arrows_move_to_a_class_and_tell_it(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    panel.show_class(MARMOT)
    panel.setFocus()
    press(panel, qtbot, Qt.Key.Key_Down)
    assert events.all == [("selected", BEAVER)]


def test_a_branch_is_no_class_to_tell(panel: TaxonomyPanel, events: Events, qtbot: QtBot) -> None:
    panel.show_class(MARMOT)
    press(panel, qtbot, Qt.Key.Key_Left)
    assert current(panel) == "rodents"
    assert events.all == []


def test_moving_in_the_tree_closes_nothing_even_when_the_screen_follows(
    panel: TaxonomyPanel, qtbot: QtBot
) -> None:
    panel.class_selected.connect(panel.show_class)
    panel.show_class(MARMOT)
    qtbot.mouseClick(
        panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place_of(panel, "primates")
    )
    before = names_in_sight(panel)
    assert len(before) > len(TOPS)
    qtbot.mouseClick(
        panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place_of(panel, "beaver")
    )
    assert current(panel) == "beaver"
    assert names_in_sight(panel) == before


def test_return_and_a_double_click_choose_a_class(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    panel.show_class(MARMOT)
    press(panel, qtbot, Qt.Key.Key_Return)
    assert events.all == [("chosen", MARMOT)]
    where = place_of(panel, "beaver")
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseDClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert events.all[1:] == [("selected", BEAVER), ("chosen", BEAVER)]


def test_a_return_held_down_chooses_once(
    panel: TaxonomyPanel, events: Events, qapp: QApplication
) -> None:
    panel.show_class(MARMOT)
    for repeated in (False, True, True):
        event = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return,
            Qt.KeyboardModifier.NoModifier,
            "\r",
            repeated,
        )
        qapp.notify(panel.windowHandle(), event)
    assert events.all == [("chosen", MARMOT)]


@pytest.mark.parametrize("by", ["return", "click"])
def test_a_branch_opens_and_closes(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot, by: str
) -> None:
    def toggle() -> None:
        if by == "return":
            press(panel, qtbot, Qt.Key.Key_Return)
        else:
            where = place_of(panel, "rodents")
            qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=where)

    panel.show_node(RODENT)
    assert "beaver" in names_in_sight(panel)
    toggle()
    assert "beaver" not in names_in_sight(panel)
    toggle()
    assert "beaver" in names_in_sight(panel)
    assert events.all == []


def test_right_opens_a_branch_and_goes_in_and_left_goes_out(
    panel: TaxonomyPanel, qtbot: QtBot
) -> None:
    panel.show_class(MARMOT)
    press(panel, qtbot, Qt.Key.Key_Left)
    press(panel, qtbot, Qt.Key.Key_Left)
    assert "beaver" not in names_in_sight(panel)
    press(panel, qtbot, Qt.Key.Key_Right)
    press(panel, qtbot, Qt.Key.Key_Right)
    assert current(panel) == "hamster"


def test_text_continues_in_the_search_field_and_escape_leaves(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    panel.show_class(MARMOT)
    qtbot.keyClicks(panel.tree, "b-x")
    press(panel, qtbot, Qt.Key.Key_Escape)
    qtbot.keyClick(panel.tree, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert events.all == [("typed", "b"), ("typed", "-"), ("typed", "x"), ("left",)]
    assert current(panel) == "marmot"


def test_the_windows_own_keys_reach_the_window(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    action = QAction(panel)
    action.setShortcut("?")
    panel.addAction(action)
    panel.setFocus()
    with qtbot.waitSignal(action.triggered):
        press(panel, qtbot, Qt.Key.Key_Question)
    assert events.all == []


def test_a_row_tells_those_who_cant_see_it_what_it_is(panel: TaxonomyPanel) -> None:
    role = Qt.ItemDataRole.AccessibleDescriptionRole
    panel.show_class(BEAVER)
    beaver = panel.tree.currentIndex()
    assert beaver.data(role) == "class"
    assert beaver.parent().data(role) == "branch with 6 classes"
    panel.filter([BEAVER])
    only = panel.tree.currentIndex()
    assert str(only.data(role)).startswith("class, under rodents")
    assert str(only.data(Qt.ItemDataRole.ToolTipRole)).endswith("rodents › beaver")


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    browser = TaxonomyBrowser(lambda: BRANCHES)
    model = TaxonomyModel(browser.filter([BEAVER, MARMOT, CHIHUAHUA]).tree)
    qtmodeltester.check(model)
    model.show(browser.filter([TIGER, BEAVER]).tree)
    qtmodeltester.check(model)
    assert not model.index(99, 0, QModelIndex()).isValid()


def test_another_place_of_a_class_can_be_followed(
    panel: TaxonomyPanel, events: Events, qtbot: QtBot
) -> None:
    panel.show_class(BEAVER)
    chips = panel.also_under.findChildren(QPushButton)
    assert not any(chip.isVisible() for chip in chips)
    panel.show_class(ORGAN)
    label = BRANCHES.labels[WIND_INSTRUMENT]
    chip = next(c for c in panel.also_under.findChildren(QPushButton) if c.text() == label)
    with qtbot.waitSignal(panel.branch_selected) as shown:
        qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert shown.args is not None
    assert shown.args[0].key == WIND_INSTRUMENT
    assert current(panel) == label
    assert events.all == []


def test_it_starts_with_the_superclasses(panel: TaxonomyPanel) -> None:
    panel.reset()
    assert names_in_sight(panel) == [BRANCHES.labels[key] for key in TOPS]


def test_going_to_a_branch_tells_its_classes(panel: TaxonomyPanel, qtbot: QtBot) -> None:
    panel.show_class(MARMOT)
    with qtbot.waitSignal(panel.branch_selected) as shown:
        press(panel, qtbot, Qt.Key.Key_Left)
    assert shown.args is not None
    assert {BEAVER, MARMOT} < set(shown.args[0].wnids)
