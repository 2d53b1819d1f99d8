"""Where two texts differ, word by word, so that whoever chooses sees it at once."""

import re
from difflib import SequenceMatcher

from labeler.core.classes.search.hits import TextSpan

_WORD = re.compile(r"\s+|[^\s]+")


def diff_words(mine: str, theirs: str) -> tuple[tuple[TextSpan, ...], tuple[TextSpan, ...]]:
    """The stretches of either text that the other doesn't have."""
    one, other = _WORD.findall(mine), _WORD.findall(theirs)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    changed = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    return (
        _spans(one, [(start, end) for _kind, start, end, _from, _to in changed]),
        _spans(other, [(start, end) for _kind, _from, _to, start, end in changed]),
    )


def _spans(words: list[str], stretches: list[tuple[int, int]]) -> tuple[TextSpan, ...]:
    """The stretches as places in the text; those that only a space parts become one."""
    begins = [0]
    for word in words:
        begins.append(begins[-1] + len(word))
    found: list[TextSpan] = []
    for start, end in stretches:
        span = TextSpan(begins[start], begins[end])
        if start == end:
            continue
        if found and "".join(words)[found[-1].end : span.start].isspace():
            span = TextSpan(found.pop().start, span.end)
        found.append(span)
    return tuple(found)
