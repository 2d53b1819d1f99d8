"""Nothing on the workbench moves that the person didn't move."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.window_session import CONTROL, WindowSession


def test_only_the_comparison_takes_space_from_the_image(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    before = _places(at_work)
    for name in ("beaver", "marmot"):
        at_work.choose(name)
        at_work.press(Qt.Key.Key_S, CONTROL)
    assert _places(at_work) == before
    at_work.press(Qt.Key.Key_G, CONTROL)
    assert _places(at_work) == before
    at_work.press(Qt.Key.Key_K, CONTROL)
    assert _places(at_work)[0].width() < before[0].width()
    assert at_work.screen.docks.a_class.width() >= 1280 * 6 // 10
    at_work.press(Qt.Key.Key_Return, CONTROL)
    at_work.wait_for_trial(2)
    assert _places(at_work) == before


def test_a_long_name_makes_no_panel_wider(at_work: WindowSession) -> None:
    at_work.window.resize(1280, 800)
    docks = at_work.screen.docks
    at_work.screen.resizeDocks([docks.a_class], [1], Qt.Orientation.Horizontal)
    before = _places(at_work)
    at_work.type_in("soft-coated wheaten terrier")
    assert at_work.in_focus is not None
    assert _places(at_work) == before


def _places(session: WindowSession) -> list[QRect]:
    """Where the image, the answer and the docks stand once all is laid out."""
    _lay_out()
    screen = session.screen
    parts: list[QWidget] = [screen.image, screen.answer, screen.docks.a_class]
    return [part.geometry() for part in parts]


def test_the_references_stay_in_place_when_another_class_appears_and_is_shortlisted(
    at_work: WindowSession,
) -> None:
    at_work.window.resize(1280, 800)
    at_work.type_in("marmot")
    before = _places_of_sights(at_work)
    at_work.press(Qt.Key.Key_F, CONTROL)
    at_work.type_in("beaver")
    assert _places_of_sights(at_work) == before
    at_work.press(Qt.Key.Key_S, CONTROL)
    assert at_work.tools.shortlisted
    assert _places_of_sights(at_work) == before


def _places_of_sights(session: WindowSession) -> list[QRect]:
    _lay_out()
    sights = session.sights
    return [sights.stack.geometry(), sights.panel.geometry(), sights.shortlist_bar.geometry()]


def _lay_out() -> None:
    """What asks for more room is heard by one widget after another."""
    for _ in range(6):
        QApplication.processEvents()
