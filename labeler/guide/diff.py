"""What became of a text from one version to the next, line by line."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

_LINES_AROUND = 2


class Line(Enum):
    """What became of a line."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line and what became of it; one that stands for lines left out has no text."""

    line: Line
    text: str = ""


def replaced(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[ChangedLine, ...]:
    """A line for each picture file whose contents became others, by their hashes."""
    others = (path for path in new if path in old and old[path] != new[path])
    return tuple(ChangedLine(Line.ADDED, f"{path} is another picture now") for path in others)


def changes(old: str, new: str) -> tuple[ChangedLine, ...]:
    """The lines that were added and removed, each with a few that stayed around them."""
    before, after = old.split("\n"), new.split("\n")
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    found: list[ChangedLine] = []
    for number, group in enumerate(matcher.get_grouped_opcodes(_LINES_AROUND)):
        if number:
            found.append(ChangedLine(Line.LEFT_OUT))
        for kind, start, end, new_start, new_end in group:
            if kind == "equal":
                found += [ChangedLine(Line.SAME, text) for text in before[start:end]]
                continue
            found += [ChangedLine(Line.REMOVED, text) for text in before[start:end]]
            found += [ChangedLine(Line.ADDED, text) for text in after[new_start:new_end]]
    return tuple(found)
