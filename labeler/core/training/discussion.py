"""Several labelers' first answers on the same training images, those worth a word first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


class AnswerAccord(IntEnum):
    """How far the answers to an image agree, the most to talk about first."""

    DIFFERENT = 0
    SAME_AND_WRONG = 1
    SAME_AND_RIGHT = 2


@dataclass(frozen=True, slots=True)
class DiscussedAnswer:
    """One labeler's first answer, by wnid, and whether it was accepted."""

    labeler: str
    label: str
    right: bool


@dataclass(frozen=True, slots=True)
class DiscussionNote:
    """What someone said about an image, and when, as a UTC stamp."""

    author: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class DiscussedImage:
    """A training image by its number, the answers in the order of the group, what is accepted."""

    image: int
    accepted: tuple[str, ...]
    answers: tuple[DiscussedAnswer, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The different answers, in the order of the group."""
        return tuple(dict.fromkeys(answer.label for answer in self.answers))

    @property
    def accord(self) -> AnswerAccord:
        if len(self.labels) > 1:
            return AnswerAccord.DIFFERENT
        right = all(answer.right for answer in self.answers)
        return AnswerAccord.SAME_AND_RIGHT if right else AnswerAccord.SAME_AND_WRONG

    @property
    def in_question(self) -> tuple[str, ...]:
        """The classes that someone should look at: all answers, and what is accepted."""
        return tuple(dict.fromkeys((*self.labels, *self.accepted)))


@dataclass(frozen=True, slots=True)
class Discussion:
    """What a group can discuss; `waiting` images someone of it hasn't answered yet."""

    group: tuple[str, ...]
    images: tuple[DiscussedImage, ...]
    waiting: int

    @property
    def different(self) -> int:
        return sum(image.accord is AnswerAccord.DIFFERENT for image in self.images)


def group_discussion(
    group: Sequence[str],
    first_answers: Mapping[str, Mapping[int, str]],
    accepted: Mapping[int, Collection[str]],
) -> Discussion:
    """The images that all of the group have answered; others are only counted.

    `accepted` has the target first, and knows every image of the first answers.
    """
    answered = [frozenset(first_answers.get(code, {})) for code in group]
    shared = frozenset.intersection(*answered) if answered else frozenset()
    some = frozenset().union(*answered)
    images = [
        DiscussedImage(
            image,
            tuple(accepted[image]),
            tuple(_answer(code, first_answers[code][image], accepted[image]) for code in group),
        )
        for image in shared
    ]
    return Discussion(tuple(group), tuple(sorted(images, key=_rank)), len(some - shared))


def _answer(labeler: str, label: str, accepted: Collection[str]) -> DiscussedAnswer:
    return DiscussedAnswer(labeler, label, label in accepted)


def _rank(image: DiscussedImage) -> tuple[int, int, int, int]:
    """Disagreements first, the more answers the sooner; then where fewer were right."""
    right = sum(answer.right for answer in image.answers)
    return image.accord, -len(image.labels), right, image.image
