"""The codes by which participants are known."""

import re

_CODE = re.compile(r"[^\s,|/\\]{1,64}")


def is_code(text: str) -> bool:
    """Whether the text can stand for a participant in files, commands and folder names."""
    return _CODE.fullmatch(text) is not None
