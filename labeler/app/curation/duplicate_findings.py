"""What is known about the near-duplicates of a pool when a dataset is built from it."""

from collections.abc import Iterable

from labeler.core.curation.duplicate_sets import duplicate_sets, losing_candidates
from labeler.core.curation.entities import Candidate, DuplicateFindings
from labeler.core.curation.near_duplicates import ImagePair
from labeler.core.curation.pools import source_pairs
from labeler.store.study_store import Transaction


def duplicate_findings(
    study: Transaction, pool: str, candidates: Iterable[Candidate]
) -> DuplicateFindings:
    """Return which candidates lose their place to a near-duplicate.

    An image that was found for several classes is joined with itself by its source.
    """
    pairs = [ImagePair.of(one, other) for one, other in source_pairs(study.pools.identities(pool))]
    by_image = {each.image: each for each in candidates}
    return DuplicateFindings(losers=losing_candidates(duplicate_sets(pairs), by_image))
