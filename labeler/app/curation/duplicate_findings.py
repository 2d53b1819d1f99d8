"""What is known about the near-duplicates of a pool when a dataset is built from it."""

from collections.abc import Iterable, Mapping, Sequence

from labeler.core.curation.duplicate_sets import losing_candidates
from labeler.core.curation.entities import Candidate, DuplicateFindings, DuplicateMetric
from labeler.core.curation.near_duplicates import Neighbour, is_deep_enough, review_depth
from labeler.core.study.entities import ImageKey
from labeler.store.curation.duplicates import PackedNeighbours, SearchRecord
from labeler.store.study_store import Transaction


def duplicate_findings(
    study: Transaction, pool: str, candidates: Iterable[Candidate]
) -> DuplicateFindings:
    """Return which candidates lose their place to a near-duplicate, and which need review.

    An image that was found for several classes is joined with itself by its source.
    """
    repository = study.near_duplicates
    records = repository.searches()
    by_image = {candidate.image: candidate for candidate in candidates}
    everyone = {**by_image, **_other_candidates(study, pool)}
    losers = losing_candidates(repository.sets(), everyone, chosen=repository.chosen())
    return DuplicateFindings(
        losers=losers & by_image.keys(),
        too_shallow=_too_shallow(study, by_image, records) if records else frozenset(),
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


def _too_shallow(
    study: Transaction,
    candidates: Mapping[ImageKey, Candidate],
    records: Mapping[DuplicateMetric, SearchRecord],
) -> frozenset[ImageKey]:
    repository = study.near_duplicates
    reviewed = {*repository.verdicts(), *repository.same_source()}
    rejected = {key for key, candidate in candidates.items() if candidate.rejected}
    images = {i.id: i.key for i in repository.images()}
    complete = {metric: repository.computed(metric) for metric in records}
    found = {metric: repository.neighbours(metric) for metric in records}
    shallow = set()
    for number, key in images.items():
        if key not in candidates:
            continue
        depths = {
            metric: review_depth(
                key,
                _named(found[metric][number], images) if number in complete[metric] else None,
                reviewed,
                skipped=rejected,
            )
            for metric in records
        }
        if not is_deep_enough(depths, {m: record.limit for m, record in records.items()}):
            shallow.add(key)
    return frozenset(shallow)


def _named(packed: PackedNeighbours, images: Mapping[int, ImageKey]) -> Sequence[Neighbour]:
    return [
        Neighbour(images[int(other)], float(distance))
        for other, distance in packed
        if int(other) in images
    ]
