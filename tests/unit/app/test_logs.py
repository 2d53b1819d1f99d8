"""One log file per user: rotating, private, shared by processes, and blind when it has to be."""

import logging
import os
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import labeler.app.runner
from labeler.app import logs
from labeler.app.logs import log_debug_records, log_file, log_to_file, set_blindness
from labeler.store.engine.database import Database, sqlite_url

SECRET = "/data/imagenet-val/n01440764/tench.JPEG"
SESSION_ID = "6a7f5c1e-9a58-4f0c-8f53-0d4d9c1b7a10"
ours = logging.getLogger("labeler.app.runner")


@pytest.fixture
def log(debug_log: Path) -> Callable[[], str]:
    return lambda: debug_log.read_text(encoding="utf-8") if debug_log.exists() else ""


@pytest.fixture
def lead_log(log: Callable[[], str]) -> Callable[[], str]:
    set_blindness(lambda: False)
    return log


# For a lead.


def test_a_lead_finds_the_message_with_its_fields(lead_log: Callable[[], str]) -> None:
    ours.debug("Read %s", SECRET, extra={"dataset": "val", "duration_ms": 7})
    assert lead_log().endswith(f" Read {SECRET} dataset=val duration_ms=7\n")
    assert f" DEBUG {os.getpid()} labeler.app.runner:" in lead_log()


def test_a_lead_finds_the_warnings_of_libraries_in_the_file_and_on_stderr(
    lead_log: Callable[[], str], capsys: pytest.CaptureFixture[str], own_folders: Path
) -> None:
    with log_to_file():
        set_blindness(lambda: False)
        logging.getLogger("PIL.Image").warning("Odd file %s", SECRET)
    assert f"Odd file {SECRET}" in lead_log()
    assert f"Odd file {SECRET}" in capsys.readouterr().err


def test_debug_records_are_kept_only_when_wanted(
    own_folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with log_to_file():
        ours.debug("job")
        assert not log_file().exists()
        log_debug_records()
        ours.debug("job")
    assert " job\n" in log_file().read_text(encoding="utf-8")
    assert " job\n" in capsys.readouterr().err


def test_transactions_are_logged_with_their_durations(
    log: Callable[[], str], tmp_path: Path
) -> None:
    database = Database(sqlite_url(tmp_path / "study.db"))
    with database.read(), database.write():
        pass
    with pytest.raises(ZeroDivisionError), database.write():
        raise ZeroDivisionError
    database.close()
    for event in ("read transaction", "write transaction", "failed transaction"):
        assert f" {event} duration_ms=" in log()


# In a blind session.


def test_without_an_answer_who_is_there_a_record_is_blind(log: Callable[[], str]) -> None:
    ours.warning("Read %s", SECRET)
    assert log().endswith(f"labeler.app.runner:{_line_of_last_call() - 1}\n")


def _line_of_last_call() -> int:
    return sys._getframe(1).f_lineno


def test_a_blind_record_has_the_event_and_the_fields_of_the_allow_list(
    log: Callable[[], str],
) -> None:
    ours.debug(
        "job",
        extra={
            "session_id": SESSION_ID,
            "duration_ms": 12,
            "job": labeler.app.runner.LatestRequest.drop,
            "dataset": "val",
        },
    )
    fields = f"session_id={SESSION_ID} duration_ms=12 job=labeler.app.runner.LatestRequest.drop"
    assert log().endswith(f" job {fields}\n")


def test_a_partial_function_is_known_by_its_function(log: Callable[[], str]) -> None:
    ours.debug("job", extra={"job": partial(labeler.app.runner.LatestRequest.drop, SECRET)})
    assert log().endswith(" job job=labeler.app.runner.LatestRequest.drop\n")


@pytest.mark.parametrize(
    "extra",
    [
        {"session_id": SECRET},
        {"trial_id": "n01440764"},
        {"duration_ms": SECRET},
        {"images": [SECRET]},
        {"incident": SECRET},
        {"job": SECRET},
        {"job": type(SECRET, (), {})},
        {"version": SECRET},
        {"unknown": SECRET},
    ],
)
def test_a_field_with_a_value_of_another_type_is_left_out(
    log: Callable[[], str], extra: dict[str, object]
) -> None:
    ours.debug("job", extra=extra)
    assert log().endswith(" job\n")


@pytest.mark.parametrize("message", [SECRET, f"job {SECRET}", ("job", SECRET), Path(SECRET)])
def test_a_message_that_is_no_known_event_is_left_out(
    log: Callable[[], str], message: object
) -> None:
    ours.error(message, stack_info=True)
    assert len(log().splitlines()) == 1
    assert "tench" not in log()
    assert "n01440764" not in log()


@pytest.mark.parametrize("name", ["PIL", "sqlalchemy.engine", f"labeler.{SECRET}", SECRET])
def test_nothing_of_another_logger_is_written(
    log: Callable[[], str], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    logging.getLogger(name).critical("incident", extra={"duration_ms": 1})
    assert log() == ""
    assert capsys.readouterr().err == ""


def test_a_record_that_can_not_be_formatted_is_not_quoted_on_stderr(
    log: Callable[[], str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_record: object) -> list[str]:
        raise ValueError(SECRET)

    monkeypatch.setattr(logs, "_blind_parts", fail)
    ours.error("Read %s", SECRET)
    assert log() == ""
    assert capsys.readouterr().err == ""


# The file.


def file_handler() -> logs.SharedRotatingFileHandler:
    handlers = logging.getLogger().handlers
    (handler,) = (each for each in handlers if isinstance(each, logs.SharedRotatingFileHandler))
    return handler


def test_a_message_that_is_not_valid_text_can_be_logged(lead_log: Callable[[], str]) -> None:
    # Through this handler alone: pytest-xdist couldn't send what pytest's own would keep.
    record = {"name": ours.name, "msg": "A file called \udcff", "levelno": logging.ERROR}
    file_handler().handle(logging.makeLogRecord(record))
    assert r"A file called \udcff" in lead_log()


def test_only_the_user_can_read_the_log(debug_log: Path) -> None:
    ours.error("job")
    assert stat.S_IMODE(debug_log.stat().st_mode) == 0o600
    assert stat.S_IMODE(debug_log.parent.stat().st_mode) == 0o700


def test_a_full_disk_does_not_break_the_program(
    own_folders: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log_file().parent.mkdir(parents=True)
    log_file().symlink_to("/dev/full")
    with log_to_file():
        set_blindness(lambda: False)
        for _record in range(100):
            ours.error("job")
        log_file().unlink()
        ours.error("Written once there is space")
    assert log_file().read_text(encoding="utf-8").count("\n") == 1
    assert capfd.readouterr() == ("", "")


def test_a_full_log_is_rotated_and_old_ones_are_removed(
    debug_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_handler(), "maxBytes", 1000)
    for _record in range(200):
        ours.error("job")
    files = sorted(debug_log.parent.glob("labeler.log*"))
    assert [file.name for file in files] == [
        "labeler.log",
        *(f"labeler.log.{n}" for n in (1, 2, 3)),
    ]
    assert all(file.stat().st_size < 1200 for file in files)
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)


def test_a_window_that_holds_the_lock_does_not_stop_another(
    debug_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours.error("job")
    with debug_log.with_suffix(".lock").open("ab") as lock:
        assert logs.try_acquire_lock(lock.fileno())
        monkeypatch.setattr(file_handler(), "maxBytes", 10)
        ours.error("job")
        assert debug_log.read_text(encoding="utf-8").count("\n") == 2
    ours.error("job")
    assert debug_log.read_text(encoding="utf-8").count("\n") == 1
    assert debug_log.with_name("labeler.log.1").read_text(encoding="utf-8").count("\n") == 2


_WRITER = """
import logging, sys
import labeler.app.runner
from labeler.app import logs

logs._MAX_BYTES, logs._OLD_FILES = 20_000, 1_000
with logs.log_to_file():
    logs.set_blindness(lambda: False)
    for number in range(1_000):
        logging.getLogger("labeler.app.runner").error("record %d %s", number, "x" * 50)
"""


def test_processes_that_rotate_at_the_same_time_lose_and_mix_nothing(own_folders: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", _WRITER], stderr=subprocess.PIPE) for _ in range(4)
    ]
    errors = [process.communicate()[1] for process in processes]
    assert errors == [b""] * 4
    files = [file for file in log_file().parent.glob("labeler.log*") if file.suffix != ".lock"]
    assert len(files) > 10
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert {len(line.split()) for line in lines} == {7}
    by_process = Counter(line.split()[2] for line in lines)
    assert by_process == {str(process.pid): 1_000 for process in processes}
