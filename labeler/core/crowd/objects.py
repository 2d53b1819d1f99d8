"""The objects of an image, from the labels that annotators ticked."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from labeler.core.crowd.entities import ClassifyAnswer, ObjectTie

# An image with more labels has too many partitions to search all of them.
MOST_LABELS = 10
# An annotator with a larger share of contradictory answers is excluded.
MOST_CONTRADICTORY = Fraction(1, 3)

Distance = Callable[[str, str], int]
Groups = tuple[tuple[str, ...], ...]
Value = TypeVar("Value", int, str)


@dataclass(frozen=True, slots=True)
class ImageObject:
    """A group of labels that name one thing; `label` is the one that was ticked most often."""

    labels: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageObjects:
    """What annotators saw in an image.

    Objects are numbered from 1 in the order of their smallest wnid; `main_object` and
    `target_object` are such numbers. `confidence` is the share of answers with as many labels as
    there are objects. `unplaced` labels were only ever ticked alone on an image of several objects.
    """

    answers: int
    objects: tuple[ImageObject, ...]
    confidence: Fraction
    main_label: str
    main_picks: int
    main_object: int
    target_object: int | None
    unplaced: tuple[str, ...]
    ticked: Mapping[str, int]
    optimal_partitions: int
    ties: frozenset[ObjectTie]

    @property
    def num_objects(self) -> int:
        return len(self.objects)


@dataclass(frozen=True, slots=True)
class CheckedAnswers:
    """Answers in order of submission without contradictory ones, and who is excluded."""

    kept: tuple[ClassifyAnswer, ...]
    contradictory: int
    excluded: frozenset[str]


def check_answers(answers: Iterable[ClassifyAnswer]) -> CheckedAnswers:
    """Leave out contradictory answers and annotators who gave too many of them."""
    ordered = sorted(answers, key=lambda a: (datetime.fromisoformat(a.submitted_at), a.participant))
    given = Counter(answer.participant for answer in ordered)
    bad = Counter(answer.participant for answer in ordered if answer.contradictory)
    excluded = frozenset(
        code for code, count in bad.items() if Fraction(count, given[code]) > MOST_CONTRADICTORY
    )
    kept = tuple(a for a in ordered if not a.contradictory and a.participant not in excluded)
    return CheckedAnswers(kept, bad.total(), excluded)


def has_too_many_labels(answers: Sequence[ClassifyAnswer]) -> bool:
    """Return whether the objects can't be found by searching all partitions."""
    return len(frozenset().union(*(answer.labels for answer in answers))) > MOST_LABELS


def find_objects(
    answers: Sequence[ClassifyAnswer],
    *,
    target: str,
    distance: Distance,
    place_all: bool = False,
) -> ImageObjects:
    """Aggregate one image's checked answers, at least one, in order of submission.

    With `place_all`, an unplaced label joins the object whose labels are nearest to it.
    """
    sizes = [len(answer.labels) for answer in answers]
    count, size_tied = _most_frequent(sizes)
    main_label, label_tied = _most_frequent([answer.main for answer in answers])
    ticked = Counter(label for answer in answers for label in sorted(answer.labels))
    placeable = frozenset().union(
        *(answer.labels for answer in answers if count == 1 or len(answer.labels) > 1)
    )
    groups, optima = _best_groups(sorted(placeable), count, answers, distance)
    unplaced = tuple(sorted(ticked.keys() - placeable))
    if place_all:
        groups, unplaced = _with_nearest(groups, unplaced, distance), ()
    picks = [sum(answer.main in group for answer in answers) for group in groups]
    main_object = picks.index(max(picks)) + 1
    flags = {
        ObjectTie.NUM_OBJECTS: size_tied,
        ObjectTie.MAIN_LABEL: label_tied,
        ObjectTie.MAIN_OBJECT: picks.count(max(picks)) > 1,
    }
    return ImageObjects(
        answers=len(answers),
        objects=tuple(ImageObject(group, _most_ticked(group, ticked)) for group in groups),
        confidence=Fraction(sizes.count(count), len(sizes)),
        main_label=main_label,
        main_picks=sum(answer.main == main_label for answer in answers),
        main_object=main_object,
        target_object=_number_of(groups, target),
        unplaced=unplaced,
        ticked=ticked,
        optimal_partitions=optima,
        ties=frozenset(tie for tie, tied in flags.items() if tied),
    )


def _most_frequent(values: Sequence[Value]) -> tuple[Value, bool]:
    """Return the most frequent value, the one met first in a tie, and whether there is a tie."""
    counts = Counter(values)
    most = max(counts.values())
    return next(v for v in values if counts[v] == most), list(counts.values()).count(most) > 1


def _most_ticked(group: Iterable[str], ticked: Mapping[str, int]) -> str:
    return min(group, key=lambda label: (-ticked[label], label))


def _number_of(groups: Groups, label: str) -> int | None:
    return next((number for number, group in enumerate(groups, 1) if label in group), None)


def _best_groups(
    labels: Sequence[str], count: int, answers: Iterable[ClassifyAnswer], distance: Distance
) -> tuple[Groups, int]:
    """Return the partition that joins the fewest labels ticked together, and how many are as good.

    Of these, the one with the least taxonomy distances inside its groups is returned, then the
    first in lexicographic order.
    """
    together = Counter(
        pair for answer in answers for pair in combinations(sorted(answer.labels), 2)
    )
    best: list[Groups] = []
    least = together.total() + 1
    for groups in _partitions(labels, count):
        cost = _inside(groups, lambda a, b: together[a, b])
        if cost < least:
            best, least = [], cost
        if cost == least:
            best.append(groups)
    return min(best, key=lambda groups: (_inside(groups, distance), groups)), len(best)


def _inside(groups: Groups, weight: Distance) -> int:
    return sum(weight(a, b) for group in groups for a, b in combinations(group, 2))


def _partitions(labels: Sequence[str], count: int) -> Iterator[Groups]:
    """Yield all partitions into `count` groups; groups and their labels keep the given order."""
    if count == len(labels):
        yield tuple((label,) for label in labels)
        return
    if count == 0 or count > len(labels):
        return
    *rest, last = labels
    for groups in _partitions(rest, count - 1):
        yield (*groups, (last,))
    for groups in _partitions(rest, count):
        for place, group in enumerate(groups):
            yield (*groups[:place], (*group, last), *groups[place + 1 :])


def _with_nearest(groups: Groups, unplaced: Sequence[str], distance: Distance) -> Groups:
    """Add each label to the group with the nearest label; of several, to the first."""
    extended = [list(group) for group in groups]
    for label in unplaced:
        nearest = [min(distance(label, other) for other in group) for group in groups]
        extended[nearest.index(min(nearest))].append(label)
    return tuple(sorted(tuple(sorted(group)) for group in extended))
