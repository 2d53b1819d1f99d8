"""The next class of a review, found and read without the rest: the same as in the whole order."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from labeler.app.review import session as review_desk
from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.session import ReviewPosition, ReviewSession, ReviewStart
from labeler.app.study.phases import open_phase
from labeler.core.clock import stamp
from labeler.core.review.blind_types import CommittedVerdict, OwnVerdict
from labeler.core.review.visit_order import FIRST_ROUND, ClassRound, ReviewOrder
from labeler.core.study.entities import SessionTask, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.study_store import StudyStore
from tests.proposals import DOG, ELEPHANT, FISH, INDIAN, PANDA, TUSKER, propose

CLASSES = (DOG, ELEPHANT, FISH, INDIAN, PANDA, TUSKER)
FOUND_AT_LEAST = 10


@pytest.fixture
def planned(store: StudyStore, tmp_path: Path) -> StudyStore:
    """A review of sixty images in which a third of the labels is asked twice."""
    draw = random.Random(3)
    images = [f"{number:02d}.jpg" for number in range(60)]

    def answers() -> dict[str, str]:
        return {image: draw.choice(CLASSES) for image in images}

    models = {"m1": answers(), "m2": answers()}
    propose(store, tmp_path / "in", targets=answers(), models=models, humans={}, reviewers=("R",))
    plan_review(store, PlanSettings(stage=Stage.INITIAL, repeats=0.3))
    open_phase(store, Phase.ANNOTATE)
    return store


class OpenReview:
    """A reviewer at the desk, next to the order in which everything is known."""

    def __init__(self, store: StudyStore) -> None:
        self._clock = store.clock
        self.session = ReviewSession(store, "R", Stage.INITIAL)
        self.start: ReviewStart = self.session.begin()
        self.order = ReviewOrder(self.session.visits())

    def judge(self, visit_ids: Sequence[str], wnid: str, verdict: Verdict | None) -> None:
        own = None if verdict is None else OwnVerdict(verdict)
        given = [
            CommittedVerdict(
                visit_id=self.order.owner(visit_id, wnid),
                label=wnid,
                own=own,
                at=stamp(self._clock.utc()),
                active_ms=0,
                session_id=self.start.session_id,
            )
            for visit_id in visit_ids
        ]
        self.session.commit(given)
        for visit_id in visit_ids:
            self.order.judge(visit_id, wnid, own)


@pytest.fixture
def seated(planned: StudyStore) -> OpenReview:
    return OpenReview(planned)


def test_whoever_judges_class_by_class_finds_the_same_classes_with_the_same_images(
    seated: OpenReview,
) -> None:
    draw, one, found = random.Random(5), FIRST_ROUND, 0
    while (following := seated.order.waiting_round(one, past=True)) is not None:
        near = seated.session.class_to_judge(one, past=True)
        # Behind the last class of a round the next round begins, which no one can know from there.
        assert (near is None) == (following.number != one.number or following <= one)
        if near is not None:
            known = ReviewOrder(near.visits)
            assert near.one == following
            assert known.tiles(following) == seated.order.tiles(following)
            assert known.left_in(following) == seated.order.left_in(following)
            found += 1
        waiting = [
            v for v in seated.order.tiles(following) if not seated.order.own(v, following.wnid)
        ]
        # Some classes are left with an image that waits, and a verdict is taken back now and then.
        judged = waiting[draw.randrange(2) :] if len(waiting) > 1 else waiting
        seated.judge(judged, following.wnid, Verdict.WRONG)
        if draw.random() < 0.2:
            seated.judge(judged[:1], following.wnid, None)
        one = following
    assert found >= FOUND_AT_LEAST


def test_a_class_is_looked_for_from_where_the_reviewer_was(seated: OpenReview) -> None:
    last = seated.order.rounds()[-1]
    here = seated.session.class_to_judge(last, past=False)
    assert here is not None
    assert here.one == last
    assert seated.session.class_to_judge(last, past=True) is None


def test_no_more_classes_are_read_than_are_near(
    seated: OpenReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the first classes only images wait that are held back for the second round."""
    monkeypatch.setattr(review_desk, "_CLASSES_READ", 2)
    first = [one for one in seated.order.rounds() if one.number == 1]
    for one in first[:3]:
        seated.judge(seated.order.tiles(one), one.wnid, Verdict.CORRECT)
    assert seated.order.waiting_round(FIRST_ROUND, past=True) == first[3]
    assert seated.session.class_to_judge(FIRST_ROUND, past=True) is None
    near = seated.session.class_to_judge(first[1], past=True)
    assert near is not None
    assert near.one == first[3]


def test_the_place_of_a_reviewer_is_there_the_next_time(
    seated: OpenReview, planned: StudyStore
) -> None:
    assert seated.start.place == ReviewPosition()
    place = ReviewPosition(by_class=True, at=ClassRound(2, PANDA))
    seated.session.keep_place(ReviewPosition(by_class=True, at=ClassRound(1, DOG)))
    seated.session.keep_place(place)
    assert OpenReview(planned).start.place == place


def test_a_place_that_cannot_be_read_is_the_beginning(
    seated: OpenReview, planned: StudyStore
) -> None:
    seated.session.keep_place(ReviewPosition(by_class=True, at=ClassRound(2, PANDA)))
    with planned.write() as study:
        (subject,) = study.drafts.subjects("R", task=SessionTask.REVIEW)
        study.drafts.put("R", task=SessionTask.REVIEW, subject=subject, contents={"round": "first"})
    assert OpenReview(planned).start.place == ReviewPosition()
