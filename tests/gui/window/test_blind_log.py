"""The debug log of a labeler's or a reviewer's session reveals nothing, whatever goes wrong."""

import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from labeler.app import logs
from labeler.app.labeling.workbench_view import WorkbenchStage
from labeler.core.classes.taxonomy import load_default
from tests.gui.forbidden import Forbidden, forbidden_in
from tests.gui.reviewing import MODELS, Reviewing, put_into_review
from tests.gui.small_study import EVALUATED, HAMSTER, TIGER, SmallStudy
from tests.gui.window_session import CONTROL, WindowSession

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LIBRARIES = ("sqlalchemy.engine", "sqlalchemy.pool", "PIL", "matplotlib")


@pytest.fixture(autouse=True)
def talkative_libraries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """SQLAlchemy logs every statement with its values, Pillow every image."""
    before = {name: logging.getLogger(name).level for name in LIBRARIES}
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def pictures(study: SmallStudy, tmp_path: Path) -> list[Path]:
    """The evaluation's pictures, copied for this study alone so that they can be damaged."""
    ((root,),) = study.read("SELECT root FROM dataset WHERE role = 'evaluation'")
    own = Path(shutil.copytree(root, tmp_path / "own" / Path(root).name))
    with closing(sqlite3.connect(study.database)) as database, database:
        database.execute("UPDATE dataset SET root = ? WHERE role = 'evaluation'", (str(own),))
    return sorted(own.rglob("*.JPEG"))


def log_carelessly(session: WindowSession, picture: Path) -> None:
    """Log as code that forgot the rules would: on a worker of this session, with a file's name."""

    def log() -> None:
        error = FileNotFoundError(2, "No such file", str(picture))
        ours = logging.getLogger("labeler.store.engine.database")
        ours.error("Can't read %s", picture, exc_info=error, extra={"dataset": picture.name})
        ours.debug(str(picture), extra={"trial_id": picture.parent.name, "job": str(picture)})
        logging.getLogger("PIL.Image").warning("Odd EXIF data in %s", picture, exc_info=error)

    logged: list[None] = []
    session.workers.database.run("log", log, done=logged.append, failed=pytest.fail)
    session.wait(lambda: bool(logged))


def words_of(study: SmallStudy) -> Forbidden:
    """What mustn't be in the log: also the classes of the answers and all names of the targets."""
    shipped = load_default()
    wnids = (*EVALUATED, *MODELS.values(), HAMSTER)
    names = [name for wnid in wnids for name in shipped[wnid].lemmas]
    return forbidden_in(study, besides=(*wnids, *names, *MODELS))


def work_as_labeler(session: WindowSession, pictures: list[Path]) -> None:
    """Answer, meet a busy database and images that can't be read, and go."""
    session.sign_in()
    session.begin()
    session.answer("hamster")
    log_carelessly(session, pictures[0])
    session.choose("tiger")
    session.wait_until_written()
    with closing(sqlite3.connect(session.study.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        session.press(Qt.Key.Key_Return, CONTROL)
        session.wait(lambda: session.workbench.view.stage is WorkbenchStage.NOT_STORED)
        other.execute("ROLLBACK")
    session.press(Qt.Key.Key_W, CONTROL)
    session.home()
    for picture in pictures:
        picture.write_bytes(b"")
    session.press(Qt.Key.Key_Return)
    session.wait(lambda: "incident" in session.workbench.view.problem)


def work_as_reviewer(session: WindowSession, pictures: list[Path]) -> None:
    """Judge, meet a busy database and images that can't be read."""
    reviewing = Reviewing(session)
    reviewing.begin()
    storing = reviewing.review.session_presenter.storing
    reviewing.press(Qt.Key.Key_1)
    session.wait(lambda: not storing.waits)
    log_carelessly(session, pictures[0])
    for picture in pictures:
        picture.write_bytes(b"")
    with closing(sqlite3.connect(session.study.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        reviewing.press(Qt.Key.Key_2)
        session.wait(lambda: bool(storing.trouble))
        other.execute("ROLLBACK")
    reviewing.judge_images(lambda wnid: Qt.Key.Key_1 if wnid == TIGER else Qt.Key.Key_2)


Work = Callable[[WindowSession, list[Path]], None]
SESSIONS: dict[str, Work] = {"labeler": work_as_labeler, "reviewer": work_as_reviewer}


@pytest.fixture(params=SESSIONS)
def work(request: pytest.FixtureRequest, study: SmallStudy, tmp_path: Path) -> Work:
    if request.param == "reviewer":
        put_into_review(study, tmp_path / "answers")
    return SESSIONS[request.param]


def test_the_log_of_a_blind_session_reveals_nothing(
    work: Work,
    study: SmallStudy,
    pictures: list[Path],
    *,
    open_session: Callable[..., WindowSession],
    debug_log: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    session = open_session()
    work(session, pictures)
    session.opened.close()
    text = debug_log.read_text(encoding="utf-8")
    for event in ("read transaction", "write transaction", "incident"):
        assert f" {event} " in text, "it was logged, and is searched"
    printed = capfd.readouterr()
    assert words_of(study).in_text(text + printed.out + printed.err) == []


def test_without_the_allow_list_the_search_would_find_the_words(
    work: Work,
    study: SmallStudy,
    pictures: list[Path],
    *,
    open_session: Callable[..., WindowSession],
    debug_log: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logs, "_is_blind", lambda _record: False)
    session = open_session()
    work(session, pictures)
    session.opened.close()
    ours, libraries = _by_origin(debug_log.read_text(encoding="utf-8"))
    for text in (ours, libraries):
        assert {"tattledataset", "blabbing_file"} <= set(words_of(study).in_text(text))


def _by_origin(text: str) -> tuple[str, str]:
    """The lines of this program's loggers, and those of libraries."""
    lines = text.splitlines()
    libraries = [line for line in lines if " PIL.Image:" in line]
    return "\n".join(line for line in lines if line not in libraries), "\n".join(libraries)
