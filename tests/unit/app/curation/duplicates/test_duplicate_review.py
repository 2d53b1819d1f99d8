"""The review of near-duplicates: rows, verdicts that are stored, undo, and large sets."""

from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import select

from labeler.app.curation.duplicate_findings import duplicate_findings
from labeler.app.curation.duplicate_review import (
    NOT_SEARCHED,
    NOTHING_OPEN,
    DuplicateReview,
)
from labeler.app.curation.duplicate_search import SearchOptions, search_near_duplicates
from labeler.app.curation.duplicate_session import DuplicateSession
from labeler.app.datasets.sampling import freeze_sample
from labeler.core.curation.entities import Candidate, DuplicateMetric, PairVerdict
from labeler.core.curation.near_duplicates import ImagePair, JudgedPair
from labeler.core.datasets.sampling import SampleRequest
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.study.entities import DatasetRole, ExposureOccasion, ImageKey
from labeler.store.datasets.exposures import require_not_trained_on_sample, sample_images_trained_on
from labeler.store.schema import (
    ExposureRow,
    ImageRow,
    NearDuplicateVerdictRow,
    ParticipantRow,
)
from labeler.store.study_store import StudyStore
from tests.adjustable_clock import AdjustableClock
from tests.unit.app.curation.duplicates.conftest import COPIED, FISH
from tests.unit.app.late_runner import LateRunner

WIDE = SearchOptions(metrics=(DuplicateMetric.L2,), limits={DuplicateMetric.L2: 1e10})
NARROW = SearchOptions(metrics=(DuplicateMetric.L2,), limits={DuplicateMetric.L2: 3e7})


class Reviewer:
    """Drives the presenter; every job runs as soon as it is queued."""

    def __init__(self, store: StudyStore) -> None:
        self.runner = LateRunner()
        self.presenter = DuplicateReview(
            session=DuplicateSession(store, "L"),
            runner=self.runner,
            clock=AdjustableClock(),
            describe_error=str,
            name_class=lambda wnid: wnid,
        )
        self.do(self.presenter.start)

    def do(self, act, *arguments):
        act(*arguments)
        self.runner.finish_all()
        return self.presenter.view


@pytest.fixture
def narrow(similar: StudyStore) -> StudyStore:
    search_near_duplicates(similar, NARROW)
    return similar


def verdicts(store: StudyStore) -> dict[ImagePair, PairVerdict]:
    with store.read() as study:
        found = study.near_duplicates.verdicts()
    return {pair: judged.verdict for pair, judged in found.items()}


def test_a_study_that_was_not_searched_says_so(similar):
    assert Reviewer(similar).presenter.view.finished == NOT_SEARCHED


def test_a_verdict_is_stored_and_the_rest_of_the_row_is_distinct(similar):
    search_near_duplicates(similar, WIDE)
    reviewer = Reviewer(similar)
    first = reviewer.presenter.view
    assert len(first.neighbours) == 10
    assert first.neighbours[0].distance < first.neighbours[-1].distance
    view = reviewer.do(reviewer.presenter.judge, PairVerdict.DUPLICATE)
    assert (view.focused, view.neighbours[0].verdict) == (1, PairVerdict.DUPLICATE)
    assert list(verdicts(similar).values()) == [PairVerdict.DUPLICATE]
    view = reviewer.do(reviewer.presenter.finish_row)
    assert (view.number, view.focused) == (2, 0)
    stored = list(verdicts(similar).values())
    assert sorted(stored) == [PairVerdict.DISTINCT] * 9 + [PairVerdict.DUPLICATE]


def test_the_row_ends_the_review_and_a_new_review_has_nothing_open(narrow):
    reviewer = Reviewer(narrow)
    for _row in range(reviewer.presenter.view.total):
        reviewer.do(reviewer.presenter.finish_row)
    assert reviewer.presenter.view.finished == NOTHING_OPEN
    assert Reviewer(narrow).presenter.view.finished == NOTHING_OPEN


def test_undo_takes_a_row_back_and_keeps_it_on_record(narrow):
    reviewer = Reviewer(narrow)
    reviewer.do(reviewer.presenter.finish_row)
    view = reviewer.do(reviewer.presenter.undo)
    assert (view.number, verdicts(narrow)) == (1, {})
    with narrow.read() as study:
        columns = select(NearDuplicateVerdictRow.revision, NearDuplicateVerdictRow.withdrawn)
        rows = [tuple(row) for row in study.session.execute(columns)]
    assert rows == [(1, False), (2, True)]
    reviewer.do(reviewer.presenter.judge, PairVerdict.UNCLEAR)
    assert list(verdicts(narrow).values()) == [PairVerdict.UNCLEAR]


def test_a_verdict_that_cannot_be_stored_is_not_shown_as_given(narrow, monkeypatch):
    reviewer = Reviewer(narrow)

    def full(_self, _judged):
        raise EnvironmentFault("The disk is full.")

    monkeypatch.setattr(DuplicateSession, "judge", full)
    view = reviewer.do(reviewer.presenter.judge, PairVerdict.DUPLICATE)
    assert view.trouble == "The disk is full."
    assert (view.neighbours[0].verdict, view.busy, view.can_undo) == (None, False, False)


def test_a_set_over_ten_is_split_into_parts_that_are_not_joined(similar):
    with similar.read() as study:
        keys = [image.key for image in study.duplicate_searches.images()][:14]
    chain = [
        JudgedPair(
            ImagePair.of(one, other),
            PairVerdict.DUPLICATE,
            "L",
            "2026",
            DuplicateMetric.L2,
            float(number),
        )
        for number, (one, other) in enumerate(pairwise(keys))
    ]
    with similar.write() as study:
        study.near_duplicates.judge(chain)
    search_near_duplicates(similar, NARROW)
    reviewer = Reviewer(similar)
    (large,) = reviewer.presenter.view.large_sets
    assert len(large.images) == 14
    assert reviewer.do(reviewer.presenter.split, 0).large_sets == ()
    with similar.read() as study:
        assert max(map(len, study.near_duplicates.sets())) <= 10


def test_the_newest_verdict_of_several_reviewers_joins_or_separates(narrow):
    pair = ImagePair.of(*next(iter(COPIED.items())))
    for code, verdict, at in (
        ("R", PairVerdict.DUPLICATE, "2026-01-01"),
        ("L", PairVerdict.DISTINCT, "2026-01-02"),
    ):
        with narrow.write() as study:
            study.near_duplicates.judge([JudgedPair(pair, verdict, code, at)])
    with narrow.read() as study:
        assert study.near_duplicates.sets() == []


def test_the_lead_chooses_who_survives_only_within_a_set(narrow):
    original, copy = next(iter(COPIED.items()))
    with narrow.write() as study:
        with pytest.raises(RefusedError):
            study.near_duplicates.choose_survivor(copy, by="L")
        judged = JudgedPair(ImagePair.of(original, copy), PairVerdict.DUPLICATE, "L", "2026")
        study.near_duplicates.judge([judged])
        study.near_duplicates.choose_survivor(original, by="L")
        study.near_duplicates.choose_survivor(copy, by="L")
        assert study.near_duplicates.chosen() == {copy}


def chosen(store: StudyStore) -> set[ImageKey]:
    with store.read() as study:
        return set(study.near_duplicates.chosen())


def test_the_lead_keeps_one_of_a_set_while_reviewing_and_takes_it_back(similar):
    search_near_duplicates(similar, WIDE)
    reviewer = Reviewer(similar)
    presenter = reviewer.presenter
    presenter._queue = only_pool(presenter._queue)
    assert presenter.view.survivor is None
    reviewer.do(presenter.keep_candidate)
    view = reviewer.do(presenter.judge, PairVerdict.DUPLICATE)
    assert (view.focused, view.survivor.can_keep_neighbour) == (1, False)
    assert "annotators select most" in view.survivor.sentence
    view = reviewer.do(presenter.focus, 0)
    assert view.survivor.can_keep_neighbour
    view = reviewer.do(presenter.keep_neighbour)
    assert chosen(similar) == {view.neighbours[0].image}
    assert view.neighbours[0].is_kept
    assert "neighbour 1" in view.survivor.sentence
    view = reviewer.do(presenter.keep_candidate)
    assert chosen(similar) == {view.candidate}
    assert not view.survivor.can_keep_candidate
    reviewer.do(presenter.undo)
    assert chosen(similar) == {view.neighbours[0].image}
    view = reviewer.do(presenter.undo)
    assert chosen(similar) == set()
    assert view.survivor.can_keep_neighbour
    assert reviewer.do(presenter.undo).survivor is None


def only_pool(queue):
    """Let every image be a candidate of a pool: nothing is protected."""
    images = {k: replace(image, role=DatasetRole.POOL) for k, image in queue.images.items()}
    return replace(queue, images=images)


def test_no_image_of_a_set_with_a_protected_one_can_be_kept(similar):
    search_near_duplicates(similar, WIDE)
    reviewer = Reviewer(similar)
    assert reviewer.do(reviewer.presenter.judge, PairVerdict.DUPLICATE).survivor is None


def test_candidates_are_too_shallow_until_their_neighbours_are_reviewed(narrow):
    candidates = [Candidate(image=original, label=FISH) for original in COPIED]
    untouched = ImageKey("val", f"{FISH}/1.JPEG")
    candidates.append(Candidate(image=untouched, label=FISH))
    with narrow.read() as study:
        found = duplicate_findings(study, "pool", candidates)
    assert found.has_distances
    assert found.too_shallow == set(COPIED)
    reviewer = Reviewer(narrow)
    reviewer.do(reviewer.presenter.judge, PairVerdict.DUPLICATE)
    reviewer.do(reviewer.presenter.finish_row)
    reviewer.do(reviewer.presenter.finish_row)
    with narrow.read() as study:
        found = duplicate_findings(study, "pool", candidates)
    assert found.too_shallow == frozenset()
    assert len(found.losers) == 1


def test_exposure_follows_duplicates(narrow):
    """Who trained on a near-duplicate of a sampled image has seen the image."""
    original, copy = next(
        (one, other) for one, other in COPIED.items() if other.dataset == "training"
    )
    freeze_sample(narrow, SampleRequest(("val",), per_class=4, seed=1))
    with narrow.write() as study:
        session = study.session
        person = session.scalar(select(ParticipantRow.id).where(ParticipantRow.code == "A"))
        image = session.scalar(select(ImageRow.id).where(ImageRow.name == copy.image))
        session.add(
            ExposureRow(
                participant_id=person,
                image_id=image,
                occasion=ExposureOccasion.TRAINING,
                at="2026-01-01T00:00:00Z",
            )
        )
        session.flush()
        assert sample_images_trained_on(session) == []
        judged = JudgedPair(ImagePair.of(original, copy), PairVerdict.DUPLICATE, "L", "2026")
        study.near_duplicates.judge([judged])
        assert sample_images_trained_on(session) == [("A", original)]
        with pytest.raises(RefusedError):
            require_not_trained_on_sample(session, person)
