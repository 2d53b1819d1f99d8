"""Typing, arrows, the mouse and links: each leads to a class, and the right side follows."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.kit.input.key_button import KeyButton
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.window_session import ALT, CONTROL, WindowSession


def names(session: WindowSession) -> list[str]:
    model = session.tools.finder.results.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def class_shown(session: WindowSession) -> str:
    title = next(
        w for w in session.sights.card.findChildren(QLabel) if w.property("rank") == "heading"
    )
    return title.text()


def chip(session: WindowSession, name: str) -> QPushButton:
    chips = session.sights.card.findChildren(QPushButton)
    return next(c for c in chips if c.text() == name and not c.isHidden())


def test_the_window_opens_with_all_classes_and_the_first_that_has_references(
    looking_up: WindowSession,
) -> None:
    assert len(names(looking_up)) == 1000
    assert class_shown(looking_up) in {"tiger", "beaver", "marmot"}
    assert looking_up.tools.finder.field.hasFocus()


def test_typing_searches_at_once(looking_up: WindowSession) -> None:
    looking_up.type_in("beav")
    assert names(looking_up)[0] == "beaver"
    assert class_shown(looking_up) == "beaver"


def test_arrows_move_through_the_results_while_the_field_keeps_the_focus(
    looking_up: WindowSession,
) -> None:
    looking_up.type_in("terrier")
    found = names(looking_up)
    looking_up.press(Qt.Key.Key_Down)
    looking_up.press(Qt.Key.Key_Down)
    assert class_shown(looking_up) == found[2]
    looking_up.press(Qt.Key.Key_Up)
    assert class_shown(looking_up) == found[1]
    assert looking_up.tools.finder.results.currentIndex().row() == 1
    assert looking_up.tools.finder.field.hasFocus()


def test_a_page_down_goes_as_far_as_the_list_shows(looking_up: WindowSession) -> None:
    looking_up.type_in("terrier")
    looking_up.press(Qt.Key.Key_PageDown)
    assert (
        looking_up.tools.finder.results.currentIndex().row()
        == looking_up.tools.finder.results.visible_rows
        > 1
    )


def test_a_click_on_a_row_shows_its_class_and_leaves_the_keyboard_to_the_field(
    looking_up: WindowSession,
) -> None:
    looking_up.type_in("terrier")
    results = looking_up.tools.finder.results
    place = results.visualRect(looking_up.tools.finder.results.model().index(3, 0)).center()
    looking_up.click(results.viewport(), place)
    assert class_shown(looking_up) == names(looking_up)[3]
    assert looking_up.tools.finder.field.hasFocus()


def test_escape_clears_the_search(looking_up: WindowSession) -> None:
    looking_up.type_in("beaver")
    looking_up.press(Qt.Key.Key_Escape)
    assert looking_up.tools.finder.field.text() == ""
    assert len(names(looking_up)) == 1000
    assert class_shown(looking_up) == "beaver"


def test_a_chip_leads_to_its_class_and_back_leads_home(looking_up: WindowSession) -> None:
    looking_up.type_in("beaver")
    looking_up.click(chip(looking_up, "hamster"))
    assert class_shown(looking_up) == "hamster"
    assert looking_up.tools.finder.field.hasFocus()
    looking_up.press(Qt.Key.Key_Left, ALT)
    assert class_shown(looking_up) == "beaver"
    assert looking_up.tools.finder.field.text() == "beaver"


def test_siblings_that_do_not_fit_wait_behind_a_button(looking_up: WindowSession) -> None:
    looking_up.type_in("irish terrier")
    shown = [c for c in looking_up.sights.card.findChildren(QPushButton) if not c.isHidden()]
    more = next(c for c in shown if c.text().startswith("+"))
    offered = {c.text() for c in shown} | {a.text() for a in more.menu().actions()}
    assert {"Airedale", "Yorkshire terrier", "Border terrier"} <= offered
    assert all(c.geometry().right() <= looking_up.sights.card.width() for c in shown)


def test_nothing_found_is_said_in_a_sentence(looking_up: WindowSession) -> None:
    looking_up.type_in("qqqqzzzz")
    texts = [w.text() for w in looking_up.tools.finder.findChildren(QLabel) if w.isVisible()]
    assert any(text.startswith("No class matches “qqqqzzzz”.") for text in texts)
    assert not looking_up.sights.card.isVisible()
    looking_up.press(Qt.Key.Key_Down)
    looking_up.press(Qt.Key.Key_Escape)
    assert len(names(looking_up)) == 1000


def test_search_results_and_taxonomy_stay_in_step(looking_up: WindowSession) -> None:
    tree = looking_up.tools.taxonomy.tree
    looking_up.type_in("terrier")
    first = class_shown(looking_up)
    assert tree.currentIndex().data() == first
    looking_up.press(Qt.Key.Key_Down)
    assert tree.currentIndex().data() == class_shown(looking_up) != first
    looking_up.press(Qt.Key.Key_Escape)
    looking_up.type_in("beaver")
    looking_up.press(Qt.Key.Key_Right)
    assert tree.hasFocus()
    looking_up.press(Qt.Key.Key_Escape)
    assert looking_up.field.hasFocus()


def test_right_leads_to_the_taxonomy_only_from_the_end_of_the_text(
    looking_up: WindowSession,
) -> None:
    looking_up.type_in("beaver")
    looking_up.press(Qt.Key.Key_Left)
    looking_up.press(Qt.Key.Key_Right)
    assert looking_up.field.hasFocus()
    looking_up.press(Qt.Key.Key_Right)
    assert looking_up.tools.taxonomy.tree.hasFocus()


def test_a_class_gone_to_in_the_taxonomy_is_shown_everywhere(looking_up: WindowSession) -> None:
    looking_up.type_in("beaver")
    looking_up.press(Qt.Key.Key_Escape)
    looking_up.press(Qt.Key.Key_D, CONTROL)
    assert looking_up.tools.taxonomy.tree.hasFocus()
    looking_up.press(Qt.Key.Key_Down)
    shown = looking_up.tools.taxonomy.tree.currentIndex().data()
    assert class_shown(looking_up) == shown
    results = looking_up.tools.finder.results
    assert results.currentIndex().data() == shown


def test_siblings_are_a_key_away(looking_up: WindowSession) -> None:
    looking_up.type_in("beaver")
    looking_up.press(Qt.Key.Key_Down, ALT)
    sibling = looking_up.in_focus
    assert sibling not in (None, BEAVER)
    looking_up.press(Qt.Key.Key_Up, ALT)
    assert looking_up.in_focus == BEAVER


def test_typing_continues_in_the_search_field_from_every_part(at_work: WindowSession) -> None:
    tools = at_work.tools
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_S, CONTROL)
    parts: list[tuple[str, Callable[[], None]]] = [
        ("image", at_work.screen.image.setFocus),
        ("taxonomy", lambda: at_work.press(Qt.Key.Key_D, CONTROL)),
        ("references", lambda: at_work.press(Qt.Key.Key_R, CONTROL)),
        ("neighbourhood", lambda: at_work.press(Qt.Key.Key_G, CONTROL)),
        ("comparison", lambda: at_work.press(Qt.Key.Key_K, CONTROL)),
        ("guide", lambda: _open_guide(at_work)),
    ]
    for name, go_there in parts:
        at_work.press(Qt.Key.Key_F, CONTROL)
        at_work.press(Qt.Key.Key_Escape)
        at_work.type_in("beav")
        at_work.wait(lambda: bool(at_work.sights.panel.grid.tiles))
        go_there()
        assert not tools.finder.field.hasFocus(), name
        at_work.type_in("er")
        assert tools.finder.field.hasFocus(), name
        assert tools.finder.field.text() == "beaver", name
        assert at_work.in_focus == BEAVER, name


def _open_guide(session: WindowSession) -> None:
    session.press(Qt.Key.Key_F1)
    session.wait(session.tools.guide.page.hasFocus)


def test_the_guide_opens_at_the_class_and_closes_by_the_same_key(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_F1)
    guide = at_work.tools.guide
    at_work.wait(lambda: "beaver" in guide.page.toPlainText().lower())
    assert guide.isVisible()
    at_work.press(Qt.Key.Key_F1)
    assert not guide.isVisible()
    assert at_work.field.hasFocus()
    at_work.answer("beaver")
    assert at_work.study.read("SELECT DISTINCT page FROM guide_visit") == [("marmot-and-beaver",)]


def test_classes_are_shortlisted_compared_and_chosen_from_the_comparison(
    at_work: WindowSession,
) -> None:
    for name in ("beaver", "marmot"):
        at_work.press(Qt.Key.Key_Escape)
        at_work.type_in(name)
        at_work.press(Qt.Key.Key_S, CONTROL)
    assert at_work.tools.shortlisted == (BEAVER, MARMOT)
    at_work.press(Qt.Key.Key_K, CONTROL)
    comparison = at_work.sights.comparison
    assert [column.wnid for column in comparison.columns] == [BEAVER, MARMOT]
    at_work.press(Qt.Key.Key_Right)
    at_work.press(Qt.Key.Key_Return)
    assert at_work.chosen == MARMOT
    assert at_work.field.hasFocus()
    at_work.press(Qt.Key.Key_K, CONTROL, times=2)  # to the references, and back
    at_work.press(Qt.Key.Key_Left)
    at_work.press(Qt.Key.Key_Delete)
    assert at_work.tools.shortlisted == (MARMOT,)
    at_work.answer("marmot")
    assert at_work.tools.shortlisted == (), "the next image starts without a shortlist"


def test_a_walk_through_the_neighbourhood_ends_with_a_choice(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_G, CONTROL)
    view = at_work.sights.neighbourhood
    assert view.current is not None
    assert view.current.wnid == BEAVER
    names = [view.current.wnid]
    at_work.press(Qt.Key.Key_Down)
    assert view.current.wnid not in names
    beside = view.current.wnid
    at_work.press(Qt.Key.Key_Return)  # walks there
    assert at_work.in_focus == beside
    assert (view.current.wnid, at_work.chosen) == (beside, None)
    at_work.press(Qt.Key.Key_Return)  # in the middle: chooses
    assert at_work.chosen == beside
    assert at_work.field.hasFocus()


def test_a_double_click_on_a_row_half_in_sight_chooses_that_row(at_work: WindowSession) -> None:
    results = at_work.tools.finder.results
    model = results.model()
    room = results.viewport().rect()
    half = next(
        row
        for row in range(model.rowCount())
        if not room.contains(results.visualRect(model.index(row, 0)))
    )
    where = results.visualRect(model.index(half, 0)).intersected(room)
    if where.height() < 2:  # the rows end where the list ends: let them not
        results.verticalScrollBar().setValue(results.verticalScrollBar().value() + 7)
        where = results.visualRect(model.index(half, 0)).intersected(room)
    wanted = at_work.tools.browser.view.rows[half].wnid
    at_work.double_click(results.viewport(), where)
    assert at_work.chosen == wanted


def test_each_sight_of_a_class_has_its_button(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_S, CONTROL)
    glass = at_work.sights.stack
    buttons = {b.accessibleName(): b for b in glass.findChildren(KeyButton) if b.isCheckable()}
    assert len(buttons) == len(ClassViewMode)
    for name, button in reversed(buttons.items()):
        at_work.click(button)
        checked = [b.accessibleName() for b in buttons.values() if b.isChecked()]
        assert checked == [name]
        assert glass.current.isVisible()
    assert at_work.sights.panel.isVisible()
    assert at_work.field.hasFocus()
