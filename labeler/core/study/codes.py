"""The codes by which participants are known."""

import re
from collections.abc import Collection
from itertools import chain, count
from string import ascii_uppercase

_CODE = re.compile(r"[^\s,|/\\]{1,64}")


def is_valid_code(text: str) -> bool:
    """Whether the text can stand for a participant in files, commands and folder names."""
    return _CODE.fullmatch(text) is not None


def next_free_code(taken: Collection[str]) -> str:
    """The first letter that nobody has, in either case; after Z they are numbered."""
    known = {code.casefold() for code in taken}
    numbered = (f"{letter}{number}" for number in count(2) for letter in ascii_uppercase)
    return next(code for code in chain(ascii_uppercase, numbered) if code.casefold() not in known)
