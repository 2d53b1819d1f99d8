"""JSON that someone gives, or a sentence about why it can't be read."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labeler.core.errors import EnvironmentFault, InputError, RefusedError


def require_regular_file(path: Path) -> None:
    """Refuse what is there and is neither a file nor a folder; the rest is the reader's to tell."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise RefusedError(
            f"'{path}' is a pipe or a device, and no file: save what it gives as a file and give "
            "that."
        )


def read_json(file: Path) -> object:
    """What a JSON file in UTF-8 holds, with or without a byte order mark."""
    require_regular_file(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        problem = "this JSON is not UTF-8 text: save it as UTF-8."
        raise InputError(problem, file=file) from error
    return parse_json(text, file=file)


def parse_json(
    text: str, *, file: Path | str, pairs: Callable[[list[tuple[str, Any]]], object] | None = None
) -> object:
    """What the text holds; `pairs` makes something else than a dict of an object's pairs."""
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        problem = f"this JSON is broken at character {error.colno}: {error.msg}."
        raise InputError(problem, file=file, line=error.lineno) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply to be read.", file=file) from error
    except ValueError as error:
        # What else Python refuses is a number that would take it very long to read.
        raise InputError(
            "this JSON has a number of more digits than can be read.",
            file=file,
            line=_line_of_long_number(text),
        ) from error


def _line_of_long_number(text: str) -> int | None:
    found = re.search(rf"\d{{{sys.get_int_max_str_digits() + 1}}}", text)
    return text.count("\n", 0, found.start()) + 1 if found is not None else None
