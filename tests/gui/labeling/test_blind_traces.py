"""What a labeler's work leaves on the machine, and what a fault leaves there, tells nothing."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from sqlalchemy import insert as insert_into

from labeler.app.labeling.evaluation_flow import EvaluationFlow
from labeler.app.opened_study import OpenedStudy
from labeler.core.study.entities import Role
from labeler.demo.support import demo_support
from labeler.store.labeling.evaluation import EvaluationTrials
from labeler.store.schema import ImageRow
from labeler.ui.kit.text.text_dialogs import MessageDialog
from labeler.ui.labeling.rules_screen import RulesScreen
from labeler.ui.labeling.workbench_screen import WorkbenchScreen
from labeler.ui.study.home_screen import HomeScreen
from labeler.ui.window.application import run
from labeler.ui.window.crash_handler import report_uncaught_errors
from labeler.ui.window.navigation import LaunchRequest
from tests.gui.forbidden import Forbidden, forbidden_in
from tests.gui.labeling.test_not_stored import somebody_writes, submit_in_vain
from tests.gui.searching import all_texts, copied_from
from tests.gui.small_study import EVALUATED, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession

# The screenless platform says so of dialogs and tips.
pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support"),
    pytest.mark.usefixtures("debug_log"),
]


@pytest.fixture
def pictures(study: SmallStudy, tmp_path: Path) -> list[Path]:
    """The evaluation's pictures, copied for this study alone so that they can be damaged."""
    ((root,),) = study.read("SELECT root FROM dataset WHERE role = 'evaluation'")
    own = Path(shutil.copytree(root, tmp_path / "own" / Path(root).name))
    with closing(sqlite3.connect(study.database)) as database, database:
        database.execute("UPDATE dataset SET root = ? WHERE role = 'evaluation'", (str(own),))
    return sorted(own.rglob("*.JPEG"))


@pytest.fixture
def forbidden(study: SmallStudy) -> Forbidden:
    return forbidden_in(study)


@pytest.fixture
def secret(study: SmallStudy) -> str:
    """Where an image is: what an error's own words may tell."""
    ((root, name),) = study.read(
        "SELECT root, image.name FROM image JOIN dataset ON dataset.id = dataset_id"
        " WHERE role = 'evaluation' LIMIT 1"
    )
    return f"{root}/{name}"


def kept_in(folder: Path) -> str:
    """The names and contents of all files in a folder."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return "\n".join(f"{file}\n{file.read_bytes().decode(errors='replace')}" for file in files)


def logged(own_folders: Path) -> str:
    (log,) = own_folders.rglob("labeler.log")
    return log.read_text(encoding="utf-8")


def test_what_the_program_remembers_of_a_labeler_tells_nothing(
    at_work: WindowSession, own_folders: Path, settings: QSettings, forbidden: Forbidden
) -> None:
    at_work.press(Qt.Key.Key_T, CONTROL)  # a setting of the person's own
    at_work.answer("hamster")
    at_work.press(Qt.Key.Key_Q, CONTROL)
    settings.sync()
    kept = kept_in(own_folders) + Path(settings.fileName()).read_text(encoding="utf-8")
    for file in ("settings.toml", "recent-studies.json", "rules-read.json"):
        assert file in kept, "it was written, and is looked through"
    assert str(at_work.study.folder) in kept, "where the study itself lies may be remembered"
    assert forbidden.in_text(kept) == []


def test_drafts_and_marks_know_images_by_their_trials_alone(
    at_work: WindowSession, forbidden: Forbidden
) -> None:
    at_work.choose("hamster")
    at_work.press(Qt.Key.Key_S, CONTROL)
    at_work.press(Qt.Key.Key_M, CONTROL)
    at_work.press(Qt.Key.Key_N, CONTROL)
    at_work.type_in("a note")
    at_work.press(Qt.Key.Key_W, CONTROL)
    at_work.home()
    drafts = at_work.study.read("SELECT subject, contents FROM draft")
    assert len(drafts) == 2, "the trial, and the marks"
    kept = repr(drafts)
    assert "a note" in kept
    assert [word for word in (*EVALUATED, *forbidden.in_text(kept)) if word in kept] == []


def test_a_journal_knows_images_by_their_trials_alone(
    at_work: WindowSession, forbidden: Forbidden
) -> None:
    at_work.choose("hamster")
    at_work.wait_until_written()
    with somebody_writes(at_work.study.database):
        submit_in_vain(at_work)
        kept = kept_in(at_work.study.folder / "journal")
    assert "n02342885" in kept, "the answer is there"
    assert [word for word in (*EVALUATED, *forbidden.in_text(kept)) if word in kept] == []


def test_what_a_file_says_of_itself_does_not_reach_the_pixels(
    pictures: list[Path], forbidden: Forbidden, at_home: WindowSession
) -> None:
    for picture in pictures:
        _write_into(picture, f"photographed for {picture}")
    _take_as_added(at_home.study)
    assert "tattledataset" in QImage(str(pictures[0])).text("Comment"), "Qt would have told"
    at_home.begin()
    image = at_home.workbench.view.image
    assert image is not None
    for pixels in (*image.pixels.levels, image.pixels.fitted):
        assert pixels.textKeys() == []
    assert forbidden.found_in(copied_from(QApplication.allWidgets())) == []


def _take_as_added(study: SmallStudy) -> None:
    """Forget what the files held before, lest they pass for others."""
    with closing(sqlite3.connect(study.database)) as connection, connection:
        connection.execute("UPDATE image SET content_hash = NULL")


def _write_into(picture: Path, words: str) -> None:
    comment = PngInfo()
    comment.add_text("Comment", words)
    with Image.open(picture) as image:
        image.load()
    image.save(picture, format="PNG", pnginfo=comment)


def cut_short(picture: Path) -> None:
    picture.write_bytes(picture.read_bytes()[:200])


def replace_by_folder(picture: Path) -> None:
    picture.unlink()
    picture.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "no image": lambda picture: picture.write_bytes(b"no image " + bytes(picture)),
    "cut short": cut_short,
    "empty": lambda picture: picture.write_bytes(b""),
    "folder": replace_by_folder,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_image_that_cannot_be_shown_tells_a_number_alone(
    pictures: list[Path],
    forbidden: Forbidden,
    at_home: WindowSession,
    own_folders: Path,
    damage: str,
) -> None:
    for picture in pictures:
        DAMAGES[damage](picture)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(RulesScreen)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait_for(WorkbenchScreen)
    at_home.wait(lambda: "incident" in at_home.workbench.view.problem)
    assert forbidden.found_in(all_texts()) == []
    assert forbidden.in_text(logged(own_folders)) == []
    at_home.press(Qt.Key.Key_F9)
    at_home.press(Qt.Key.Key_Return)
    at_home.wait(lambda: at_home.position == 2)
    assert forbidden.found_in(all_texts()) == []


def failing(words: str) -> Callable[..., None]:
    """A call that fails as a system does, with a file's name in the error's words."""

    def fail(*_anything: object, **_more: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", words)

    return fail


def test_an_error_behind_the_window_tells_a_number_alone(
    at_work: WindowSession,
    monkeypatch: pytest.MonkeyPatch,
    own_folders: Path,
    forbidden: Forbidden,
    secret: str,
) -> None:
    monkeypatch.setattr(EvaluationTrials, "mark", failing(secret))
    at_work.press(Qt.Key.Key_M, CONTROL)
    at_work.wait(lambda: "incident" in at_work.workbench.view.problem)
    assert forbidden.found_in(all_texts()) == []
    assert "FileNotFoundError (errno 2)" in logged(own_folders)
    assert forbidden.in_text(logged(own_folders)) == []


def test_a_databases_own_words_are_not_logged(
    at_work: WindowSession, monkeypatch: pytest.MonkeyPatch, own_folders: Path, secret: str
) -> None:
    def insert(labeling: EvaluationTrials, _trial_id: str, *, marked: bool) -> None:
        row = {"id": 1, "dataset_id": 1, "ordinal": 1, "name": secret, "target_id": 1}
        labeling._session.execute(insert_into(ImageRow), row)

    monkeypatch.setattr(EvaluationTrials, "mark", insert)
    at_work.press(Qt.Key.Key_M, CONTROL)
    at_work.wait(lambda: "incident" in at_work.workbench.view.problem)
    assert "IntegrityError (SQLITE_CONSTRAINT" in logged(own_folders)
    assert secret not in logged(own_folders)


@pytest.mark.qt_no_exception_capture
def test_an_error_in_the_window_tells_a_number_alone(
    at_home: WindowSession,
    *,
    monkeypatch: pytest.MonkeyPatch,
    own_folders: Path,
    forbidden: Forbidden,
    secret: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(EvaluationFlow, "toggle_mark", failing(secret))
    at_home.begin()
    shell, window = at_home.opened.navigation, at_home.window
    with report_uncaught_errors(
        lambda texts: MessageDialog(texts, window).open(), blind=lambda: shell.is_blind
    ):
        at_home.press(Qt.Key.Key_M, CONTROL)
    assert "incident" in at_home.dialog(MessageDialog).label.text()
    assert forbidden.found_in(all_texts()) == []
    assert forbidden.in_text(logged(own_folders) + "".join(capfd.readouterr())) == []


def sign_in(session: WindowSession, code: str, role: Role) -> HomeScreen:
    screen = session.sign_in_screen()
    session.click(screen.roles[role])
    screen.code.setFocus()
    return session.sign_in(code)


def test_only_a_leads_log_has_an_errors_words(open_session: Callable[..., WindowSession]) -> None:
    session = open_session()
    shell = session.opened.navigation
    session.sign_in_screen()
    assert shell.is_blind, "nobody has signed in"
    sign_in(session, "L", Role.LEAD).sign_out_wanted.emit()
    assert shell.is_blind, "the lead has gone"
    sign_in(session, "L", Role.LABELER)
    assert shell.is_blind, "a lead who labels is a labeler"


def test_a_lead_finds_the_words_in_the_log(
    open_session: Callable[..., WindowSession],
    monkeypatch: pytest.MonkeyPatch,
    own_folders: Path,
    secret: str,
) -> None:
    session = open_session()
    home = sign_in(session, "L", Role.LEAD)
    assert not session.opened.navigation.is_blind
    monkeypatch.setattr(OpenedStudy, "roles_of", failing(secret))
    session.navigation.show_home()
    session.wait(lambda: session.window.screen_shown is not home)
    assert secret in logged(own_folders)


@pytest.mark.qt_no_exception_capture
def test_the_running_program_logs_blindly(
    study: SmallStudy,
    forbidden: Forbidden,
    own_folders: Path,
    secret: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    texts: list[str] = []

    def look() -> None:
        dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, MessageDialog)]
        if dialogs:
            texts.extend(each.text for each in all_texts())
            timer.stop()
            QApplication.closeAllWindows()

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    QTimer.singleShot(0, failing(secret))
    assert run(LaunchRequest(study=study.folder), demo=demo_support()) == 0
    assert any("incident" in text for text in texts)
    assert forbidden.in_text("\n".join(texts)) == []
    assert "FileNotFoundError" in logged(own_folders)
    assert forbidden.in_text(logged(own_folders) + "".join(capfd.readouterr())) == []
