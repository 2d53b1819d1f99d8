"""The cheat-sheet: complete, current, quick to narrow down."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from labeler.app.key_sheet import key_sheet
from labeler.app.keymap import Action, Keymap, Scope, load_keymap, parse_key
from labeler.app.study.key_overrides import with_overrides
from labeler.app.study.preferences import ThemeChoice
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.key_sheet_dialog import (
    ELSEWHERE,
    HERE,
    NOTHING_FOUND,
    KeySheetDialog,
    balanced_columns,
)
from labeler.ui.window.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def keymap() -> Keymap:
    return with_overrides(load_keymap(), {Action.SUBMIT: (parse_key("F15"),)})


@pytest.fixture
def sheet(qtbot: QtBot, qapp: QApplication, keymap: Keymap) -> Iterator[KeySheetDialog]:
    window = QMainWindow()
    window.resize(1264, 736)
    qtbot.addWidget(window)
    window.show()
    here = {binding.action for binding in keymap.of(Scope.EVALUATE)}
    made = KeySheetDialog(
        Appearance(qapp, ThemeChoice.LIGHT), key_sheet(keymap, bound=here), window
    )
    made.open()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    window.close()


def titles(sheet: KeySheetDialog) -> list[str]:
    return [each.text() for each in sheet.findChildren(QLabel) if each.isVisibleTo(sheet)]


def test_every_action_is_listed_with_the_keys_in_force(
    sheet: KeySheetDialog, keymap: Keymap
) -> None:
    texts = titles(sheet)
    for scope in Scope:
        assert keymap.scope_titles[scope] in texts
    wanted = [binding.title for binding in keymap.bindings]
    assert all(texts.count(title) >= wanted.count(title) for title in wanted)
    caps = [each.accessibleName() for each in sheet.findChildren(KeyCaps)]
    assert len(caps) == len(Action)
    assert "F15" in caps
    # Among them adding a note, beginning a training, resolving verdicts.
    assert caps.count("Ctrl ⏎") == 7
    assert not any("Enter" in each for each in caps), "one cap for both keys"


def test_it_fits_a_small_window_and_uses_its_width(sheet: KeySheetDialog) -> None:
    assert sheet.width() <= 1264
    assert sheet.height() <= 736
    groups = sheet.elsewhere.groups
    columns = {group.x() for group in groups}
    assert len(columns) == 3
    assert all(group.geometry().right() < sheet.width() for group in groups)


@pytest.mark.parametrize("width", [1232, 1560])
def test_no_word_is_cut(sheet: KeySheetDialog, width: int) -> None:
    sheet.resize(width, 900)
    QApplication.processEvents()
    for words in sheet.findChildren(QLabel):
        if words.isVisible():
            room = words.contentsRect()
            flags = Qt.TextFlag.TextWordWrap if words.wordWrap() else Qt.TextFlag.TextSingleLine
            taken = words.fontMetrics().boundingRect(room, int(flags), words.text())
            assert taken.width() <= room.width(), words.text()
            assert taken.height() <= room.height(), words.text()


def test_what_works_on_the_screen_comes_before_everything_else(
    sheet: KeySheetDialog, keymap: Keymap
) -> None:
    texts = titles(sheet)
    answering, reviewing = (keymap.scope_titles[s] for s in (Scope.EVALUATE, Scope.REVIEW))
    places = [texts.index(t) for t in (HERE, answering, ELSEWHERE, reviewing)]
    assert places == sorted(places)
    sheet.filter.setText(keymap[Action.ESCAPE_HATCH].title)
    assert ELSEWHERE not in titles(sheet)


def test_typing_narrows_it_down(sheet: KeySheetDialog, qtbot: QtBot, keymap: Keymap) -> None:
    assert sheet.filter.hasFocus()
    qtbot.keyClicks(sheet.filter, "shortlist ctrl")
    texts = titles(sheet)
    assert keymap[Action.SHORTLIST].title in texts
    assert keymap[Action.PAUSE].title not in texts
    assert keymap.scope_titles[Scope.IMAGE] not in texts
    qtbot.keyClicks(sheet.filter, " no such thing")
    assert NOTHING_FOUND in titles(sheet)


def test_a_key_is_found_by_its_name_or_its_cap(sheet: KeySheetDialog, keymap: Keymap) -> None:
    for text in ("F15", "f15"):
        sheet.filter.setText(text)
        assert keymap[Action.SUBMIT].title in titles(sheet)
    sheet.filter.setText("enter")
    assert keymap[Action.CHOOSE_CLASS].title in titles(sheet), "though its cap isn't drawn"


def test_escape_closes_it(sheet: KeySheetDialog, qtbot: QtBot) -> None:
    qtbot.keyClick(sheet.filter, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


@given(st.lists(st.integers(1, 500), max_size=14), st.integers(1, 5))
def test_columns_keep_the_order_and_no_other_split_is_lower(heights: list[int], count: int) -> None:
    columns = balanced_columns(heights, count=count, gap=16)
    assert columns == sorted(columns)
    assert max(columns, default=0) < count
    assert tallest(heights, columns) == lowest_possible(heights, count)


def tallest(heights: list[int], columns: list[int]) -> int:
    parts = [[h for h, c in zip(heights, columns, strict=True) if c == n] for n in set(columns)]
    return max((sum(part) + 16 * (len(part) - 1) for part in parts), default=0)


def lowest_possible(heights: list[int], count: int) -> int:
    """The best split by trying every end of the first column."""
    if not heights:
        return 0
    if count == 1:
        return sum(heights) + 16 * (len(heights) - 1)
    return min(
        max(sum(heights[:end]) + 16 * (end - 1), lowest_possible(heights[end:], count - 1))
        for end in range(1, len(heights) + 1)
    )
