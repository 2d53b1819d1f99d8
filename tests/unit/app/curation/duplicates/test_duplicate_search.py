"""The search for near-duplicates in a real study, and what it says about the sample."""

from pathlib import Path

import pytest

from labeler.app.background_task import TaskStopped
from labeler.app.curation.duplicate_overview import read_duplicate_overview
from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.app.curation.pixel_store import PixelStore
from labeler.app.curation.search_estimate import estimate_search
from labeler.app.datasets.sampling import freeze_sample, preview_sample
from labeler.core.curation.entities import DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair
from labeler.core.curation.sample_check import OverlapPlace
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import RefusedError
from labeler.core.study.entities import ImageKey
from labeler.store.study_store import StudyStore
from tests.unit.app.curation.duplicates.conftest import COPIED, FISH, near_pairs

L2, DSSIM = DuplicateMetric.L2, DuplicateMetric.DSSIM
REQUEST = SampleRequest(("val",), per_class=4, seed=1)
NARROW = SearchOptions(limits={L2: 3e7, DSSIM: 0.1})


def judge(store: StudyStore, pair: ImagePair, verdict: PairVerdict, at: str = "2026") -> None:
    with store.write() as study:
        study.near_duplicates.judge([JudgedPair(pair, verdict, "R", at)])


class StoppingProgress:
    """Stops the search after some steps of one stage, as a person would."""

    def __init__(self, stage: str) -> None:
        self._stage, self._now = stage, ""

    def start(self, what: str, total: int | None) -> None:  # noqa: ARG002
        self._now = what

    def advance(self, steps: int = 1) -> None:  # noqa: ARG002
        if self._stage in self._now:
            raise TaskStopped("stopped")


def test_both_metrics_find_exactly_the_pairs_that_are_nearly_equal(similar: StudyStore) -> None:
    report = search_near_duplicates(similar, NARROW)
    expected = {ImagePair.of(original, copy) for original, copy in COPIED.items()}
    assert (report.compared, report.images) == (8, 26)
    assert near_pairs(similar, L2) == expected
    assert near_pairs(similar, DSSIM) == expected
    assert all(record.recall == 1 and record.finished_at for record in report.records)


def test_a_search_that_was_stopped_continues_and_reads_no_image_again(
    similar: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TaskStopped):
        search_near_duplicates(similar, NARROW, progress=StoppingProgress("structure"))
    with similar.read() as study:
        records = study.duplicate_searches.records()
        assert records[L2].finished_at
        assert records[DSSIM].finished_at is None
        assert study.duplicate_searches.computed(DSSIM)
    monkeypatch.setattr(PixelStore, "_append", None)
    search_near_duplicates(similar, NARROW)
    assert near_pairs(similar, DSSIM) == near_pairs(similar, L2)


def test_copies_are_there_before_the_search_by_pixels_ends(similar: StudyStore) -> None:
    with pytest.raises(TaskStopped):
        search_near_duplicates(similar, NARROW, progress=StoppingProgress("Measuring the recall"))
    assert near_pairs(similar, L2) == {ImagePair.of(*pair) for pair in COPIED.items()}


def test_pixels_that_were_half_written_are_written_again(similar: StudyStore) -> None:
    search_near_duplicates(similar, SearchOptions(metrics=(L2,)))
    before = near_pairs(similar, L2)
    for file in similar.folder.near_duplicates.glob("*"):
        if file.name.startswith("pixels"):
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with similar.write() as study:
        study.duplicate_searches.clear()
    search_near_duplicates(similar, SearchOptions(metrics=(L2,)))
    assert near_pairs(similar, L2) == before


def test_a_larger_limit_searches_again_and_a_smaller_one_does_not(similar: StudyStore) -> None:
    options = SearchOptions(metrics=(L2,), limits={L2: 3e7})
    search_near_duplicates(similar, options)
    smaller = SearchOptions(metrics=(L2,), limits={L2: 1.0})
    search_near_duplicates(similar, smaller, progress=StoppingProgress("Comparing"))
    assert near_pairs(similar, L2) == set()
    larger = SearchOptions(metrics=(L2,), limits={L2: 4e7})
    with pytest.raises(TaskStopped):
        search_near_duplicates(similar, larger, progress=StoppingProgress("Comparing"))


def test_an_image_that_cannot_be_read_is_left_out_and_named(
    similar: StudyStore, tmp_path: Path
) -> None:
    (tmp_path / "pictures" / "val" / FISH / "3.JPEG").write_bytes(b"no picture")
    report = search_near_duplicates(similar, NARROW)
    assert [unread.key for unread in report.unread] == [ImageKey("val", f"{FISH}/3.JPEG")]
    assert report.compared == 7


def test_features_need_a_model(similar: StudyStore) -> None:
    with pytest.raises(RefusedError, match="model"):
        search_near_duplicates(similar, SearchOptions(metrics=(DuplicateMetric.FEATURES,)))


def test_the_estimate_counts_pairs_and_what_is_left(similar: StudyStore) -> None:
    before = estimate_search(similar, NARROW)
    assert (before.searched, before.to_read, before.pairs[L2]) == (8, 26, 8 * 26)
    search_near_duplicates(similar, NARROW)
    after = estimate_search(similar, NARROW)
    assert (after.to_read, after.pairs) == (0, {L2: 0, DSSIM: 0})


def test_the_sample_warns_of_near_duplicates_that_labelers_see(similar: StudyStore) -> None:
    search_near_duplicates(similar, NARROW)
    preview = preview_sample(similar, REQUEST)
    assert preview.refusals == ()
    assert len(preview.report.near_duplicates) == 2
    assert "among the references" in preview.report.near_duplicates[0]
    assert "1 not reviewed" in preview.report.near_duplicates[0]


def test_a_confirmed_duplicate_is_refused_and_can_be_skipped(similar: StudyStore) -> None:
    search_near_duplicates(similar, NARROW)
    original, copy = next(iter(COPIED.items()))
    judge(similar, ImagePair.of(original, copy), PairVerdict.DUPLICATE)
    assert [c.sampled for c in preview_sample(similar, REQUEST).collisions] == [original]
    with pytest.raises(RefusedError):
        freeze_sample(similar, REQUEST)
    drawn = freeze_sample(similar, SampleRequest(("val",), per_class=3, seed=1), skip_seen=True)
    assert not set(COPIED) & set(drawn.draw.images)
    assert drawn.near_duplicates == ()


def test_a_pair_that_was_judged_distinct_does_not_count(similar: StudyStore) -> None:
    search_near_duplicates(similar, NARROW)
    for pair in COPIED.items():
        judge(similar, ImagePair.of(*pair), PairVerdict.DISTINCT)
    assert preview_sample(similar, REQUEST).report.near_duplicates == ()


def test_the_overview_says_what_is_open_and_where_the_sample_overlaps(similar: StudyStore) -> None:
    freeze_sample(similar, REQUEST)
    search_near_duplicates(similar, NARROW)
    judge(similar, ImagePair.of(*next(iter(COPIED.items()))), PairVerdict.DUPLICATE)
    overview = read_duplicate_overview(similar)
    assert [(state.pairs, state.open_pairs) for state in overview.metrics] == [(2, 1), (2, 1)]
    assert (overview.sets, overview.judged[PairVerdict.DUPLICATE]) == (1, 1)
    with similar.read() as study:
        places = {o.place for o in study.near_duplicates.overlaps(list(COPIED))}
    assert places == {OverlapPlace.REFERENCES, OverlapPlace.TRAINING}
