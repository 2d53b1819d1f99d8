"""A defect's details go to a log under a number that the person can quote."""

from datetime import UTC, datetime

from labeler.app.incidents import log_folder, record

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def failure(message: str) -> Exception:
    try:
        raise ZeroDivisionError(message)
    except ZeroDivisionError as error:
        return error


def test_the_log_has_the_number_the_time_and_the_traceback(tmp_path) -> None:
    number = record(failure("by nothing"), at=NOON, folder=tmp_path / "new" / "logs")

    log = (tmp_path / "new" / "logs" / "incidents.log").read_text(encoding="utf-8")
    assert log.startswith(f"--- 2026-03-01T12:00:00.000Z incident {number}\n")
    assert "ZeroDivisionError: by nothing" in log
    assert "in failure" in log


def test_a_later_incident_is_added_under_a_number_of_its_own(tmp_path) -> None:
    numbers = [record(failure(f"no. {n}"), at=NOON, folder=tmp_path) for n in range(3)]

    log = (tmp_path / "incidents.log").read_text(encoding="utf-8")
    assert len(set(numbers)) == 3
    assert [log.index(number) for number in numbers] == sorted(log.index(n) for n in numbers)


def test_the_log_lies_in_the_users_own_folder_unless_said_otherwise(own_folders) -> None:
    record(failure("at home"), at=NOON)

    assert log_folder().is_relative_to(own_folders)
    assert "at home" in (log_folder() / "incidents.log").read_text(encoding="utf-8")


def test_a_message_that_is_not_text_can_be_logged(tmp_path) -> None:
    record(failure("a file called \udcff"), at=NOON, folder=tmp_path)

    assert "a file called ?" in (tmp_path / "incidents.log").read_text(encoding="utf-8")


def test_a_log_that_can_not_be_written_still_gives_a_number(tmp_path) -> None:
    (tmp_path / "logs").write_text("a file in the way")

    assert len(record(failure("x"), at=NOON, folder=tmp_path / "logs")) == 6
