"""Selection frequencies from contains-answers, and which answers a quality rule leaves out."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from statistics import median

from labeler.core.crowd.entities import (
    ContainsAnswer,
    ContainsState,
    Grid,
    GridRole,
    ImageLabel,
    SelectionFrequency,
)
from labeler.core.text import count_noun

# The positions of each kind of control, by grid.
Controls = Mapping[GridRole, Mapping[str, frozenset[int]]]


class QualityRule(StrEnum):
    """Which submitted answers count."""

    NONE = "none"
    CONTROLS = "controls"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlLimits:
    """Shares of the positive controls below which the rule `controls` leaves answers out.

    An annotator below `annotator_share` on at least `grids_share` of the grids with positive
    controls is excluded; after that, so is every single answer below `answer_share`.
    """

    annotator_share: Fraction = Fraction(1, 5)
    grids_share: Fraction = Fraction(1, 2)
    answer_share: Fraction = Fraction(2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorQuality:
    """One annotator's work on grids, and what the quality rule made of it.

    The control counts are (selected, shown) over all submitted answers. `weak_grids` are those
    below the annotator's limit, of `controlled_grids` with positive controls.
    """

    participant: str
    grids: int
    positive: tuple[int, int]
    negative: tuple[int, int]
    median_active_ms: float | None
    selections: int
    weak_grids: int
    controlled_grids: int
    dropped_answers: int
    excluded: bool

    @property
    def reason(self) -> str:
        """Why answers don't count, in a sentence; empty if all do."""
        if self.excluded:
            return (
                f"Missed most positive controls on {self.weak_grids} of "
                f"{self.controlled_grids} grids."
            )
        if self.dropped_answers:
            grids = count_noun(self.dropped_answers, "grid")
            return f"Missed too many positive controls on {grids}."
        return ""


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """The answers that count, in order of submission, and the annotators behind all of them."""

    kept: tuple[ContainsAnswer, ...]
    annotators: tuple[AnnotatorQuality, ...]


def judge_answers(
    grids: Mapping[str, Grid],
    answers: Iterable[ContainsAnswer],
    *,
    rule: QualityRule,
    limits: ControlLimits | None = None,
    barred_grids: Collection[str] = (),
) -> JudgedAnswers:
    """Apply a quality rule; returned and rejected answers and barred grids never count."""
    submitted = sorted(
        (a for a in answers if a.state is ContainsState.SUBMITTED and a.grid not in barred_grids),
        key=lambda a: (datetime.fromisoformat(a.submitted_at), a.participant, a.grid),
    )
    by_annotator: dict[str, list[ContainsAnswer]] = defaultdict(list)
    for answer in submitted:
        by_annotator[answer.participant].append(answer)
    answered = {answer.grid for answer in submitted}
    controls = {
        role: {grid: grids[grid].positions(role) for grid in answered}
        for role in (GridRole.POSITIVE, GridRole.NEGATIVE)
    }
    judged = {
        code: _judge_annotator(code, own, controls, rule=rule, limits=limits or ControlLimits())
        for code, own in sorted(by_annotator.items())
    }
    dropped = {key for _quality, keys in judged.values() for key in keys}
    kept = tuple(a for a in submitted if (a.participant, a.grid) not in dropped)
    return JudgedAnswers(kept, tuple(quality for quality, _keys in judged.values()))


def _judge_annotator(
    code: str,
    answers: Sequence[ContainsAnswer],
    controls: Controls,
    *,
    rule: QualityRule,
    limits: ControlLimits,
) -> tuple[AnnotatorQuality, set[tuple[str, str]]]:
    """Return the annotator's quality and the (participant, grid) of answers left out."""
    shares = {a.grid: share for a in answers if (share := _positive_share(controls, a))}
    found = {grid: Fraction(*share) for grid, share in shares.items()}
    weak = sum(share < limits.annotator_share for share in found.values())
    controlled = rule is QualityRule.CONTROLS and bool(found)
    excluded = controlled and weak >= limits.grids_share * len(found)
    low = {grid for grid, share in found.items() if share < limits.answer_share}
    left_out = {a.grid for a in answers} if excluded else low if controlled else set()
    times = [a.active_ms for a in answers if a.active_ms is not None]
    quality = AnnotatorQuality(
        participant=code,
        grids=len(answers),
        positive=_control_counts(answers, controls[GridRole.POSITIVE]),
        negative=_control_counts(answers, controls[GridRole.NEGATIVE]),
        median_active_ms=median(times) if times else None,
        selections=sum(len(a.selected) for a in answers),
        weak_grids=weak,
        controlled_grids=len(found),
        dropped_answers=len(left_out),
        excluded=excluded,
    )
    return quality, {(code, grid) for grid in left_out}


def _positive_share(controls: Controls, answer: ContainsAnswer) -> tuple[int, int] | None:
    positives = controls[GridRole.POSITIVE][answer.grid]
    return (len(positives & answer.selected), len(positives)) if positives else None


def _control_counts(
    answers: Iterable[ContainsAnswer], controls: Mapping[str, frozenset[int]]
) -> tuple[int, int]:
    selected = shown = 0
    for answer in answers:
        places = controls[answer.grid]
        selected += len(places & answer.selected)
        shown += len(places)
    return selected, shown


def selection_frequencies(
    grids: Mapping[str, Grid], kept: Iterable[ContainsAnswer]
) -> dict[ImageLabel, SelectionFrequency]:
    """Count the answers in their order: an annotator counts once per image and label.

    A pair that was never shown has no frequency, and is missing.
    """
    numbers: dict[ImageLabel, int] = {}
    # Numbers instead of pairs: hashing millions of pairs takes most of the time.
    places: dict[str, list[tuple[int, int]]] = {}
    people: dict[str, int] = {}
    seen: set[tuple[int, int]] = set()
    counts: list[list[int]] = []
    for answer in kept:
        person = people.setdefault(answer.participant, len(people))
        if answer.grid not in places:
            grid = grids[answer.grid]
            places[answer.grid] = [
                (position, numbers.setdefault(ImageLabel(shown.image, grid.label), len(numbers)))
                for position, shown in grid.images.items()
            ]
            counts += ([0, 0] for _ in range(len(numbers) - len(counts)))
        for position, number in places[answer.grid]:
            if (person, number) not in seen:
                seen.add((person, number))
                count = counts[number]
                count[0] += position in answer.selected
                count[1] += 1
    ordered = sorted(numbers, key=lambda pair: (pair.image.dataset, pair.image.image, pair.label))
    return {pair: SelectionFrequency(*counts[numbers[pair]]) for pair in ordered}
