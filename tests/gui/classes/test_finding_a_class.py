"""Typing, arrows, the mouse and links: each leads to a class, and the right side follows."""

import shutil
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from labeler.ui.classes.chip_pictures import CHIP_ICON
from labeler.ui.classes.chip_row import ClassChipRow
from labeler.ui.classes.class_finder import ResultView, counted
from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.classes.neighbourhood_view import NO_CLASS_IN_THE_MIDDLE
from labeler.ui.kit.input.key_button import KeyButton
from tests.gui.painted_text import painted_texts
from tests.gui.small_study import BEAVER, MARMOT, SmallStudy
from tests.gui.window_session import ALT, CONTROL, WindowSession


def names(session: WindowSession) -> list[str]:
    model = session.tools.finder.results.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def current_row(session: WindowSession) -> int:
    return session.tools.finder.results.currentIndex().row()


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


def test_typing_searches_at_once(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("beav")
    assert names(looking_at_classes)[0] == "beaver"
    assert class_shown(looking_at_classes) == "beaver"


def test_arrows_move_through_the_results_while_the_field_keeps_the_focus(
    looking_at_classes: WindowSession,
) -> None:
    looking_at_classes.type_in("terrier")
    found, first = names(looking_at_classes), current_row(looking_at_classes)
    looking_at_classes.press(Qt.Key.Key_Down)
    looking_at_classes.press(Qt.Key.Key_Down)
    assert class_shown(looking_at_classes) == found[first + 2]
    looking_at_classes.press(Qt.Key.Key_Up)
    assert class_shown(looking_at_classes) == found[first + 1]
    assert current_row(looking_at_classes) == first + 1
    assert looking_at_classes.tools.finder.field.hasFocus()


def test_a_page_down_goes_as_far_as_the_list_shows(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("terrier")
    first, page = (
        current_row(looking_at_classes),
        looking_at_classes.tools.finder.results.visible_rows,
    )
    looking_at_classes.press(Qt.Key.Key_PageDown)
    assert current_row(looking_at_classes) == first + page > first + 1


def test_a_click_on_a_row_shows_its_class_and_leaves_the_keyboard_to_the_field(
    looking_at_classes: WindowSession,
) -> None:
    looking_at_classes.type_in("terrier")
    results = looking_at_classes.tools.finder.results
    place = results.visualRect(looking_at_classes.tools.finder.results.model().index(3, 0)).center()
    looking_at_classes.click(results.viewport(), place)
    assert class_shown(looking_at_classes) == names(looking_at_classes)[3]
    assert looking_at_classes.tools.finder.field.hasFocus()


def test_escape_clears_the_search(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("beaver")
    looking_at_classes.press(Qt.Key.Key_Escape)
    assert looking_at_classes.tools.finder.field.text() == ""
    assert len(names(looking_at_classes)) == 1000
    assert class_shown(looking_at_classes) == "beaver"


def test_a_chip_leads_to_its_class_and_back_leads_home(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("beaver")
    looking_at_classes.click(chip(looking_at_classes, "hamster"))
    assert class_shown(looking_at_classes) == "hamster"
    assert looking_at_classes.tools.finder.field.hasFocus()
    looking_at_classes.press(Qt.Key.Key_Left, ALT)
    assert class_shown(looking_at_classes) == "beaver"
    assert looking_at_classes.tools.finder.field.text() == "beaver"


def test_siblings_that_do_not_fit_wait_behind_a_button(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("irish terrier")
    shown = [
        c for c in looking_at_classes.sights.card.findChildren(QPushButton) if not c.isHidden()
    ]
    more = next(c for c in shown if c.text().startswith("+"))
    offered = {c.text() for c in shown} | {a.text() for a in more.menu().actions()}
    assert {"Airedale", "Yorkshire terrier", "Border terrier"} <= offered
    assert all(c.geometry().right() <= looking_at_classes.sights.card.width() for c in shown)


def test_nothing_found_is_said_in_a_sentence(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("qqqqzzzz")
    texts = [
        w.text() for w in looking_at_classes.tools.finder.findChildren(QLabel) if w.isVisible()
    ]
    assert any(text.startswith("No class matches “qqqqzzzz”.") for text in texts)
    assert not looking_at_classes.sights.card.isVisible()
    looking_at_classes.press(Qt.Key.Key_Down)
    looking_at_classes.press(Qt.Key.Key_Escape)
    assert len(names(looking_at_classes)) == 1000


def test_search_results_and_taxonomy_stay_in_step(looking_at_classes: WindowSession) -> None:
    tree = looking_at_classes.tools.taxonomy.tree
    looking_at_classes.type_in("terrier")
    first = class_shown(looking_at_classes)
    assert tree.currentIndex().data() == first
    looking_at_classes.press(Qt.Key.Key_Down)
    assert tree.currentIndex().data() == class_shown(looking_at_classes) != first
    looking_at_classes.press(Qt.Key.Key_Escape)
    looking_at_classes.type_in("beaver")
    looking_at_classes.press(Qt.Key.Key_Right)
    assert tree.hasFocus()
    looking_at_classes.press(Qt.Key.Key_Escape)
    assert looking_at_classes.field.hasFocus()


def test_right_leads_to_the_taxonomy_only_from_the_end_of_the_text(
    looking_at_classes: WindowSession,
) -> None:
    looking_at_classes.type_in("beaver")
    looking_at_classes.press(Qt.Key.Key_Left)
    looking_at_classes.press(Qt.Key.Key_Right)
    assert looking_at_classes.field.hasFocus()
    looking_at_classes.press(Qt.Key.Key_Right)
    assert looking_at_classes.tools.taxonomy.tree.hasFocus()


def test_a_class_gone_to_in_the_taxonomy_is_shown_everywhere(
    looking_at_classes: WindowSession,
) -> None:
    looking_at_classes.type_in("beaver")
    looking_at_classes.press(Qt.Key.Key_Escape)
    looking_at_classes.press(Qt.Key.Key_D, CONTROL)
    assert looking_at_classes.tools.taxonomy.tree.hasFocus()
    looking_at_classes.press(Qt.Key.Key_Down)
    shown = looking_at_classes.tools.taxonomy.tree.currentIndex().data()
    assert class_shown(looking_at_classes) == shown
    results = looking_at_classes.tools.finder.results
    assert results.currentIndex().data() == shown


def test_siblings_are_a_key_away(looking_at_classes: WindowSession) -> None:
    looking_at_classes.type_in("beaver")
    looking_at_classes.press(Qt.Key.Key_Down, ALT)
    sibling = looking_at_classes.in_focus
    assert sibling not in (None, BEAVER)
    looking_at_classes.press(Qt.Key.Key_Up, ALT)
    assert looking_at_classes.in_focus == BEAVER


def test_typing_in_any_part_starts_a_new_search(at_work: WindowSession) -> None:
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
        at_work.type_in("beaver")
        at_work.wait(lambda: bool(at_work.sights.panel.grid.tiles))
        go_there()
        assert not tools.finder.field.hasFocus(), name
        at_work.type_in("marmot")
        assert tools.finder.field.hasFocus(), name
        assert tools.finder.field.text() == "marmot", name
        assert at_work.in_focus == MARMOT, name


def test_ctrl_f_lets_typing_replace_the_old_query(at_work: WindowSession) -> None:
    at_work.type_in("guitar")
    at_work.press(Qt.Key.Key_F, CONTROL)
    at_work.type_in("violin")
    assert at_work.field.text() == "violin"


def test_the_true_number_of_classes_is_shown_and_all_of_them_are_listed(
    looking_up: WindowSession,
) -> None:
    looking_up.type_in("dog")
    view = looking_up.tools.browser.view
    assert view.classes > 100
    assert len(names(looking_up)) == view.classes + view.branches
    shown = [w.text() for w in looking_up.tools.finder.findChildren(QLabel)]
    assert counted(view) in shown
    assert f"{view.classes} classes" in counted(view)


def test_a_group_is_opened_as_pictures_and_closed_again(looking_up: WindowSession) -> None:
    finder = looking_up.tools.finder
    looking_up.type_in("rodent")
    assert looking_up.tools.browser.view.branches > 0
    assert class_shown(looking_up) in names(looking_up), "a class is selected, not the group"
    looking_up.press(Qt.Key.Key_Up)
    looking_up.press(Qt.Key.Key_Return)
    assert finder.grid is not None
    assert finder.grid.isVisible()
    model = finder.grid.model()
    shown = {model.index(row, 0).data() for row in range(model.rowCount())}
    assert shown == {"beaver", "hamster", "marmot", "porcupine", "guinea pig", "fox squirrel"}
    first = looking_up.in_focus
    looking_up.press(Qt.Key.Key_Right)
    assert looking_up.in_focus != first
    looking_up.press(Qt.Key.Key_Left)
    assert looking_up.in_focus == first
    looking_up.press(Qt.Key.Key_Escape)
    assert finder.results.isVisible()
    assert names(looking_up)[current_row(looking_up)] == "rodents"
    assert looking_up.field.text() == "rodent"


def test_a_click_opens_a_group_and_a_button_closes_it(looking_up: WindowSession) -> None:
    finder = looking_up.tools.finder
    looking_up.type_in("rodent")
    row = names(looking_up).index("rodents")
    looking_up.click(
        finder.results.viewport(), finder.results.visualRect(finder.results.model().index(row, 0))
    )
    assert looking_up.tools.browser.view.branch is not None
    looking_up.click(finder.back)
    assert looking_up.tools.browser.view.branch is None
    assert finder.results.isVisible()


def test_results_are_shown_as_pictures_by_a_key_and_so_the_next_time(
    looking_up: WindowSession,
) -> None:
    finder = looking_up.tools.finder
    looking_up.type_in("terrier")
    looking_up.press(Qt.Key.Key_J, CONTROL)
    assert finder.grid is not None
    assert finder.grid.isVisible()
    assert finder.grid.model().rowCount() == len(looking_up.tools.browser.view.rows)
    first = finder.grid.currentIndex().row()
    looking_up.press(Qt.Key.Key_Down)
    assert finder.grid.currentIndex().row() == first + finder.grid.columns
    assert finder.field.hasFocus()
    remembered = looking_up.navigation.context.memory.result_view
    assert remembered == ResultView.PICTURES
    looking_up.click(finder.view_button)
    assert finder.results.isVisible()


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


def test_without_any_pictures_results_are_lines_of_text(
    open_session: Callable[..., WindowSession], study: SmallStudy
) -> None:
    shutil.rmtree(study.folder / "thumbnails")
    session = open_session()
    session.sign_in()
    session.begin()
    finder = session.tools.finder
    session.type_in("beaver")
    assert finder.grid is None
    assert finder.view_button.isHidden()
    assert session.tools.browser.view.wnid == BEAVER


def test_nearby_says_what_it_needs_while_no_class_is_selected(at_work: WindowSession) -> None:
    at_work.type_in("rodent")
    at_work.press(Qt.Key.Key_G, CONTROL)
    nearby = at_work.sights.neighbourhood
    assert nearby.current is not None
    at_work.press(Qt.Key.Key_F, CONTROL)
    at_work.press(Qt.Key.Key_Up)
    assert at_work.in_focus is None
    assert nearby.current is None
    assert " ".join(painted_texts(nearby.viewport())) == NO_CLASS_IN_THE_MIDDLE
    at_work.press(Qt.Key.Key_Down)
    assert nearby.current is not None


def test_look_alikes_have_a_picture_each(at_work: WindowSession) -> None:
    at_work.type_in("beaver")
    at_work.press(Qt.Key.Key_Return)
    at_work.wait_until_read()
    row = next(
        row
        for row in at_work.sights.card.findChildren(ClassChipRow)
        if "Look" in row.accessibleName()
    )
    chips = [
        chip for chip in row.findChildren(QPushButton) if chip.isVisible() and chip.text()[0] != "+"
    ]
    assert chips
    assert all(chip.icon().availableSizes() == [CHIP_ICON] for chip in chips)
