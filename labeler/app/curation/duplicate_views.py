"""What the review of near-duplicates shows of a row, its neighbours and its set."""

from dataclasses import dataclass

from labeler.core.curation.duplicate_sets import SetSplit
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.study.entities import ImageKey

METRIC_NAMES = {
    DuplicateMetric.L2: "pixels",
    DuplicateMetric.FEATURES: "network features",
    DuplicateMetric.DSSIM: "DSSIM",
    DuplicateMetric.SOURCE: "source",
    DuplicateMetric.MANUAL: "manual",
}
assert set(METRIC_NAMES) == set(DuplicateMetric), "every metric has a name"
_MILLION = 1e6


def format_distance(metric: DuplicateMetric, distance: float) -> str:
    """Return a distance as text; pixel distances are in millions."""
    if metric is DuplicateMetric.L2:
        return f"{distance / _MILLION:.1f} M"
    return f"{distance:.3f}" if metric is DuplicateMetric.DSSIM else f"{distance:.3g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourView:
    """A neighbour of the candidate: where it is, its distance, and its verdict if it has one."""

    image: ImageKey
    place: str
    distance: float
    limit: float
    text: str
    others: str
    verdict: PairVerdict | None = None
    is_kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivorView:
    """Which image of the candidate's set stays, and which of the two shown ones can be chosen."""

    sentence: str
    can_keep_candidate: bool
    can_keep_neighbour: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeSet:
    """A set over ten images, and how it could be split."""

    images: tuple[ImageKey, ...]
    split: SetSplit


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateReviewView:
    """The row that is open, and how far the review is."""

    loading: bool = True
    number: int = 0
    total: int = 0
    candidate: ImageKey | None = None
    place: str = ""
    about: str = ""
    limit: str = ""
    neighbours: tuple[NeighbourView, ...] = ()
    focused: int = 0
    warning: str = ""
    survivor: SurvivorView | None = None
    sets: int = 0
    large_sets: tuple[LargeSet, ...] = ()
    can_undo: bool = False
    busy: bool = False
    finished: str = ""
    trouble: str = ""
