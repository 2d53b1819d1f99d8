"""The limits of a search: typed by a person, of the study, or the published ones."""

import pytest

from labeler.app.curation.duplicate_limits import (
    current_limits,
    limit_text,
    read_limits,
    set_study_limits,
    study_limits,
)
from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.core.curation.entities import DuplicateMetric
from labeler.core.curation.near_duplicates import DEFAULT_LIMITS
from labeler.core.errors import RefusedError
from labeler.store.study_store import StudyStore

L2, DSSIM = DuplicateMetric.L2, DuplicateMetric.DSSIM


def test_a_typed_limit_is_read_as_it_is_shown() -> None:
    texts = {metric: limit_text(metric, limit) for metric, limit in DEFAULT_LIMITS.items()}
    assert texts == {L2: "120", DSSIM: "0.2205"}
    assert read_limits(texts) == DEFAULT_LIMITS
    assert read_limits({L2: " "}) == {}


@pytest.mark.parametrize("text", ["near", "-1", "inf", "nan"])
def test_a_limit_that_is_no_distance_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match=text):
        read_limits({DSSIM: text})


def test_a_search_uses_the_limits_of_the_study_unless_others_are_given(
    similar: StudyStore,
) -> None:
    with similar.write() as study:
        set_study_limits(study, {L2: 2e7})
        assert study_limits(study) == {**DEFAULT_LIMITS, L2: 2e7}
    [record] = search_near_duplicates(similar, SearchOptions(metrics=(L2,))).records
    assert record.limit == 2e7
    search_near_duplicates(similar, SearchOptions(metrics=(L2,), limits={L2: 1e7}))
    with similar.read() as study:
        assert current_limits(study) == {**DEFAULT_LIMITS, L2: 1e7}
