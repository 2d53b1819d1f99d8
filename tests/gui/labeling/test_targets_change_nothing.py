"""Whatever the targets are, a labeler's window says the same: so nothing in it depends on them."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt

from labeler.app.study.home import NO_BACKUP
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.painted_text import painted_texts
from tests.gui.searching import FoundText, texts_by
from tests.gui.small_study import TRIALS, SmallStudy, copied
from tests.gui.window_session import CONTROL, WindowSession

Steps = list[set[FoundText]]

# Docks move in steps of their own time.
_OF_QT = "QPropertyAnimation"


def give_other_targets(study: SmallStudy, role: str = "evaluation") -> None:
    """Leave the images and their order as they are, and give each another class for its target."""
    before = study.read(
        "SELECT image.id, target_id FROM image JOIN dataset ON dataset.id = dataset_id"
        " WHERE dataset.role = ?",
        role,
    )
    classes = sorted({target for _image, target in before})
    following = dict(zip(classes, classes[1:] + classes[:1], strict=True))
    with closing(sqlite3.connect(study.database)) as database, database:
        database.executemany(
            "UPDATE image SET target_id = ? WHERE id = ?",
            [(following[target], image) for image, target in before],
        )


def told_on_the_way(session: WindowSession) -> Steps:
    """Answer the whole evaluation, always in the same way, and read everything at each step."""
    # The first backup is made while home is shown.
    session.wait(lambda: not any(NO_BACKUP in each.text for each in told_now(session)))
    steps = [told_now(session)]
    session.begin()
    for _ in range(TRIALS):
        steps.append(told_now(session))
        session.choose("beaver")
        session.wait(lambda: bool(session.sights.panel.grid.tiles))
        session.answer("beaver")
    session.finish_screen()
    steps.append(told_now(session))
    session.click(session.finish_screen().later)
    session.home()
    return [*steps, told_now(session)]


def told_now(session: WindowSession) -> set[FoundText]:
    session.wait_until_written()
    session.wait_until_read()
    texts = (each for each in texts_by([session.window]) if _OF_QT not in each.where)
    return {*texts, *(FoundText("painted", text) for text in painted_texts(session.window))}


@pytest.fixture
def go_through(
    open_session: Callable[..., WindowSession],
    study_once: Path,
    tmp_path: Path,
    settings: QSettings,
) -> Callable[[Callable[[SmallStudy], None]], tuple[Steps, dict[int, str]]]:
    """Goes through a copy of the study that was changed; gives what was reported, and the
    targets."""

    def go(change: Callable[[SmallStudy], None]) -> tuple[Steps, dict[int, str]]:
        settings.clear()
        # At the same place each time, since a study's own place may be shown.
        folder = tmp_path / "one after the other"
        shutil.rmtree(folder, ignore_errors=True)
        study = copied(study_once, folder)
        change(study)
        session = open_session(LaunchRequest(study=folder))
        session.sign_in()
        steps = told_on_the_way(session)
        session.press(Qt.Key.Key_Q, CONTROL)
        return steps, study.targets()

    return go


def test_a_labelers_window_says_the_same_whatever_the_targets_are(
    go_through: Callable[[Callable[[SmallStudy], None]], tuple[Steps, dict[int, str]]],
) -> None:
    texts, targets = go_through(lambda _study: None)
    told_otherwise, others = go_through(give_other_targets)
    assert len(texts) == TRIALS + 3
    assert set(targets) == set(others) == set(range(1, TRIALS + 1))
    assert all(targets[position] != others[position] for position in targets)
    for step, (one, other) in enumerate(zip(texts, told_otherwise, strict=True)):
        assert (step, one - other, other - one) == (step, set(), set())
