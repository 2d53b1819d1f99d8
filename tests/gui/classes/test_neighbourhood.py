"""The neighbourhood's tiles: arrows, mouse and typing each do what a person means by them."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from labeler.app.classes.neighbourhood import Neighbourhood
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.look_alike_ranking import LookAlikeEvidence, LookAlikeRanking
from labeler.core.classes.taxonomy import load_default
from labeler.ui.classes.neighbourhood_layout import (
    ArrowDirection,
    NeighbourhoodLayout,
    lay_out_tiles,
)
from labeler.ui.classes.neighbourhood_view import NeighbourhoodView
from labeler.ui.window.theme import Appearance

BEAVER, HAMSTER, PORCUPINE, MARMOT = "n02363005", "n02342885", "n02346627", "n02361337"
GUINEA_PIG, OTTER = "n02364673", "n02444819"
BLACK_BEAR = "n02133161"
PURE_RED = QColor(255, 0, 0)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (propagateSizeHints|raise)")


class Pictures:
    """Pictures that come when a test says so."""

    def __init__(self) -> None:
        self.wanted: list[str] = []
        self._here: dict[str, QImage] = {}
        self._tell: list[Callable[[str], None]] = []

    def get(self, wnid: str) -> QImage | None:
        return self._here.get(wnid)

    def request(self, wnids: Iterable[str]) -> None:
        self.wanted = list(wnids)

    def listen(self, callback: Callable[[str], None]) -> None:
        self._tell.append(callback)

    def arrive(self, wnid: str, *, width: int = 128, height: int = 96) -> None:
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(PURE_RED)
        self._here[wnid] = image
        for tell in self._tell:
            tell(wnid)


class Events:
    """What the view has said, in order."""

    def __init__(self, view: NeighbourhoodView) -> None:
        self.all: list[tuple[str, ...]] = []
        view.walked.connect(lambda wnid: self.all.append(("walked", wnid)))
        view.chosen.connect(lambda wnid: self.all.append(("chosen", wnid)))
        view.typed.connect(lambda text: self.all.append(("typed", text)))
        view.left.connect(lambda: self.all.append(("left",)))


@pytest.fixture
def walk() -> Neighbourhood:
    taxonomy = load_default()
    evidence = LookAlikeEvidence(guide_pairs={(BEAVER, GUINEA_PIG), (BEAVER, OTTER)})
    ranking = LookAlikeRanking(taxonomy, evidence)
    return Neighbourhood(taxonomy=taxonomy, ranking=ranking)


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def view(
    qtbot: QtBot, qapp: QApplication, walk: Neighbourhood, pictures: Pictures
) -> NeighbourhoodView:
    made = NeighbourhoodView(Appearance(qapp, ThemeChoice.LIGHT), load_keymap(), pictures)
    qtbot.addWidget(made)
    made.resize(760, 420)
    made.show()
    qtbot.waitUntil(made.isActiveWindow)
    made.setFocus()
    made.render_view(walk.walk(BEAVER))
    return made


@pytest.fixture
def events(view: NeighbourhoodView) -> Events:
    return Events(view)


def current(view: NeighbourhoodView) -> str:
    assert view.current is not None
    return view.current.name


def press(view: NeighbourhoodView, qtbot: QtBot, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(view, key)


def place_of(view: NeighbourhoodView, number: int) -> QPoint:
    return view.tile_layout.tiles[number].center()


def test_the_class_in_the_middle_is_the_current_one_and_the_largest(
    view: NeighbourhoodView,
) -> None:
    assert current(view) == "beaver"
    sizes = [tile.width() for tile in view.tile_layout.tiles]
    assert sizes[0] > max(sizes[1:])
    assert view.accessibleName() == "Neighbourhood of beaver"
    assert view.accessibleDescription() == "beaver: This class, 1 of 1"


def test_arrows_go_through_all_groups(view: NeighbourhoodView, qtbot: QtBot) -> None:
    press(view, qtbot, *[Qt.Key.Key_Right] * 3)
    assert current(view) == "marmot"
    assert view.accessibleDescription() == "marmot: Siblings, 3 of 3"
    press(view, qtbot, Qt.Key.Key_Right)
    assert view.accessibleDescription() == "guinea pig: Look-alikes, 1 of 2"
    press(view, qtbot, *[Qt.Key.Key_Left] * 9)
    assert current(view) == "beaver"


def test_down_and_up_lead_to_the_nearest_tile_of_another_row(
    view: NeighbourhoodView, qtbot: QtBot
) -> None:
    press(view, qtbot, Qt.Key.Key_Down)
    assert view.accessibleDescription() == "guinea pig: Look-alikes, 1 of 2"
    press(view, qtbot, Qt.Key.Key_Up)
    assert current(view) == "beaver"


def test_the_current_tile_is_scrolled_to(view: NeighbourhoodView, qtbot: QtBot) -> None:
    press(view, qtbot, *[Qt.Key.Key_Right] * 100)
    last, scrolled = view.tile_layout.tiles[-1], view.verticalScrollBar().value()
    assert scrolled > 0
    assert last.bottom() - scrolled < view.viewport().height()
    press(view, qtbot, *[Qt.Key.Key_Left] * 100)
    assert view.verticalScrollBar().value() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_key_walks_to_a_neighbour(
    view: NeighbourhoodView, events: Events, qtbot: QtBot, walk: Neighbourhood, key: Qt.Key
) -> None:
    view.walked.connect(lambda wnid: view.render_view(walk.walk(wnid)))
    press(view, qtbot, Qt.Key.Key_Right, key)
    assert events.all == [("walked", HAMSTER)]
    assert view.accessibleDescription() == "hamster: This class, 1 of 1"


def test_return_in_the_middle_chooses_the_class(
    view: NeighbourhoodView, events: Events, qtbot: QtBot
) -> None:
    press(view, qtbot, Qt.Key.Key_Return)
    assert events.all == [("chosen", BEAVER)]


def test_a_click_walks_and_a_double_click_chooses_what_was_pressed_first(
    view: NeighbourhoodView, events: Events, qtbot: QtBot, walk: Neighbourhood
) -> None:
    view.walked.connect(lambda wnid: view.render_view(walk.walk(wnid)))
    where = place_of(view, 2)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert events.all[0] == ("walked", PORCUPINE)
    assert events.all[-1] == ("chosen", PORCUPINE)


def test_a_click_between_the_tiles_does_nothing(
    view: NeighbourhoodView, events: Events, qtbot: QtBot
) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=place_of(view, 2))
    assert events.all == []
    assert current(view) == "beaver"


def test_text_continues_in_the_search_field_and_escape_leaves(
    view: NeighbourhoodView, events: Events, qtbot: QtBot
) -> None:
    qtbot.keyClicks(view, "bea")
    press(view, qtbot, Qt.Key.Key_Escape)
    assert events.all == [("typed", "b"), ("typed", "e"), ("typed", "a"), ("left",)]


def test_all_pictures_are_asked_for_the_middle_first(
    view: NeighbourhoodView, pictures: Pictures
) -> None:
    assert pictures.wanted[:4] == [BEAVER, HAMSTER, PORCUPINE, MARMOT]
    assert len(pictures.wanted) == len(view.tile_layout.tiles)


@pytest.mark.parametrize(("width", "height"), [(128, 96), (96, 128), (128, 40)])
def test_a_picture_that_comes_is_painted_whole_inside_its_tile(
    view: NeighbourhoodView, pictures: Pictures, width: int, height: int
) -> None:
    tile = view.tile_layout.tiles[1]
    assert not reds(view)
    pictures.arrive(HAMSTER, width=width, height=height)
    found = reds(view)
    assert found
    assert all(tile.contains(point) for point in found)
    across = max(p.x() for p in found) - min(p.x() for p in found)
    down = max(p.y() for p in found) - min(p.y() for p in found)
    assert across / down == pytest.approx(width / height, rel=0.1)


def reds(view: NeighbourhoodView) -> list[QPoint]:
    image = view.viewport().grab().toImage()
    across, down = range(0, image.width(), 2), range(0, image.height(), 2)
    points = (QPoint(x, y) for x in across for y in down)
    return [point for point in points if image.pixelColor(point) == PURE_RED]


def test_a_tooltip_gives_the_name_in_full_and_nothing_else(
    view: NeighbourhoodView, pictures: Pictures, qapp: QApplication, qtbot: QtBot
) -> None:
    number = pictures.wanted.index(BLACK_BEAR)
    for where, text in ((place_of(view, number), "American black bear"), (QPoint(4, 4), "")):
        event = QHelpEvent(QHelpEvent.Type.ToolTip, where, view.mapToGlobal(where))
        qapp.sendEvent(view.viewport(), event)
        qtbot.waitUntil(lambda text=text: QToolTip.text() == text)  # type: ignore[misc]


def test_no_picture_of_a_narrow_view_is_lost(view: NeighbourhoodView) -> None:
    count = len(view.tile_layout.tiles)
    view.resize(220, 400)
    assert len(view.tile_layout.tiles) == count
    assert view.verticalScrollBar().maximum() > 0


layouts = st.builds(
    lambda counts, width: lay_out_tiles([1, *counts], width=width, line=18),
    st.lists(st.integers(1, 24), max_size=3),
    st.integers(220, 2000),
)


@given(layouts)
def test_nothing_overlaps_and_all_is_inside(layout: NeighbourhoodLayout) -> None:
    everything = [*layout.titles, *layout.tiles]
    for number, one in enumerate(everything):
        assert not any(one.intersects(other) for other in everything[number + 1 :])
        assert one.top() >= 0
        assert one.bottom() < layout.height


@given(layouts, st.data())
def test_what_is_below_is_below_and_every_tile_is_reached(
    layout: NeighbourhoodLayout, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(layout.tiles) - 1))
    here = layout.tiles[number]
    below = layout.neighbour(number, ArrowDirection.BELOW)
    above = layout.neighbour(number, ArrowDirection.ABOVE)
    assert below == number or layout.tiles[below].top() > here.bottom()
    assert above == number or layout.tiles[above].bottom() < here.top()
    assert layout.at(here.center()) == number
    if number:
        assert layout.neighbour(number - 1, ArrowDirection.RIGHT) == number
        assert layout.neighbour(number, ArrowDirection.LEFT) == number - 1
