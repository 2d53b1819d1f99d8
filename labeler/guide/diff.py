"""Compare two versions of a text line by line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from labeler.core.classes.search.hits import TextSpan

_WORD = re.compile(r"\s+|[^\s]+")


def diff_words(mine: str, theirs: str) -> tuple[tuple[TextSpan, ...], tuple[TextSpan, ...]]:
    """Return the spans of each text that the other doesn't have."""
    one, other = _WORD.findall(mine), _WORD.findall(theirs)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    changed = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    return (
        _spans(one, [(start, end) for _kind, start, end, _from, _to in changed]),
        _spans(other, [(start, end) for _kind, _from, _to, start, end in changed]),
    )


def _spans(words: list[str], ranges: list[tuple[int, int]]) -> tuple[TextSpan, ...]:
    """Return the ranges of words as text spans; spans separated only by a space are merged."""
    offsets = [0]
    for word in words:
        offsets.append(offsets[-1] + len(word))
    found: list[TextSpan] = []
    for start, end in ranges:
        span = TextSpan(offsets[start], offsets[end])
        if start == end:
            continue
        if found and "".join(words)[found[-1].end : span.start].isspace():
            span = TextSpan(found.pop().start, span.end)
        found.append(span)
    return tuple(found)


_CONTEXT_LINES = 2


class LineChange(Enum):
    """How a line changed."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line and how it changed; a placeholder for omitted lines has no text."""

    line: LineChange
    text: str = ""


def replaced_pictures(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[DiffLine, ...]:
    """Return a line for each picture file whose hash changed."""
    changed = (path for path in new if path in old and old[path] != new[path])
    return tuple(
        DiffLine(LineChange.ADDED, f"{path} was replaced by another picture") for path in changed
    )


def diff_lines(old: str, new: str) -> tuple[DiffLine, ...]:
    """Return the added and removed lines, each with a few unchanged lines around them."""
    before, after = old.split("\n"), new.split("\n")
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    found: list[DiffLine] = []
    for number, group in enumerate(matcher.get_grouped_opcodes(_CONTEXT_LINES)):
        if number:
            found.append(DiffLine(LineChange.LEFT_OUT))
        for kind, start, end, new_start, new_end in group:
            if kind == "equal":
                found += [DiffLine(LineChange.SAME, text) for text in before[start:end]]
                continue
            found += [DiffLine(LineChange.REMOVED, text) for text in before[start:end]]
            found += [DiffLine(LineChange.ADDED, text) for text in after[new_start:new_end]]
    return tuple(found)
