"""Studies, journals, drafts and settings that an earlier program wrote still open."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt

from labeler.app.study.preferences import preferences_path
from labeler.cli import main
from tests.gui.reviewing import Reviewing
from tests.gui.small_study import BEAVER, MARMOT, TIGER, SmallStudy
from tests.gui.window_session import CONTROL, SHIFT, WindowSession

STORED = Path(__file__).parents[2] / "data" / "stored"
DATASETS = ("tattledataset", "snitchreferences")


def stored_study(name: str, to: Path) -> SmallStudy:
    """Copy a stored study and tell it where its images are on this machine."""
    study = Path(shutil.copytree(STORED / name, to))
    for dataset in DATASETS:
        assert main(["relocate", str(study), dataset, str(STORED / "pictures" / dataset)]) == 0
    return SmallStudy(study)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    file = shutil.copy(STORED / "window.ini", tmp_path / "window.ini")
    return QSettings(str(file), QSettings.Format.IniFormat)


@pytest.fixture(autouse=True)
def stored_home(own_folders: Path) -> None:
    for kind in ("config", "state"):
        shutil.copytree(STORED / "home" / kind, own_folders / kind)


class TestEvaluation:
    @pytest.fixture
    def study(self, tmp_path: Path) -> SmallStudy:
        return stored_study("evaluation", tmp_path / "study")

    def test_an_answer_in_the_journal_is_stored(
        self, open_session: Callable[..., WindowSession], study: SmallStudy
    ) -> None:
        assert len(study.labels()) == 2
        session = open_session()
        session.sign_in()
        session.begin()
        assert study.labels() == [(1, BEAVER), (2, TIGER), (3, MARMOT)]
        assert session.position == 4

    def test_a_draft_is_continued(
        self, open_session: Callable[..., WindowSession], study: SmallStudy
    ) -> None:
        shutil.rmtree(study.folder / "journal")
        session = open_session()
        session.sign_in()
        session.begin()
        assert (session.position, session.chosen) == (3, MARMOT)

    def test_settings_and_the_person_are_remembered(
        self, open_session: Callable[..., WindowSession], study: SmallStudy
    ) -> None:
        shutil.rmtree(study.folder / "journal")
        assert preferences_path().is_file()
        session = open_session()
        assert not session.opened.faults
        assert session.opened.appearance.is_dark
        session.sign_in()
        session.begin()
        assert not session.screen.answer.mark.isChecked()
        session.press(Qt.Key.Key_M, CONTROL | SHIFT)  # a key of A's own
        session.wait(session.screen.answer.mark.isChecked)

    def test_the_commands_read_it(self, study: SmallStudy, tmp_path: Path) -> None:
        assert main(["references", str(study.folder)]) == 0
        assert main(["check", str(study.folder)]) == 0
        assert main(["export", str(study.folder), str(tmp_path / "out")]) == 0
        assert (tmp_path / "out" / "predictions.csv").read_text().count("\nA,") == 2


class TestReview:
    @pytest.fixture
    def study(self, tmp_path: Path) -> SmallStudy:
        return stored_study("review", tmp_path / "study")

    def test_a_verdict_in_the_journal_is_stored(
        self, open_session: Callable[..., WindowSession], study: SmallStudy
    ) -> None:
        [[before]] = study.read("SELECT count(*) FROM review")
        assert before == 3
        reviewing = Reviewing(open_session())
        reviewing.begin()
        verdicts = reviewing.verdicts()
        assert len(verdicts) == 4
        assert sorted(verdicts.values()) == ["correct", "correct", "correct", "wrong"]
