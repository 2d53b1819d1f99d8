"""Rows of a list of training images that were answered."""

from dataclasses import dataclass
from enum import StrEnum


class AnswerTone(StrEnum):
    """What an answer, or several, came to; each has a shape and a colour of its own."""

    RIGHT = "right"
    WRONG = "wrong"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRow:
    """An image by number: what was answered, what is accepted, and a word more.

    Without a tone nothing was answered that could be right or wrong.
    """

    image: int
    answer: str
    tone: AnswerTone | None
    word: str
    accepted: str
    caption: str
