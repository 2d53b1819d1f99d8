"""A page's words without their Markdown, for searching and for excerpts."""

import re

_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKS = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+|^\s*(?:[-+*>]|[0-9]+\.)\s+|\\(?=[|*_`\\])")
_BORDER = re.compile(r"\s*(?<!\\)\|\s*")
_RULE = re.compile(r"[\s|:-]+")


def plain_lines(body: str) -> tuple[str, ...]:
    """The lines of a page that say something; headings and table heads are the same on all."""
    lines = body.split("\n")
    following = (*lines[1:], "")
    return tuple(
        _plain(line)
        for line, below in zip(lines, following, strict=True)
        if not (line.startswith("#") or _RULE.fullmatch(line) or not line or _is_rule(below))
    )


def plain_words(text: str) -> str:
    """Words of a page as they are read, without what marks them."""
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


def _is_rule(line: str) -> bool:
    return line.startswith("|") and _RULE.fullmatch(line) is not None


def _plain(line: str) -> str:
    words = _LINK.sub(r"\1", line)
    cells = [cell for cell in _BORDER.split(words) if cell] if line.startswith("|") else []
    if len(cells) > 1:
        words = f"{cells[0]}, {cells[1]}: {' '.join(cells[2:])}"
    elif cells:
        words = cells[0]
    return _MARKS.sub("", words).strip()
