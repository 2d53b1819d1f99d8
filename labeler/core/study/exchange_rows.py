"""Rows of the exchange format: which values may stand together, file by file."""

import re
from collections.abc import Container, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeVar

from labeler.core.study.entities import CorrectKind, ParticipantKind, ProblemReason, Stage, Verdict

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
    """A value that the format doesn't admit, and the column that it is in."""

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
    """Whether nothing but digits, points, signs and exponents is in the texts."""
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
    """Whether every text is a UTC moment or empty; usual ones are reported in one pass."""
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


Fields = Mapping[str, str]


class DatasetEntry(NamedTuple):
    """A row of datasets.csv."""

    dataset: str
    image: str
    target: str
    path: str
    problematic: tuple[ProblemReason, ...]


class ParticipantEntry(NamedTuple):
    """A row of participants.csv; `name` is None in a file without that column."""

    code: str
    kind: ParticipantKind
    description: str
    name: str | None


class PredictionEntry(NamedTuple):
    """What a row of predictions.csv says about its participant and image."""

    rank: int
    label: str
    score: float | None
    active_ms: int | None
    wall_ms: int | None
    shown_at: str | None
    escape_hatch: bool
    alternative: str | None


class ReviewEntry(NamedTuple):
    """What a row of reviews.csv says about its reviewer and image."""

    label: str
    verdict: Verdict
    kind: CorrectKind | None
    stage: Stage
    at: str | None


class MultilabelEntry(NamedTuple):
    """What a row of multilabels.csv says about its image."""

    label: str
    state: Verdict


def parse_dataset(fields: Fields, classes: Container[str]) -> DatasetEntry:
    return DatasetEntry(
        parse_name(fields["dataset"], column="dataset"),
        parse_name(fields["image"], column="image"),
        parse_class(fields["target"], classes, column="target"),
        fields["path"],
        parse_reasons(fields["problematic"]),
    )


def parse_reasons(text: str) -> tuple[ProblemReason, ...]:
    """Why an image is problematic: reasons joined by `|`, each once; empty when it isn't."""
    if not text:
        return ()
    column = "problematic"
    reasons = tuple(parse_choice(word, ProblemReason, column=column) for word in text.split("|"))
    if len(set(reasons)) < len(reasons):
        raise InvalidValueError(column, f"{quoted(text)} names a reason twice.")
    return reasons


def format_reasons(reasons: tuple[ProblemReason, ...]) -> str:
    return "|".join(reasons)


def parse_participant(fields: Fields) -> ParticipantEntry:
    kind = parse_choice(fields["kind"], ParticipantKind, column="kind")
    name = fields.get("name")
    if name and kind is ParticipantKind.MODEL:
        raise InvalidValueError("name", f"{quoted(name)} is a person's name, and this is a model.")
    code = parse_name(fields["participant"], column="participant")
    return ParticipantEntry(code, kind, fields["description"], name)


def parse_prediction(
    fields: Fields, kind: ParticipantKind, classes: Mapping[str, int]
) -> PredictionEntry:
    """A row of predictions.csv, by the rules for humans or for models."""
    label = parse_class(fields["label"], classes, column="label")
    rank = parse_rank(fields["rank"], most=len(classes))
    score = parse_score(fields["score"])
    if kind is ParticipantKind.MODEL:
        _check_model(fields)
        return PredictionEntry(rank, label, score, None, None, None, False, None)
    if rank != 1:
        raise InvalidValueError(
            "rank", f"{quoted(fields['rank'])} is not 1, and a human has one answer."
        )
    active_ms, wall_ms = (
        parse_seconds(fields[column], column=column)
        for column in ("active_seconds", "wall_seconds")
    )
    shown_at = parse_stamp(fields["shown_at"], column="shown_at")
    alternative = _alternative(fields, classes)
    hatch = alternative is not None
    return PredictionEntry(rank, label, score, active_ms, wall_ms, shown_at, hatch, alternative)


def _check_model(fields: Fields) -> None:
    for column in ("active_seconds", "wall_seconds", "shown_at", "alternative"):
        if fields[column]:
            raise InvalidValueError(
                column, f"{quoted(fields[column])} stands in a model's row; leave empty."
            )
    if fields["escape_hatch"] != "0":
        raise InvalidValueError(
            "escape_hatch", f"{quoted(fields['escape_hatch'])} is not 0 in a model's row."
        )


def _alternative(fields: Fields, classes: Container[str]) -> str | None:
    hatch, alternative = fields["escape_hatch"], fields["alternative"]
    if hatch not in ("0", "1"):
        raise InvalidValueError("escape_hatch", f"{quoted(hatch)} is neither 0 nor 1.")
    if hatch == "1":
        return parse_class(alternative, classes, column="alternative")
    if alternative:
        raise InvalidValueError(
            "alternative", f"{quoted(alternative)} stands beside an escape_hatch of 0."
        )
    return None


def parse_review(fields: Fields, classes: Container[str]) -> ReviewEntry:
    kind = fields["kind"]
    return ReviewEntry(
        parse_class(fields["label"], classes, column="label"),
        parse_choice(fields["verdict"], Verdict, column="verdict"),
        parse_choice(kind, CorrectKind, column="kind") if kind else None,
        parse_choice(fields["stage"], Stage, column="stage"),
        parse_stamp(fields["at"], column="at"),
    )


def parse_multilabel(fields: Fields, classes: Container[str]) -> MultilabelEntry:
    return MultilabelEntry(
        parse_class(fields["label"], classes, column="label"),
        parse_choice(fields["state"], Verdict, column="state"),
    )
