"""An answer that the study can't take stays on the screen until it is stored, and is never lost."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from PySide6.QtCore import Qt

from labeler.app.labeling.answer_writer import IN_JOURNAL, RETRY_INTERVAL_MS
from labeler.app.labeling.workbench_view import WorkbenchStage
from tests.gui.small_study import BEAVER, MARMOT
from tests.gui.window_session import CONTROL, WindowSession


@contextmanager
def somebody_writes(database: Path) -> Iterator[None]:
    """Another program has the database to itself."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def submit_in_vain(session: WindowSession) -> None:
    session.press(Qt.Key.Key_Return, CONTROL)
    session.wait(lambda: session.workbench.view.stage is WorkbenchStage.NOT_STORED)


def test_an_answer_that_cannot_be_stored_is_reported_kept_and_tried_again(
    at_work: WindowSession,
) -> None:
    at_work.choose("beaver")
    at_work.wait_until_written()
    submit = at_work.screen.answer.submit
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
        assert any("The study is busy" in text for text in at_work.texts())
        assert any(IN_JOURNAL in text for text in at_work.texts())
        assert "beaver" in at_work.texts()
        assert (submit.words, submit.isEnabled()) == ("Try again", True)
        # Nothing else can be done to the trial meanwhile.
        at_work.choose("marmot")
        at_work.press(Qt.Key.Key_F7)
        at_work.press(Qt.Key.Key_P, CONTROL)
        assert (at_work.position, at_work.chosen) == (1, BEAVER)
    at_work.click(submit)
    at_work.wait_for_trial(2)
    assert submit.words == "Submit"
    assert not any("journal" in text for text in at_work.texts())
    assert at_work.study.labels() == [(1, BEAVER)]


def test_an_answer_that_waits_is_stored_by_itself_and_only_once(at_work: WindowSession) -> None:
    at_work.choose("beaver")
    at_work.wait_until_written()
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
    at_work.clock.go_on(milliseconds=RETRY_INTERVAL_MS)
    at_work.wait_for_trial(2)  # the heartbeat has tried again
    at_work.answer("marmot")
    assert at_work.study.labels() == [(1, BEAVER), (2, MARMOT)]


def test_an_answer_that_waits_when_the_window_is_left_is_stored_at_the_next_beginning(
    at_work: WindowSession,
) -> None:
    at_work.choose("beaver")
    at_work.wait_until_written()
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    at_work.begin()
    assert at_work.position == 2
    assert at_work.study.labels() == [(1, BEAVER)]
