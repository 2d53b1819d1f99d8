"""People are added to a study under a code, with roles and a seed for their order."""

import pytest

from labeler.app.study.people import (
    PERSON_USES,
    ROLE_NEEDED,
    add_person,
    change_roles,
    correct_person,
    person_in_use_text,
    remove_person,
)
from labeler.core.errors import RefusedError
from labeler.core.study.entities import CODE_RULE, ParticipantKind, Role, SessionTask
from labeler.store.study.participants import participant_foreign_keys


def test_a_person_is_added_with_roles_and_a_separate_name(store) -> None:
    person = add_person(
        store, "A", roles=[Role.LABELER, Role.LEAD], description="first", name="Ann Example"
    )

    with store.read() as study:
        assert study.participants.find("A") == person
        assert study.participants.name_of("A") == "Ann Example"
        last = study.audit.entries()[-1]
    assert (person.kind, person.roles) == (ParticipantKind.HUMAN, {Role.LABELER, Role.LEAD})
    assert last.detail == {"participant": "A", "roles": ["labeler", "lead"]}
    assert "Ann" not in repr(last)


def test_everyone_has_a_reproducible_order_seed(store) -> None:
    seeds = [add_person(store, code, roles=[Role.LABELER]).order_seed for code in "ABC"]

    assert len(set(seeds)) == 3
    assert seeds[0] == 7660672196548017915
    assert add_person(store, "D", roles=[Role.LABELER], order_seed=5).order_seed == 5


@pytest.mark.parametrize("code", ["", "a b", "a,b", "a|b", "a/b", "a\\b", "a\nb", "x" * 65])
def test_a_code_that_would_break_files_or_lists_is_refused(store, code) -> None:
    with pytest.raises(RefusedError, match=CODE_RULE):
        add_person(store, code, roles=[Role.LABELER])


@pytest.mark.parametrize("code", ["A\x1b[2J", "A\u202eB", "A\u200b"])
def test_a_refusal_prints_no_control_character(store, code) -> None:
    with pytest.raises(RefusedError) as refused:
        add_person(store, code, roles=[Role.LABELER])
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("code", ["A", "labeler-1", "Zoë", "x" * 64, "a.b@c"])
def test_valid_codes_are_accepted(store, code) -> None:
    assert add_person(store, code, roles=[Role.LABELER]).code == code


def test_a_code_is_taken_once(store) -> None:
    add_person(store, "A", roles=[Role.LABELER])

    with pytest.raises(RefusedError, match="already has a participant 'A'"):
        add_person(store, "A", roles=[Role.LEAD])


@pytest.mark.parametrize(("there", "code"), [("L", "l"), ("zoë", "ZOË")])
def test_a_code_that_differs_only_in_capital_letters_is_refused(store, there, code) -> None:
    add_person(store, there, roles=[Role.LABELER])

    with pytest.raises(RefusedError, match=f"too similar to the participant '{there}'"):
        add_person(store, code, roles=[Role.LABELER])

    with store.read() as study:
        assert [person.code for person in study.participants.all()] == [there]


def test_a_person_has_at_least_one_role(store) -> None:
    with pytest.raises(RefusedError, match=ROLE_NEEDED):
        add_person(store, "A", roles=[])
    add_person(store, "A", roles=[Role.LABELER])
    with pytest.raises(RefusedError, match=ROLE_NEEDED):
        change_roles(store, "A", [])

    with store.read() as study:
        assert [p.code for p in study.participants.with_role(Role.LABELER)] == ["A"]


def test_a_change_of_roles_is_audited(store) -> None:
    add_person(store, "A", roles=[Role.LABELER])

    change_roles(store, "A", (role for role in (Role.REVIEWER, Role.LEAD)))

    with store.read() as study:
        found = study.participants.find("A")
        last = study.audit.entries()[-1]
    assert found is not None
    assert found.roles == {Role.REVIEWER, Role.LEAD}
    assert last.detail == {"participant": "A", "roles": ["lead", "reviewer"]}


def test_a_description_and_a_name_are_corrected_without_a_trace_of_the_name(store) -> None:
    add_person(store, "A", roles=[Role.LABELER], description="frist", name="Ann")

    correct_person(store, "A", description="first", name="Anne")

    with store.read() as study:
        assert study.participants.names() == {"A": "Anne"}
        person, last = study.participants.find("A"), study.audit.entries()[-1]
    assert person is not None
    assert person.description == "first"
    assert "Ann" not in repr(last)

    correct_person(store, "A", name="")

    with store.read() as study:
        assert study.participants.names() == {}
        assert study.participants.find("A") == person


def test_a_person_without_activity_can_be_removed_and_added_again(store) -> None:
    add_person(store, "A", roles=[Role.LABELER], name="Ann")

    remove_person(store, "A")

    with store.read() as study:
        assert study.participants.find("A") is None
        assert study.participants.names() == {}
    add_person(store, "A", roles=[Role.REVIEWER])


def test_a_person_with_activity_cannot_be_removed(store) -> None:
    add_person(store, "A", roles=[Role.LABELER])
    with store.write() as study:
        study.sessions.begin("A", role=Role.LABELER, task=SessionTask.TRAIN, program_version="0")

    with pytest.raises(RefusedError, match=person_in_use_text("A", [PERSON_USES["session"]])):
        remove_person(store, "A")


def test_every_table_with_participants_has_a_reason() -> None:
    assert {table for table, _column in participant_foreign_keys()} == set(PERSON_USES)
