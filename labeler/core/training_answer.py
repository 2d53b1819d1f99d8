"""One answer given while training, apart from the arrays that are made of many."""

from dataclasses import dataclass
from datetime import datetime


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
