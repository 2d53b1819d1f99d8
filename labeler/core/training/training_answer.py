"""Answers given while training and the sessions they fall in, apart from arrays of many."""

from dataclasses import dataclass
from datetime import datetime

from labeler.core.training.request import TrainingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingAnswer:
    """The first answer to one training trial; classes are by index, the image by its number.

    What follows a first answer has seen the feedback, so it is no measure of what was known.
    """

    image: int
    target: int
    label: int
    right: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class TrainingSession:
    """One sitting at a training: when it began, and what the training was asked for."""

    started: datetime
    request: TrainingRequest | None
