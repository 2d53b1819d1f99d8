"""Read JSON files of the user, with errors that say what is wrong."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labeler.core.errors import EnvironmentFault, InputError, RefusedError

NOT_UTF8 = "the file is not UTF-8 text. Save it as UTF-8."
TOO_MANY_DIGITS = "the JSON contains a number with too many digits."


def require_regular_file(path: Path) -> None:
    """Refuse pipes and devices; missing files and folders are left to the reader."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise RefusedError(
            f"'{path}' is a pipe or a device, not a file. Save its contents to a file and use that."
        )


def read_json(file: Path) -> object:
    """Return the contents of a UTF-8 JSON file, with or without a byte order mark."""
    require_regular_file(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(NOT_UTF8, file=file) from error
    return parse_json(text, file=file)


def parse_json(
    text: str, *, file: Path | str, pairs: Callable[[list[tuple[str, Any]]], object] | None = None
) -> object:
    """Parse JSON text; `pairs` converts the key-value pairs of an object to something else."""
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        problem = f"invalid JSON at character {error.colno}: {error.msg}."
        raise InputError(problem, file=file, line=error.lineno) from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply to be read.", file=file) from error
    except ValueError as error:
        # Python also refuses numbers with more digits than it converts in reasonable time.
        raise InputError(
            TOO_MANY_DIGITS,
            file=file,
            line=_line_of_long_number(text),
        ) from error


def _line_of_long_number(text: str) -> int | None:
    found = re.search(rf"\d{{{sys.get_int_max_str_digits() + 1}}}", text)
    return text.count("\n", 0, found.start()) + 1 if found is not None else None
