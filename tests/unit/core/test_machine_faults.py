"""What a disk refuses is reported as that, and never with a name that gives a target away."""

import errno
import os

import pytest

from labeler.core.errors import (
    DISK_FULL,
    NAME_TOO_LONG,
    NOT_PERMITTED,
    READ_ONLY_DRIVE,
    as_environment_fault,
    os_error_reason,
)

SECRET = "/".join(("", "data", "n01440764", "x.JPEG"))


def refusal(number: int, file: str | None = SECRET) -> OSError:
    return OSError(number, os.strerror(number), file)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.EACCES, NOT_PERMITTED),
        (errno.ENAMETOOLONG, NAME_TOO_LONG),
        (errno.EROFS, READ_ONLY_DRIVE),
        (errno.ENOSPC, DISK_FULL),
    ],
)
def test_what_the_machine_refused_is_reported_with_the_file_and_a_remedy(number, message) -> None:
    sentence = str(as_environment_fault(refusal(number), blind=False))
    assert sentence.startswith(f"'{SECRET}' ")
    assert sentence.endswith(message)
    assert sentence.count(".") > 1, "what to do follows"


def test_a_blind_person_sees_the_reason_without_the_name() -> None:
    sentence = str(as_environment_fault(refusal(errno.EACCES), blind=True))
    assert NOT_PERMITTED in sentence
    assert "n01440764" not in sentence


@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize(
    ("number", "reason"), [(errno.ENOSPC, DISK_FULL), (errno.EROFS, READ_ONLY_DRIVE)]
)
def test_a_full_disk_and_a_read_only_drive_need_no_name(
    number: int, reason: str, blind: bool
) -> None:
    sentence = str(as_environment_fault(refusal(number, None), blind=blind))
    assert sentence.startswith("A file ")
    assert sentence.endswith(reason)


@pytest.mark.parametrize(
    "error",
    [ValueError(SECRET), refusal(errno.ENOENT), refusal(errno.EACCES, None), OSError("odd")],
)
def test_what_may_be_our_own_defect_is_not_called_the_machines(error) -> None:
    assert as_environment_fault(error, blind=False) is None


def test_a_reason_that_has_no_words_of_ours_is_reported_in_the_systems() -> None:
    assert os_error_reason(refusal(errno.EMFILE)) == f"Too many open files ('{SECRET}')."
    assert os_error_reason(refusal(errno.EMFILE, None)) == "Too many open files."
