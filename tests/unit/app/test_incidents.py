"""A defect's details go to a log under a number that the person can quote."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from labeler.app.incidents import log_folder, record_incident
from labeler.images.unreadable import UnreadableImage, UnreadableReason

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECRET = "/".join(("", "data", "imagenet-val", "n01440764", "x.JPEG"))


def failure(message: str) -> Exception:
    try:
        raise ZeroDivisionError(message)
    except ZeroDivisionError as error:
        return error


def test_the_log_has_the_number_the_time_and_the_traceback(tmp_path) -> None:
    folder = tmp_path / "new" / "logs"
    number = record_incident(failure("by nothing"), at=NOON, blind=False, folder=folder)

    log = (tmp_path / "new" / "logs" / "incidents.log").read_text(encoding="utf-8")
    assert log.startswith(f"--- 2026-03-01T12:00:00.000Z incident {number}\n")
    assert "ZeroDivisionError: by nothing" in log
    assert "in failure" in log


def test_a_later_incident_is_added_under_a_number_of_its_own(tmp_path) -> None:
    numbers = [record_incident(failure(f"no. {n}"), at=NOON, folder=tmp_path) for n in range(3)]

    log = (tmp_path / "incidents.log").read_text(encoding="utf-8")
    assert len(set(numbers)) == 3
    assert [log.index(number) for number in numbers] == sorted(log.index(n) for n in numbers)


def test_the_log_lies_in_the_users_own_folder_unless_said_otherwise(own_folders) -> None:
    record_incident(failure("at home"), at=NOON, blind=False)

    assert log_folder().is_relative_to(own_folders)
    assert "at home" in (log_folder() / "incidents.log").read_text(encoding="utf-8")


def test_a_message_that_is_not_text_can_be_logged(tmp_path) -> None:
    record_incident(failure("a file called \udcff"), at=NOON, blind=False, folder=tmp_path)

    assert "a file called ?" in (tmp_path / "incidents.log").read_text(encoding="utf-8")


def test_a_log_that_can_not_be_written_still_gives_a_number(tmp_path) -> None:
    (tmp_path / "logs").write_text("a file in the way")

    assert len(record_incident(failure("x"), at=NOON, folder=tmp_path / "logs")) == 6


def raised(fail: Callable[[], object]) -> Exception:
    """What the call raises; it is given as a call so that no line of code here spells a secret."""
    try:
        fail()
    except Exception as error:
        return error
    raise AssertionError("it should have failed")


def message(error: Exception, folder: Path) -> str:
    record_incident(error, at=NOON, folder=folder)
    return (folder / "incidents.log").read_text(encoding="utf-8")


def insert_in_vain() -> None:
    with create_engine("sqlite://").connect() as connection:
        connection.execute(text("CREATE TABLE image (name TEXT CHECK (name = ''))"))
        connection.execute(text("INSERT INTO image VALUES (:name)"), {"name": SECRET})


def noted() -> None:
    error = ValueError(SECRET)
    error.add_note(SECRET)
    raise error


def chained() -> None:
    try:
        Path(SECRET).read_bytes()
    except OSError as error:
        raise KeyError(SECRET) from error


@pytest.mark.parametrize(
    ("fail", "kind"),
    [
        (lambda: Path(SECRET).read_bytes(), "FileNotFoundError (errno 2)"),
        (lambda: {}[SECRET], "KeyError"),
        (lambda: compile("(", SECRET, "exec"), "SyntaxError"),
        (insert_in_vain, "IntegrityError"),
        (noted, "ValueError"),
        (chained, "KeyError"),
    ],
)
def test_a_blind_log_has_an_errors_kind_and_not_its_words(tmp_path, fail, kind) -> None:
    error = raised(fail)
    log = message(error, tmp_path)
    assert log.splitlines()[1] == kind
    assert "in raised" in log, "the place in the program is told"
    assert not [part for part in (SECRET, *Path(SECRET).parts[2:]) if part in log]
    record_incident(error, at=NOON, blind=False, folder=tmp_path / "lead")
    words = (tmp_path / "lead" / "incidents.log").read_text(encoding="utf-8")
    assert SECRET in words, "the error does hold the secret, and a lead may read it"


def test_a_blind_log_follows_an_error_to_where_it_came_from(tmp_path) -> None:
    log = message(raised(chained), tmp_path)
    assert "\nfrom FileNotFoundError (errno 2)\n" in log
    assert "in chained" in log


def test_a_blind_log_says_what_sqlite_refused(tmp_path) -> None:
    log = message(raised(insert_in_vain), tmp_path)
    assert "\nfrom IntegrityError (SQLITE_CONSTRAINT_CHECK)\n" in log


def test_a_blind_log_says_what_is_wrong_with_an_image(tmp_path) -> None:
    assert "UnreadableImage (truncated)" in message(
        UnreadableImage(UnreadableReason.TRUNCATED), tmp_path
    )


def test_errors_that_came_from_each_other_in_a_circle_come_to_an_end(tmp_path) -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert message(one, tmp_path).count("ValueError") == 5
