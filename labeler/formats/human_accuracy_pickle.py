"""Read `human_accuracy.pickle`: the data of a study with five people and 72 models."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TypeVar

from labeler.core.clock import stamp
from labeler.core.study.entities import ParticipantKind, ProblemReason, Stage
from labeler.core.study.exchange_format import (
    DATASETS,
    MULTILABELS,
    PARTICIPANTS,
    PREDICTIONS,
    REVIEWS,
)
from labeler.core.study.exchange_rows import format_seconds, quoted
from labeler.formats.human_accuracy_json import LabelStates, parse_label_states
from labeler.formats.nested_values import NestedValue
from labeler.formats.safe_pickle import read_safe_pickle
from labeler.formats.translation import ExchangeRow, Translation

# Larger numbers are milliseconds: as seconds they would be three thousand years from now.
_MILLISECONDS_THRESHOLD = 1e11
# The format of a browser: "GMT-0800 (Pacific Standard Time)".
_ZONE_NAME = re.compile(r"\s*\([^)]*\)$")
_OFFSET_PREFIX = re.compile(r"\b(?:GMT|UTC)(?=[+-]\d)")
_UTC_SUFFIX = re.compile(r"\s*\bUTC$")
# Seconds or milliseconds as a string.
_NUMBER = re.compile(r"\d{9,13}(\.\d+)?")


def parse_timestamp(value: object) -> datetime | None:
    """Return a time in UTC, or None if the value isn't one; no time zone means UTC."""
    try:
        found = _parsed(value)
    except (ValueError, OverflowError, OSError):
        return None
    if found is None:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _parsed(value: object) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    return _from_text(value) if isinstance(value, str) else None


def _from_number(value: float) -> datetime:
    seconds = value / 1000 if value >= _MILLISECONDS_THRESHOLD else value
    return datetime.fromtimestamp(seconds, UTC)


def _from_text(given: str) -> datetime:
    if _NUMBER.fullmatch(given.strip()):
        return _from_number(float(given))
    text = _OFFSET_PREFIX.sub("", _ZONE_NAME.sub("", given.strip()))
    text = _UTC_SUFFIX.sub("+00:00", text)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return parsedate_to_datetime(text)


ORIGINAL_DATASET, NEW_DATASET = "imagenet", "imagenetv2"
REVIEWERS_CODE = "reviewers"
_VALIDATION = "ILSVRC2012_val_"
_HUMAN = "human"
WALL_CLOCK_TIMES = "Times are wall-clock times. The active time is unknown."
# Majority votes, which can be computed from the other answers.
_DERIVED = ("human_majority", "model_majority")
# The file says that an image is problematic, but not why.
_REASON = ProblemReason.TARGET_WRONG


_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The times of an answer; `unread` is a value that isn't a time."""

    label: str
    started: datetime | None
    ended: datetime | None
    unread: str = ""

    @property
    def wall_ms(self) -> int | None:
        if self.started is None or self.ended is None or self.ended < self.started:
            return None
        return round((self.ended - self.started).total_seconds() * 1000)


@dataclass(frozen=True, slots=True)
class _PaperStudy:
    """The checked contents of the file: everything that a row needs is present."""

    targets: Mapping[str, str]
    problematic: Collection[str]
    answers: Mapping[str, Mapping[str, _Answer]]
    final: Mapping[str, LabelStates]
    initial: Mapping[str, LabelStates]
    untargeted: Collection[str]


def translate_human_accuracy_pickle(file: Path, classes: Collection[str]) -> Translation:
    """Return the study in the file, with the datasets imagenet and imagenetv2."""
    paper = _read(NestedValue(read_safe_pickle(file), file=file), frozenset(classes))
    return Translation(
        {
            DATASETS: _datasets(paper),
            PARTICIPANTS: _participants(paper),
            PREDICTIONS: _predictions(paper),
            REVIEWS: _reviews(paper),
            MULTILABELS: _multilabels(paper),
        },
        tuple(_notes(paper)),
    )


def _read(top: NestedValue, classes: frozenset[str]) -> _PaperStudy:
    final = parse_label_states(top.at("image_labels"), classes)
    initial = parse_label_states(top.get("initial_annots", {}), classes)
    answers = {
        code: _answers(given, code, classes)
        for code, given in top.at("annot_data").items()
        if code not in _DERIVED
    }
    named = {*final, *initial, *(image for given in answers.values() for image in given)}
    targets = _targets(top, named, classes)
    facts = top.at("image_map")
    return _PaperStudy(
        targets=targets,
        problematic={i for i in targets if facts.get(i, {}).get("problematic", False).value},
        answers={code: _with_target(given, targets) for code, given in answers.items()},
        final=_with_target(final, targets),
        initial=_with_target(initial, targets),
        untargeted=named - targets.keys(),
    )


def _targets(top: NestedValue, named: Collection[str], classes: frozenset[str]) -> dict[str, str]:
    """Return the targets of the images; images that people labeled must have one."""
    wnids, labeled = top.at("wnid_map"), top.at("labeled_images").texts()
    known = wnids.mapping
    wanted = {*labeled, *(image for image in named if image in known)}
    return {
        image: wnids.at(image).one_of(classes, what="class of the study")
        for image in sorted(wanted)
    }


def _with_target(by_image: Mapping[str, _Value], targets: Collection[str]) -> Mapping[str, _Value]:
    return {image: one for image, one in by_image.items() if image in targets}


def _answers(given: NestedValue, code: str, classes: frozenset[str]) -> Mapping[str, _Answer]:
    """Return a participant's answers, with a fast path for the millions of models' answers."""
    if _is_human(code):
        return {image: _human_answer(one, classes) for image, one in given.items()}
    known = {label: _Answer(label, None, None) for label in classes}
    answers = {}
    for image, one in given.mapping.items():
        label = one.get("label") if type(one) is dict else None
        found = known.get(label) if type(label) is str else None
        if found is None or type(image) is not str or not image:
            break
        answers[image] = found
    else:
        return answers
    # Something is wrong: the slow path finds the error.
    return {image: known[_label(one, classes)] for image, one in given.items()}


def _human_answer(given: NestedValue, classes: frozenset[str]) -> _Answer:
    about = given.get("extra_info", {})
    times = [about.get(key, None).value for key in ("start_time", "end_time")]
    started, ended = map(parse_timestamp, times)
    unread = [str(time) for time in times if time is not None and parse_timestamp(time) is None]
    return _Answer(_label(given, classes), started, ended, unread[0] if unread else "")


def _label(given: NestedValue, classes: frozenset[str]) -> str:
    return given.at("label").one_of(classes, what="class of the study")


def _is_human(code: str) -> bool:
    return _HUMAN in code.lower()


def _dataset(image: str) -> str:
    return ORIGINAL_DATASET if image.startswith(_VALIDATION) else NEW_DATASET


def _datasets(paper: _PaperStudy) -> Iterator[ExchangeRow]:
    # Names of ImageNet's files sort first, so ImageNet is the first of the two datasets.
    for image in sorted(paper.targets, key=lambda image: (_dataset(image), image)):
        reason = _REASON if image in paper.problematic else ""
        yield _dataset(image), image, paper.targets[image], "", reason


def _participants(paper: _PaperStudy) -> Iterator[ExchangeRow]:
    for code in paper.answers:
        human = _is_human(code)
        yield code, ParticipantKind.HUMAN if human else ParticipantKind.MODEL, ""
    if paper.initial:
        yield REVIEWERS_CODE, ParticipantKind.HUMAN, "All reviewers together: the file names none"


def _predictions(paper: _PaperStudy) -> Iterator[ExchangeRow]:
    for code, answers in paper.answers.items():
        for image, answer in answers.items():
            started = "" if answer.started is None else stamp(answer.started)
            wall = format_seconds(answer.wall_ms)
            yield code, _dataset(image), image, 1, answer.label, "", "", wall, started, 0, ""


def _reviews(paper: _PaperStudy) -> Iterator[ExchangeRow]:
    """Return the verdicts before and after the evaluation, if the file has both."""
    if not paper.initial:
        return
    for stage, judged in ((Stage.INITIAL, paper.initial), (Stage.FINAL, paper.final)):
        for image, states in judged.items():
            for label, verdict in states.items():
                yield REVIEWERS_CODE, _dataset(image), image, label, verdict, "", stage, ""


def _multilabels(paper: _PaperStudy) -> Iterator[ExchangeRow]:
    for image, states in paper.final.items():
        for label, state in states.items():
            yield _dataset(image), image, label, state


def _notes(paper: _PaperStudy) -> Iterator[str]:
    people = [code for code in paper.answers if _is_human(code)]
    yield f"People who answered: {len(people)}; models: {len(paper.answers) - len(people)}."
    if people:
        yield WALL_CLOCK_TIMES
    yield from _notes_on_times([a for code in people for a in paper.answers[code].values()])
    if paper.untargeted:
        yield f"Images without a target in wnid_map, left out: {len(paper.untargeted):,}."
    if paper.problematic:
        yield (
            f"Problematic images: {len(paper.problematic):,}. The file doesn't say why: "
            f"each gets the reason {_REASON}."
        )


def _notes_on_times(answers: Sequence[_Answer]) -> Iterator[str]:
    backwards = sum(a.wall_ms is None and None not in (a.started, a.ended) for a in answers)
    if backwards:
        yield f"Answers that end before they begin, imported without a time: {backwards:,}."
    unread = [answer.unread for answer in answers if answer.unread]
    if unread:
        yield (
            f"Answers whose times can't be read, imported without a time: {len(unread):,}, "
            f"for example {quoted(unread[0])}."
        )
