"""What can be looked at of a class."""

from enum import Enum


class ClassViewMode(Enum):
    """Which of the three is looked at."""

    REFERENCES = "references"
    NEIGHBOURHOOD = "neighbourhood"
    COMPARISON = "comparison"
