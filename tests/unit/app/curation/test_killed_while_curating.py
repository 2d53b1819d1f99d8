"""Killed at any step, the program has lost nothing that it showed as done, and continues."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labeler.app.curation.building import build_dataset
from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.app.curation.pool_import import PoolRequest, import_candidates
from labeler.app.curation.revision_history import RevisionReader
from labeler.core.curation.entities import DuplicateMetric, PairVerdict, RejectReason
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.conftest import DOG, FISH, PictureFolder
from tests.unit.app.curation.conftest import POOL
from tests.unit.app.curation.test_building import REQUEST, review_all

# The step of the program that ends in the middle: it kills itself, so that nothing can be tidied.
_BEGINNING = """
import os, signal, sys
from pathlib import Path
from labeler.app.curation import class_review, duplicate_search, pool_import
from labeler.app.curation.building import BuildRequest, build_dataset
from labeler.app.progress import NoProgress
from labeler.core.clock import SystemClock
from labeler.core.curation.entities import DuplicateMetric, RejectReason, Strategy
from labeler.store.study.audit_log import AuditLog
from labeler.store.study_opening import open_study

def die(*_arguments, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

class DyingProgress(NoProgress):
    def __init__(self, stage):
        self.stage, self.now = stage, ""
    def start(self, what, total):
        self.now = what
    def advance(self, steps=1):
        if self.stage in self.now:
            die()

class DirectRunner:
    def run(self, name, work, *, done, failed, **more):
        done(work())

with open_study(Path(sys.argv[1]), clock=SystemClock()) as store:
"""
_IMPORT = """
    pool_import._CHUNK = 2
    request = pool_import.PoolRequest(pool="pool", path=Path(sys.argv[2]))
    pool_import.import_candidates(store, request, progress=DyingProgress("Reading"))
"""
_SEARCH = """
    options = duplicate_search.SearchOptions(metrics=(DuplicateMetric.DSSIM,))
    duplicate_search.search_near_duplicates(store, options, progress=DyingProgress("structure"))
"""
_BUILD = """
    AuditLog.record = die
    build_dataset(store, BuildRequest(dataset="mine", pool="pool", strategy=Strategy.THRESHOLD,
                                      seed=5, per_class=2, parent=1))
"""
_REVIEW = """
    review = class_review.ClassReviewPresenter(
        store=store, reviewer="R", runner=DirectRunner(), describe=str)
    review.start()
    review.reject(1, RejectReason.BLURRY)
    review.mark_duplicate(1)
    review.mark_duplicate(2)
    review.finish_class(needs_work=True)
    die()
"""


@pytest.fixture
def killed(store: StudyStore, run: Callable[..., Any]) -> Callable[..., None]:
    def run_until_killed(step: str, *arguments: Path) -> None:
        process = run(_BEGINNING + step, store.folder.path, *arguments)
        _out, errors = process.communicate()
        assert process.returncode == -signal.SIGKILL, errors

    return run_until_killed


def test_an_import_keeps_what_it_stored_and_the_next_adds_the_rest(
    store: StudyStore, pictures: Callable[[str], PictureFolder], killed: Callable[..., None]
) -> None:
    folder = pictures("flickr").fill(FISH, DOG, each=3)
    killed(_IMPORT, folder.path)
    report = import_candidates(store, PoolRequest(pool=POOL, path=folder.path))
    assert (report.already_there, report.added, report.candidates) == (2, 4, 6)


def test_a_search_continues_after_the_last_batch(
    store: StudyStore, pool: dict[str, ImageKey], killed: Callable[..., None]
) -> None:
    killed(_SEARCH)
    with store.read() as study:
        assert len(study.duplicate_searches.computed(DuplicateMetric.DSSIM)) == len(pool) // 2
    options = SearchOptions(metrics=(DuplicateMetric.DSSIM,))
    [record] = search_near_duplicates(store, options).records
    assert record.finished_at
    with store.read() as study:
        assert len(study.duplicate_searches.computed(DuplicateMetric.DSSIM)) == len(pool)


def test_a_build_is_stored_whole_or_not_at_all(
    store: StudyStore, pool: dict[str, ImageKey], killed: Callable[..., None]
) -> None:
    build_dataset(store, REQUEST)
    review_all(store, 1)
    killed(_BUILD)
    with store.read() as study:
        reader = RevisionReader(study, "mine")
        assert list(reader.revisions) == [1]
        assert all(state.is_done for state in reader.states(1).values())


def test_every_mark_of_a_class_review_is_stored_when_it_is_shown(
    store: StudyStore, pool: dict[str, ImageKey], killed: Callable[..., None]
) -> None:
    build_dataset(store, REQUEST)
    killed(_REVIEW)
    with store.read() as study:
        [rejected] = study.pools.rejections(POOL)
        [judged] = study.near_duplicates.judged()
        states = RevisionReader(study, "mine").states(1)
    assert (rejected.reason, rejected.withdrawn_at) == (RejectReason.BLURRY, None)
    assert judged.verdict is PairVerdict.DUPLICATE
    assert sorted(state.needs_work for state in states.values()) == [False, True]
