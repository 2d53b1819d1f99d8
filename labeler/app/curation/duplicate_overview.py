"""How far the search and the review of near-duplicates are, for the lead."""

from collections.abc import Mapping
from dataclasses import dataclass

from labeler.core.curation.duplicate_sets import LARGE_SET
from labeler.core.curation.entities import (
    PairVerdict,
)
from labeler.core.curation.near_duplicates import (
    ImagePair,
    JudgedPair,
)
from labeler.core.curation.sample_check import overlap_sentences
from labeler.core.study.entities import ImageKey
from labeler.store.curation.duplicate_searches import SearchRecord
from labeler.store.study_store import StudyStore, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricState:
    """A searched metric: its record, pairs within the limit, and those without a verdict."""

    record: SearchRecord
    pairs: int
    open_pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateOverview:
    """What was searched, reviewed and joined, and what it means for the sample."""

    metrics: tuple[MetricState, ...]
    judged: Mapping[PairVerdict, int]
    sets: int
    large_sets: tuple[tuple[ImageKey, ...], ...]
    sample: tuple[str, ...]


def read_duplicate_overview(store: StudyStore) -> DuplicateOverview:
    with store.read() as study:
        return duplicate_overview(study)


def duplicate_overview(study: Transaction) -> DuplicateOverview:
    verdicts = study.near_duplicates.verdicts()
    sets = study.near_duplicates.sets()
    sampled = [candidate.key for candidate in study.samples.candidates()]
    return DuplicateOverview(
        metrics=tuple(
            _metric_state(study, record, verdicts)
            for record in study.duplicate_searches.records().values()
        ),
        judged={
            verdict: sum(1 for judged in verdicts.values() if judged.verdict is verdict)
            for verdict in PairVerdict
        },
        sets=len(sets),
        large_sets=tuple(members for members in sets if len(members) > LARGE_SET),
        sample=overlap_sentences(study.near_duplicates.overlaps(sampled)),
    )


def _metric_state(
    study: Transaction, record: SearchRecord, verdicts: Mapping[ImagePair, JudgedPair]
) -> MetricState:
    pairs = pairs_within(study, record)
    return MetricState(
        record=record,
        pairs=len(pairs),
        open_pairs=sum(1 for pair in pairs if pair not in verdicts),
    )


def pairs_within(study: Transaction, record: SearchRecord) -> dict[ImagePair, float]:
    """Return the pairs within the limit of a metric, with their distances."""
    near = {
        (min(number, int(other)), max(number, int(other))): float(distance)
        for number, packed in study.duplicate_searches.neighbours(record.metric).items()
        for other, distance in packed[packed["distance"] <= record.limit]
    }
    keys = study.duplicate_searches.keys({number for pair in near for number in pair})
    return {
        ImagePair.of(keys[one], keys[other]): distance
        for (one, other), distance in near.items()
        if one in keys and other in keys
    }
