"""The guide's panel: opened at a class, searched, followed, dressed, and kept to itself."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage, QTextDocument
from PySide6.QtWidgets import QApplication, QListView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from labeler.app.guide.viewer import GuideState, GuideView, GuideViewer
from labeler.app.keymap import load_keymap
from labeler.app.study.preferences import ThemeChoice
from labeler.core.classes.taxonomy import load_default
from labeler.guide.distinctions import DISTINCTION_COLUMNS
from labeler.locations import GUIDE
from labeler.ui.guide.guide_panel import OPENING_GUIDE, GuidePanel
from labeler.ui.guide.page_view import MAX_TEXT_WIDTH, NARROW_WIDTH
from labeler.ui.window.theme import Appearance
from labeler.ui.window.workers import QtRunner

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

MARMOT, BEAVER, FOX_SQUIRREL, TENCH = "n02361337", "n02363005", "n02356798", "n01440764"
IMAGE = QTextDocument.ResourceType.ImageResource.value
SCHEMATIC = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100" height="50" '
    'color="#1d2129"><rect x="20" y="10" width="60" height="30" fill="currentColor"/></svg>'
)
PICTURES = "A beaver ![afloat](ref:n02363005/2), ![sleeping](ref:n02363005/9), ![own](tail.png)."


def plain_image(colour: str, *, width: int = 40) -> QImage:
    image = QImage(width, 30, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the guide that has pictures, next to a picture that isn't the guide's."""
    folder = Path(shutil.copytree(GUIDE, tmp_path / "telltale-study" / "guide"))
    page = folder / "marmot-and-beaver.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("Two heavy brown rodents.", PICTURES), encoding="utf-8")
    plain_image("blue", width=2000).save(str(folder / "tail.png"))
    plain_image("green").save(str(folder.parent / "secret.png"))
    return folder


class Dock:
    """A shown panel with what it was reported to do."""

    def __init__(self, appearance: Appearance, runner: QtRunner, folder: Path) -> None:
        self.look = appearance
        self.visits: list[str] = []
        self.viewer = GuideViewer(
            folder=folder, taxonomy=load_default(), runner=runner, on_visit=self.visits.append
        )
        self.asked: list[tuple[int, int]] = []
        self.panel = GuidePanel(appearance, load_keymap(), self.viewer, reference=self.reference)
        self.page = self.panel.page

    def reference(self, wnid: str, number: int) -> QImage | None:
        self.asked.append((number, threading.get_ident()))
        return plain_image("red") if (wnid, number) == (BEAVER, 2) else None

    @property
    def text(self) -> str:
        return self.page.toPlainText()

    def link(self, address: str) -> None:
        self.page.anchorClicked.emit(QUrl(address))


@pytest.fixture
def dock(qtbot: QtBot, qapp: QApplication, folder: Path) -> Iterator[Dock]:
    runner = QtRunner(threads=1)
    made = Dock(Appearance(qapp, ThemeChoice.LIGHT), runner, folder)
    qtbot.addWidget(made.panel)
    made.panel.resize(640, 720)
    made.panel.show()
    qtbot.waitUntil(made.panel.isActiveWindow)
    yield made
    made.viewer.close()
    runner.close()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def opened(qtbot: QtBot, dock: Dock) -> Dock:
    """Opened at the marmot, with the keyboard on the page."""
    dock.viewer.open_at(MARMOT)
    qtbot.waitUntil(lambda: "heavy" not in dock.text and "Marmot and beaver" in dock.text)
    dock.panel.setFocus()
    return dock


def type_into(qtbot: QtBot, dock: Dock, text: str) -> None:
    dock.panel.field.setFocus()
    qtbot.keyClicks(dock.panel.field, text)


def test_it_opens_at_the_page_on_a_class(opened: Dock) -> None:
    assert opened.text.startswith("Marmot and beaver")
    assert opened.page.accessibleName() == "Marmot and beaver"
    assert opened.panel.notice == ""
    assert opened.visits == ["marmot-and-beaver"]


def test_the_nearest_page_is_shown_with_a_sentence(opened: Dock) -> None:
    opened.viewer.open_at(FOX_SQUIRREL)
    assert "no page on “fox squirrel”" in opened.panel.notice
    opened.viewer.open_at(MARMOT)
    assert opened.panel.notice == ""


def test_contents_stand_where_no_page_is(opened: Dock) -> None:
    opened.viewer.open_at(TENCH)
    assert "Acoustic and electric guitar" in opened.text
    opened.link("page:guitars")
    assert opened.text.startswith("Acoustic and electric guitar")


def test_a_followed_class_is_wanted_and_the_page_stays(qtbot: QtBot, opened: Dock) -> None:
    with qtbot.waitSignal(opened.panel.class_wanted) as wanted:
        opened.link(f"class:{FOX_SQUIRREL}")
    assert wanted.args == [FOX_SQUIRREL]
    assert opened.text.startswith("Marmot and beaver")


def test_links_are_reached_and_followed_by_keyboard(qtbot: QtBot, opened: Dock) -> None:
    qtbot.keyClick(opened.page, Qt.Key.Key_Tab)
    with qtbot.waitSignal(opened.panel.class_wanted) as wanted:
        qtbot.keyClick(opened.page, Qt.Key.Key_Return)
    assert wanted.args == [MARMOT]


@pytest.mark.parametrize("address", ["https://example.org", "file:///etc/passwd", "class:n0"])
def test_a_link_out_of_the_guide_does_nothing(qtbot: QtBot, opened: Dock, address: str) -> None:
    with qtbot.assertNotEmitted(opened.panel.class_wanted):
        opened.link(address)
    assert opened.text.startswith("Marmot and beaver")


def test_typing_searches_and_a_result_opens_with_its_words_marked(
    qtbot: QtBot, opened: Dock
) -> None:
    type_into(qtbot, opened, "crescent")
    assert opened.panel.shows_results
    assert opened.panel.results.currentIndex().data() == "Bison, ox and water buffalo"
    qtbot.keyClick(opened.panel.field, Qt.Key.Key_Return)
    assert opened.text.startswith("Bison")
    assert set(opened.page.marked) == {"crescent"}
    assert opened.page.hasFocus()
    marks = opened.page.extraSelections()
    assert marks[0].format.background().color() == opened.look.colour("match")


def test_arrows_walk_the_results_and_a_click_opens_one(qtbot: QtBot, opened: Dock) -> None:
    type_into(qtbot, opened, "tail")
    results = opened.panel.results
    qtbot.keyClick(opened.panel.field, Qt.Key.Key_Down)
    assert results.currentIndex().row() == 1
    qtbot.keyClick(opened.panel.field, Qt.Key.Key_PageDown)
    assert results.currentIndex().row() == 6
    index = results.model().index(0, 0)
    where = results.visualRect(index).center()
    qtbot.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert opened.page.accessibleName() == index.data()


def test_nothing_found_is_said(qtbot: QtBot, opened: Dock) -> None:
    type_into(qtbot, opened, "zzzz")
    assert "No page contains “zzzz”" in opened.panel.notice


def test_a_slow_guide_says_that_it_is_coming(qtbot: QtBot, dock: Dock) -> None:
    dock.panel.render_guide(GuideView(GuideState.LOADING))
    qtbot.waitUntil(lambda: dock.panel.notice == OPENING_GUIDE)
    dock.viewer.open_at(MARMOT)
    qtbot.waitUntil(dock.page.isVisible)
    assert dock.text.startswith("Marmot")


def test_back_and_forward_by_key_and_button(qtbot: QtBot, opened: Dock) -> None:
    opened.link("page:foxes")
    qtbot.keyClick(opened.page, Qt.Key.Key_Backspace)
    assert opened.text.startswith("Marmot")
    qtbot.keyClick(opened.page, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ShiftModifier)
    assert opened.text.startswith("Red fox")
    back, forward, contents = opened.panel.findChildren(QToolButton)[:3]
    assert not forward.isEnabled()
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert opened.text.startswith("Marmot")
    qtbot.mouseClick(contents, Qt.MouseButton.LeftButton)
    assert opened.text.startswith("Guide")


def test_backspace_in_the_search_field_edits(qtbot: QtBot, opened: Dock) -> None:
    type_into(qtbot, opened, "tai")
    qtbot.keyClick(opened.panel.field, Qt.Key.Key_Backspace)
    assert opened.panel.field.text() == "ta"
    assert opened.panel.shows_results


def test_escape_gives_the_search_up_first_then_leaves(qtbot: QtBot, opened: Dock) -> None:
    type_into(qtbot, opened, "tail")
    with qtbot.assertNotEmitted(opened.panel.left):
        qtbot.keyClick(opened.panel.field, Qt.Key.Key_Escape)
    assert opened.text.startswith("Marmot")
    assert opened.panel.field.text() == ""
    with qtbot.waitSignal(opened.panel.left):
        qtbot.keyClick(opened.page, Qt.Key.Key_Escape)


def test_the_search_field_is_reached_by_key(qtbot: QtBot, opened: Dock) -> None:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(opened.page, Qt.Key.Key_F, both)
    assert opened.panel.field.hasFocus()


def test_text_typed_over_the_page_continues_to_the_classes(qtbot: QtBot, opened: Dock) -> None:
    with qtbot.waitSignal(opened.panel.typed) as typed:
        qtbot.keyClick(opened.page, "m")
    assert typed.args == ["m"]


def test_text_can_be_copied(qtbot: QtBot, opened: Dock) -> None:
    opened.page.selectAll()
    qtbot.keyClick(opened.page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("Marmot and beaver")


def test_a_change_of_theme_recolours_the_page_where_it_is(opened: Dock) -> None:
    opened.panel.resize(640, 300)
    opened.page.verticalScrollBar().setValue(200)
    light = opened.page.document().toHtml()
    opened.look.choose(ThemeChoice.DARK)
    dark = opened.page.document().toHtml()
    assert opened.look.colour("accent").name() in dark
    assert opened.look.colour("accent").name() not in light
    assert opened.page.verticalScrollBar().value() == pytest.approx(200, abs=4)


def test_marks_follow_the_theme(qtbot: QtBot, opened: Dock) -> None:
    opened.viewer.search("crescent")
    opened.viewer.open_selected()
    opened.look.choose(ThemeChoice.DARK)
    marks = opened.page.extraSelections()
    assert marks[0].format.background().color() == opened.look.colour("match")


def test_a_narrow_dock_stacks_the_table(opened: Dock) -> None:
    assert DISTINCTION_COLUMNS[2] in opened.text
    opened.panel.resize(NARROW_WIDTH - 40, 720)
    assert DISTINCTION_COLUMNS[2] not in opened.text
    assert "marmot or beaver" in opened.text
    assert opened.page.horizontalScrollBar().maximum() == 0
    opened.panel.resize(640, 720)
    assert DISTINCTION_COLUMNS[2] in opened.text


@pytest.mark.parametrize("slug", [file.stem for file in GUIDE.glob("*-*.md")])
def test_no_page_is_wider_than_a_narrow_dock(opened: Dock, slug: str) -> None:
    opened.panel.resize(360, 720)
    opened.viewer.open_page(slug)
    assert opened.panel.width() == 360
    assert opened.page.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("width", [700, 1600])
def test_a_wide_panel_keeps_its_text_in_a_column_that_can_be_read(opened: Dock, width: int) -> None:
    opened.panel.resize(width, 700)
    page = opened.page.document().rootFrame().frameFormat()
    column = opened.page.viewport().width() - page.leftMargin() - page.rightMargin()
    assert column == min(MAX_TEXT_WIDTH, opened.page.viewport().width() - 32)
    assert abs(page.leftMargin() - page.rightMargin()) <= 1


def test_pictures_are_shown_and_missing_ones_told_in_words(qtbot: QtBot, opened: Dock) -> None:
    qtbot.waitUntil(lambda: "[No picture: sleeping]" in opened.text)
    assert "afloat" not in opened.text
    shown = opened.page.loadResource(IMAGE, QUrl(f"ref:{BEAVER}/2"))
    assert shown.pixelColor(5, 5) == QColor("red")
    own = opened.page.loadResource(IMAGE, QUrl("picture:tail.png"))
    assert own.pixelColor(1, 1) == QColor("blue")
    assert own.deviceIndependentSize().width() <= opened.page.viewport().width() / 2


def test_a_schematic_is_drawn_in_the_colour_of_the_text(
    qtbot: QtBot, dock: Dock, folder: Path
) -> None:
    (folder / "tail.svg").write_text(SCHEMATIC, encoding="utf-8")
    page = folder / "marmot-and-beaver.md"
    page.write_text(page.read_text(encoding="utf-8").replace("tail.png", "tail.svg"))
    dock.viewer.open_at(MARMOT)
    qtbot.waitUntil(lambda: "[No picture: sleeping]" in dock.text)
    for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        dock.look.choose(theme)
        drawn = dock.page.loadResource(IMAGE, QUrl("picture:tail.svg"))
        assert drawn.pixelColor(drawn.rect().center()).name() == dock.look.theme.text
        assert drawn.pixelColor(0, 0).alpha() == 0


def test_pictures_are_read_by_a_worker_and_once(qtbot: QtBot, opened: Dock) -> None:
    qtbot.waitUntil(lambda: "[No picture: sleeping]" in opened.text)
    opened.panel.resize(700, 720)
    opened.look.choose(ThemeChoice.DARK)
    opened.viewer.open_contents()
    opened.viewer.open_at(MARMOT)
    assert "[No picture: sleeping]" in opened.text
    assert [number for number, _thread in opened.asked] == [2, 9]
    assert threading.get_ident() not in {thread for _number, thread in opened.asked}


@pytest.mark.parametrize(
    "address",
    ["picture:../secret.png", "../secret.png", "http://example.org/x.png", "{folder}/secret.png"],
)
def test_other_resources_are_refused(opened: Dock, folder: Path, address: str) -> None:
    hostile = address.format(folder=QUrl.fromLocalFile(str(folder.parent)).toString())
    refused = opened.page.loadResource(IMAGE, QUrl(hostile))
    assert (refused.width(), refused.height()) == (1, 1)
    assert refused.pixelColor(0, 0).alpha() == 0
    style = QTextDocument.ResourceType.StyleSheetResource.value
    assert opened.page.loadResource(style, QUrl(hostile)) == ""


def test_a_damaged_guide_is_reported_and_shows_no_path(
    qtbot: QtBot, dock: Dock, folder: Path
) -> None:
    (folder / "foxes.md").write_text("no page", encoding="utf-8")
    dock.viewer.open_at(MARMOT)
    qtbot.waitUntil(lambda: "can't be shown" in dock.panel.notice)
    assert "“foxes.md” is damaged" in dock.panel.notice
    assert not dock.page.isVisible()
    assert "telltale" not in dock.panel.notice


def test_every_control_has_a_name_and_nothing_tells_where_files_lie(
    qtbot: QtBot, opened: Dock
) -> None:
    type_into(qtbot, opened, "tail")
    controls = [opened.panel.field, opened.page, opened.panel.results]
    controls += opened.panel.findChildren(QToolButton)
    assert all(control.accessibleName() for control in controls)
    texts = [opened.page.document().toHtml()]
    for widget in opened.panel.findChildren(QWidget):
        texts += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
    assert not [text for text in texts if "telltale" in text or ".md" in text]


def test_the_results_are_a_list_that_can_be_read_out(qtbot: QtBot, opened: Dock) -> None:
    type_into(qtbot, opened, "crescent")
    results: QListView = opened.panel.results
    described = results.model().index(0, 0).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "crescent" in described
    assert not results.grab().isNull()
