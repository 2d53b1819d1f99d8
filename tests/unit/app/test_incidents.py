"""An unexpected error goes to the log under a number that the person can quote."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from labeler.app.incidents import record_incident
from labeler.app.logs import log_to_file, set_blindness
from labeler.images.decoder import decode
from labeler.images.unreadable import UnreadableImage, UnreadableReason

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECRET = "/".join(("", "data", "imagenet-val", "n01440764", "x.JPEG"))
TRIAL_ID = "6a7f5c1e-9a58-4f0c-8f53-0d4d9c1b7a10"


def failure(message: str) -> Exception:
    try:
        raise ZeroDivisionError(message)
    except ZeroDivisionError as error:
        return error


@pytest.fixture
def log(debug_log: Path) -> Callable[[], str]:
    return lambda: debug_log.read_text(encoding="utf-8")


@pytest.fixture
def lead_log(log: Callable[[], str]) -> Callable[[], str]:
    set_blindness(lambda: False)
    return log


def test_the_log_has_the_number_the_time_and_the_traceback(lead_log: Callable[[], str]) -> None:
    number = record_incident(failure("by nothing"), at=NOON, blind=False)

    assert lead_log().startswith("2026-03-01T12:00:00.000Z ERROR ")
    assert f"incident={number}\n" in lead_log()
    assert "ZeroDivisionError: by nothing" in lead_log()
    assert "in failure" in lead_log()


def test_each_incident_has_its_own_number(log: Callable[[], str]) -> None:
    numbers = [record_incident(failure(f"no. {n}"), at=NOON) for n in range(3)]

    assert len(set(numbers)) == 3
    assert [log().index(number) for number in numbers] == sorted(map(log().index, numbers))


def test_a_log_that_can_not_be_written_still_gives_a_number(
    own_folders: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (own_folders / "state").write_text("a file in the way")

    with log_to_file():
        number = record_incident(failure("x"), at=NOON)
    assert len(number) == 6
    assert capfd.readouterr() == ("", "")


def test_the_trial_is_logged_so_that_the_lead_finds_its_image(log: Callable[[], str]) -> None:
    record_incident(failure("x"), at=NOON, trial_id=TRIAL_ID)

    assert f"trial_id={TRIAL_ID}" in log()


def raised(fail: Callable[[], object]) -> Exception:
    """What the call raises; it is given as a call so that no line of code here spells a secret."""
    try:
        fail()
    except Exception as error:
        return error
    raise AssertionError("it should have failed")


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
def test_a_blind_log_has_the_class_of_an_error_and_not_its_message(
    lead_log: Callable[[], str], fail: Callable[[], None], kind: str
) -> None:
    error = raised(fail)
    record_incident(error, at=NOON, blind=True)
    assert lead_log().splitlines()[1] == f"  {kind}"
    assert not [part for part in (SECRET, *Path(SECRET).parts[2:]) if part in lead_log()]
    record_incident(error, at=NOON, blind=False)
    assert SECRET in lead_log(), "the error does hold the secret, and a lead may read it"


def test_a_blind_log_has_the_lines_of_the_program_that_an_error_passed(
    log: Callable[[], str],
) -> None:
    record_incident(raised(lambda: decode(b"no image")), at=NOON)
    assert "\n  UnreadableImage (not_an_image) at labeler.images.decoder:" in log()


def test_a_blind_log_follows_an_error_to_its_cause(log: Callable[[], str]) -> None:
    record_incident(raised(chained), at=NOON)
    assert "\n  KeyError\n  FileNotFoundError (errno 2)\n" in log()


def test_a_blind_log_says_what_sqlite_refused(log: Callable[[], str]) -> None:
    record_incident(raised(insert_in_vain), at=NOON)
    assert "\n  IntegrityError (SQLITE_CONSTRAINT_CHECK)\n" in log()


def test_a_blind_log_says_what_is_wrong_with_an_image(log: Callable[[], str]) -> None:
    record_incident(UnreadableImage(UnreadableReason.TRUNCATED), at=NOON)
    assert "UnreadableImage (truncated)" in log()


def test_errors_that_are_each_others_cause_come_to_an_end(log: Callable[[], str]) -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    record_incident(one, at=NOON)
    assert log().count("ValueError") == 5
