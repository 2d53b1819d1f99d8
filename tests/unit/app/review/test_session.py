"""The reviewer's desk: what it gives, what it keeps when the study can't, whom it refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from labeler.app.review.plan import PlanSettings, plan_review
from labeler.app.review.session import IN_JOURNAL, NO_PLAN, ReviewSession
from labeler.app.study.phases import lock_phase, open_phase, pending_text
from labeler.core.clock import stamp
from labeler.core.errors import EnvironmentFault, RefusedError
from labeler.core.review.blind_types import CommittedVerdict, OwnVerdict
from labeler.core.study.entities import CorrectKind, Role, Stage, Verdict
from labeler.core.study.phases import Phase
from labeler.store.review.blind_review import EVALUATION_OPEN
from labeler.store.study_store import StudyStore
from tests.proposals import propose


@pytest.fixture
def planned(store: StudyStore, tmp_path: Path) -> StudyStore:
    propose(store, tmp_path / "exchange", reviewers=("R",))
    plan_review(store, PlanSettings(stage=Stage.INITIAL))
    open_phase(store, Phase.ANNOTATE)
    return store


@contextmanager
def open_session(store: StudyStore, code: str = "R") -> Iterator[ReviewSession]:
    session = ReviewSession(store, code, Stage.INITIAL)
    try:
        yield session
    finally:
        session.end()


def first_verdict(store: StudyStore, session: ReviewSession) -> CommittedVerdict:
    start = session.begin()
    visit = start.visits[0]
    return CommittedVerdict(
        visit_id=visit.visit_id,
        label=visit.labels[0].wnid,
        own=OwnVerdict(Verdict.CORRECT, CorrectKind.AMBIGUOUS),
        at=stamp(store.clock.utc()),
        active_ms=1_500,
        session_id=start.session_id,
    )


def judged(store: StudyStore) -> int:
    with store.read() as study:
        return study.review.reviewing.progress("R", Stage.INITIAL)[0]


def test_a_verdict_that_the_study_cannot_take_waits_in_the_journal_and_is_stored_later(
    planned: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_session(planned) as session:
        verdict = first_verdict(planned, session)
        with monkeypatch.context() as patched:
            patched.setattr(session, "_commit", _refuse_like_a_full_disk)
            for _try in range(2):
                with pytest.raises(EnvironmentFault, match=IN_JOURNAL):
                    session.commit([verdict])
    assert judged(planned) == 0
    with pytest.raises(RefusedError, match=pending_text(1, "verdict", "reviewer")):
        lock_phase(planned, Phase.ANNOTATE)
    with open_session(planned) as session:
        visits = session.begin().visits
    assert visits[0].labels[0].own == verdict.own
    assert judged(planned) == 1
    lock_phase(planned, Phase.ANNOTATE)


def test_a_later_try_at_the_same_desk_empties_the_journal(
    planned: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_session(planned) as session:
        verdict = first_verdict(planned, session)
        with monkeypatch.context() as patched:
            patched.setattr(session, "_commit", _refuse_like_a_full_disk)
            with pytest.raises(EnvironmentFault):
                session.commit([verdict])
        session.commit([verdict])
    lock_phase(planned, Phase.ANNOTATE)
    assert judged(planned) == 1


def test_what_waits_is_told_where_it_can_no_longer_be_stored(
    planned: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_session(planned) as session:
        verdict = first_verdict(planned, session)
        monkeypatch.setattr(session, "_commit", _refuse_like_a_full_disk)
        with pytest.raises(EnvironmentFault):
            session.commit([verdict])
        monkeypatch.undo()
        session._journal.keep([_for_another_label(verdict)])
    with open_session(planned) as session:
        assert "in the journal can't be stored" in session.begin().message


def test_a_labeler_cannot_review_while_the_evaluation_is_open(planned: StudyStore) -> None:
    with planned.write() as study:
        study.participants.set_roles("R", [Role.REVIEWER, Role.LABELER])
        study.phases.open(Phase.EVALUATE)
    with open_session(planned) as session, pytest.raises(RefusedError, match=EVALUATION_OPEN):
        session.begin()


def test_without_a_plan_there_is_nothing_to_judge(store: StudyStore, tmp_path: Path) -> None:
    propose(store, tmp_path / "exchange", reviewers=("R",))
    open_phase(store, Phase.ANNOTATE)
    with open_session(store) as session, pytest.raises(RefusedError, match=NO_PLAN[Stage.INITIAL]):
        session.begin()


def _refuse_like_a_full_disk(_verdicts: object) -> None:
    raise EnvironmentFault("The disk is full.")


def _for_another_label(verdict: CommittedVerdict) -> CommittedVerdict:
    return CommittedVerdict(
        visit_id=verdict.visit_id,
        label="n02123045",
        own=verdict.own,
        at=verdict.at,
        active_ms=1,
        session_id=verdict.session_id,
    )
