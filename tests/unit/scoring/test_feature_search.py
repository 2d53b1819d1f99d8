"""Near-duplicates by the features of a network; in this folder because it imports torch."""

from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import ImagePair
from labeler.core.models.scoring import ModelSpec
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import clock  # noqa: F401
from tests.unit.app.curation.duplicates.conftest import (
    COPIED,
    near_pairs,
    similar,  # noqa: F401
    similar_once,  # noqa: F401
)


def test_features_of_a_network_find_the_copies_within_a_measured_limit(
    similar: StudyStore,  # noqa: F811
) -> None:
    model = ModelSpec(model="tf_efficientnet_lite0", name="tf_efficientnet_lite0")
    options = SearchOptions(metrics=(DuplicateMetric.FEATURES,), model=model)
    (record,) = search_near_duplicates(similar, options).records
    assert record.limit > 0
    assert {ImagePair.of(*pair) for pair in COPIED.items()} <= near_pairs(
        similar, DuplicateMetric.FEATURES
    )
