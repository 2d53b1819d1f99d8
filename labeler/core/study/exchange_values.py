"""Single values of the exchange format: from text and back, with a sentence for what is wrong."""

import re
from collections.abc import Container, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

Choice = TypeVar("Choice", bound=StrEnum)

# What a 64-bit column of milliseconds can hold.
_MOST_MILLISECONDS = 2**63 - 1
_LONGEST_SHOWN = 80

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_NUMBER_CHARACTERS = re.compile(r"[0-9.eE+-]*")
_RANK = re.compile(r"[1-9][0-9]{0,8}")
_STAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|\+00:00)"
)
# Every day but the 29th of February, which needs a calendar.
_DAY = (
    r"(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)"
    r"|(?:0[13578]|1[02])-31)"
)
_PLAIN_STAMP = rf"20[0-9]{{2}}-{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z\n"
_PLAIN_STAMPS = re.compile(rf"(?:{_PLAIN_STAMP})*")


class InvalidValueError(Exception):
    """A value that the format doesn't admit, and the column that it stands in."""

    def __init__(self, column: str, problem: str) -> None:
        super().__init__(problem)
        self.column = column
        self.problem = problem


def quoted(value: str) -> str:
    """A value as a message quotes it: on one line, and not too long."""
    text = value if value.isprintable() else repr(value)[1:-1]
    return f"'{text}'" if len(text) <= _LONGEST_SHOWN else f"'{text[:_LONGEST_SHOWN]}…'"


def parse_name(text: str, *, column: str) -> str:
    """A name that identifies something: anything but nothing."""
    if not text:
        raise InvalidValueError(column, "the value is empty; it must name something.")
    return text


def parse_choice(text: str, kind: type[Choice], *, column: str) -> Choice:
    """One of the words of a closed set."""
    try:
        return kind(text)
    except ValueError:
        words = ", ".join(kind)
        raise InvalidValueError(column, f"{quoted(text)} is none of {words}.") from None


def parse_class(text: str, classes: Container[str], *, column: str) -> str:
    """The wnid of a class of the study."""
    if text not in classes:
        raise InvalidValueError(column, f"{quoted(text)} is no class of the study.")
    return text


def parse_rank(text: str, *, most: int) -> int:
    """A rank: 1 is the prediction, and a model has no more guesses than there are classes."""
    if not _RANK.fullmatch(text):
        raise InvalidValueError("rank", f"{quoted(text)} is no rank; ranks are 1, 2, 3 and so on.")
    if int(text) > most:
        raise InvalidValueError(
            "rank", f"{quoted(text)} is more than the {most} classes of the study."
        )
    return int(text)


def parse_score(text: str) -> float | None:
    """A probability, or None for an empty field."""
    if not text:
        return None
    value = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not 0 <= value <= 1:
        raise InvalidValueError("score", f"{quoted(text)} is no probability between 0 and 1.")
    return abs(value)


def look_like_numbers(texts: Sequence[str]) -> bool:
    """Whether nothing but digits, points, signs and exponents stands in the texts."""
    return _NUMBER_CHARACTERS.fullmatch("".join(texts)) is not None


def format_score(score: float | None) -> str:
    """The shortest text that gives the same number back."""
    return "" if score is None else repr(score)


def parse_seconds(text: str, *, column: str) -> int | None:
    """A time in seconds as whole milliseconds, or None for an empty field."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or Decimal(text) < 0:
        raise InvalidValueError(
            column, f"{quoted(text)} is no time in seconds; times are 0 or more."
        )
    milliseconds = Decimal(text).scaleb(3)
    if milliseconds > _MOST_MILLISECONDS:
        raise InvalidValueError(column, f"{quoted(text)} seconds are more than can be stored.")
    return int(milliseconds.to_integral_value())


def format_seconds(milliseconds: int | None) -> str:
    """Milliseconds as seconds with three decimals."""
    if milliseconds is None:
        return ""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03d}"


def parse_stamp(text: str, *, column: str) -> str | None:
    """A UTC moment, kept as it was written, or None for an empty field."""
    if not text:
        return None
    if not _is_stamp(text):
        example = "2026-03-01T09:30:00Z"
        raise InvalidValueError(column, f"{quoted(text)} is no moment in UTC such as {example}.")
    return text


def are_stamps(texts: Sequence[str]) -> bool:
    """Whether every text is a UTC moment or empty; usual ones are told in one pass."""
    given = [text for text in texts if text]
    joined = "\n".join([*given, ""])
    if joined.count("\n") == len(given) and _PLAIN_STAMPS.fullmatch(joined):
        return True
    return all(map(_is_stamp, given))


def _is_stamp(text: str) -> bool:
    if not _STAMP.fullmatch(text):
        return False
    try:
        return datetime.fromisoformat(text).tzinfo == UTC
    except ValueError:
        return False
