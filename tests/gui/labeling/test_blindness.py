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
from tests.gui.searching import Told, copied_from, everything_told, told_by
from tests.gui.sitting import CONTROL, SHIFT, Sitting
from tests.gui.small_study import HAMSTER, TRIALS, SmallStudy

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
    """Whoever started the program from a terminal reads nothing there."""
    yield
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


# Where a labeler can be, by the way there from the first trial.


def choose(sitting: Sitting) -> None:
    sitting.choose("hamster")
    sitting.wait_until_written()


def see_references(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_F, CONTROL)
    sitting.type_in("beaver")
    sitting.wait(lambda: bool(sitting.sights.panel.grid.tiles))


def see_damaged_references(sitting: Sitting) -> None:
    sitting.type_in("tiger")
    sitting.wait(sitting.sights.panel.message.isVisible)


def enlarge(sitting: Sitting) -> None:
    see_references(sitting)
    sitting.press(Qt.Key.Key_R, CONTROL)
    sitting.press(Qt.Key.Key_Space)
    assert sitting.sights.panel.grid.is_enlarged


def escape(sitting: Sitting) -> None:
    choose(sitting)
    sitting.press(Qt.Key.Key_E, CONTROL)
    sitting.choose("tabby")
    sitting.wait_until_written()


def note(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_N, CONTROL)
    sitting.type_in("a note")
    sitting.wait_until_written()


def open_flags(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_F9)
    assert QApplication.activePopupWidget() is not None


def pause(sitting: Sitting) -> None:
    choose(sitting)
    sitting.press(Qt.Key.Key_P, CONTROL)
    assert sitting.screen.image.is_covered


def compare(sitting: Sitting) -> None:
    for name in ("beaver", "marmot"):
        sitting.press(Qt.Key.Key_F, CONTROL)
        sitting.press(Qt.Key.Key_Escape)
        sitting.type_in(name)
        sitting.press(Qt.Key.Key_S, CONTROL)
    sitting.press(Qt.Key.Key_K, CONTROL)
    assert sitting.sights.stack.mode is ClassViewMode.COMPARISON


def walk_nearby(sitting: Sitting) -> None:
    see_references(sitting)
    sitting.press(Qt.Key.Key_G, CONTROL)
    assert sitting.sights.stack.mode is ClassViewMode.NEIGHBOURHOOD


def read_guide(sitting: Sitting) -> None:
    see_references(sitting)
    sitting.press(Qt.Key.Key_F1)
    sitting.wait(lambda: "beaver" in sitting.tools.guide.page.toPlainText().lower())


def go_back(sitting: Sitting) -> None:
    sitting.answer("hamster")
    sitting.press(Qt.Key.Key_F7)
    sitting.wait_for_trial(1)


def leave_for_home(sitting: Sitting) -> None:
    choose(sitting)
    sitting.press(Qt.Key.Key_W, CONTROL)
    sitting.home()


def come_back(sitting: Sitting) -> None:
    leave_for_home(sitting)
    sitting.begin()


def look_up(sitting: Sitting) -> None:
    leave_for_home(sitting)
    sitting.click(sitting.home().classes)
    sitting.wait(lambda: sitting.in_focus is not None)


def finish(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_M, CONTROL)
    for _ in range(TRIALS):
        sitting.answer("hamster")
    sitting.finish_screen()


def lock(sitting: Sitting) -> None:
    finish(sitting)
    page = sitting.finish_screen()
    sitting.click(page.ask)
    sitting.click(page.lock)
    sitting.wait(page.home.isVisible)


def go_home_locked(sitting: Sitting) -> None:
    lock(sitting)
    sitting.press(Qt.Key.Key_Return)
    sitting.home()


def see_settings(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_Comma, CONTROL)


def see_keys(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_Slash, CONTROL)


def see_about(sitting: Sitting) -> None:
    sitting.press(Qt.Key.Key_F1, SHIFT)


STAGES: dict[str, Callable[[Sitting], None]] = {
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
    at_work: Sitting, forbidden: Forbidden, stage: str
) -> None:
    STAGES[stage](at_work)
    assert forbidden.found_in(everything_told()) == []
    assert _told_of_the_trial(at_work) == [], "an answer that is none of the targets was given"
    assert forbidden.found_in(_copied()) == []


def _told_of_the_trial(sitting: Sitting) -> list[Told]:
    """Where a target would be told of the image: everywhere but among the classes."""
    if sitting.opened.navigation.task is None:
        return []
    screen = sitting.screen
    own = [screen.image, screen.strip, screen.answer, screen.recent, sitting.window.hint_bar]
    told = [*told_by(own), Told("title", sitting.window.windowTitle())]
    return [each for each in told if any(word in each.text.casefold() for word in TARGETS)]


def _copied() -> list[Told]:
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
    return copied_from(list(QApplication.allWidgets()))


def test_nothing_tells_on_the_way_to_work(
    sit_down: Callable[..., Sitting], forbidden: Forbidden
) -> None:
    sitting = sit_down()
    sitting.sign_in_screen()
    assert forbidden.found_in(everything_told()) == []
    sitting.sign_in()
    assert forbidden.found_in(everything_told()) == []
    sitting.press(Qt.Key.Key_Return)
    sitting.wait_for(RulesScreen)
    assert forbidden.found_in(everything_told()) == []
    sitting.press(Qt.Key.Key_Q, CONTROL)
    sitting = sit_down(LaunchRequest())
    assert any(str(sitting.study.folder) in told.text for told in everything_told())
    assert forbidden.found_in(everything_told()) == [], "a study's own folder may be told"


def test_nothing_tells_while_an_answer_waits(at_work: Sitting, forbidden: Forbidden) -> None:
    choose(at_work)
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
        assert forbidden.found_in(everything_told()) == []
        assert _told_of_the_trial(at_work) == []
    assert at_work.chosen == HAMSTER


def test_the_same_search_finds_what_a_lead_may_see(
    sit_down: Callable[..., Sitting], forbidden: Forbidden
) -> None:
    sitting = sit_down()
    screen = sitting.sign_in_screen()
    sitting.type_in("L")
    sitting.click(screen.roles[Role.LEAD])
    sitting.press(Qt.Key.Key_Return)
    sitting.home()
    assert any(WITNESS in told.text for told in forbidden.found_in(everything_told()))


def test_no_image_can_be_dragged_or_copied_out(
    at_work: Sitting, monkeypatch: pytest.MonkeyPatch
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
