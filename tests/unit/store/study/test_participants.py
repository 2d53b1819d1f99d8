"""Participants are known by a code; people's names stay apart."""

import pytest
from sqlalchemy import event

from labeler.core.errors import RefusedError
from labeler.core.study.entities import Participant, ParticipantKind, Role

ANN = Participant(
    "A", ParticipantKind.HUMAN, "first", frozenset({Role.LABELER, Role.LEAD}), 2**63 - 1
)
NET = Participant("resnet50", ParticipantKind.MODEL, "timm")


def test_a_participant_comes_back_as_it_was_added(store) -> None:
    with store.write() as study:
        study.participants.add(ANN)
        study.participants.add(NET)

    with store.read() as study:
        assert study.participants.find("A") == ANN
        assert study.participants.all() == [ANN, NET]
        assert study.participants.find("B") is None


def test_participants_are_found_by_role(store) -> None:
    with store.write() as study:
        study.participants.add(ANN)
        study.participants.add(NET)

        assert study.participants.with_role(Role.LEAD) == [ANN]
        assert study.participants.with_role(Role.REVIEWER) == []


def test_a_code_is_taken_once(store) -> None:
    with store.write() as study:
        study.participants.add(ANN)
        with pytest.raises(RefusedError, match="already has a participant 'A'"):
            study.participants.add(ANN)


def test_roles_are_replaced_as_a_whole(store) -> None:
    with store.write() as study:
        study.participants.add(ANN)
        study.participants.set_roles("A", [Role.REVIEWER])

    with store.read() as study:
        found = study.participants.find("A")
    assert found is not None
    assert found.roles == {Role.REVIEWER}


def test_a_model_has_no_roles(store) -> None:
    with store.write() as study:
        study.participants.add(NET)
        with pytest.raises(RefusedError, match="only people have roles"):
            study.participants.set_roles("resnet50", [Role.LABELER])


def test_an_unknown_code_is_refused_with_those_there_are(store) -> None:
    with store.write() as study:
        study.participants.add(ANN)
        with pytest.raises(RefusedError, match=r"no participant 'a'.*: A"):
            study.participants.name_of("a")


def test_a_name_is_given_to_who_asks_for_it_and_nobody_else(store) -> None:
    with store.write() as study:
        study.participants.add(ANN, name="Ann Example")
        study.participants.add(NET)

    statements: list[str] = []
    event.listen(
        store.database.engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, *_rest: statements.append(statement),
    )
    with store.read() as study:
        everybody = study.participants.all()
        study.participants.find("A")
        study.participants.with_role(Role.LABELER)
        study.phases.facts()
        assert statements
        assert not [s for s in statements if "person" in s]
        assert study.participants.name_of("A") == "Ann Example"
        assert study.participants.name_of("resnet50") is None
    assert "Ann" not in repr(everybody)
