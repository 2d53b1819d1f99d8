"""Killed in the middle of a word, the editor has lost at most what it didn't say that it kept."""

import os
import signal
from collections.abc import Callable
from typing import Any

from tests.unit.app.guide.conftest import PAGE, Writers

# Someone types without a pause at the real editor, over the real runner and study; each line
# tells how many keys were typed, or up to which the editor says that its draft is kept.
_TYPING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from labeler.app.guide.guide_writer import GuideWriter
from labeler.app.guide.study_guide import StudyGuide
from labeler.app.guide.editor import GuideEditor
from labeler.app.guide.editor_view import EditorStage
from labeler.core.clock import SystemClock
from labeler.core.study.entities import Role
from labeler.store.study_opening import open_study
from labeler.ui.window.workers import Workers

program, keys = QCoreApplication([]), int(sys.argv[2])
with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
    writer, workers = GuideWriter(store, StudyGuide(store), code="A", role=Role.LABELER), Workers()
    editor = GuideEditor(writer=writer, taxonomy=store.taxonomy, database=workers.database,
                         background=workers.decoding, clock=SystemClock())
    typed = 0
    def type_on():
        global typed
        if editor.view.stage is EditorStage.WRITING and typed < keys:
            typed += 1
            editor.change(editor.text + "x")
            print("typed", typed, flush=True)
    def tell(view):
        if typed and view.kept:
            print("kept", typed, flush=True)
    editor.listen(tell)
    editor.open("marmot-and-beaver")
    timer = QTimer(interval=2)
    timer.timeout.connect(type_on)
    timer.start()
    program.exec()
"""
_MANY, _KILLED_AT = 100_000, 60


def test_what_the_editor_said_is_kept_survives_a_kill_between_two_keys(
    writers: Writers, run: Callable[..., Any]
) -> None:
    before = writers.text()
    process = run(_TYPING, writers.store.folder.path, _MANY)
    kept = 0
    for line in process.stdout:
        what, number = line.split()
        kept = int(number) if what == "kept" else kept
        if what == "typed" and int(number) >= _KILLED_AT:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)

    found = writers.writer().open_page(PAGE).text
    assert found.startswith(before)
    assert set(found[len(before) :]) <= {"x"}
    assert len(found) - len(before) >= kept


def test_a_pause_in_typing_saves_the_draft(writers: Writers, run: Callable[..., Any]) -> None:
    before = writers.text()
    process = run(_TYPING, writers.store.folder.path, 40)
    for line in process.stdout:
        if line.split() == ["kept", "40"]:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)
    assert writers.writer().open_page(PAGE).text == before + "x" * 40
