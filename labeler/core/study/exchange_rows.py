"""Rows of the exchange format: which values may stand together, file by file."""

from collections.abc import Container, Mapping
from typing import NamedTuple

from labeler.core.study.entities import CorrectKind, ParticipantKind, ProblemReason, Stage, Verdict
from labeler.core.study.exchange_values import (
    InvalidValueError,
    parse_choice,
    parse_class,
    parse_name,
    parse_rank,
    parse_score,
    parse_seconds,
    parse_stamp,
    quoted,
)

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
