"""What is known about the near-duplicates of a pool when a dataset is built from it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from labeler.core.curation.duplicate_sets import losing_candidates
from labeler.core.curation.entities import Candidate, DuplicateFindings, DuplicateMetric
from labeler.core.curation.near_duplicates import Neighbour, is_deep_enough, review_depth
from labeler.core.study.entities import ImageKey
from labeler.store.curation.duplicate_searches import SearchRecord
from labeler.store.study_store import Transaction

# By candidate and metric: its neighbours within the limit, or None if they weren't computed.
_Near = Mapping[ImageKey, Mapping[DuplicateMetric, Sequence[Neighbour] | None]]


def duplicate_findings(
    study: Transaction, pool: str, candidates: Iterable[Candidate]
) -> DuplicateFindings:
    """Return which candidates lose their place to a near-duplicate, and which need review.

    An image that was found for several classes is joined with itself by its source.
    """
    repository = study.near_duplicates
    records = study.duplicate_searches.records()
    by_image = {candidate.image: candidate for candidate in candidates}
    everyone = {**by_image, **_other_candidates(study, pool)}
    losers = losing_candidates(repository.sets(), everyone, chosen=repository.chosen())
    near = _near_candidates(study, by_image.keys(), records)
    rejected = {key for key, candidate in everyone.items() if candidate.rejected}
    return DuplicateFindings(
        losers=losers & by_image.keys(),
        too_shallow=_too_shallow(study, near, records, rejected),
        not_compared=frozenset(key for key, found in near.items() if None in found.values()),
        has_distances=bool(records),
    )


def _other_candidates(study: Transaction, pool: str) -> dict[ImageKey, Candidate]:
    """Return the candidates of other pools, which aren't protected either."""
    return {
        candidate.image: candidate
        for other in study.pools.names()
        if other != pool
        for candidate in study.pools.candidates(other)
    }


def _near_candidates(
    study: Transaction,
    candidates: Collection[ImageKey],
    records: Mapping[DuplicateMetric, SearchRecord],
) -> _Near:
    """Return the candidates that have a neighbour within a limit, or weren't compared."""
    ids = study.duplicate_searches.ids()
    keys = {number: key for key, number in ids.items()}
    wanted = {ids[key] for key in candidates}
    found: dict[ImageKey, dict[DuplicateMetric, list[Neighbour] | None]] = defaultdict(dict)
    for metric, record in records.items():
        compared = wanted & study.duplicate_searches.computed(metric)
        for number in wanted - compared:
            found[keys[number]][metric] = None
        for number, packed in study.duplicate_searches.neighbours(metric).items():
            # In order of distance.
            within = int(np.searchsorted(packed["distance"], record.limit, side="right"))
            if within and number in compared:
                found[keys[number]][metric] = [
                    Neighbour(keys[int(other)], float(distance))
                    for other, distance in packed[:within]
                    if int(other) in keys
                ]
    return found


def _too_shallow(
    study: Transaction,
    near: _Near,
    records: Mapping[DuplicateMetric, SearchRecord],
    rejected: Collection[ImageKey],
) -> frozenset[ImageKey]:
    """Return the candidates with an unreviewed neighbour within a limit, or not compared."""
    if not near:
        return frozenset()
    reviewed = {*study.near_duplicates.verdicts(), *study.near_duplicates.same_source()}
    limits = {metric: record.limit for metric, record in records.items()}
    return frozenset(
        key
        for key, found in near.items()
        if not is_deep_enough(
            {
                metric: review_depth(key, found.get(metric, ()), reviewed, skipped=rejected)
                for metric in records
            },
            limits,
        )
    )
