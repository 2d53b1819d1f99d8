"""The answers of a training, as they are stored."""

from dataclasses import dataclass
from datetime import datetime

from labeler.core.training.request import TrainingRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingAnswer:
    """The first answer to one training trial; classes by index, the image by number.

    Later answers are given after feedback, so they don't measure what was known.
    """

    image: int
    target: int
    label: int
    right: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class TrainingSession:
    """One session of a training: when it started, and what was requested."""

    started: datetime
    request: TrainingRequest | None
