"""Candidate pools, verdicts about near-duplicates, and built datasets.

A pool is a dataset of the role `pool`: a candidate's image key names its pool, and its target is
the proposed class. No model is scored on a pool, and no trial is made of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from labeler.core.crowd.entities import SelectionFrequency
from labeler.core.study.entities import ImageKey


class RejectReason(StrEnum):
    """Why a candidate is barred from every dataset."""

    WRONG_CLASS = "wrong_class"
    DRAWING = "drawing"
    UNLIKE_ORIGINAL = "unlike_original"
    UNCLEAR = "unclear"
    BLURRY = "blurry"
    OCCLUDED = "occluded"
    EDITED = "edited"
    TOO_SMALL = "too_small"
    NEAR_DUPLICATE = "near_duplicate"
    OTHER = "other"


class PairVerdict(StrEnum):
    """A reviewer's judgement of whether two images are near-duplicates."""

    DUPLICATE = "duplicate"
    DISTINCT = "distinct"
    UNCLEAR = "unclear"


class DuplicateMetric(StrEnum):
    """How two images were compared; `source` joins equal source ids, `manual` is a person's."""

    L2 = "l2"
    FEATURES = "features"
    DSSIM = "dssim"
    SOURCE = "source"
    MANUAL = "manual"


class Strategy(StrEnum):
    """How the images of a built dataset are sampled from the eligible candidates."""

    THRESHOLD = "threshold"
    TOP_IMAGES = "top-images"
    MATCHED_FREQUENCY = "matched-frequency"


class RevisionState(StrEnum):
    """How far a revision is; only a final one may be scored."""

    INCOMPLETE = "incomplete"
    COMPLETE = "complete"
    FINAL = "final"


class Exclusion(StrEnum):
    """Why a candidate isn't eligible: the first that applies, in this order."""

    REJECTED = "rejected"
    TOO_FEW_ANSWERS = "too_few_answers"
    NEAR_DUPLICATE = "near_duplicate"
    NOT_REVIEWED = "not_reviewed"


class RemovalReason(StrEnum):
    """Why an image of the parent isn't in a revision: no longer eligible, or not drawn."""

    REJECTED = "rejected"
    TOO_FEW_ANSWERS = "too_few_answers"
    NEAR_DUPLICATE = "near_duplicate"
    NOT_REVIEWED = "not_reviewed"
    OUTSIDE_RULE = "outside_rule"
    NOT_A_CANDIDATE = "not_a_candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSource:
    """Where a candidate was found; every part may be unknown (empty)."""

    source: str = ""
    source_id: str = ""
    query: str = ""
    taken_at: str = ""
    uploaded_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An image of a pool with its proposed class; `frequency` is the one for that class."""

    image: ImageKey
    label: str
    source: CandidateSource = CandidateSource()
    rejected: RejectReason | None = None
    frequency: SelectionFrequency | None = None

    @property
    def value(self) -> Fraction:
        """The exact selection frequency; a candidate that was never shown counts as 0 here."""
        return self.frequency.value if self.frequency else Fraction(0)

    @property
    def shown(self) -> int:
        return self.frequency.shown if self.frequency else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateFindings:
    """What the search for near-duplicates says about the candidates of a pool.

    `losers` lose their place to another image of their near-duplicate set, or to a protected one.
    `too_shallow` have an unreviewed neighbour within a metric's limit, or weren't compared in a
    metric yet; these are `not_compared`, too. `has_distances` is False if no distance was ever
    computed; then no review depth is asked for.
    """

    losers: frozenset[ImageKey] = frozenset()
    too_shallow: frozenset[ImageKey] = frozenset()
    not_compared: frozenset[ImageKey] = frozenset()
    has_distances: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltImage:
    """An image of a revision.

    `bin` is the place it takes, `from_bin` its own: they differ where an image of a higher bin
    filled a shortfall. Strategies without bins have neither. `carried` images come from the parent.
    """

    image: ImageKey
    label: str
    bin: int | None = None
    from_bin: int | None = None
    carried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One numbered state of a built dataset; read-only once made, apart from its state."""

    dataset: str
    revision: int
    parent: int | None
    pool: str
    strategy: Strategy
    parameters: Mapping[str, object]
    seed: int
    made_at: str
    state: RevisionState


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassReview:
    """A reviewer's judgement of one class of a revision."""

    label: str
    reviewed: bool
    needs_work: bool
    reviewer: str
    at: str
