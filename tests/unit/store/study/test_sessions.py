"""A session is one sitting of one human at one task, in a role that they hold."""

import pytest

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role, SessionTask
from labeler.store.study.sessions import SessionRecord


@pytest.fixture(autouse=True)
def _people(store) -> None:
    roles = frozenset({Role.LABELER, Role.REVIEWER})
    with store.write() as study:
        study.participants.add(Participant("A", ParticipantKind.HUMAN, "", roles))
        study.participants.add(Participant("resnet50", ParticipantKind.MODEL))


def begin(store, participant="A", role=Role.LABELER, task=SessionTask.EVALUATE) -> str:
    with store.write() as study:
        return study.sessions.begin(participant, role=role, task=task, program_version="0.1")


def test_a_sitting_is_on_record_from_its_beginning_to_its_end(store, clock) -> None:
    session_id = begin(store)
    clock.go_on(hours=2)
    with store.write() as study:
        study.sessions.end(session_id)

    with store.read() as study:
        assert study.sessions.of("A") == [
            SessionRecord(
                session_id=session_id,
                role=Role.LABELER,
                task=SessionTask.EVALUATE,
                program_version="0.1",
                started_at="2026-03-01T09:30:00.000Z",
                ended_at="2026-03-01T11:30:00.000Z",
            )
        ]


def test_sittings_come_oldest_first_and_one_that_was_cut_off_has_no_end(store, clock) -> None:
    first = begin(store)
    clock.go_on(minutes=1)
    second = begin(store, role=Role.REVIEWER, task=SessionTask.REVIEW)

    with store.read() as study:
        sessions = study.sessions.of("A")
    assert [each.session_id for each in sessions] == [first, second]
    assert [each.ended_at for each in sessions] == [None, None]


def test_the_first_end_of_a_session_stands(store, clock) -> None:
    session_id = begin(store)
    for _ in range(2):
        clock.go_on(hours=1)
        with store.write() as study:
            study.sessions.end(session_id)

    with store.read() as study:
        assert study.sessions.of("A")[0].ended_at == "2026-03-01T10:30:00.000Z"


def test_a_role_that_the_participant_does_not_hold_is_refused(store) -> None:
    with pytest.raises(
        RefusedError, match=r"'A' doesn't have the role lead \(.*labeler, reviewer\)"
    ):
        begin(store, role=Role.LEAD)
    with pytest.raises(RefusedError, match=r"'resnet50' doesn't have the role labeler \(.*none\)"):
        begin(store, participant="resnet50")

    with store.read() as study:
        assert study.sessions.of("A") == []


def test_an_unknown_code_is_refused_without_telling_who_else_there_is(store) -> None:
    with pytest.raises(RefusedError, match="no participant 'B'") as refusal:
        begin(store, participant="B")
    assert "resnet50" not in str(refusal.value)


def test_the_end_of_an_unknown_session_is_refused(store) -> None:
    with store.write() as study, pytest.raises(RefusedError, match="no such session"):
        study.sessions.end("00000000-0000-0000-0000-000000000000")
