"""Wherever a labeler is, nothing tells a target, a dataset, a file or another person."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDrag
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from labeler.app.study.people import add_person
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.classes.class_view_stack import ClassViewMode
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.adjustable_clock import AdjustableClock
from tests.gui.forbidden import Forbidden, forbidden_in
from tests.gui.labeling.test_not_stored import somebody_writes, submit_in_vain
from tests.gui.searching import FoundText, all_texts, copied_from, texts_by
from tests.gui.small_study import HAMSTER, TRIALS, SmallStudy
from tests.gui.window_session import CONTROL, SHIFT, WindowSession

# The screenless platform says so of menus, dialogs and tips.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

WITNESS = "SherlockWitness"
TARGETS = ("n02363005", "n02361337", "n02129604", "beaver", "marmot", "tiger")


@pytest.fixture
def study(study: SmallStudy, clock: AdjustableClock) -> SmallStudy:
    """The study with one more labeler, whose code would be seen."""
    with open_study(study.folder, clock=clock) as store:
        add_person(store, WITNESS, roles=[Role.LABELER])
    return study


@pytest.fixture
def forbidden(study: SmallStudy) -> Forbidden:
    words = forbidden_in(study)
    assert {"tattledataset", "snitchreferences", WITNESS.casefold()} <= words.words
    return words


@pytest.fixture(autouse=True)
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Anyone who started the program from a terminal reads nothing there."""
    yield
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


# Where a labeler can be, by the way there from the first trial.


def choose(session: WindowSession) -> None:
    session.choose("hamster")
    session.wait_until_written()


def see_references(session: WindowSession) -> None:
    session.press(Qt.Key.Key_F, CONTROL)
    session.type_in("beaver")
    session.wait(lambda: bool(session.sights.panel.grid.tiles))


def see_damaged_references(session: WindowSession) -> None:
    session.type_in("tiger")
    session.wait(session.sights.panel.message.isVisible)


def enlarge(session: WindowSession) -> None:
    see_references(session)
    session.press(Qt.Key.Key_R, CONTROL)
    session.press(Qt.Key.Key_Space)
    assert session.sights.panel.grid.is_enlarged


def escape(session: WindowSession) -> None:
    choose(session)
    session.press(Qt.Key.Key_E, CONTROL)
    session.choose("tabby")
    session.wait_until_written()


def note(session: WindowSession) -> None:
    session.press(Qt.Key.Key_N, CONTROL)
    session.type_in("a note")
    session.wait_until_written()


def open_flags(session: WindowSession) -> None:
    session.press(Qt.Key.Key_F9)
    assert QApplication.activePopupWidget() is not None


def pause(session: WindowSession) -> None:
    choose(session)
    session.press(Qt.Key.Key_P, CONTROL)
    assert session.screen.image.is_covered


def compare(session: WindowSession) -> None:
    for name in ("beaver", "marmot"):
        session.press(Qt.Key.Key_F, CONTROL)
        session.press(Qt.Key.Key_Escape)
        session.type_in(name)
        session.press(Qt.Key.Key_S, CONTROL)
    session.press(Qt.Key.Key_K, CONTROL)
    assert session.sights.stack.mode is ClassViewMode.COMPARISON


def walk_nearby(session: WindowSession) -> None:
    see_references(session)
    session.press(Qt.Key.Key_G, CONTROL)
    assert session.sights.stack.mode is ClassViewMode.NEIGHBOURHOOD


def read_guide(session: WindowSession) -> None:
    see_references(session)
    session.press(Qt.Key.Key_F1)
    session.wait(lambda: "beaver" in session.tools.guide.page.toPlainText().lower())


def go_back(session: WindowSession) -> None:
    session.answer("hamster")
    session.press(Qt.Key.Key_F7)
    session.wait_for_trial(1)


def leave_for_home(session: WindowSession) -> None:
    choose(session)
    session.press(Qt.Key.Key_W, CONTROL)
    session.home()


def come_back(session: WindowSession) -> None:
    leave_for_home(session)
    session.begin()


def look_up(session: WindowSession) -> None:
    leave_for_home(session)
    session.click(session.home().classes)
    session.wait(lambda: session.in_focus is not None)


def finish(session: WindowSession) -> None:
    session.press(Qt.Key.Key_M, CONTROL)
    for _ in range(TRIALS):
        session.answer("hamster")
    session.finish_screen()


def lock(session: WindowSession) -> None:
    finish(session)
    page = session.finish_screen()
    session.click(page.ask)
    session.click(page.lock)
    session.wait(page.home.isVisible)


def go_home_locked(session: WindowSession) -> None:
    lock(session)
    session.press(Qt.Key.Key_Return)
    session.home()


def see_settings(session: WindowSession) -> None:
    session.press(Qt.Key.Key_Comma, CONTROL)


def see_keys(session: WindowSession) -> None:
    session.press(Qt.Key.Key_Slash, CONTROL)


def see_about(session: WindowSession) -> None:
    session.press(Qt.Key.Key_F1, SHIFT)


STAGES: dict[str, Callable[[WindowSession], None]] = {
    "nothing chosen": lambda _sitting: None,
    "chosen": choose,
    "references": see_references,
    "damaged references": see_damaged_references,
    "enlarged reference": enlarge,
    "escape hatch": escape,
    "note": note,
    "flag menu": open_flags,
    "paused": pause,
    "comparison": compare,
    "neighbourhood": walk_nearby,
    "guide": read_guide,
    "an earlier answer": go_back,
    "home, in the middle": leave_for_home,
    "back again": come_back,
    "classes": look_up,
    "finish": finish,
    "locked": lock,
    "home, locked": go_home_locked,
    "settings": see_settings,
    "keys": see_keys,
    "about": see_about,
}


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_tells_while_a_labeler_works(
    at_work: WindowSession, forbidden: Forbidden, stage: str
) -> None:
    STAGES[stage](at_work)
    assert forbidden.found_in(all_texts()) == []
    assert _told_of_the_trial(at_work) == [], "an answer that is none of the targets was given"
    assert forbidden.found_in(_copied()) == []


def _told_of_the_trial(session: WindowSession) -> list[FoundText]:
    """Where a target would be reported of the image: everywhere but among the classes."""
    if session.opened.navigation.task is None:
        return []
    screen = session.screen
    own = [screen.image, screen.strip, screen.answer, session.window.hint_bar]
    texts = [*texts_by(own), FoundText("title", session.window.windowTitle())]
    return [each for each in texts if any(word in each.text.casefold() for word in TARGETS)]


def _copied() -> list[FoundText]:
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    return copied_from(list(QApplication.allWidgets()))


def test_nothing_tells_on_the_way_to_work(
    open_session: Callable[..., WindowSession], forbidden: Forbidden
) -> None:
    session = open_session()
    session.sign_in_screen()
    assert forbidden.found_in(all_texts()) == []
    session.sign_in()
    assert forbidden.found_in(all_texts()) == []
    session.press(Qt.Key.Key_Return)
    session.wait_for(RulesScreen)
    assert forbidden.found_in(all_texts()) == []
    session.press(Qt.Key.Key_Q, CONTROL)
    session = open_session(LaunchRequest())
    assert any(str(session.study.folder) in texts.text for texts in all_texts())
    assert forbidden.found_in(all_texts()) == [], "a study's own folder may be told"


def test_nothing_tells_while_an_answer_waits(at_work: WindowSession, forbidden: Forbidden) -> None:
    choose(at_work)
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
        assert forbidden.found_in(all_texts()) == []
        assert _told_of_the_trial(at_work) == []
    assert at_work.chosen == HAMSTER


def test_the_same_search_finds_what_a_lead_may_see(
    open_session: Callable[..., WindowSession], forbidden: Forbidden
) -> None:
    session = open_session()
    screen = session.sign_in_screen()
    session.type_in("L")
    session.click(screen.roles[Role.LEAD])
    session.press(Qt.Key.Key_Return)
    session.home()
    assert any(WITNESS in texts.text for texts in forbidden.found_in(all_texts()))


def test_no_image_can_be_dragged_or_copied_out(
    at_work: WindowSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    drags: list[object] = []
    monkeypatch.setattr(QDrag, "exec", lambda drag, *_actions: drags.append(drag))
    see_references(at_work)
    for widget in (at_work.screen.image.canvas, at_work.sights.panel.grid.viewport()):
        _drag_across(widget)
    assert drags == []
    QApplication.clipboard().clear()
    for widget in (at_work.screen.image, at_work.sights.panel.grid):
        assert copied_from([widget]) == []


def _drag_across(widget: QWidget) -> None:
    start, end = QPoint(20, 20), QPoint(widget.width() - 20, widget.height() - 20)
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(widget, start + (end - start) * step / 8)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=end)
