"""The workbench in larger type: nothing is cut, and back at the usual size all is as it was."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from labeler.ui.classes.reference_panel import NO_CLASS_SELECTED
from labeler.ui.kit.input.key_button import KeyButton
from labeler.ui.kit.input.key_caps import KeyCaps
from labeler.ui.window.hint_bar import CollapsingRow
from tests.gui.window_session import WindowSession

LARGER, LARGEST = 1.15, 1.3


def test_the_docks_are_as_they_were_when_the_type_is_as_it_was(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    before = _places(at_work)
    rows = at_work.tools.finder.results.sizeHintForRow(0)
    _set_type(at_work, LARGEST)
    assert at_work.tools.finder.results.sizeHintForRow(0) > rows
    _set_type(at_work, 1.0)
    assert _places(at_work) == before
    results = at_work.tools.finder.results
    assert results.visualRect(results.model().index(0, 0)).height() == rows


def test_where_not_all_keys_fit_on_the_buttons_some_keep_theirs(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    _set_type(at_work, LARGER)
    assert _without_key(at_work.sights.stack) == set()
    answer = at_work.screen.answer
    fewest = _without_key(answer)
    assert {"Mark", "Pause"} <= fewest < _buttons(answer)
    _set_type(at_work, 1.0)
    assert _without_key(answer) < fewest


@pytest.mark.parametrize("size", [LARGER, LARGEST])
def test_no_hint_is_cut(at_work: WindowSession, size: float) -> None:
    at_work.window.resize(1280, 800)
    _set_type(at_work, size)
    (hints,) = at_work.window.findChildren(CollapsingRow)
    parts = [*hints.findChildren(QLabel), *hints.findChildren(QToolButton)]
    shown = [part for part in parts if part.isVisible()]
    assert len(shown) >= 4
    assert all(part.width() >= part.sizeHint().width() for part in shown)


def test_a_sentence_that_needs_another_line_gets_it(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    _set_type(at_work, LARGEST)
    texts = next(
        text
        for text in at_work.sights.panel.findChildren(QLabel)
        if text.text() == NO_CLASS_SELECTED
    )
    assert texts.height() >= texts.heightForWidth(texts.width())


def _set_type(session: WindowSession, scale: float) -> None:
    session.opened.appearance.set_text_scale(scale)
    # What is laid out again may have others laid out again.
    for _ in range(3):
        QApplication.processEvents()


def _places(session: WindowSession) -> list[QRect]:
    parts: list[QWidget] = [session.screen.image, session.screen.docks.a_class]
    return [part.geometry() for part in parts]


def _buttons(parent: QWidget) -> set[str]:
    return {button.words for button in parent.findChildren(KeyButton) if button.isVisible()}


def _without_key(parent: QWidget) -> set[str]:
    """The buttons that don't show their keys."""
    shown = [button for button in parent.findChildren(KeyButton) if button.isVisible()]
    return {button.words for button in shown if not button.findChild(KeyCaps).isVisible()}
