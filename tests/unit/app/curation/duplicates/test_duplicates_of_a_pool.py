"""Near-duplicates of a pool's candidates: who is compared, what is reviewed, who is eligible."""

from pathlib import Path

import pytest

from labeler.app.curation.building import judge_pool
from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.app.curation.duplicate_session import DuplicateSession
from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.app.curation.rejections import reject_candidates, unreject_candidates
from labeler.app.curation.search_estimate import estimate_search
from labeler.app.curation.workspace import CurationStep, read_workspace
from labeler.core.curation.entities import DuplicateMetric, Exclusion, PairVerdict, RejectReason
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.curation.conftest import set_frequencies
from tests.unit.app.curation.duplicates.conftest import (
    FISH,
    photograph,
    slightly_changed,
    write,
)

L2, DSSIM = DuplicateMetric.L2, DuplicateMetric.DSSIM
NARROW = SearchOptions(metrics=(DSSIM,), limits={DSSIM: 0.1})
POOL = "pool"


def candidate(name: str) -> ImageKey:
    return ImageKey(POOL, f"found/{FISH}/{name}.JPEG")


A, COPY, B, C = map(candidate, ("a", "a-copy", "b", "c"))


@pytest.fixture
def pooled(similar: StudyStore, tmp_path: Path) -> StudyStore:
    """The study with four candidates; two of them are near-duplicates."""
    folder = tmp_path / "found"
    write(tmp_path, A.image, photograph(300))
    write(tmp_path, COPY.image, slightly_changed(photograph(300)))
    write(tmp_path, B.image, photograph(301))
    write(tmp_path, C.image, photograph(302))
    import_candidates(similar, PoolRequest(pool=POOL, path=folder))
    set_frequencies(similar, {A: 10, COPY: 9, B: 10, C: 10})
    return similar


def compared(store: StudyStore) -> set[ImageKey]:
    with store.read() as study:
        done = study.duplicate_searches.computed(DSSIM)
        return {key for key, number in study.duplicate_searches.ids().items() if number in done}


def excluded(store: StudyStore) -> dict[ImageKey, Exclusion]:
    with store.read() as study:
        return dict(judge_pool(study, POOL, study.pools.candidates(POOL))[0].excluded)


def needs(store: StudyStore) -> str:
    steps = {each.step: each.needs for each in read_workspace(store).steps}
    return steps[CurationStep.DUPLICATES]


def queued(store: StudyStore) -> set[ImagePair]:
    rows = DuplicateSession(store, "L").queue().rows
    return {ImagePair.of(row.candidate, n.image) for row in rows for n in row.neighbours}


def judge(store: StudyStore, pair: ImagePair, verdict: PairVerdict) -> None:
    with store.write() as study:
        study.near_duplicates.judge([JudgedPair(pair, verdict, "L", "2026", DSSIM)])


def test_candidates_that_cannot_become_eligible_are_not_compared_by_structure(pooled):
    reject_candidates(pooled, [B], RejectReason.BLURRY)
    judge(pooled, ImagePair.of(A, COPY), PairVerdict.DUPLICATE)
    estimated = estimate_search(pooled, NARROW).pairs[DSSIM]
    search_near_duplicates(pooled, NARROW)
    assert {key for key in compared(pooled) if key.dataset == POOL} == {A, C}
    unreject_candidates(pooled, [B])
    assert estimate_search(pooled, NARROW).pairs[DSSIM] < estimated
    assert excluded(pooled)[B] is Exclusion.NOT_REVIEWED
    assert needs(pooled).startswith("1 candidate not compared")
    search_near_duplicates(pooled, NARROW)
    assert B in compared(pooled)
    assert needs(pooled) == ""


def test_pairs_of_rejected_candidates_leave_the_queue_and_hold_nobody_back(pooled):
    search_near_duplicates(pooled, NARROW)
    pair = ImagePair.of(A, COPY)
    assert pair in queued(pooled)
    assert set(excluded(pooled)) == {A, COPY}
    reject_candidates(pooled, [COPY], RejectReason.NEAR_DUPLICATE)
    assert pair not in queued(pooled)
    assert excluded(pooled) == {COPY: Exclusion.REJECTED}
    assert needs(pooled) == ""


def test_rows_of_candidates_come_before_those_of_the_datasets(pooled):
    search_near_duplicates(pooled, NARROW)
    datasets = [row.candidate.dataset for row in DuplicateSession(pooled, "L").queue().rows]
    assert datasets == [POOL, "val", "val"]


def test_of_a_duplicate_pair_the_more_frequent_candidate_stays(pooled):
    search_near_duplicates(pooled, NARROW)
    judge(pooled, ImagePair.of(A, COPY), PairVerdict.DUPLICATE)
    assert excluded(pooled) == {COPY: Exclusion.NEAR_DUPLICATE}
