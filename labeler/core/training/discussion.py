"""First answers of several labelers to the same training images, disagreements first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


class AnswerAccord(IntEnum):
    """How far the answers to an image agree; the most interesting first."""

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
    """A comment on an image, and when it was made, as a UTC stamp."""

    author: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class DiscussedImage:
    """A training image by number, its answers in group order, and the accepted labels."""

    image: int
    accepted: tuple[str, ...]
    answers: tuple[DiscussedAnswer, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The distinct answers, in group order."""
        return tuple(dict.fromkeys(answer.label for answer in self.answers))

    @property
    def accord(self) -> AnswerAccord:
        if len(self.labels) > 1:
            return AnswerAccord.DIFFERENT
        right = all(answer.right for answer in self.answers)
        return AnswerAccord.SAME_AND_RIGHT if right else AnswerAccord.SAME_AND_WRONG

    @property
    def in_question(self) -> tuple[str, ...]:
        """The classes to look at: all answers and the accepted labels."""
        return tuple(dict.fromkeys((*self.labels, *self.accepted)))


@dataclass(frozen=True, slots=True)
class Discussion:
    """What a group can discuss; `waiting` images are not answered by everyone yet."""

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
    """Return the images that the whole group has answered; others are only counted.

    `accepted` has the target first and contains every answered image.
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
    """Sort key: disagreements first, by number of different answers, then by fewer right ones."""
    right = sum(answer.right for answer in image.answers)
    return image.accord, -len(image.labels), right, image.image
