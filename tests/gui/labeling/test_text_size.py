"""The workbench in larger type: nothing is cut, and back at the usual size all is as it was."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from labeler.ui.classes.reference_panel import NO_CLASS_SELECTED
from labeler.ui.kit.input.icon_button import IconButtonRow, IconKeyButton
from labeler.ui.window.hint_bar import CollapsingRow
from tests.gui.window_session import WindowSession

LARGER, LARGEST = 1.15, 1.3


def test_the_docks_are_as_they_were_when_the_type_is_as_it_was(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    QApplication.processEvents()
    before = _places(at_work)
    rows = at_work.tools.finder.results.sizeHintForRow(0)
    _set_type(at_work, LARGEST)
    assert at_work.tools.finder.results.sizeHintForRow(0) > rows
    _set_type(at_work, 1.0)
    assert _places(at_work) == before
    results = at_work.tools.finder.results
    assert results.visualRect(results.model().index(0, 0)).height() == rows


@pytest.mark.parametrize("size", [1.0, LARGER, LARGEST])
def test_all_buttons_of_the_answer_fit_with_their_names_and_keys(
    at_work: WindowSession, size: float
) -> None:
    at_work.window.resize(1280, 800)
    _set_type(at_work, size)
    row = at_work.screen.answer.findChild(IconButtonRow)
    buttons = [button for button in row.findChildren(IconKeyButton) if button.isVisible()]
    assert len(buttons) == 8
    assert all(button.width() >= button.narrow and button.key for button in buttons)
    assert max(button.geometry().right() for button in buttons) <= row.width()


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
