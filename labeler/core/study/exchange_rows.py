"""Rows of the exchange format: parse and check the values of each file."""

import re
from collections.abc import Container, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, TypeVar

from labeler.core.study.entities import (
    CONFIDENCE_LEVELS,
    CorrectKind,
    ParticipantKind,
    ProblemReason,
    Stage,
    Verdict,
    is_visible,
)
from labeler.core.study.exchange_format import REVISION

Choice = TypeVar("Choice", bound=StrEnum)

Fields = Mapping[str, str]

# The revision of a row in a file that doesn't say it.
FIRST_REVISION = 1

# The maximum of a 64-bit column of milliseconds.
_MAX_MILLISECONDS = 2**63 - 1
_MAX_QUOTED = 80

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_NUMBER_CHARACTERS = re.compile(r"[0-9.eE+-]*")
_WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_COUNTING_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_STAMP = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|\+00:00)"
)
# Every day except February 29, which needs a calendar.
_DAY = (
    r"(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)"
    r"|(?:0[13578]|1[02])-31)"
)
_PLAIN_STAMP = rf"20[0-9]{{2}}-{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z\n"
_PLAIN_STAMPS = re.compile(rf"(?:{_PLAIN_STAMP})*")


class InvalidValueError(Exception):
    """A value that the format doesn't allow, and its column."""

    def __init__(self, column: str, problem: str) -> None:
        super().__init__(problem)
        self.column = column
        self.problem = problem


def quoted(value: str) -> str:
    """Quote a value for a message: on one line and not too long."""
    text = value if value.isprintable() else repr(value)[1:-1]
    return f"'{text}'" if len(text) <= _MAX_QUOTED else f"'{text[:_MAX_QUOTED]}…'"


def parse_name(text: str, *, column: str) -> str:
    """Return a name that identifies something; it must not be empty."""
    if not text:
        raise InvalidValueError(column, "the value is empty; it must name something.")
    return text


def parse_choice(text: str, kind: type[Choice], *, column: str) -> Choice:
    """Parse a value of an enumeration."""
    try:
        return kind(text)
    except ValueError:
        words = ", ".join(kind)
        raise InvalidValueError(column, f"{quoted(text)} is not one of {words}.") from None


def parse_class(text: str, classes: Container[str], *, column: str) -> str:
    """Return the wnid of a class of the study."""
    if text not in classes:
        raise InvalidValueError(column, f"{quoted(text)} is not a class of the study.")
    return text


def parse_rank(text: str, *, most: int) -> int:
    """Parse a rank: 1 is the prediction, the maximum is the number of classes."""
    if not _COUNTING_NUMBER.fullmatch(text):
        raise InvalidValueError("rank", f"{quoted(text)} is not a rank; use 1, 2, 3 and so on.")
    if int(text) > most:
        raise InvalidValueError("rank", f"{quoted(text)} exceeds the {most} classes of the study.")
    return int(text)


def parse_count(text: str, *, column: str, least: int = 0) -> int:
    """Parse a whole number of at least `least`."""
    if not (_COUNTING_NUMBER.fullmatch(text) or (text == "0" and least == 0)):
        problem = f"{quoted(text)} is not a whole number of at least {least}."
        raise InvalidValueError(column, problem)
    return int(text)


def parse_list(text: str, *, column: str) -> tuple[str, ...]:
    """Split a list joined by `|`; an item may occur only once."""
    items = tuple(text.split("|")) if text else ()
    if len(set(items)) < len(items):
        raise InvalidValueError(column, f"{quoted(text)} contains a value twice.")
    return items


def parse_revision(fields: Fields) -> int:
    """Parse a revision: 1, 2 and so on; the first if it is missing."""
    text = fields.get(REVISION) or str(FIRST_REVISION)
    if not _COUNTING_NUMBER.fullmatch(text):
        raise InvalidValueError(
            REVISION, f"{quoted(text)} is not a revision; use 1, 2, 3 and so on."
        )
    return int(text)


def parse_asking(text: str) -> int:
    """Parse which time a question was asked: 2, 3 and so on."""
    if not _COUNTING_NUMBER.fullmatch(text) or int(text) == 1:
        raise InvalidValueError(
            "asking", f"{quoted(text)} is not the number of a repeat; use 2, 3 and so on."
        )
    return int(text)


def parse_number(text: str, *, column: str) -> int:
    """Parse a number that counts from 1."""
    if not _COUNTING_NUMBER.fullmatch(text):
        raise InvalidValueError(column, f"{quoted(text)} is not a number; use 1, 2, 3 and so on.")
    return int(text)


def parse_milliseconds(text: str, *, column: str) -> int:
    """Parse whole milliseconds."""
    if not _WHOLE_NUMBER.fullmatch(text) or int(text) > _MAX_MILLISECONDS:
        raise InvalidValueError(
            column, f"{quoted(text)} is not a whole number of milliseconds, 0 or more."
        )
    return int(text)


def parse_confidence(text: str) -> int | None:
    """Parse a step of confidence; None for an empty field."""
    if text and text not in map(str, range(1, CONFIDENCE_LEVELS + 1)):
        raise InvalidValueError(
            "confidence", f"{quoted(text)} is not a whole number from 1 to {CONFIDENCE_LEVELS}."
        )
    return int(text) if text else None


def parse_flag(text: str, *, column: str) -> bool:
    """Parse 0 or 1."""
    if text not in ("0", "1"):
        raise InvalidValueError(column, f"{quoted(text)} is neither 0 nor 1.")
    return text == "1"


def parse_score(text: str) -> float | None:
    """Parse a probability; None for an empty field."""
    if not text:
        return None
    value = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not 0 <= value <= 1:
        raise InvalidValueError("score", f"{quoted(text)} is not a probability between 0 and 1.")
    return abs(value)


def look_like_numbers(texts: Sequence[str]) -> bool:
    """Return whether the texts contain only digits, points, signs and exponents."""
    return _NUMBER_CHARACTERS.fullmatch("".join(texts)) is not None


def format_score(score: float | None) -> str:
    """Return the shortest text that parses to the same number."""
    return "" if score is None else repr(score)


def parse_seconds(text: str, *, column: str) -> int | None:
    """Parse a time in seconds to whole milliseconds; None for an empty field."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or Decimal(text) < 0:
        raise InvalidValueError(
            column, f"{quoted(text)} is not a time in seconds; times are 0 or more."
        )
    milliseconds = Decimal(text).scaleb(3)
    if milliseconds > _MAX_MILLISECONDS:
        raise InvalidValueError(column, f"{quoted(text)} seconds is too long to be stored.")
    return int(milliseconds.to_integral_value())


def format_seconds(milliseconds: int | None) -> str:
    """Format milliseconds as seconds with three decimals."""
    if milliseconds is None:
        return ""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03d}"


def parse_stamp(text: str, *, column: str) -> str | None:
    """Return a UTC timestamp as it was written; None for an empty field."""
    if not text:
        return None
    if not _is_stamp(text):
        example = "2026-03-01T09:30:00Z"
        raise InvalidValueError(column, f"{quoted(text)} is not a UTC time such as {example}.")
    return text


def are_stamps(texts: Sequence[str]) -> bool:
    """Return whether every text is a UTC timestamp or empty; the common form in one pass."""
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
    """A row of predictions.csv without participant and image; `committed_at` may be empty."""

    rank: int
    label: str
    score: float | None
    active_ms: int | None
    wall_ms: int | None
    shown_at: str | None
    escape_hatch: bool
    alternative: str | None
    confidence: int | None = None
    known_image: bool = False
    note: str = ""
    committed_at: str = ""
    revision: int = FIRST_REVISION


class ReviewOrigin(StrEnum):
    """Why a label was judged."""

    PROPOSED = "proposed"
    DECOY = "decoy"
    ADDED = "added"


class ReviewStep(StrEnum):
    """When a verdict was given: before or after the reviewers discussed their disagreements."""

    BLIND = "blind"
    DISCUSSION = "discussion"


class ReviewEntry(NamedTuple):
    """A row of reviews.csv without reviewer and image."""

    label: str
    verdict: Verdict
    kind: CorrectKind | None
    stage: Stage
    at: str | None
    origin: ReviewOrigin
    step: ReviewStep
    active_ms: int | None
    revision: int


class MultilabelEntry(NamedTuple):
    """A row of multilabels.csv without the image."""

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
    """Parse the reasons for a problematic image, joined by `|`; empty if it isn't problematic."""
    if not text:
        return ()
    column = "problematic"
    reasons = tuple(parse_choice(word, ProblemReason, column=column) for word in text.split("|"))
    if len(set(reasons)) < len(reasons):
        raise InvalidValueError(column, f"{quoted(text)} contains a reason twice.")
    return reasons


def format_reasons(reasons: tuple[ProblemReason, ...]) -> str:
    return "|".join(reasons)


def parse_participant(fields: Fields) -> ParticipantEntry:
    kind = parse_choice(fields["kind"], ParticipantKind, column="kind")
    name = fields.get("name")
    if name and kind is ParticipantKind.MODEL:
        raise InvalidValueError("name", f"{quoted(name)} is a person's name, but this is a model.")
    code = parse_name(fields["participant"], column="participant")
    if not is_visible(code):
        raise InvalidValueError("participant", f"{quoted(code)} has an invisible character.")
    return ParticipantEntry(code, kind, fields["description"], name)


def parse_prediction(
    fields: Fields, kind: ParticipantKind, classes: Mapping[str, int]
) -> PredictionEntry:
    """Parse a row of predictions.csv by the rules for humans or for models."""
    label = parse_class(fields["label"], classes, column="label")
    rank = parse_rank(fields["rank"], most=len(classes))
    score = parse_score(fields["score"])
    if kind is ParticipantKind.MODEL:
        _check_model(fields)
        return PredictionEntry(rank, label, score, None, None, None, False, None)
    if rank != 1:
        raise InvalidValueError(
            "rank", f"{quoted(fields['rank'])} is not 1, but a human has only one answer."
        )
    active_ms, wall_ms = (
        parse_seconds(fields[column], column=column)
        for column in ("active_seconds", "wall_seconds")
    )
    shown_at = parse_stamp(fields["shown_at"], column="shown_at")
    alternative = _alternative(fields, classes)
    hatch = alternative is not None
    return PredictionEntry(
        rank,
        label,
        score,
        active_ms,
        wall_ms,
        shown_at,
        hatch,
        alternative,
        confidence=parse_confidence(fields.get("confidence", "")),
        known_image=parse_flag(fields.get("known_image", "0"), column="known_image"),
        note=fields.get("note", ""),
        committed_at=parse_stamp(fields.get("committed_at", ""), column="committed_at") or "",
        revision=parse_revision(fields),
    )


# What columns that are only for humans contain in a model's row.
MODEL_VALUES = {
    "active_seconds": "",
    "wall_seconds": "",
    "shown_at": "",
    "alternative": "",
    "escape_hatch": "0",
    "confidence": "",
    "known_image": "0",
    "note": "",
    "committed_at": "",
}


def _check_model(fields: Fields) -> None:
    for column, only in MODEL_VALUES.items():
        given = fields.get(column, only)
        if given != only:
            what = f"it must be {only}" if only else "leave this field empty"
            raise InvalidValueError(column, f"{quoted(given)} is in a model's row; {what}.")
    if parse_revision(fields) != FIRST_REVISION:
        raise InvalidValueError(
            REVISION, f"{quoted(fields[REVISION])} is in a model's row; it must be 1."
        )


def _alternative(fields: Fields, classes: Container[str]) -> str | None:
    alternative = fields["alternative"]
    if parse_flag(fields["escape_hatch"], column="escape_hatch"):
        return parse_class(alternative, classes, column="alternative")
    if alternative:
        raise InvalidValueError(
            "alternative", f"{quoted(alternative)} requires an escape_hatch of 1, but it is 0."
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
        parse_choice(fields.get("origin") or ReviewOrigin.PROPOSED, ReviewOrigin, column="origin"),
        parse_choice(fields.get("step") or ReviewStep.BLIND, ReviewStep, column="step"),
        parse_seconds(fields.get("active_seconds", ""), column="active_seconds"),
        parse_revision(fields),
    )


def parse_multilabel(fields: Fields, classes: Container[str]) -> MultilabelEntry:
    return MultilabelEntry(
        parse_class(fields["label"], classes, column="label"),
        parse_choice(fields["state"], Verdict, column="state"),
    )
