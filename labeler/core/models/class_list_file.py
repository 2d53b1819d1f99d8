"""Reading a class list: a text file with the wnid of one output of a model a line."""

import re
from pathlib import Path

from labeler.core.errors import EnvironmentFault, InputError
from labeler.core.models.class_outputs import BACKGROUND

_WNID = re.compile(r"n\d{8}")


def read_output_classes(file: Path) -> list[str]:
    """The wnids in the order of the outputs; `background` stands where there is no class."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("this is no text file.", file=file) from error
    except OSError as error:
        raise EnvironmentFault(f"'{file}' can't be read: {error.strerror}.") from error
    return [_entry(line.strip(), file, number) for number, line in enumerate(lines, start=1)]


def _entry(text: str, file: Path, line: int) -> str:
    # Many lists put the names behind the wnid; the first word is what counts.
    word = text.split(maxsplit=1)[0] if text else ""
    if word != BACKGROUND and _WNID.fullmatch(word) is None:
        problem = f"'{text[:40]}' begins neither with a wnid, like n01440764, nor '{BACKGROUND}'."
        raise InputError(problem, file=file, line=line)
    return word
