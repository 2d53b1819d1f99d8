"""Reading and writing the guide in the real window, by keyboard, on a real study."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from labeler.app.guide.folder import IMPORTED_COMMENT
from labeler.app.keymap import Action
from labeler.guide.picture_files import NOT_A_PICTURE
from labeler.ui.classes.class_picker_dialog import ClassPickerDialog
from labeler.ui.guide.guide_controller import GuideController
from labeler.ui.guide.pickers import ClassPairDialog, PageClassesDialog, ReferenceImageDialog
from tests.gui.guide_session import PAGE, GuideSession, at_the_guide
from tests.gui.small_study import BEAVER, HAMSTER, MARMOT, TELL_TALES
from tests.gui.window_session import CONTROL, PLAIN, SHIFT, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


# Reading.


def test_what_is_typed_shows_next_to_and_is_kept_at_once(writing: GuideSession) -> None:
    writing.type_at("Two heavy", "Often wet. ")
    writing.wait(lambda: "Often wet. Two heavy" in writing.preview)
    writing.wait(lambda: "saved as draft" in writing.state)
    assert "Often wet. Two heavy" in writing.drafts()[0]
    assert writing.versions() == [(1, None, IMPORTED_COMMENT)]


def test_it_is_published_by_key_with_a_comment(writing: GuideSession) -> None:
    writing.type_at("Two heavy", "Often wet. ")
    writing.publish("where they live")
    writing.wait(lambda: writing.state == "Version 2 · saved")
    assert writing.versions()[-1] == (2, "A", "where they live")
    assert writing.drafts() == []
    assert "version = 2" in writing.text
    writing.press(Qt.Key.Key_Escape, PLAIN)
    page = writing.journey.reading.panel.page
    writing.wait(lambda: "Often wet." in page.toPlainText())


def test_who_leaves_finds_their_text_again(
    writing: GuideSession, open_session: Callable[..., WindowSession]
) -> None:
    writing.type_at("Two heavy", "Often wet. ")
    writing.session.window.close()
    again = open_session()
    again.sign_in()
    guide = at_the_guide(again)
    guide.wait(lambda: guide.journey.reading.contents.topLevelItemCount() > 1)
    drafts = guide.journey.reading.contents.topLevelItem(0)
    guide.wait(lambda: guide.journey.reading.contents.topLevelItem(0).text(0) != drafts)
    assert guide.journey.reading.contents.topLevelItem(0).text(0).startswith("Your unpublished")
    guide.edit()
    assert "Often wet. Two heavy" in guide.text
    assert "not published" in guide.state


def test_a_draft_is_given_up_by_key(writing: GuideSession) -> None:
    before = writing.text
    writing.type_at("Two heavy", "Often wet. ")
    writing.wait(lambda: "saved as draft" in writing.state)
    writing.press(Qt.Key.Key_D, CONTROL | SHIFT)
    writing.wait(lambda: writing.text == before)
    assert writing.drafts() == []


def test_the_cursor_begins_where_the_words_do(writing: GuideSession) -> None:
    text = writing.journey.writing.text
    assert text.textCursor().block().text() == "# Marmot and beaver"


def test_faults_are_listed_with_their_lines_and_lead_there(writing: GuideSession) -> None:
    writing.type_at("Typical scenes", "A")
    faults = writing.journey.writing.complaints.list
    writing.wait(lambda: faults.count() == 1)
    line = next(n for n, t in enumerate(writing.text.split("\n"), 1) if "ATypical" in t)
    assert faults.item(0).text().startswith(f"Line {line}: The section “ATypical scenes”")
    writing.wait(lambda: faults.height() >= faults.visualItemRect(faults.item(0)).height())
    writing.journey.writing.text.go_to(1)
    faults.itemClicked.emit(faults.item(0))
    assert writing.journey.writing.text.current_line == line
    writing.publish()
    banner = writing.journey.writing.error_banner
    writing.wait(banner.isVisible)
    assert len(writing.versions()) == 1
    assert "ATypical" in writing.drafts()[0]


def test_the_preview_shows_the_section_that_is_written(writing: GuideSession) -> None:
    bar = writing.journey.writing.preview.verticalScrollBar()
    assert bar.value() == 0
    writing.type_at("A wet animal", "!")
    assert bar.value() > 0
    writing.journey.writing.text.go_to(1)
    assert bar.value() == 0


def test_words_are_found_from_any_place(writing: GuideSession) -> None:
    text = writing.journey.writing.text
    text.go_to(9999)
    writing.press(Qt.Key.Key_F)
    writing.session.type_in("marmot")
    first = text.textCursor().selectionStart()
    assert text.textCursor().selectedText().lower() == "marmot"
    assert first == writing.text.lower().index("marmot")
    writing.session.press(Qt.Key.Key_Return)
    assert text.textCursor().selectionStart() > first
    writing.session.type_in("zzz")
    assert writing.journey.writing.finding.message.text() == "Not found"
    writing.press(Qt.Key.Key_Escape, PLAIN)
    assert text.hasFocus()
    assert writing.journey.screen.currentWidget() is writing.journey.writing


def test_a_link_to_a_class_is_found_by_typing(writing: GuideSession) -> None:
    writing.type_at("Two heavy", "See ")
    writing.press(Qt.Key.Key_L)
    picker = writing.dialog(ClassPickerDialog)
    assert isinstance(picker, ClassPickerDialog)
    picker.finder.field.setFocus()
    writing.session.type_in("hamster")
    writing.session.press(Qt.Key.Key_Return)
    assert f"See [hamster](class:{HAMSTER})Two heavy" in writing.text


def test_a_reference_picture_is_chosen_and_shown(writing: GuideSession) -> None:
    writing.type_at("Two heavy", "Look: ")
    writing.press(Qt.Key.Key_P)
    picker = writing.dialog(ReferenceImageDialog)
    assert isinstance(picker, ReferenceImageDialog)
    assert picker.wnid == MARMOT
    writing.wait(lambda: len(picker.panel.grid.tiles) == 12)
    writing.session.press(Qt.Key.Key_Return)
    writing.session.press(Qt.Key.Key_Right)
    writing.session.press(Qt.Key.Key_Return)
    assert picker.panel.grid.is_enlarged
    texts = [w.accessibleName() + w.accessibleDescription() for w in picker.findChildren(QWidget)]
    texts += [shown.text() for shown in picker.findChildren(QLabel)]
    assert not [words for words in texts for tale in TELL_TALES if tale in words]
    writing.session.press(Qt.Key.Key_Return)
    assert f"Look: ![marmot](ref:{MARMOT}/2)Two heavy" in writing.text
    html = writing.journey.writing.preview
    writing.wait(lambda: f"ref:{MARMOT}/2" in html.toHtml())


def test_a_row_is_inserted_for_a_pair_and_can_be_undone(writing: GuideSession) -> None:
    before = writing.text
    writing.press(Qt.Key.Key_R)
    picker = writing.dialog(ClassPairDialog)
    assert isinstance(picker, ClassPairDialog)
    writing.session.click(picker.choices.button(1))
    picker.finder.field.setFocus()
    writing.session.type_in("hamster")
    writing.session.press(Qt.Key.Key_Return)
    row = f"| [beaver](class:{BEAVER}) | [hamster](class:{HAMSTER}) |"
    assert f"{row}  |" in writing.text
    writing.session.come_back()
    writing.session.type_in("Size.")
    assert f"{row} Size. |" in writing.text
    for _step in range(9):
        writing.press(Qt.Key.Key_Z)
    assert writing.text == before


def test_a_new_page_begins_from_the_template(guide: GuideSession) -> None:
    guide.wait(guide.journey.reading.new.isEnabled)
    guide.journey.reading.panel.setFocus()
    guide.press(Qt.Key.Key_N)
    picker = guide.dialog(PageClassesDialog)
    assert isinstance(picker, PageClassesDialog)
    picker.finder.field.setFocus()
    for name in ("hamster", "guinea pig"):
        guide.session.type_in(name)
        guide.session.press(Qt.Key.Key_Return)
    guide.session.press(Qt.Key.Key_Return)
    guide.wait(lambda: "Hamster and guinea pig" in guide.preview)
    assert "## Typical scenes" in guide.text
    assert guide.state.startswith("New page")
    guide.session.come_back()
    guide.press(Qt.Key.Key_Escape, PLAIN)
    assert guide.journey.screen.currentWidget() is guide.journey.reading


# Written down from elsewhere.


def test_a_pair_is_written_down_and_the_way_leads_back(
    may_write: None, at_home: WindowSession
) -> None:
    home = at_home.home()
    journey = GuideController(at_home.navigation.context)
    left: list[bool] = []
    journey.left.connect(lambda: left.append(True))
    journey.write_down(chosen=HAMSTER, right=MARMOT, keep=home)
    guide = GuideSession(at_home, journey)
    guide.wait(lambda: bool(guide.preview))
    row = f"| [marmot](class:{MARMOT}) | [hamster](class:{HAMSTER}) |"
    assert f"{row}  |" in guide.text
    at_home.type_in("Cheeks.")
    assert f"{row} Cheeks. |" in guide.text
    guide.press(Qt.Key.Key_Escape, PLAIN)
    assert left == [True]
    at_home.window.show_screen(home)
    journey.close()
    at_home.wait_until_written()
    assert f"{row} Cheeks. |" in guide.drafts()[0]


def test_a_person_who_may_not_write_sees_why_instead_of_the_editor(at_home: WindowSession) -> None:
    guide = at_the_guide(at_home)
    guide.journey.write_down(chosen=HAMSTER, right=MARMOT)
    message = guide.journey.writing.message
    guide.wait(lambda: "while the evaluation is open" in message.sentence)
    assert message.isVisible()
    assert not guide.journey.writing.buttons[Action.INSERT_LINK].isVisible()
    assert PAGE in {slug for (slug,) in at_home.study.read("SELECT page FROM frozen_page")}


def test_a_picture_file_is_inserted_seen_and_published(
    writing: GuideSession, tmp_path: Path
) -> None:
    Image.new("RGB", (40, 30), "red").save(tmp_path / "Tails.png")
    (tmp_path / "odd.png").write_text("no picture")
    screen = writing.journey.writing
    writing.journey.insert_file(str(tmp_path / "odd.png"))
    writing.wait(screen.error_banner.isVisible)
    assert NOT_A_PICTURE in screen.error_banner.sentence
    writing.type_at("Two heavy", "See ")
    writing.journey.insert_file(str(tmp_path / "Tails.png"))
    writing.wait(lambda: "![Tails](tails.png)" in writing.text)
    writing.publish("tails")
    writing.wait(lambda: len(writing.versions()) == 2)
    rows = writing.session.study.read("SELECT path FROM guide_version_picture")
    assert rows == [("tails.png",)]
