"""JSON of someone else's is read, or refused with what is wrong with it and where."""

import os
from pathlib import Path

import pytest

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.input_files import NOT_UTF8, TOO_MANY_DIGITS, read_json


def given(tmp_path: Path, content: bytes) -> Path:
    file = tmp_path / "given.json"
    file.write_bytes(content)
    return file


def test_a_file_is_read_with_a_byte_order_mark_and_without(tmp_path: Path) -> None:
    assert read_json(given(tmp_path, b'{"a": "\xc3\xa4"}')) == {"a": "\u00e4"}
    assert read_json(given(tmp_path, b"\xef\xbb\xbf[1]")) == [1]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"a":\n1,}', ", line 2: invalid JSON at character 3"),
        (b'["\xe4"]', NOT_UTF8),
        ("[1]".encode("utf-16"), NOT_UTF8),
        (b"[" * 100_000, "nested too deeply"),
        (b"[1,\n" + b"9" * 10_000 + b"]", f", line 2: {TOO_MANY_DIGITS}"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = given(tmp_path, content)
    with pytest.raises(InputError) as raised:
        read_json(file)
    assert str(raised.value).startswith(str(file))
    assert sentence in str(raised.value)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="No such file"):
        read_json(tmp_path / "none.json")


def test_no_one_waits_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(RefusedError, match="pipe or a device"):
        read_json(tmp_path / "pipe.json")
