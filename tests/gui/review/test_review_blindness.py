"""Wherever a reviewer is, nothing tells who proposed a label, how many did, or what others said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication

from labeler.app.review.plan import PlanSettings
from labeler.core.study.entities import Stage
from labeler.ui.classes.class_view_panel import ClassViewPanel
from labeler.ui.review.by_class_screen import ReviewByClassScreen
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.forbidden import forbidden_in
from tests.gui.painted_text import painted_texts
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.searching import FoundText, all_texts, copied_from, texts_by
from tests.gui.small_study import BEAVER, HAMSTER, TIGER, SmallStudy, copied
from tests.gui.window_session import CONTROL, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SOURCES = ("tellingmodel", "othermodel")
FINAL = PlanSettings(stage=Stage.FINAL, seed=5, reviewers=("R",), model_seeds=2, repeats=0.3)


@pytest.fixture(autouse=True)
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Anyone who started the program from a terminal reads nothing there."""
    yield
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


def judge(reviewing: Reviewing) -> None:
    reviewing.press(Qt.Key.Key_1)


def add(reviewing: Reviewing) -> None:
    reviewing.press(Qt.Key.Key_Plus)
    reviewing.session.type_in("tabby")


def flag(reviewing: Reviewing) -> None:
    reviewing.press(Qt.Key.Key_P)


def pause(reviewing: Reviewing) -> None:
    reviewing.session.press(Qt.Key.Key_P, CONTROL)


def by_class(reviewing: Reviewing) -> None:
    reviewing.go_by_class()


def enlarge(reviewing: Reviewing) -> None:
    reviewing.go_by_class()
    reviewing.press(Qt.Key.Key_Space)


def finish(reviewing: Reviewing) -> None:
    reviewing.judge_images(lambda _wnid: Qt.Key.Key_2)
    reviewing.wait_for_end()


STAGES = {
    "first image": lambda _reviewing: None,
    "judged": judge,
    "adding a label": add,
    "flagging": flag,
    "paused": pause,
    "by class": by_class,
    "enlarged": enlarge,
    "finished": finish,
}


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_tells_a_source_while_a_reviewer_works(
    study: SmallStudy, tmp_path: Path, open_session: Callable[..., WindowSession], stage: str
) -> None:
    put_into_review(study, tmp_path / "answers")
    forbidden = forbidden_in(study, besides=SOURCES)
    reviewing = Reviewing(open_session())
    reviewing.begin()
    STAGES[stage](reviewing)
    assert forbidden.found_in(all_texts()) == []
    assert forbidden.found_in(copied_from(list(QApplication.allWidgets()))) == []


# The same labels, given by others: the screens must not differ by a letter.
GIVEN = {
    "humans and a model": ({"A": HAMSTER, "B": TIGER}, {"tellingmodel": BEAVER}),
    "the other way": ({"A": BEAVER, "B": HAMSTER}, {"tellingmodel": TIGER}),
    "more of one": ({"A": TIGER, "B": TIGER}, {"tellingmodel": BEAVER, "othermodel": HAMSTER}),
}


def told_on_the_way(reviewing: Reviewing) -> list[set[FoundText]]:
    steps = []
    for key in (None, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_2):
        if key is not None:
            reviewing.press(key)
            reviewing.session.wait(lambda: not reviewing.review.session_presenter.storing.waits)
            reviewing.wait_for_image()
        steps.append(_told(reviewing))
    reviewing.go_by_class()
    steps.append(_told(reviewing))
    return steps


def _wait_for_the_class(reviewing: Reviewing) -> None:
    """Wait until what is fetched elsewhere is there: references, pictures, look-alikes."""
    tools, session = reviewing.review.tools, reviewing.session
    assert tools is not None
    panel = tools.class_view.panel
    session.wait(
        lambda: (
            bool(panel.grid.tiles)
            or (panel.message.isVisible() and "Loading" not in panel.message.sentence)
        )
    )
    if isinstance(reviewing.review.screen, ReviewByClassScreen):
        session.wait(lambda: bool(tools.guide.page.toPlainText()))
    session.wait_until_read()


def _told(reviewing: Reviewing) -> set[FoundText]:
    session = reviewing.session
    session.wait_until_written()
    _wait_for_the_class(reviewing)
    screen = reviewing.review.screen
    assert screen is not None
    # Next to these is the class, whose pictures come in their own time: it is read as painted.
    judging = screen.labels if hasattr(screen, "labels") else screen.grid
    own = texts_by([screen.strip, screen.bar, screen.image, judging])
    asked = getattr(screen._view, "labels", None) or getattr(screen._view, "tiles", None)
    painted = {FoundText("painted", text) for text in painted_texts(session.window)}
    return {*own, *painted, FoundText("view", repr(asked))}


def test_studies_that_differ_in_who_proposed_what_give_the_same_screens(
    study_once: Path,
    tmp_path: Path,
    open_session: Callable[..., WindowSession],
    settings: QSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A class's look-alikes change once the guide has been read, which happens in its own time.
    monkeypatch.setattr(ClassViewPanel, "_render_look_alikes", lambda _sights: None)
    texts = []
    for number, (humans, models) in enumerate(GIVEN.values()):
        folder = tmp_path / f"variant{number}"
        # The same name, since the window's title may tell it.
        variant = copied(study_once, folder / "study")
        put_into_review(variant, folder / "answers", humans=humans, models=models, request=FINAL)
        settings.clear()
        reviewing = Reviewing(open_session(LaunchRequest(study=variant.folder)))
        reviewing.begin()
        texts.append(told_on_the_way(reviewing))
        reviewing.session.press(Qt.Key.Key_Q, CONTROL)
    for step in range(len(texts[0])):
        assert texts[0][step] == texts[1][step] == texts[2][step]
