"""The metrics, the counting conventions and the image subsets of the report."""

from enum import StrEnum


class Metric(StrEnum):
    TOP1 = "top1"
    TOP5 = "top5"
    MULTI_LABEL = "multi_label"
    MULTI_LABEL_IMPUTED = "multi_label_imputed"

    @property
    def needs_labels(self) -> bool:
        """Whether images without a verdict are left out."""
        return self in (Metric.MULTI_LABEL, Metric.MULTI_LABEL_IMPUTED)


class Convention(StrEnum):
    """How correct answers are counted; the first is the default, as in the paper."""

    POOLED = "pooled"
    UNCLEAR_COUNTS = "unclear_counts"
    PER_CLASS = "per_class"
    PER_CLASS_UNCLEAR_COUNTS = "per_class_unclear_counts"

    @property
    def per_class(self) -> bool:
        return self in (Convention.PER_CLASS, Convention.PER_CLASS_UNCLEAR_COUNTS)

    @property
    def accepts_unclear(self) -> bool:
        return self in (Convention.UNCLEAR_COUNTS, Convention.PER_CLASS_UNCLEAR_COUNTS)


class Scale(StrEnum):
    LINEAR = "linear"
    PROBIT = "probit"


class ImageSubset(StrEnum):
    """Subsets that depend on judgements or measurements of an image, not on its target."""

    FAST = "fast"
    SINGLE_LABEL = "single_label"
    MULTI_LABEL = "multi_label"
    PROBLEMATIC = "problematic"


class HumanAggregate(StrEnum):
    """Aggregates over all humans, shown as extra rows."""

    MAJORITY = "majority vote"
    MEAN = "mean of the humans"
    MEDIAN = "median of the humans"


class Outcome(StrEnum):
    """What an answer to an image counts as."""

    CORRECT = "correct"
    WRONG = "wrong"
    NOT_COUNTED = "not counted"
    NO_ANSWER = "no answer"
