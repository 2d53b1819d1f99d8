"""The study's files vanish or are replaced while the window is open: no decision is lost."""

import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app.durable_append import user_journal
from labeler.app.labeling.answer_writer import RESCUED as ANSWER_RESCUED
from labeler.app.review.session import RESCUED as VERDICTS_RESCUED
from labeler.store.engine.integrity_check import find_database_faults
from labeler.store.engine.opened_file import DELETED, REPLACED
from labeler.store.study.backups import BackupReason, back_up
from labeler.store.study.folder import StudyFolder
from tests.adjustable_clock import AdjustableClock
from tests.gui.reviewing import Reviewing, put_into_review
from tests.gui.small_study import BEAVER, MARMOT, SmallStudy
from tests.gui.window_session import WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Accident:
    """Happens to a study's folder while a window has it open; `copy` is an earlier state."""

    said = REPLACED

    def happen(self, folder: StudyFolder, copy: Path) -> None:
        raise NotImplementedError

    def recover(self, folder: StudyFolder, copy: Path) -> None:
        """What a person does before opening the study again."""


class Deleted(Accident):
    said = DELETED

    def happen(self, folder: StudyFolder, _copy: Path) -> None:
        shutil.rmtree(folder.path)

    def recover(self, folder: StudyFolder, copy: Path) -> None:
        folder.path.mkdir()
        shutil.copyfile(copy, folder.database)


class Synchronized(Accident):
    """A copy takes the file's place, as synchronizing programs do it."""

    def happen(self, folder: StudyFolder, copy: Path) -> None:
        aside = folder.path / ".study.db.synced"
        shutil.copyfile(copy, aside)
        aside.replace(folder.database)


class Overwritten(Accident):
    """A backup is copied over the file by hand."""

    def happen(self, folder: StudyFolder, copy: Path) -> None:
        shutil.copyfile(copy, folder.database)


class Moved(Accident):
    """The folder is renamed, and renamed back before it is opened again."""

    said = DELETED

    def happen(self, folder: StudyFolder, _copy: Path) -> None:
        folder.path.rename(folder.path.with_name("elsewhere"))

    def recover(self, folder: StudyFolder, _copy: Path) -> None:
        folder.path.with_name("elsewhere").rename(folder.path)


accidents = pytest.mark.parametrize(
    "accident", [Deleted(), Synchronized(), Overwritten(), Moved()], ids=lambda a: type(a).__name__
)


@pytest.fixture
def copy_of(tmp_path: Path, clock: AdjustableClock) -> Callable[[SmallStudy], Path]:
    """Makes a backup that survives the study's folder."""

    def copy(study: SmallStudy) -> Path:
        made = back_up(StudyFolder(study.folder), now=clock.utc(), reason=BackupReason.BY_HAND)
        return Path(shutil.copyfile(made.path, tmp_path / "copy.db"))

    return copy


def rescue_files() -> Iterator[Path]:
    unsaved = user_journal("any").path.parent
    with suppress(FileNotFoundError):
        yield from (file for file in unsaved.rglob("*") if file.is_file())


def is_private(file: Path) -> bool:
    folders = [folder for folder in file.parents if "unsaved" in folder.parts]
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (file, *folders)]
    return modes == [0o600, *[0o700] * len(folders)]


@accidents
def test_an_answer_given_after_the_accident_is_stored_when_the_study_is_opened_again(
    at_work: WindowSession, copy_of: Callable[[SmallStudy], Path], accident: Accident
) -> None:
    study = at_work.study
    folder = StudyFolder(study.folder)
    at_work.answer("beaver")
    copy = copy_of(study)
    at_work.choose("marmot")
    at_work.wait_until_written()
    accident.happen(folder, copy)
    at_work.press(Qt.Key.Key_Return)
    screen = at_work.start_screen()
    assert screen.error_banner.sentence == f"{accident.said} {ANSWER_RESCUED}"
    [journal] = rescue_files()
    assert is_private(journal)

    accident.recover(folder, copy)
    at_work.opened.navigation.open_study(study.folder)
    at_work.sign_in("B")
    at_work.begin()
    assert study.labels("B") == [], "someone else's session leaves the journal alone"
    at_work.navigation.go_home()
    at_work.home()
    at_work.opened.navigation._sign_out(at_work.opened.navigation._study)
    at_work.sign_in()
    at_work.begin()
    assert study.labels() == [(1, BEAVER), (2, MARMOT)]
    assert at_work.position == 3
    assert journal.read_bytes() == b""
    at_work.answer("tiger cat")
    assert find_database_faults(folder.database) == []


@pytest.mark.parametrize("accident", [Deleted(), Synchronized()], ids=lambda a: type(a).__name__)
def test_a_flag_after_the_accident_is_refused_and_the_next_answer_is_rescued(
    at_work: WindowSession, copy_of: Callable[[SmallStudy], Path], accident: Accident
) -> None:
    study = at_work.study
    accident.happen(StudyFolder(study.folder), copy_of(study))
    at_work.click(at_work.screen.answer.flag)
    at_work.press(Qt.Key.Key_Down)
    at_work.press(Qt.Key.Key_Return)
    at_work.wait(lambda: any(accident.said in text for text in at_work.texts()))
    at_work.come_back()
    assert at_work.position == 1, "nothing was flagged"
    at_work.choose("marmot")
    at_work.press(Qt.Key.Key_Return)
    assert ANSWER_RESCUED in at_work.start_screen().error_banner.sentence
    assert [journal.read_bytes() != b"" for journal in rescue_files()] == [True]


@accidents
def test_verdicts_given_after_the_accident_are_stored_when_the_study_is_opened_again(
    open_session: Callable[..., WindowSession],
    study: SmallStudy,
    tmp_path: Path,
    copy_of: Callable[[SmallStudy], Path],
    accident: Accident,
) -> None:
    put_into_review(study, tmp_path / "answers")
    folder = StudyFolder(study.folder)
    session = open_session()
    reviewing = Reviewing(session)
    reviewing.begin()
    reviewing.press(Qt.Key.Key_1)
    assert len(reviewing.verdicts()) == 1
    copy = copy_of(study)
    reviewing.press(Qt.Key.Key_2)
    session.wait(lambda: not reviewing.review.session_presenter.storing.waits)
    accident.happen(folder, copy)
    reviewing.press(Qt.Key.Key_3)
    screen = session.start_screen()
    assert screen.error_banner.sentence == f"{accident.said} {VERDICTS_RESCUED}"
    [journal] = rescue_files()
    assert is_private(journal)

    accident.recover(folder, copy)
    session.opened.navigation.open_study(study.folder)
    reviewing.begin()
    given = study.read("SELECT verdict, revision FROM review WHERE NOT withdrawn")
    assert ("unclear", 1) in given
    assert {revision for _verdict, revision in given} == {1}, "no verdict is stored twice"
    assert not journal.exists()
    reviewing.press(Qt.Key.Key_1)
    assert len(reviewing.verdicts()) == len(given) + 1
    assert find_database_faults(folder.database) == []
