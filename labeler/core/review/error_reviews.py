"""Judgements of wrong predictions: whether they are mistakes, of which kind, and how severe."""

from enum import StrEnum


class Mistake(StrEnum):
    """Whether a prediction is a mistake."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class ErrorCategory(StrEnum):
    """What kind of mistake it is."""

    FINE_GRAINED = "fine_grained"
    FINE_GRAINED_OUT_OF_VOCABULARY = "fine_grained_out_of_vocabulary"
    SPURIOUS_CORRELATION = "spurious_correlation"
    NON_PROTOTYPICAL = "non_prototypical"
    OTHER = "other"


class ErrorSeverity(StrEnum):
    """How severe a mistake is."""

    MAJOR = "major"
    MINOR = "minor"
    BORDERLINE = "borderline"
